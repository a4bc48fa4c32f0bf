/** Bounds what decoding the charsets of one message's fields costs. */
import { LIMITS } from "../../base/limits.ts";
import type { CharsetDecoder } from "./encoded-words.ts";

/** Octets that finding a decoder counts as: it takes as long, and an unknown charset longer. */
const PIECE_OCTETS = 256;

const utf8 = new TextDecoder("utf-8");

/** For one message: reads as UTF-8 what exceeds `encodedOctetsMax`. UTF-8 itself costs too little to be counted. */
export function boundedDecoder(decode: CharsetDecoder): CharsetDecoder {
  let left = LIMITS.encodedOctetsMax;
  return (bytes, charset) => {
    if (charset !== "utf-8") left -= bytes.length + PIECE_OCTETS;
    return left < 0 ? utf8.decode(bytes) : decode(bytes, charset);
  };
}
