/** Octets as text, one code unit below 256 for each: strings are searched and cut faster than arrays of octets. */

const ascii = new TextDecoder("utf-8", { ignoreBOM: true });

/** Units that one call makes of octets: an argument list must fit on the stack. */
const CALL_OCTETS = 8_192;

/** One code unit for each octet. */
export function octetText(bytes: Uint8Array): string {
  const text = ascii.decode(bytes);
  // As long as the octets and without a replacement only where each octet is a character, and so is ASCII.
  if (text.length === bytes.length && !text.includes("\ufffd")) return text;
  let units = "";
  for (let at = 0; at < bytes.length; at += CALL_OCTETS) {
    units += String.fromCharCode(...bytes.subarray(at, at + CALL_OCTETS));
  }
  return units;
}

/** The octets of an octet text. */
export function octetsOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
