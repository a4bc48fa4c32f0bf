/** Messages that are stored: single files, mbox files, folders, Maildirs, compressed or not, one after the other. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { compressionOf, decompressed } from "./compressed.ts";
import { folderEntries } from "./mail-folder.ts";
import { type MailRange, openRange } from "./mail-range.ts";
import { looksLikeMbox, mboxMessages } from "./mbox.ts";
import { messageLimits, type ReadOptions } from "./message-limits.ts";
import type { MessageSource } from "./message-source.ts";

/** Octets that tell an mbox from a message. Messages no longer than that are read once. */
const HEAD_BYTES = 65_536;

/** A message that can be read, more than once if need be. */
export interface StoredMessage {
  /** The path as it was given, for a message of an mbox with its place in it: `archive.mbox#3`. */
  readonly name: string;
  /** Where it can be found again; `null` for what came through a stream. */
  readonly range: MailRange | null;
  open(): MessageSource;
}

/** A file or folder that cannot be read, or not to its end. */
export interface UnreadableMail {
  readonly name: string;
  readonly kind: "file" | "folder";
  readonly error: unknown;
}

interface Head {
  readonly bytes: Uint8Array;
  /** Whether `bytes` is all there is. */
  readonly isComplete: boolean;
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

async function readHead(stream: AsyncIterable<Uint8Array>, bytesMin: number): Promise<Head> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const iterator = stream[Symbol.asyncIterator]();
  let isComplete = false;
  while (length < bytesMin) {
    const next = await iterator.next();
    if (next.done === true) {
      isComplete = true;
      break;
    }
    chunks.push(new Uint8Array(next.value));
    length += next.value.length;
  }
  const bytes = Buffer.concat(chunks);
  const close = async (): Promise<unknown> => iterator.return?.();
  return { bytes, isComplete, all: resume(bytes, iterator), close };
}

async function collect(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  bytesMax: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > bytesMax) {
      throw new RangeError(`\`${name}\` is longer than ${bytesMax} octets: save it as a file`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * The messages that a stream gives: those of an mbox, or the one that it is; compressed or not. `path` is the file
 * that it comes from, if it can be read again. Rejects with what the stream throws, with a RangeError for a single
 * message above `messageBytesMax` that cannot be read again, and with a TypeError for options it does not know; of the
 * limits only `messageBytesMax` counts here.
 */
export async function* mailInStream(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  path?: string,
  options?: ReadOptions,
): AsyncGenerator<StoredMessage, void, void> {
  const { messageBytesMax } = messageLimits(options);
  const start = await readHead(stream, 4);
  const compression = compressionOf(start.bytes);
  const head = await readHead(decompressed(start.all, compression), HEAD_BYTES);
  const range = (from: number, end: number | null, quoting: MailRange["quoting"]) =>
    path === undefined ? null : { path, compression, start: from, end, quoting };
  const whole = range(0, null, "none");
  if (looksLikeMbox(head.bytes)) {
    let place = 0;
    for await (const message of mboxMessages(head.all, options)) {
      place++;
      yield {
        name: `${name}#${place}`,
        range: range(message.start, message.end, message.quoting),
        open: () => message.bytes,
      };
    }
  } else if (head.isComplete) {
    yield { name, range: whole, open: () => head.bytes };
  } else if (whole === null) {
    const bytes = await collect(head.all, name, messageBytesMax);
    yield { name, range: null, open: () => bytes };
  } else {
    await head.close();
    yield { name, range: whole, open: () => openRange(whole, options) };
  }
}

/** What a file is, without reading its messages. */
export async function storedKind(path: string): Promise<"mbox" | "message" | "compressed"> {
  const stream = createReadStream(path, { end: HEAD_BYTES - 1 });
  const { bytes } = await readHead(stream, HEAD_BYTES);
  if (compressionOf(bytes) !== "none") return "compressed";
  return looksLikeMbox(bytes) ? "mbox" : "message";
}

async function* mailInFile(
  path: string,
  name: string,
  kind: "file" | "pipe",
  options: ReadOptions | undefined,
): AsyncGenerator<StoredMessage | UnreadableMail, void, void> {
  try {
    yield* mailInStream(createReadStream(path), name, kind === "file" ? path : undefined, options);
  } catch (error) {
    yield { name, kind: "file", error };
  }
}

async function* mailInFolder(
  path: string,
  name: string,
  options: ReadOptions | undefined,
): AsyncGenerator<StoredMessage | UnreadableMail, void, void> {
  let entries: Awaited<ReturnType<typeof folderEntries>>;
  try {
    entries = await folderEntries(path);
  } catch (error) {
    yield { name, kind: "folder", error };
    return;
  }
  for (const entry of entries) {
    const [entryPath, entryName] = [join(path, entry.name), `${name}/${entry.name}`];
    if (entry.kind === "file") yield* mailInFile(entryPath, entryName, "file", options);
    else yield* mailInFolder(entryPath, entryName, options);
  }
}

/**
 * The messages at `path`, a file or a folder; folders are read with all their subfolders, by name, and what cannot be
 * read of them is told among the messages. `name` is what messages are called by, `path` unless given. Rejects if
 * there is nothing at `path`, and with a TypeError for options it does not know; of the limits only `messageBytesMax`
 * counts here. A message is held only until the next is asked for, whatever the size of its file.
 */
export async function* storedMail(
  path: string,
  name: string = path,
  options?: ReadOptions,
): AsyncGenerator<StoredMessage | UnreadableMail, void, void> {
  const found = await stat(path);
  const title = name.replace(/(?<=.)[/\\]+$/, "");
  if (found.isDirectory()) yield* mailInFolder(path, title, options);
  else yield* mailInFile(path, name, found.isFile() ? "file" : "pipe", options);
}
