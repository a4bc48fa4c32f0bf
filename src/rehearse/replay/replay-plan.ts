/** Cuts stored mail into batches that can be routed anywhere: files, parts of an mbox, or the bytes themselves. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Standing } from "../../mailbox/file-kind.ts";
import { type WalkedFile, walkMail } from "../../mailbox/mail-folder.ts";
import { dialectOfFile } from "../../mailbox/mbox/mbox-dialect.ts";
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
  /** Of the whole file. */
  readonly stamp: SourceStamp;
  readonly dialect: MboxDialect;
  /** Where the first message begins, if that is known. */
  readonly border?: MboxBorder;
  readonly bytes: number;
}

/** A file of which all messages are for one worker. */
export interface BatchFile {
  readonly path: string;
  readonly name: string;
  readonly stamp: SourceStamp;
  readonly standing: Standing;
}

/** Work for one worker, with what stands between its messages and is not mail; plain data. */
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
      /** A source is not what it was when the batches were cut. */
      readonly kind: "changed";
      readonly name: string;
      readonly change: SourceChange;
      readonly bytes: number;
    };

export interface BatchMessage {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Octets and messages of a batch: enough that handing it over costs nothing beside routing it. */
const BATCH_BYTES = 2_097_152;
const BATCH_MESSAGES = 500;

function isFull(messages: number, bytes: number): boolean {
  return messages >= BATCH_MESSAGES || bytes >= BATCH_BYTES;
}

/** What is at a place; where nothing is, that. */
function* walked(place: NamedFile, own: OwnFiles | undefined): Generator<WalkedFile | NotMail> {
  try {
    yield* walkMail(place.path, place.name, own);
  } catch (error) {
    yield unreadableBecause(place.name, error);
  }
}

/** Octets and files of all places, as stored; what cannot be found counts nothing. */
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

/** Counts the octets that are taken from a stream. */
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

  /** Octets since this was asked last. */
  takeCount(): number {
    const bytes = this.#bytes;
    this.#bytes = 0;
    return bytes;
  }
}

/** The messages of a stream, or of a file that is not read in parts, in batches of their bytes. */
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
      // One message, which whoever routes it reads from the file, no further than it has to.
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

/** A file of some size, whose messages stay in it if they can. */
async function* cutFile(file: BatchFile, partBytes: number): AsyncGenerator<Batch> {
  const { path, name, stamp, standing } = file;
  const fileBytes = stamp.bytes;
  let kind: Awaited<ReturnType<typeof storedKind>>;
  let dialect: MboxDialect | undefined;
  try {
    kind = await storedKind(path, standing);
    if (kind === "mbox") dialect = dialectOfFile(path, fileBytes);
  } catch (error) {
    yield { kind: "files", files: [unreadableBecause(name, error)], bytes: fileBytes };
    return;
  }
  if (kind === "message") {
    yield { kind: "files", files: [file], bytes: fileBytes };
  } else if (dialect === undefined) {
    yield* cutStream(createReadStream(fsPath(path)), name, file);
  } else {
    for (let start = 0; start < fileBytes; start += partBytes) {
      const end = Math.min(start + partBytes, fileBytes);
      yield { kind: "part", path, name, start, end, stamp, dialect, bytes: end - start };
    }
  }
}

/** How mail is cut, and what is left out. */
export interface PlanOptions {
  /** Octets of a part of an mbox; smaller files are handed over by name, whatever is in them. */
  readonly partBytes?: number | undefined;
  /** What the run writes itself. */
  readonly own?: OwnFiles | undefined;
}

/** The batches of all places, in order. The same mail gives the same batches. */
export async function* planBatches(
  places: readonly MailPlace[],
  { partBytes = BATCH_BYTES, own }: PlanOptions = {},
): AsyncGenerator<Batch> {
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
      if ("kind" in found) {
        files.push(found);
        if (isFull(files.length, bytes)) yield* take();
        continue;
      }
      const { path, name, stats, standing } = found;
      const file = { path, name, stamp: stampOf(stats), standing };
      if (stats.isFile() && stats.size < partBytes) {
        files.push(file);
        bytes += stats.size;
        if (isFull(files.length, bytes)) yield* take();
      } else {
        yield* take();
        if (stats.isFile()) yield* cutFile(file, partBytes);
        else yield* cutStream(createReadStream(fsPath(path)), name);
      }
    }
  }
  yield* take();
}

/**
 * What tells a batch from others, and from itself once its mail has changed: names, sizes, times, and samples of the
 * content, or of a stream the content.
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
