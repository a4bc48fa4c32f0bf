/** Octets read as UTF-8. */

/** Keeps a byte order mark: it is a character like any other. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What is not UTF-8 becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** `null` if the octets are not UTF-8. A decoder that throws would take 4 µs. */
export function readUtf8(bytes: Uint8Array): string | null {
  const text = decodeUtf8(bytes);
  return text.includes("\ufffd") && hasReplaced(bytes, text) ? null : text;
}

/** Whether the decoder wrote a U+FFFD in place of octets that are not UTF-8. */
function hasReplaced(bytes: Uint8Array, text: string): boolean {
  let octet = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (
      unit === 0xfffd &&
      !(bytes[octet] === 0xef && bytes[octet + 1] === 0xbf && bytes[octet + 2] === 0xbd)
    ) {
      return true;
    }
    // Each half of a surrogate pair has two of its four octets.
    const isHalf = (unit & 0xf800) === 0xd800;
    octet += unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3;
  }
  return false;
}
