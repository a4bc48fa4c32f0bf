/** Where mail is, and where files are that a replay writes. */
import { resolve } from "node:path";

/** A file, and what messages call it. */
export interface NamedFile {
  readonly path: string;
  readonly name: string;
}

/** Where mail is: a path and what its messages are called by, or a stream. */
export type MailPlace =
  | NamedFile
  | { readonly stream: AsyncIterable<Uint8Array>; readonly name: string };

/** A place for a path as it is written. */
export function placeAt(path: string, cwd: string): NamedFile {
  return { path: resolve(cwd, path), name: path };
}
