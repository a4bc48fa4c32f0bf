/** Lines for people: pieces of text, some with a style. Whatever shows them must escape them first. */
export type TerminalStyle = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Plain text, or text in a style. */
export type LinePiece = string | { readonly text: string; readonly style: TerminalStyle };
export type Line = readonly LinePiece[];

export function styled(style: TerminalStyle, text: string): LinePiece {
  return { text, style };
}
