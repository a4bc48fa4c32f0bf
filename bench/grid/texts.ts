/** Texts of the grid, each put together anew from pieces in a random order, so that none comes twice. */
import type { TextKind } from "./grid.ts";
import { readPool } from "./pools.ts";

/** Cuts UTF-8 between characters. */
function cutAt(bytes: Buffer, octets: number): Buffer {
  let end = Math.min(octets, bytes.length);
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}

/** Texts of a kind, of `octets` octets of UTF-8 or a few less, without end. */
export function* textsOf(kind: TextKind, octets: number, random: () => number): Generator<string> {
  const pieces = readPool(kind).map((piece) => Buffer.from(piece));
  for (;;) {
    const drawn: Buffer[] = [];
    for (let length = 0; length < octets; length += drawn.at(-1)!.length)
      drawn.push(pieces[Math.floor(random() * pieces.length)]!);
    // Flat text of its own, as a reader of mail makes it.
    yield cutAt(Buffer.concat(drawn), octets).toString("utf8");
  }
}
