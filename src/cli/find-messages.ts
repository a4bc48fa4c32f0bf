/** Messages of a file, an mbox, a folder (Maildirs too) or standard input, one after the other. */
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { LIMITS } from "../base/limits.ts";
import { looksLikeMbox, splitMbox } from "../message/index.ts";
import { UsageError } from "./command.ts";
import { fileFailure } from "./file-failure.ts";
import type { CliIo } from "./io.ts";

/** Octets that tell an mbox from a message. Messages no longer than that are read once. */
const HEAD_BYTES = 65_536;

const STDIN_NAME = "(stdin)";

/** A message that can be read, more than once if need be. */
export interface MessageSource {
  /** The path as it was given, for a message of an mbox with its place in it: `archive.mbox#3`. */
  readonly name: string;
  open(): Uint8Array | AsyncIterable<Uint8Array>;
}

/** A file in a folder that cannot be read. */
export interface Unreadable {
  readonly name: string;
  readonly failure: string;
}

interface Head {
  readonly bytes: Uint8Array;
  /** Whether `bytes` is all there is. */
  readonly complete: boolean;
  /** All, from the start, if it is read on. */
  readonly all: AsyncIterable<Uint8Array>;
  /** Ends the reading. */
  close(): Promise<unknown>;
}

async function* resume(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (;;) {
      const next = await rest.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

async function readHead(stream: AsyncIterable<Uint8Array>): Promise<Head> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const iterator = stream[Symbol.asyncIterator]();
  let complete = false;
  while (length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done === true) {
      complete = true;
      break;
    }
    chunks.push(next.value);
    length += next.value.length;
  }
  const bytes = Buffer.concat(chunks);
  const close = async (): Promise<unknown> => iterator.return?.();
  return { bytes, complete, all: resume(bytes, iterator), close };
}

async function collect(stream: AsyncIterable<Uint8Array>, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > LIMITS.messageBytesMax) {
      const max = LIMITS.messageBytesMax;
      throw new UsageError(`\`${name}\` is longer than ${max} octets: save it as a file`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The messages of a stream; `reopen` reads it again from the start, where that can be done. */
async function* messagesOf(
  name: string,
  stream: AsyncIterable<Uint8Array>,
  reopen?: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<MessageSource> {
  const head = await readHead(stream);
  if (looksLikeMbox(head.bytes)) {
    let place = 0;
    for await (const bytes of splitMbox(head.all)) {
      place++;
      yield { name: `${name}#${place}`, open: () => bytes };
    }
  } else if (head.complete) {
    yield { name, open: () => head.bytes };
  } else if (reopen === undefined) {
    const bytes = await collect(head.all, name);
    yield { name, open: () => bytes };
  } else {
    await head.close();
    yield { name, open: reopen };
  }
}

async function* messagesOfFile(
  path: string,
  name: string,
  kind: "file" | "pipe",
): AsyncGenerator<MessageSource | Unreadable> {
  const reopen = (): AsyncIterable<Uint8Array> => createReadStream(path);
  try {
    yield* messagesOf(name, createReadStream(path), kind === "file" ? reopen : undefined);
  } catch (error) {
    yield { name, failure: fileFailure(error, name, "a message") };
  }
}

/** What to read of a folder. Of a Maildir that is `cur`, `new` and its subfolders, which begin with a dot. */
async function entriesOf(path: string): Promise<{ name: string; kind: "folder" | "file" }[]> {
  const all = await readdir(path, { withFileTypes: true });
  const folders = new Set(all.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  const isMaildir = folders.has("cur") && folders.has("new");
  const chosen: { name: string; kind: "folder" | "file" }[] = [];
  for (const entry of all) {
    const { name } = entry;
    const hidden = name.startsWith(".");
    if (entry.isDirectory()) {
      // A linked folder is none here, so that no circle of links is followed.
      if (isMaildir ? hidden || name === "cur" || name === "new" : !hidden) {
        chosen.push({ name, kind: "folder" });
      }
    } else if (!isMaildir && !hidden) {
      const linked = entry.isSymbolicLink()
        ? await stat(join(path, name)).catch(() => null)
        : entry;
      if (linked?.isFile()) chosen.push({ name, kind: "file" });
    }
  }
  return chosen.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function* messagesInFolder(
  path: string,
  name: string,
): AsyncGenerator<MessageSource | Unreadable> {
  let entries: Awaited<ReturnType<typeof entriesOf>>;
  try {
    entries = await entriesOf(path);
  } catch (error) {
    yield { name, failure: fileFailure(error, name, "a folder") };
    return;
  }
  for (const entry of entries) {
    const [entryPath, entryName] = [join(path, entry.name), `${name}/${entry.name}`];
    if (entry.kind === "file") yield* messagesOfFile(entryPath, entryName, "file");
    else yield* messagesInFolder(entryPath, entryName);
  }
}

/**
 * The messages at `path`; `-` is standard input. Folders are read with all their subfolders, by name.
 * Rejects with a `UsageError` if there is nothing at `path`.
 */
export async function messagesAt(
  path: string,
  io: CliIo,
): Promise<AsyncIterable<MessageSource | Unreadable>> {
  if (path === "-") return messagesOf(STDIN_NAME, io.stdin);
  const absolute = resolve(io.cwd, path);
  const found = await stat(absolute).catch((error: unknown) => {
    throw new UsageError(fileFailure(error, path, "a message"));
  });
  if (found.isDirectory()) return messagesInFolder(absolute, path.replace(/(?<=.)[/\\]+$/, ""));
  return messagesOfFile(absolute, path, found.isFile() ? "file" : "pipe");
}
