/** Writes lines for people to a terminal, some coloured. None of them can control it. */
import type { Line, LinePiece, TerminalStyle } from "../rehearse/words/line.ts";
import type { CliIo, Output } from "./io.ts";

const STYLES: Readonly<Record<TerminalStyle, number>> = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
};

// Control characters, including escape sequences; line separators; and characters that reverse the writing direction,
// with which a subject could show a line that does not exist.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The text with `·` for every character that could control a terminal; its length stays the same. */
export function printable(text: string): string {
  return text.toWellFormed().replace(UNSAFE, "·");
}

/** The value in one line of JSON, with an escape for each of these characters: it still reads as the same value. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (unsafe) => {
    return `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** The line without its styles. */
export function plainText(line: Line): string {
  return line.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

/** `FORCE_COLOR` overrides `NO_COLOR`, and both override the kind of output. */
export function usesColours(output: Output, env: CliIo["env"]): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  return output.isTerminal && TERM !== "dumb";
}

function renderPiece(piece: LinePiece, colours: "colours" | "plain"): string {
  if (typeof piece === "string") return printable(piece);
  const text = printable(piece.text);
  return colours === "plain" ? text : `\u001b[${STYLES[piece.style]}m${text}\u001b[0m`;
}

/** Writes the lines, each ended by a line feed. */
export async function writeLines(
  output: Output,
  env: CliIo["env"],
  lines: readonly Line[],
): Promise<void> {
  if (lines.length === 0) return;
  const colours = usesColours(output, env) ? "colours" : "plain";
  const text = lines.map((line) => line.map((piece) => renderPiece(piece, colours)).join(""));
  await output.write(`${text.join("\n")}\n`);
}
