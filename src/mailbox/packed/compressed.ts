/** Reads compressed mail files, recognised by their first octets: gzip (RFC 1952), Zstandard (RFC 8878), xz and bzip2. */
import { Readable } from "node:stream";
import { BESIDES, gunzipped } from "./gunzip.ts";
import { unzstd } from "./zstd-frames.ts";

export type Compression = "none" | "gzip" | "zstd" | "xz" | "bzip2";

/** Called with notes on a compressed file. */
export type OnNote = (note: string) => void;

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

/** An error like that of zlib for damage, or for a file that ends too early. */
function damage(cause: unknown, code: "Z_DATA_ERROR" | "Z_BUF_ERROR" = "Z_DATA_ERROR"): Error {
  const said = cause instanceof Error ? cause.message : String(cause);
  return Object.assign(new Error(said, { cause }), { code });
}

/** Errors of the xz reader, which come from its C library, for a file that ends too early. */
const XZ_ENDS = /error code (?:8|10)\b|not enough input|unexpected end/i;

async function* unxz(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { default: xz } = await import("xz-decompress");
  const compressed = Readable.toWeb(Readable.from(source, { objectMode: false }));
  const stream = new xz.XzReadableStream(compressed as ReadableStream<Uint8Array>);
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: Error) => {
        throw damage(error, XZ_ENDS.test(error.message) ? "Z_BUF_ERROR" : "Z_DATA_ERROR");
      });
      if (done) return;
      yield new Uint8Array(value);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Octets that the library may give at once: it reads the last megabyte of a file in one step. */
const BZIP2_PENDING_MAX = 268_435_456;

async function* unbzip2(
  source: AsyncIterable<Uint8Array>,
  onNote: OnNote,
): AsyncGenerator<Uint8Array> {
  const { default: open } = await import("unbzip2-stream");
  const stream = open();
  let pieces: Buffer[] = [];
  let pending = 0;
  let hasData = false;
  let hasMore = false;
  let failure: unknown;
  stream.on("data", (piece: Buffer) => {
    pending += piece.length;
    // Thrown into the library, which then stops.
    if (pending > BZIP2_PENDING_MAX) throw new Error("it expands too much at once");
    pieces.push(piece);
    hasData = true;
  });
  stream.on("error", (error: unknown) => {
    // After the last stream, where another could begin.
    if (hasData && /No magic number/.test(String(error))) hasMore = true;
    else
      failure ??= damage(error, /prematurely/.test(String(error)) ? "Z_BUF_ERROR" : "Z_DATA_ERROR");
  });
  function* take(): Generator<Uint8Array> {
    yield* pieces;
    [pieces, pending] = [[], 0];
    if (failure !== undefined) throw failure;
  }
  for await (const chunk of source) {
    // A copy: the reader keeps the chunk, and the caller may reuse its memory.
    stream.write(Buffer.from(chunk));
    yield* take();
  }
  stream.end();
  yield* take();
  if (hasMore) onNote(BESIDES);
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
      return unxz(source);
    case "bzip2":
      return unbzip2(source, onNote);
  }
}
