/** Cuts stored mail into batches that can be routed anywhere: files, parts of an mbox, or the bytes themselves. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { FileOrigin } from "../../mailbox/file-kind.ts";
import { type WalkedFile, walkMail } from "../../mailbox/mail-folder.ts";
import { dialectOfFile } from "../../mailbox/mbox/mbox-file-dialect.ts";
import type { MboxDialect } from "../../mailbox/mbox/mbox-from-line.ts";
import type { MboxBorder } from "../../mailbox/mbox/mbox-splitter.ts";
import { type NotMail, unreadableBecause } from "../../mailbox/not-mail.ts";
import { fsPath } from "../../mailbox/path-bytes.ts";
import { isMessage, mailInStream, storedKind } from "../../mailbox/stored-mail.ts";
import type { MessageSource } from "../../message/message-source.ts";
import type { MailPlace, NamedFile } from "./mail-place.ts";
import type { OwnFiles } from "./output/own-files.ts";
import {
  changeSince,
  type SourceChange,
  type SourceStamp,
  sampleHash,
  stampOf,
} from "./source-stamp.ts";

/** The messages of an mbox that begin between two places of its file. */
export interface MboxPartBatch {
  readonly kind: "part";
  readonly path: string;
  readonly name: string;
  /** Octets of the file, half-open. */
  readonly start: number;
  readonly end: number;
  /** The stamp of the whole file. */
  readonly stamp: SourceStamp;
  readonly dialect: MboxDialect;
  /** Where the first message begins, if known. */
  readonly border?: MboxBorder;
  readonly bytes: number;
}

/** A file whose messages all go to one worker. */
export interface BatchFile {
  readonly path: string;
  readonly name: string;
  readonly stamp: SourceStamp;
  readonly standing: FileOrigin;
}

/** Work for one worker: messages, and what is between them that is not mail; plain data. */
export type Batch =
  | MboxPartBatch
  | {
      readonly kind: "files";
      readonly files: readonly (BatchFile | NotMail)[];
      readonly bytes: number;
    }
  | {
      readonly kind: "bytes";
      readonly messages: readonly (BatchMessage | NotMail)[];
      readonly bytes: number;
    }
  | {
      /** A source that changed after the batches were cut. */
      readonly kind: "changed";
      readonly name: string;
      readonly change: SourceChange;
      readonly bytes: number;
    };

