/** Collects code units and makes a text of them at the end: joining as many short strings costs ten times as much. */

/** Units that fit in the buffer shared by all texts. */
const SHARED_UNITS = 65_536;
const shared = new Uint16Array(SHARED_UNITS);

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const decoder = new TextDecoder(isLittleEndian ? "utf-16le" : "utf-16be", { ignoreBOM: true });

/** Room for code units. Make the text with `unitText` before asking for room again. */
export function unitsFor(length: number): Uint16Array {
  return length <= SHARED_UNITS ? shared : new Uint16Array(length);
}

/** The first `length` units as text, with lone surrogates replaced. */
export function unitText(units: Uint16Array, length: number): string {
  return length === 0 ? "" : decoder.decode(units.subarray(0, length));
}
