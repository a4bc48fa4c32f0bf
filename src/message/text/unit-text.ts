/** Texts as arrays of code units: to read them unit by unit, and to write them so, which costs less than joining strings. */
import { latin1Text } from "./octet-text.ts";

/** Units that fit in the buffers shared by all texts. */
const SHARED_UNITS = 65_536;
const shared = new Uint16Array(SHARED_UNITS);
const sharedOctets = new Uint8Array(SHARED_UNITS);

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const decoder = new TextDecoder(isLittleEndian ? "utf-16le" : "utf-16be", { ignoreBOM: true });

/** Room for code units. Make the text with `unitText` before asking for room again. */
export function unitsFor(length: number): Uint16Array {
  return length <= SHARED_UNITS ? shared : new Uint16Array(length);
}

/** The first `length` units as text, or all if there are fewer, with lone surrogates replaced. */
export function unitText(units: Uint16Array, length: number): string {
  const written = units.subarray(0, length);
  let bits = 0;
  for (let at = 0; at < written.length; at++) bits |= written[at]!;
  if (bits > 0xff) return decoder.decode(written);
  // The text of octets takes half the memory, and is made sooner.
  const octets = written.length <= SHARED_UNITS ? sharedOctets : new Uint8Array(written.length);
  octets.set(written);
  return latin1Text(octets, 0, written.length);
}

/** Node's own copy, many times as fast, if the host has it. */
interface HostBuffers {
  from(octets: ArrayBufferLike): { write(text: string, encoding: "utf16le"): number };
}
const { Buffer: host } = globalThis as { Buffer?: HostBuffers };

/** Puts the units of a text at the beginning of `units`, which begins its buffer and has room for them. */
export function copyUnits(text: string, units: Uint16Array): void {
  if (host !== undefined && isLittleEndian) host.from(units.buffer).write(text, "utf16le");
  else for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
}