export interface BatchMessage {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Octets and messages of a batch: enough that passing it to a worker costs little compared with routing it. */
const BATCH_BYTES = 2_097_152;
const BATCH_MESSAGES = 500;

function isFull(messages: number, bytes: number): boolean {
  return messages >= BATCH_MESSAGES || bytes >= BATCH_BYTES;
}

/** The files at a place, or an entry that nothing is there. */
export function* walked(
  place: NamedFile,
  own: OwnFiles | undefined,
): Generator<WalkedFile | NotMail> {
  try {
    yield* walkMail(place.path, place.name, own);
  } catch (error) {
    yield unreadableBecause(place.name, error);
  }
}

/** Octets and files of all places, as stored; files that cannot be found do not count. */
export function sizeOf(
  places: readonly MailPlace[],
  own?: OwnFiles,
): { readonly bytes: number; readonly files: number } {
  let [bytes, files] = [0, 0];
  for (const place of places) {
    if (!("path" in place)) continue;
    for (const file of walked(place, own)) {
      if ("kind" in file) continue;
      files++;
      if (file.stats.isFile()) bytes += file.stats.size;
    }
  }
  return { bytes, files };
}

async function collect(source: MessageSource): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Counts the octets read from a stream. */
class CountedStream {
  readonly #stream: AsyncIterable<Uint8Array>;
  #bytes = 0;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#stream = stream;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#stream) {
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  /** Octets since the last call. */
  takeCount(): number {
    const bytes = this.#bytes;
    this.#bytes = 0;
    return bytes;
  }
}

/** The messages of a stream, or of a file not read in parts, in batches of their bytes. */
async function* cutStream(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  file?: BatchFile,
): AsyncGenerator<Batch> {
  const counted = new CountedStream(stream);
  let messages: (BatchMessage | NotMail)[] = [];
  let held = 0;
  const take = (): Batch[] => {
    if (messages.length === 0) return [];
    const batch: Batch = { kind: "bytes", messages, bytes: counted.takeCount() };
    [messages, held] = [[], 0];
    return [batch];
  };
  for await (const found of mailInStream(counted, name, file?.path, undefined, file?.standing)) {
    if (!isMessage(found)) {
      messages.push(found);
    } else if (file !== undefined && found.range?.end === null) {
      // A single message. The worker reads it from the file, no further than needed.
      yield { kind: "files", files: [file], bytes: file.stamp.bytes };
      return;
    } else {
      const bytes = new Uint8Array(await collect(found.open()));
      messages.push({ name: found.name, bytes });
      held += bytes.length;
    }
    if (isFull(messages.length, held)) yield* take();
  }
  yield* take();
  const change = file === undefined ? null : changeSince(file.path, file.stamp);
  if (change !== null) yield { kind: "changed", name, change, bytes: 0 };
}

/** Octets `[start, end)` of an mbox, in parts. */
export function* partsOf(
  whole: Omit<MboxPartBatch, "bytes">,
  partBytes: number = BATCH_BYTES,
): Generator<MboxPartBatch> {
  for (let start = whole.start; start < whole.end; start += partBytes) {
    const end = Math.min(start + partBytes, whole.end);
    yield { ...whole, start, end, bytes: end - start };
  }
}

/** A file of a given size. Its messages stay in the file if possible; of an mbox, only those in the range. */
async function* cutFile(
  file: BatchFile,
  partBytes: number,
  range: OctetRange,
): AsyncGenerator<Batch> {
  const { path, name, stamp, standing } = file;
  const fileBytes = stamp.bytes;
  let kind: Awaited<ReturnType<typeof storedKind>>;
  let dialect: MboxDialect | undefined;
  try {
    kind = await storedKind(path, standing);
    if (kind === "mbox") dialect = dialectOfFile(path, fileBytes);
  } catch (error) {
    if (range.start === 0) {
      yield { kind: "files", files: [unreadableBecause(name, error)], bytes: fileBytes };
    }
    return;
  }
  if (dialect !== undefined) {
    const [start, end] = [range.start, Math.min(range.end, fileBytes)];
    yield* partsOf({ kind: "part", path, name, start, end, stamp, dialect }, partBytes);
    return;
  }
  // A file that is read from its beginning belongs whole to the range in which it begins.
  if (range.start > 0) return;
  if (kind === "message") {
    yield { kind: "files", files: [file], bytes: fileBytes };
  } else {
    yield* cutStream(createReadStream(fsPath(path)), name, file);
  }
}

/** Half-open. */
export interface OctetRange {
  readonly start: number;
  readonly end: number;
}

const EVERYTHING: OctetRange = { start: 0, end: Number.POSITIVE_INFINITY };

/** Cost of finding and opening a file, as octets of an mbox that are routed in the same time. */
const OPENING_BYTES = 4_096;

/** The length of an entry when all entries are laid end to end. */
export function roomOf(found: WalkedFile | NotMail): number {
  const bytes = "kind" in found || !found.stats.isFile() ? 0 : found.stats.size;
  return OPENING_BYTES + bytes;
}

/** How to cut mail, and what to leave out. */
export interface PlanOptions {
  /** Octets of a part of an mbox; smaller files of any kind are passed to workers by name. */
  readonly partBytes?: number | undefined;
  /** The files that the run itself writes. */
  readonly own?: OwnFiles | undefined;
  /** With all entries laid end to end, only those that begin in this range, and parts of mboxes. */
  readonly range?: OctetRange | undefined;
}

/** The batches of all places, in order. The same mail gives the same batches. */
export async function* planBatches(
  places: readonly MailPlace[],
  { partBytes = BATCH_BYTES, own, range = EVERYTHING }: PlanOptions = {},
): AsyncGenerator<Batch> {
  let next = 0;
  let files: (BatchFile | NotMail)[] = [];
  let bytes = 0;
  const take = (): Batch[] => {
    const batches: Batch[] = files.length === 0 ? [] : [{ kind: "files", files, bytes }];
    [files, bytes] = [[], 0];
    return batches;
  };
  for (const place of places) {
    if ("stream" in place) {
      yield* take();
      yield* cutStream(place.stream, place.name);
      continue;
    }
    for (const found of walked(place, own)) {
      const [at, room] = [next, roomOf(found)];
      next += room;
      const within = { start: Math.max(0, range.start - at), end: range.end - at };
      if (within.start >= room || within.end <= 0) continue;
      const begins = within.start === 0;
      if ("kind" in found) {
        if (!begins) continue;
        files.push(found);
        if (isFull(files.length, bytes)) yield* take();
        continue;
      }
      const { path, name, stats, standing } = found;
      const file = { path, name, stamp: stampOf(stats), standing };
      if (stats.isFile() && stats.size < partBytes) {
        if (!begins) continue;
        files.push(file);
        bytes += stats.size;
        if (isFull(files.length, bytes)) yield* take();
      } else {
        yield* take();
        if (stats.isFile()) yield* cutFile(file, partBytes, within);
        else yield* cutStream(createReadStream(fsPath(path)), name);
      }
    }
  }
  yield* take();
}

/**
 * Identifies a batch, and shows whether its mail has changed: has names, sizes, times, and samples of the content; of
 * a stream, the content.
 */
export function batchKey(batch: Batch): string {
  switch (batch.kind) {
    case "files": {
      const files = batch.files.filter((file): file is BatchFile => !("kind" in file));
      const parts = files.map(({ path, stamp }) => ({ path, start: 0, end: stamp.bytes }));
      const all = batch.files.map((file) => ("kind" in file ? file : [file.name, file.stamp]));
      return JSON.stringify([all, sampleHash(parts)]);
    }
    case "part": {
      const { name, start, end, stamp } = batch;
      return JSON.stringify([name, start, end, stamp, sampleHash([batch])]);
    }
    case "bytes": {
      const hash = createHash("sha256");
      for (const message of batch.messages) {
        if ("kind" in message) hash.update(JSON.stringify(message));
        else {
          hash.update(`${message.name}\n${message.bytes.length}\n`);
          hash.update(message.bytes);
        }
      }
      return hash.digest("hex");
    }
    case "changed":
      return JSON.stringify([batch.kind, batch.name]);
  }
}
