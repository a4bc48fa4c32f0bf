/** Cuts stored mail into batches that can be routed anywhere: files, parts of an mbox, or the bytes themselves. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { folderEntries } from "../message/mail-folder.ts";
import type { MboxBorder } from "../message/mbox-splitter.ts";
import type { MessageSource } from "../message/message-source.ts";
import { mailInStream, storedKind } from "../message/stored-mail.ts";

/** The messages of an mbox that begin between two places of its file. */
export interface MboxPartBatch {
  readonly kind: "part";
  readonly path: string;
  readonly name: string;
  /** Octets of the file, half-open. */
  readonly start: number;
  readonly end: number;
  /** Octets of the whole file. */
  readonly fileBytes: number;
  /** Where the first message begins, if that is known. */
  readonly border?: MboxBorder;
  readonly bytes: number;
}

/** Work for one worker; plain data. `bytes`: octets of files, as stored, that are done with it. */
export type Batch =
  | MboxPartBatch
  | {
      readonly kind: "files";
      readonly files: readonly { readonly path: string; readonly name: string }[];
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

/** The messages of a stream, or of a compressed file, in batches of their bytes. */
async function* cutStream(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  path: string | undefined,
): AsyncGenerator<Batch> {
  const counted = new CountedStream(stream);
  let messages: { name: string; bytes: Uint8Array }[] = [];
  let held = 0;
  const take = (): Batch[] => {
    if (messages.length === 0) return [];
    const batch: Batch = { kind: "bytes", messages, bytes: counted.takeCount() };
    [messages, held] = [[], 0];
    return [batch];
  };
  try {
    for await (const message of mailInStream(counted, name, path)) {
      if (path !== undefined && message.range?.end === null) {
        // One message, which whoever routes it reads from the file, no further than it has to.
        yield { kind: "files", files: [{ path, name }], bytes: (await stat(path)).size };
        return;
      }
      const bytes = new Uint8Array(await collect(message.open()));
      messages.push({ name: message.name, bytes });
      held += bytes.length;
      if (isFull(messages.length, held)) yield* take();
    }
  } catch (error) {
    yield* take();
    yield { kind: "failure", name, failure: failureText(error), bytes: counted.takeCount() };
    return;
  }
  yield* take();
}

/** A file of some size, whose messages stay in it if they can. */
async function* cutFile(
  { path, name }: FileEntry,
  fileBytes: number,
  partBytes: number,
): AsyncGenerator<Batch> {
  let kind: Awaited<ReturnType<typeof storedKind>>;
  try {
    kind = await storedKind(path);
  } catch (error) {
    yield { kind: "failure", name, failure: failureText(error), bytes: fileBytes };
    return;
  }
  if (kind === "compressed") {
    yield* cutStream(createReadStream(path), name, path);
  } else if (kind === "message") {
    yield { kind: "files", files: [{ path, name }], bytes: fileBytes };
  } else {
    for (let start = 0; start < fileBytes; start += partBytes) {
      const end = Math.min(start + partBytes, fileBytes);
      yield { kind: "part", path, name, start, end, fileBytes, bytes: end - start };
    }
  }
}

/**
 * The batches of all places, in order. The same mail gives the same batches. `partBytes`: octets of a part of an mbox;
 * smaller files are handed over by name, whatever is in them.
 */
export async function* planBatches(
  places: readonly MailPlace[],
  partBytes: number = BATCH_BYTES,
): AsyncGenerator<Batch> {
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
      } else if (file.bytes !== null && file.bytes < partBytes) {
        files.push({ path: file.path, name: file.name });
        bytes += file.bytes;
        if (isFull(files.length, bytes)) yield* take();
      } else {
        yield* take();
        if (file.bytes !== null) yield* cutFile(file, file.bytes, partBytes);
        else yield* cutStream(createReadStream(file.path), file.name, undefined);
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
    case "part":
      return JSON.stringify([batch.name, batch.start, batch.end, batch.fileBytes]);
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
