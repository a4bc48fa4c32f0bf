/** Octets as text, one code unit below 256 for each: strings can be searched and cut faster than arrays of octets. */
import { textOfUnits } from "../../base/text-of-units.ts";

const ascii = new TextDecoder("utf-8", { ignoreBOM: true });

/** Up to this length a text is faster made octet by octet: calling a decoder takes as long. */
export const SHORT_OCTETS = 8;

/** The text of octets that are all ASCII; `null` for others. */
export function asciiText(bytes: Uint8Array): string | null {
  const text = ascii.decode(bytes);
  // It has as many units as octets and no replacement character only if each octet is an ASCII character.
  return text.length === bytes.length && !text.includes("\ufffd") ? text : null;
}

/** One code unit for each octet of `[from, to)`. */
export function octetText(all: Uint8Array, from = 0, to: number = all.length): string {
  if (to - from <= SHORT_OCTETS) {
    let short = "";
    for (let at = from; at < to; at++) short += String.fromCharCode(all[at]!);
    return short;
  }
  const bytes = all.subarray(from, to);
  const text = asciiText(bytes);
  return text ?? textOfUnits(bytes);
}

/** Node's own method, the fastest, if the host has it. */
type Latin1 = (this: Uint8Array, start: number, end: number) => string;
const { Buffer: host } = globalThis as { Buffer?: { prototype: { latin1Slice?: Latin1 } } };
const slice = host?.prototype.latin1Slice;

/** One code unit for each octet of `[from, to)`. For many octets, or octets that are mostly above ASCII. */
export function latin1Text(all: Uint8Array, from = 0, to: number = all.length): string {
  return slice === undefined ? octetText(all, from, to) : slice.call(all, from, to);
}

/** The octets of an octet text. */
export function octetsOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** The value of an octet that is a hexadecimal digit; -1 for others and for `undefined`. */
export function hexValue(octet: number | undefined): number {
  if (octet === undefined) return -1;
  if (octet >= 48 && octet <= 57) return octet - 48;
  const lower = octet | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
