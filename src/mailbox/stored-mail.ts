/** Reads stored messages one after the other, from files, folders and archives, compressed or not. */
import { createReadStream, readFileSync } from "node:fs";
import { messageLimits, type ReadOptions } from "../message/message-limits.ts";
import type { MessageSource } from "../message/message-source.ts";
import { type FileKind, type FileOrigin, fileKind } from "./file-kind.ts";
import { type WalkedFile, walkMail } from "./mail-folder.ts";
import { collect, type Head, readHead } from "./mail-head.ts";
import { type MailRange, openRange } from "./mail-range.ts";
import { readMbox } from "./mbox/mbox.ts";
import { dialectText } from "./mbox/mbox-dialect.ts";
import type { MboxDialect, MboxDoubt } from "./mbox/mbox-from-line.ts";
import { type NotMail, skipped, unreadable, unreadableBecause, warning } from "./not-mail.ts";
import { babylMessages, emlxMessage, mmdfMessages } from "./other-stores.ts";
import { type Compression, compressionOf, decompressed } from "./packed/compressed.ts";
import { type BareMember, tarFiles } from "./packed/tar.ts";
import { zipFiles } from "./packed/zip.ts";
import { fsPath } from "./path-bytes.ts";

/** Octets that suffice to tell what a file is. Messages no longer than this are read once. */
const HEAD_BYTES = 65_536;
/** How deep archives and compressed files inside one another are opened. */
const DEPTH_MAX = 4;

/** A message that can be read more than once. */
export interface StoredMessage {
  /** The path as it was given; for a message of an mbox, with its number: `archive.mbox#3`. */
  readonly name: string;
  /** Octets of its file that hold it; `null` for a message from a stream or an archive. */
  readonly range: MailRange | null;
  open(): MessageSource;
}

/** A message, or something found besides messages. */
export type FoundMail = StoredMessage | NotMail;

/** Whether what was found is a message. */
export function isMessage(found: FoundMail): found is StoredMessage {
  return "open" in found;
}

/** Where octets come from. */
interface Origin {
  readonly name: string;
  /** The file that these octets are, decompressed, if they are one. */
  readonly path: string | undefined;
  readonly compression: Compression;
  readonly standing: FileOrigin;
  readonly depth: number;
  readonly options: ReadOptions | undefined;
}

function rangeOf(
  { path, compression }: Origin,
  start: number,
  end: number | null,
  quoting: MailRange["quoting"],
): MailRange | null {
  return path === undefined ? null : { path, compression, start, end, quoting };
}

const DOUBTS: Readonly<Record<MboxDoubt, string>> = {
  "no blank line before": "begin messages without a blank line before them",
  "no header after": "begin messages without a header after them",
  "no date": "begin messages without a date, unlike others",
  "a patch": "look like a patch of git and were left in the text",
  "left in the text": "follow a blank line and were left in the text",
};

/** A note on how an mbox was read. */
export function dialectNote(name: string, dialect: MboxDialect): NotMail {
  return { name, kind: "note", reason: "dialect", message: dialectText(dialect) };
}

export function doubtsOf(
  name: string,
  dialect: MboxDialect,
  doubts: ReadonlyMap<MboxDoubt, number>,
): NotMail[] {
  return [...doubts].map(([doubt, count]) => {
    const said = `${count} \`From \` lines ${DOUBTS[doubt]}; read as ${dialectText(dialect)}`;
    return warning(name, "doubtful", said);
  });
}

async function* mailInMbox(head: Head, origin: Origin): AsyncGenerator<FoundMail, void, void> {
  const { name, options } = origin;
  let place = 0;
  const reading = readMbox(head.all, options === undefined ? {} : { limits: options.limits });
  try {
    for (;;) {
      const next = await reading.next();
      if (next.done === true) {
        yield dialectNote(name, next.value.dialect);
        yield* doubtsOf(name, next.value.dialect, next.value.doubts);
        return;
      }
      const { bytes, start, end, quoting } = next.value;
      place++;
      yield {
        name: `${name}#${place}`,
        range: rangeOf(origin, start, end, quoting),
        open: () => bytes,
      };
    }
  } finally {
    await reading.return({
      dialect: { dates: "none", blanks: "before", senders: "people" },
      doubts: new Map(),
    });
  }
}

