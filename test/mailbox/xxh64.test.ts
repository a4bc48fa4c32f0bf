/** XXH64 against a plain version on `BigInt`, and its published values. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Xxh64 } from "../../src/mailbox/packed/xxh64.ts";

const BITS = 64;
const P = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const;
const cut = (value: bigint): bigint => BigInt.asUintN(BITS, value);
const turn = (value: bigint, by: bigint): bigint => cut((value << by) | (value >> (64n - by)));
const round = (lane: bigint, word: bigint): bigint =>
  cut(turn(cut(lane + cut(word * P[1])), 31n) * P[0]);

function xxh64(bytes: Buffer): bigint {
  const lanes = [cut(P[0] + P[1]), P[1], 0n, cut(-P[0])];
  let at = 0;
  for (; at + 32 <= bytes.length; at += 32) {
    for (let lane = 0; lane < 4; lane++) {
      lanes[lane] = round(lanes[lane]!, bytes.readBigUInt64LE(at + 8 * lane));
    }
  }
  let hash: bigint = P[4];
  if (bytes.length >= 32) {
    const [a, b, c, d] = lanes as [bigint, bigint, bigint, bigint];
    hash = cut(turn(a, 1n) + turn(b, 7n) + turn(c, 12n) + turn(d, 18n));
    for (const lane of lanes) hash = cut((hash ^ round(0n, lane)) * P[0] + P[3]);
  }
  hash = cut(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = cut(turn(hash ^ round(0n, bytes.readBigUInt64LE(at)), 27n) * P[0] + P[3]);
  }
  if (at + 4 <= bytes.length) {
    hash = cut(turn(hash ^ cut(BigInt(bytes.readUInt32LE(at)) * P[0]), 23n) * P[1] + P[2]);
    at += 4;
  }
  for (; at < bytes.length; at++) {
    hash = cut(turn(hash ^ cut(BigInt(bytes[at]!) * P[4]), 11n) * P[0]);
  }
  hash = cut((hash ^ (hash >> 33n)) * P[1]);
  hash = cut((hash ^ (hash >> 29n)) * P[2]);
  return hash ^ (hash >> 32n);
}

test("published values", () => {
  expect(xxh64(Buffer.from(""))).toBe(0xef46db3751d8e999n);
  expect(xxh64(Buffer.from("a"))).toBe(0xd24ec4f1a98c6e5bn);
  expect(xxh64(Buffer.from("abc"))).toBe(0x44bc2cf5ad770999n);
});

test("any octets, in any chunks", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 8 });
  fc.assert(
    fc.property(chunks, (pieces) => {
      const hash = new Xxh64();
      for (const piece of pieces) hash.push(piece);
      const expected = BigInt.asUintN(32, xxh64(Buffer.concat(pieces)));
      expect(BigInt(hash.checksum)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});
