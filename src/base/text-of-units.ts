/** The text of some code units, at most 16,384: an argument list must fit on the stack. Spreading them would take six times as long. */
export function textOfUnits(units: Uint8Array | Uint16Array): string {
  return String.fromCharCode.apply(null, units as unknown as number[]);
}
