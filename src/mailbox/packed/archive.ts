/** Reads archives as folders: tar from a stream, zip from a file. */
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { createTarDecoder } from "modern-tar";
import { fsPath } from "../path-bytes.ts";

/** A file in an archive. Read it before asking for the next. */
export interface ArchivedFile {
  readonly name: string;
  readonly stream: AsyncIterable<Uint8Array>;
}

/** A member of an archive that could not be read, and why. */
export interface UnreadMember {
  readonly name: string;
  readonly failure: unknown;
}

/** A member of a tar archive without octets of its own. */
export interface BareMember {
  readonly name: string;
  readonly type: "hard link" | "symbolic link" | "device";
}

const BARE: Readonly<Record<string, BareMember["type"]>> = {
  link: "hard link",
  symlink: "symbolic link",
  "character-device": "device",
  "block-device": "device",
  fifo: "device",
};

/** An error of the system or of zlib as it is; an error of a library, which has no code, as damage. */
function failureOf(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException | undefined)?.code !== undefined) return error;
  const said = error instanceof Error ? error.message : String(error);
  if (said.startsWith("unsupported")) return error;
  const code = /truncated|not enough bytes|central directory/i.test(said)
    ? "Z_BUF_ERROR"
    : "Z_DATA_ERROR";
  return Object.assign(new Error(said, { cause: error }), { code });
}

/** The members of a tar archive but folders, in its order. Rejects if the archive is damaged or cut off. */
export async function* tarFiles(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<ArchivedFile | UnreadMember | BareMember, void, void> {
  const bytes = Readable.toWeb(Readable.from(source, { objectMode: false }));
  const entries = (bytes as ReadableStream<Uint8Array>).pipeThrough(
    createTarDecoder({ strict: true }),
  );
  const reader = entries.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw failureOf(error);
      });
      if (done) return;
      const { header, body } = value;
      const name = header.name.replace(/^(?:\.?\/)+/, "");
      const isSparse = Object.keys(header.pax ?? {}).some((key) => key.startsWith("GNU.sparse."));
      if (header.type === "file" && !isSparse) {
        yield { name, stream: body as unknown as AsyncIterable<Uint8Array> };
        continue;
      }
      const type = BARE[header.type ?? "file"];
      if (isSparse) yield { name, failure: new Error("it is a sparse file: unpack it first") };
      else if (type !== undefined) yield { name, type };
      await body.cancel().catch(() => undefined);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The octets of a file in a zip archive. Rejects at its end if they are not those that were packed. */
async function* checked(
  stream: AsyncIterable<Uint8Array>,
  expected: number,
): AsyncGenerator<Uint8Array> {
  let found = 0;
  try {
    for await (const chunk of stream) {
      found = crc32(chunk, found);
      yield chunk;
    }
  } catch (error) {
    throw failureOf(error);
  }
  if (found !== expected) throw failureOf(new Error("the checksum is wrong"));
}

/** The files of a zip archive, in its order; for an encrypted or damaged file, its failure. */
export async function* zipFiles(
  path: string,
): AsyncGenerator<ArchivedFile | UnreadMember, void, void> {
  const yauzl = await import("yauzl");
  const zip = await yauzl
    .openPromise(fsPath(path) as string, {
      lazyEntries: true,
      autoClose: false,
      // A name such as `../a.eml` is only shown: yauzl would refuse it with all members after it.
      decodeStrings: false,
    })
    .catch((error: unknown) => {
      throw failureOf(error);
    });
  try {
    for await (const entry of zip.eachEntry()) {
      const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
      const name = yauzl.getFileNameLowLevel(
        generalPurposeBitFlag,
        fileNameRaw,
        extraFields,
        false,
      );
      if (name.endsWith("/")) continue;
      try {
        const stream = await zip.openReadStreamPromise(entry);
        yield { name, stream: checked(stream, entry.crc32) };
      } catch (failure) {
        yield {
          name,
          failure: entry.isEncrypted() ? new Error("it is encrypted") : failureOf(failure),
        };
      }
    }
  } catch (error) {
    throw failureOf(error);
  } finally {
    zip.close();
  }
}
