/** File names in any bytes. Bytes that are not UTF-8 are kept as lone surrogates, as in Python (PEP 383). */
import { isUtf8 } from "node:buffer";

/** Length in octets of a UTF-8 character, from its first octet; 0 if no character begins with it. */
function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/** The name for these octets; `fsPath` turns it back into octets. */
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

/** The path to pass to the file system, for a path of such names. */
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
