/** Code units written one by one and made a text at the end: joining as many short strings costs ten times as much. */

/** Units of the buffer that all texts share which fit in. */
const SHARED_UNITS = 65_536;
const shared = new Uint16Array(SHARED_UNITS);

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const decoder = new TextDecoder(isLittleEndian ? "utf-16le" : "utf-16be", { ignoreBOM: true });

/** Room for code units. Whoever asks has written his text before the next one asks. */
export function unitsFor(length: number): Uint16Array {
  return length <= SHARED_UNITS ? shared : new Uint16Array(length);
}

/** The first units as text, lone surrogates replaced. */
export function unitText(units: Uint16Array, length: number): string {
  return length === 0 ? "" : decoder.decode(units.subarray(0, length));
}
