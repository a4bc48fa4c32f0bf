/** Wildcards: literal pieces with any text between them. */

/**
 * Whether `text` is the pieces in order, the first at its start and the last at its end, with any text between them. One
 * piece is the text itself. Linear, because the leftmost fit is enough.
 */
export function fitsWildcard(text: string, pieces: readonly string[]): boolean {
  const [first, last] = [pieces[0]!, pieces[pieces.length - 1]!];
  if (pieces.length === 1) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = text.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return from + last.length <= text.length;
}

/** Whether `text` matches `pattern`, in which each `*` matches any text. */
export function matchesWildcard(text: string, pattern: string): boolean {
  return fitsWildcard(text, pattern.split("*"));
}
