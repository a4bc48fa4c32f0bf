/** Code units that one call turns into text: an argument list must fit on the stack. */
const CALL_UNITS = 8_192;

/** The text of code units. Spreading them would take six times as long as `apply`. */
export function textOfUnits(units: Uint8Array | Uint16Array): string {
  let text = "";
  for (let at = 0; at < units.length; at += CALL_UNITS) {
    const some = units.length <= CALL_UNITS ? units : units.subarray(at, at + CALL_UNITS);
    text += String.fromCharCode.apply(null, some as unknown as number[]);
  }
  return text;
}
