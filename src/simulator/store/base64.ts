/** Octets as base64, the form in which rows hold them. */
export function base64Of(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString("base64");
}
