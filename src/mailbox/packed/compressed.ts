/** Reads compressed mail files, recognised by their first octets: gzip (RFC 1952), Zstandard (RFC 8878), xz and bzip2. */
import { BESIDES, type OnNote } from "./damage.ts";
import { gunzipped } from "./gunzip.ts";
import { unbzip2 } from "./unbzip2.ts";
import { unxz } from "./unxz.ts";
import { unzstd } from "./zstd-frames.ts";

export type Compression = "none" | "gzip" | "zstd" | "xz" | "bzip2";

/** The compression of a file, from its first octets. No mail begins with these octets. */
export function compressionOf(head: Uint8Array): Compression {
  const [a, b, c, d] = head;
  if (a === 0x1f && b === 0x8b && c === 0x08) return "gzip";
  if (b === 0xb5 && a === 0x28 && c === 0x2f && d === 0xfd) return "zstd";
  // A skippable frame, with which some writers begin.
  if ((a ?? 0) >> 4 === 5 && b === 0x2a && c === 0x4d && d === 0x18) return "zstd";
  if (a === 0xfd && b === 0x37 && c === 0x7a && d === 0x58) return "xz";
  const isLevel = d !== undefined && d >= 0x31 && d <= 0x39;
  return a === 0x42 && b === 0x5a && c === 0x68 && isLevel ? "bzip2" : "none";
}

export interface DecompressOptions {
  /** Opens the source again. */
  readonly again?: (() => AsyncIterable<Uint8Array>) | undefined;
  readonly onNote?: OnNote | undefined;
}

/** The chunks, decompressed. Rejects with what the source throws, and if the file has another format or is cut off. */
export function decompressed(
  source: AsyncIterable<Uint8Array>,
  compression: Compression,
  { again, onNote = () => undefined }: DecompressOptions = {},
): AsyncIterable<Uint8Array> {
  switch (compression) {
    case "none":
      return source;
    case "gzip":
      return gunzipped(source, again, onNote);
    case "zstd":
      return unzstd(source, () => onNote(BESIDES));
    case "xz":
      return unxz(source, onNote);
    case "bzip2":
      return unbzip2(source, onNote);
  }
}