/** Messages of a store that has no ranges. */
async function* numbered(
  messages: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<FoundMail, void, void> {
  let place = 0;
  for await (const bytes of messages) {
    place++;
    yield { name: `${name}#${place}`, range: null, open: () => bytes };
  }
}

async function* oneMessage(head: Head, origin: Origin): AsyncGenerator<FoundMail, void, void> {
  const { name, options } = origin;
  const whole = rangeOf(origin, 0, null, "none");
  if (head.failure !== undefined) throw head.failure;
  if (head.isComplete) {
    yield { name, range: whole, open: () => head.bytes };
  } else if (whole === null) {
    const bytes = await collect(head.all, name, messageLimits(options).messageBytesMax);
    yield { name, range: null, open: () => bytes };
  } else {
    await head.close();
    yield { name, range: whole, open: () => openRange(whole, options) };
  }
}

async function* mailInTar(head: Head, origin: Origin): AsyncGenerator<FoundMail, void, void> {
  const notes: string[] = [];
  for await (const member of tarFiles(head.all, (note) => notes.push(note))) {
    const name = `${origin.name}/${member.name}`;
    if (!("stream" in member)) {
      yield "failure" in member ? unreadableBecause(name, member.failure) : unpacked(name, member);
      continue;
    }
    const inner = { ...origin, name, path: undefined, ...memberOf(member.name, origin) };
    yield* guarded(name, mailInOctets(member.stream, inner));
  }
  for (const note of notes) yield unreadable(origin.name, "damaged", note);
}

/** What is said of a member whose octets, if any, are elsewhere. */
function unpacked(name: string, { type }: BareMember): NotMail {
  // Unpacked, it would be a message like any other; Dovecot copies messages so.
  if (type === "hard link") return unreadable(name, "archive", "a hard link: unpack it first");
  if (type === "device") return skipped(name, "pipe", "a pipe or device");
  return skipped(name, "not mail", "a symbolic link");
}

function memberOf(name: string, { depth }: Origin): Pick<Origin, "standing" | "depth"> {
  const isMessage = /\.(?:eml|emlx)$|(?:^|\/)(?:cur|new)\/[^/]+$/i.test(name);
  return { standing: isMessage ? "given" : "found", depth: depth + 1 };
}

async function* mailInZip(path: string, origin: Origin): AsyncGenerator<FoundMail, void, void> {
  for await (const member of zipFiles(path)) {
    const name = `${origin.name}/${member.name}`;
    if ("failure" in member) {
      yield unreadableBecause(name, member.failure);
      continue;
    }
    const inner = { ...origin, name, path: undefined, ...memberOf(member.name, origin) };
    yield* guarded(name, mailInOctets(member.stream, inner));
  }
}

/** Turns an error into an entry of what cannot be read. */
async function* guarded(
  name: string,
  found: AsyncIterable<FoundMail>,
): AsyncGenerator<FoundMail, void, void> {
  try {
    yield* found;
  } catch (error) {
    if (error instanceof TypeError) throw error;
    yield unreadableBecause(name, error);
  }
}

/** The entry for a file of a kind that is not mail. */
function refusal(kind: FileKind, { name, standing }: Origin): NotMail {
  if (kind.kind === "empty") return skipped(name, "empty", "an empty file");
  if (kind.kind !== "not mail")
    return unreadable(name, "archive", "an archive within archives: unpack it");
  const { reason, message, mayBeMail } = kind;
  // A person who names a file means it to be mail.
  const isUnreadable = mayBeMail || standing === "given";
  return (isUnreadable ? unreadable : skipped)(name, reason, message);
}

async function* mailOfKind(
  kind: FileKind,
  head: Head,
  origin: Origin,
): AsyncGenerator<FoundMail, void, void> {
  const { name, path, depth, options } = origin;
  const { messageBytesMax } = messageLimits(options);
  switch (kind.kind) {
    case "mbox":
      yield* mailInMbox(head, origin);
      return;
    case "message":
      yield* oneMessage(head, origin);
      return;
    case "mmdf":
      yield* numbered(mmdfMessages(head.all, messageBytesMax), name);
      return;
    case "babyl":
      yield* numbered(babylMessages(head.all, messageBytesMax), name);
      return;
    case "emlx": {
      const bytes = emlxMessage(await collect(head.all, name, messageBytesMax));
      if (bytes === null) yield unreadable(name, "damaged", "its message ends too early");
      else yield { name, range: null, open: () => bytes };
      return;
    }
    case "tar":
      if (depth < DEPTH_MAX) {
        yield* mailInTar(head, origin);
        return;
      }
      break;
    case "zip":
      if (path !== undefined && origin.compression === "none") {
        await head.close();
        yield* mailInZip(path, origin);
        return;
      }
      break;
  }
  await head.close();
  if (head.failure !== undefined) throw head.failure;
  yield refusal(kind, origin);
}

/** The messages in octets of any kind; throws if they cannot be read. */
async function* mailInOctets(
  stream: AsyncIterable<Uint8Array>,
  origin: Origin,
): AsyncGenerator<FoundMail, void, void> {
  const start = await readHead(stream, 4);
  const compression = compressionOf(start.bytes);
  if (compression !== "none" && origin.depth >= DEPTH_MAX) {
    await start.close();
    yield unreadable(origin.name, "archive", "compressed within archives: unpack it");
    return;
  }
  const notes: string[] = [];
  const { path } = origin;
  const isOwn = path !== undefined && origin.compression === "none";
  const again = isOwn ? () => createReadStream(fsPath(path)) : undefined;
  const options = { again, onNote: (note: string) => notes.push(note) };
  const content = decompressed(start.all, compression, options);
  const head = await readHead(content, HEAD_BYTES);
  const inner =
    compression === "none"
      ? origin
      : { ...origin, compression, depth: origin.depth + 1, path: isOwn ? path : undefined };
  // Compressed twice, or a compressed archive: look at the content again.
  const isPacked = compression !== "none" && compressionOf(head.bytes) !== "none";
  if (isPacked) yield* mailInOctets(head.all, { ...inner, path: undefined });
  else {
    const kind = fileKind(head.bytes, origin.standing, head.isComplete ? "ended" : "more");
    yield* mailOfKind(kind, head, inner);
  }
  for (const note of notes) yield unreadable(origin.name, "damaged", note);
}

/**
 * The messages in a stream: those of an mbox or an archive, or a single one; compressed or not. `path` is the file
 * that the stream comes from, if it can be read again. Whatever is not mail, or cannot be read to its end, is given
 * too. Throws a TypeError for options it does not know; of the limits, only `messageBytesMax` counts here.
 */
export async function* mailInStream(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  path?: string,
  options?: ReadOptions,
  standing: FileOrigin = "given",
): AsyncGenerator<FoundMail, void, void> {
  messageLimits(options);
  const origin: Origin = { name, path, compression: "none", standing, depth: 0, options };
  yield* guarded(name, mailInOctets(stream, origin));
}

/** The kind of a plain file, without reading its messages; `other`: the file must be read to tell. */
export async function storedKind(
  path: string,
  standing: FileOrigin,
): Promise<"mbox" | "message" | "other"> {
  const head = await readHead(createReadStream(fsPath(path), { end: HEAD_BYTES - 1 }), HEAD_BYTES);
  if (head.failure !== undefined) throw head.failure;
  if (compressionOf(head.bytes) !== "none") return "other";
  const { kind } = fileKind(head.bytes, standing, head.isComplete ? "ended" : "more");
  return kind === "mbox" || kind === "message" ? kind : "other";
}

/**
 * The messages at `path`, a file or a folder. Folders are read with all subfolders, in the order of names; whatever
 * is not read is given too, with the reason. Names of messages begin with `name`, by default `path`. Rejects if
 * nothing is at `path`, and with a TypeError for options it does not know; of the limits, only `messageBytesMax`
 * counts here. A message is held only until the next is asked for, however large its file is.
 */
export async function* storedMail(
  path: string,
  name: string = path,
  options?: ReadOptions,
): AsyncGenerator<FoundMail, void, void> {
  for (const file of walkMail(path, name)) {
    if ("kind" in file) yield file;
    else {
      const { size } = file.stats;
      yield* mailInFile({ ...file, bytes: file.stats.isFile() ? size : null }, options);
    }
  }
}

/** Files up to this size are read at once, which takes far less work than a stream. */
const WHOLE_BYTES = 1_048_576;

async function* wholeFile(path: string): AsyncGenerator<Uint8Array> {
  yield readFileSync(fsPath(path));
}

/** The messages of one file; `bytes`: the size of a plain file. */
export async function* mailInFile(
  file: Pick<WalkedFile, "path" | "name" | "standing"> & { readonly bytes: number | null },
  options?: ReadOptions,
): AsyncGenerator<FoundMail, void, void> {
  const { path, name, standing, bytes } = file;
  const isSmall = bytes !== null && bytes <= WHOLE_BYTES;
  const stream = isSmall ? wholeFile(path) : createReadStream(fsPath(path));
  yield* mailInStream(stream, name, bytes === null ? undefined : path, options, standing);
}
