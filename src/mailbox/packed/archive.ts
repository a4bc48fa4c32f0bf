/** Reads archives as folders: tar from a stream, zip from a file. */
import { Readable } from "node:stream";
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

function damaged(error: unknown): Error {
  const said = error instanceof Error ? error.message : String(error);
  const code = /truncated|not enough bytes|central directory/i.test(said)
    ? "Z_BUF_ERROR"
    : "Z_DATA_ERROR";
  return Object.assign(new Error(said, { cause: error }), { code });
}

/** The files of a tar archive, in its order. Rejects if the archive is damaged or cut off. */
export async function* tarFiles(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<ArchivedFile, void, void> {
  const bytes = Readable.toWeb(Readable.from(source, { objectMode: false }));
  const entries = (bytes as ReadableStream<Uint8Array>).pipeThrough(
    createTarDecoder({ strict: true }),
  );
  const reader = entries.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        const { code } = error as NodeJS.ErrnoException;
        throw code === undefined ? damaged(error) : error;
      });
      if (done) return;
      const { header, body } = value;
      if (header.type === "file") {
        const name = header.name.replace(/^(?:\.?\/)+/, "");
        yield { name, stream: body as unknown as AsyncIterable<Uint8Array> };
      } else {
        await body.cancel().catch(() => undefined);
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
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
      decodeStrings: true,
    })
    .catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      throw code === undefined ? damaged(error) : error;
    });
  try {
    for await (const entry of zip.eachEntry()) {
      const name = String(entry.fileName);
      if (name.endsWith("/")) continue;
      try {
        yield { name, stream: await zip.openReadStreamPromise(entry) };
      } catch (failure) {
        yield {
          name,
          failure: entry.isEncrypted() ? new Error("it is encrypted") : damaged(failure),
        };
      }
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined ? damaged(error) : error;
  } finally {
    zip.close();
  }
}
