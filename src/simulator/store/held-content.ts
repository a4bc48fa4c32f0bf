/** Octets in the form in which rows hold them: base64, perhaps below a text. */

export function base64Of(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString("base64");
}

export interface HeldContent {
  /** Text on top, in UTF-8; absent: none. */
  readonly added?: string | undefined;
  /** The octets below it. */
  readonly base64: string;
}

export function octetsOf({ added, base64 }: HeldContent): Uint8Array {
  const octets = Buffer.from(base64, "base64");
  return added === undefined ? octets : Buffer.concat([Buffer.from(added), octets]);
}

/** The number of octets. */
export function bytesOf({ added = "", base64 }: HeldContent): number {
  return Buffer.byteLength(added) + Buffer.byteLength(base64, "base64");
}
