/**
 * The part of Node's `Buffer` that the mbox reader uses, for the browser: the page's build replaces `Buffer` by this.
 * `test/page/buffer.test.ts` compares it with Node's.
 */
import { joinOctets } from "../../base/join-octets.ts";

class Octets extends Uint8Array {
  override indexOf(wanted: number | Uint8Array, from: number = 0): number {
    if (typeof wanted === "number") return super.indexOf(wanted, from);
    for (
      let at = super.indexOf(wanted[0]!, from);
      at >= 0;
      at = super.indexOf(wanted[0]!, at + 1)
    ) {
      if (wanted.every((octet, index) => this[at + index] === octet)) return at;
    }
    return -1;
  }
  /** The octets as Latin-1. */
  override toString(_encoding?: string, start: number = 0, end: number = this.length): string {
    let text = "";
    for (const octet of this.subarray(start, end)) text += String.fromCharCode(octet);
    return text;
  }
  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((octet, index) => octet === other[index]);
  }
}

export const Buffer = {
  allocUnsafe: (length: number): Octets => new Octets(length),
  from: (source: string | ArrayBuffer, start?: number, length?: number): Octets =>
    typeof source === "string"
      ? (Octets.from(source, (letter) => letter.charCodeAt(0)) as Octets)
      : new Octets(source, start, length),
  concat: (pieces: readonly Uint8Array[]): Octets => new Octets(joinOctets(pieces).buffer),
};
