/** Bytes literals, read from their source: the parser keeps one byte per character, where CEL wants UTF-8. */

const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  "\\": 92,
  "?": 63,
  '"': 34,
  "'": 39,
  "`": 96,
};

/** The octets of `b"…"`, which the parser has already accepted. */
export function decodeBytes(literal: string): Uint8Array {
  const quoted = literal.slice(1);
  const width = quoted.startsWith('"""') || quoted.startsWith("'''") ? 3 : 1;
  const encoder = new TextEncoder();
  const octets: number[] = [];
  const pieces = quoted.slice(width, -width).match(/\\[xX]..|\\[0-7]{3}|\\.|[^\\]+/gsu) ?? [];
  for (const piece of pieces) {
    if (!piece.startsWith("\\")) octets.push(...encoder.encode(piece));
    else if (/^\\[xX]/.test(piece)) octets.push(Number.parseInt(piece.slice(2), 16));
    else if (/^\\[0-7]/.test(piece)) octets.push(Number.parseInt(piece.slice(1), 8));
    else octets.push(SIMPLE[piece[1]!]!);
  }
  return Uint8Array.from(octets);
}
