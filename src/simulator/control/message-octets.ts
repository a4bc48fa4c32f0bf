/** A message as tests write it, in the octets that SMTP carries. */

/** Text is encoded as UTF-8, and its lines end in CRLF however they were ended; octets stay as they are. */
export function messageOctets(message: string | Uint8Array): Uint8Array {
  if (typeof message !== "string") return message;
  return new TextEncoder().encode(message.replace(/\r\n|\r|\n/g, "\r\n"));
}
