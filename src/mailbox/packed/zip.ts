/** Reads zip archives, from a file. */
import { crc32 } from "node:zlib";
import { fsPath } from "../path-bytes.ts";
import { damage } from "./damage.ts";

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

/** An error of the system or of zlib as it is; an error of a library, which has no code, as damage. */
function failureOf(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException | undefined)?.code !== undefined) return error;
  const said = error instanceof Error ? error.message : String(error);
  if (said.startsWith("unsupported")) return error;
  const isCut = /truncated|not enough bytes|central directory/i.test(said);
  return damage(error, isCut ? "Z_BUF_ERROR" : "Z_DATA_ERROR");
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
  if (found !== expected) throw damage("the checksum is wrong");
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
