/** Cuts stored mail into batches that can be routed anywhere: files, byte ranges of an mbox, or the bytes themselves. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { folderEntries } from "../message/mail-folder.ts";
import type { MailRange } from "../message/mail-range.ts";
import type { MessageSource } from "../message/message-source.ts";
import { mailInStream, type StoredMessage } from "../message/stored-mail.ts";

/** A message of a batch of ranges. */
export interface RangedMessage {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly quoting: MailRange["quoting"];
}

/** Work for one worker; plain data. */
export type Batch =
  | {
      readonly kind: "files";
      readonly files: readonly { readonly path: string; readonly name: string }[];
      readonly bytes: number;
    }
  | {
      readonly kind: "ranges";
      readonly path: string;
      readonly messages: readonly RangedMessage[];
      readonly bytes: number;
    }
  | {
      readonly kind: "bytes";
      readonly messages: readonly { readonly name: string; readonly bytes: Uint8Array }[];
      readonly bytes: number;
    }
  | {
      readonly kind: "failure";
      readonly name: string;
      readonly failure: string;
      readonly bytes: number;
    };

/** Where mail is: a path and what its messages are called by, or a stream. */
export type MailPlace =
  | { readonly path: string; readonly name: string }
  | { readonly stream: AsyncIterable<Uint8Array>; readonly name: string };

/** Octets and messages of a batch: enough that handing it over costs nothing beside routing it. */
const BATCH_BYTES = 2_097_152;
const BATCH_MESSAGES = 500;

/** A failure in words; errors of the file system by their code, so that no path of the machine is told. */
export function failureText(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === "string" && !code.startsWith("ERR_")) return `cannot be read: ${code}`;
  return error instanceof Error ? error.message : String(error);
}

function isFull(messages: number, bytes: number): boolean {
  return messages >= BATCH_MESSAGES || bytes >= BATCH_BYTES;
}

interface FileEntry {
  readonly path: string;
  readonly name: string;
  /** Octets; `null` of what is no plain file. */
  readonly bytes: number | null;
}

interface Unfound {
  readonly name: string;
  readonly error: unknown;
}

/** Every file of a place, in the order of its messages. */
async function* filesOf(path: string, name: string): AsyncGenerator<FileEntry | Unfound> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) {
      yield { path, name, bytes: found.isFile() ? found.size : null };
      return;
    }
    const title = name.replace(/(?<=.)[/\\]+$/, "");
    for (const entry of await folderEntries(path)) {
      yield* filesOf(join(path, entry.name), `${title}/${entry.name}`);
    }
  } catch (error) {
    yield { name, error };
  }
}

/** Octets of all files of the places, as stored; what cannot be found counts nothing. */
export async function bytesOf(places: readonly MailPlace[]): Promise<number> {
  let bytes = 0;
  for (const place of places) {
    if (!("path" in place)) continue;
    for await (const file of filesOf(place.path, place.name)) {
      if ("path" in file) bytes += file.bytes ?? 0;
    }
  }
  return bytes;
}

async function collect(source: MessageSource): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A message of a plain mbox can be read again by its range alone. */
function rangedOf({ name, range }: StoredMessage): RangedMessage | null {
  if (range === null || range.compression !== "none" || range.end === null) return null;
  return { name, start: range.start, end: range.end, quoting: range.quoting };
}

/** The messages of one stream, in batches of ranges where it can be read again, else of bytes. */
async function* cutStream(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  path: string | undefined,
): AsyncGenerator<Batch> {
  let ranges: RangedMessage[] = [];
  let held: { name: string; bytes: Uint8Array }[] = [];
  let bytes = 0;
  const take = (): Batch[] => {
    const batches: Batch[] = [];
    if (ranges.length > 0) batches.push({ kind: "ranges", path: path!, messages: ranges, bytes });
    if (held.length > 0) batches.push({ kind: "bytes", messages: held, bytes });
    [ranges, held, bytes] = [[], [], 0];
    return batches;
  };
  try {
    for await (const message of mailInStream(stream, name, path)) {
      const ranged = rangedOf(message);
      if (ranged !== null) {
        ranges.push(ranged);
        bytes += ranged.end - ranged.start;
      } else if (path !== undefined && message.range?.compression === "none") {
        // A file that is one message, too large for its head to hold it.
        yield* take();
        yield { kind: "files", files: [{ path, name }], bytes: 0 };
      } else {
        const copy = new Uint8Array(await collect(message.open()));
        held.push({ name: message.name, bytes: copy });
        bytes += copy.length;
      }
      if (isFull(ranges.length + held.length, bytes)) yield* take();
    }
  } catch (error) {
    yield* take();
    yield { kind: "failure", name, failure: failureText(error), bytes: 0 };
    return;
  }
  yield* take();
}

/** Files smaller than this are handed over by name, whatever is in them. */
const SMALL_FILE_BYTES = BATCH_BYTES;

/** The batches of all places, in order. The same mail gives the same batches. */
export async function* planBatches(places: readonly MailPlace[]): AsyncGenerator<Batch> {
  let files: { path: string; name: string }[] = [];
  let bytes = 0;
  const take = (): Batch[] => {
    const batches: Batch[] = files.length === 0 ? [] : [{ kind: "files", files, bytes }];
    [files, bytes] = [[], 0];
    return batches;
  };
  for (const place of places) {
    if ("stream" in place) {
      yield* take();
      yield* cutStream(place.stream, place.name, undefined);
      continue;
    }
    for await (const file of filesOf(place.path, place.name)) {
      if ("error" in file) {
        yield* take();
        yield { kind: "failure", name: file.name, failure: failureText(file.error), bytes: 0 };
      } else if (file.bytes !== null && file.bytes < SMALL_FILE_BYTES) {
        files.push({ path: file.path, name: file.name });
        bytes += file.bytes;
        if (isFull(files.length, bytes)) yield* take();
      } else {
        yield* take();
        const path = file.bytes === null ? undefined : file.path;
        yield* cutStream(createReadStream(file.path), file.name, path);
      }
    }
  }
  yield* take();
}

/** What tells a batch from others of the same mail. */
export function batchKey(batch: Batch): string {
  switch (batch.kind) {
    case "files":
      return JSON.stringify([batch.files[0]?.name, batch.files.length, batch.bytes]);
    case "ranges":
      return JSON.stringify([
        batch.messages[0]?.name,
        batch.messages.length,
        batch.messages[0]?.start,
        batch.bytes,
      ]);
    case "bytes":
      return JSON.stringify([batch.messages[0]?.name, batch.messages.length, batch.bytes]);
    case "failure":
      return JSON.stringify([batch.name]);
  }
}

/** A place for a path as it is written. */
export function placeAt(path: string, cwd: string): MailPlace {
  return { path: resolve(cwd, path), name: path };
}
