/** Names of files in any bytes: those that are not UTF-8 are kept as lone surrogates, as Python does (PEP 383). */
import { isUtf8 } from "node:buffer";

/** Octets of a character of UTF-8, by its first one; 0: none begins so. */
function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/** The name that these octets are; `fsPath` gives them back. */
export function nameOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let name = "";
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOf(bytes[at]!);
    const character = bytes.subarray(at, at + length);
    if (length > 0 && character.length === length && isUtf8(character)) {
      name += character.toString("utf8");
      at += length;
    } else {
      name += String.fromCharCode(0xdc00 + bytes[at]!);
      at++;
    }
  }
  return name;
}

/** The path to give to the system for a path of such names. */
export function fsPath(path: string): string | Buffer {
  if (path.isWellFormed()) return path;
  const pieces = path.split(/([\udc80-\udcff])/u);
  return Buffer.concat(
    pieces.map((piece) =>
      /^[\udc80-\udcff]$/u.test(piece)
        ? Buffer.from([piece.charCodeAt(0) - 0xdc00])
        : Buffer.from(piece),
    ),
  );
}
