/** Mail files that are compressed: gzip (RFC 1952) and Zstandard (RFC 8878), told by how they begin. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Decompress } from "fzstd";

export type Compression = "none" | "gzip" | "zstd";

const MAGIC: readonly (readonly [Compression, readonly number[]])[] = [
  ["gzip", [0x1f, 0x8b, 0x08]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
];

/** Octets that the Zstandard reader is given at once: four of them can stand for a block of 128 KB. */
const ZSTD_STEP_BYTES = 512;

/** How a file that begins so is compressed; mail begins with neither of these octets. */
export function compressionOf(head: Uint8Array): Compression {
  const found = MAGIC.find(([, magic]) => magic.every((byte, index) => head[index] === byte));
  return found?.[0] ?? "none";
}

async function* gunzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // What the source throws destroys `gunzip`, whose reader is told; who stops reading destroys the source.
  const done = pipeline(Readable.from(source, { objectMode: false }), gunzip).catch(
    () => undefined,
  );
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } finally {
    gunzip.destroy();
    await done;
  }
}

/** Zstandard's reader throws errors with numbers for codes; zlib's code says the same of gzip. */
function push(reader: Decompress, bytes: Uint8Array, place: "within" | "at the end"): void {
  try {
    reader.push(bytes, place === "at the end");
  } catch (error) {
    throw Object.assign(new Error("the file is not Zstandard, or cut off", { cause: error }), {
      code: place === "within" ? "Z_DATA_ERROR" : "Z_BUF_ERROR",
    });
  }
}

async function* unzstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  const reader = new Decompress((piece) => pieces.push(piece));
  const take = (): Uint8Array[] => {
    const taken = pieces;
    pieces = [];
    return taken;
  };
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += ZSTD_STEP_BYTES) {
      // A copy: the reader keeps what it is given, and whoever gave the chunk may use its memory again.
      push(reader, new Uint8Array(chunk.subarray(at, at + ZSTD_STEP_BYTES)), "within");
      yield* take();
    }
  }
  push(reader, new Uint8Array(0), "at the end");
  yield* take();
}

/** The chunks decompressed. Rejects with what the source throws, and where it is not what it says or is cut off. */
export function decompressed(
  source: AsyncIterable<Uint8Array>,
  compression: Compression,
): AsyncIterable<Uint8Array> {
  if (compression === "gzip") return gunzipped(source);
  return compression === "zstd" ? unzstd(source) : source;
}
