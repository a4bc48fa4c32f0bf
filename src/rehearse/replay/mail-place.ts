/** Places of mail, and of the files that a replay writes. */
import { resolve } from "node:path";

/** A file, and its name in messages. */
export interface NamedFile {
  readonly path: string;
  readonly name: string;
}

/** A place of mail: a path with its name in messages, or a stream. */
export type MailPlace =
  | NamedFile
  | { readonly stream: AsyncIterable<Uint8Array>; readonly name: string };

/** The place for a path as it was given. */
export function placeAt(path: string, cwd: string): NamedFile {
  return { path: resolve(cwd, path), name: path };
}
