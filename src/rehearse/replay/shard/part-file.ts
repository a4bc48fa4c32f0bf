/**
 * Writes a part under a temporary name and renames it when it is complete. A scheduler may run a shard several times,
 * even at once.
 */
import { createHash, type Hash, randomUUID } from "node:crypto";
import { type FileHandle, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { NamedFile } from "../mail-place.ts";
import type { DecisionSink } from "../output/replay-files.ts";
import { onFile, ReplayError } from "../replay-error.ts";
import { readPart } from "./part.ts";
import type { RunIdentity, Shard } from "./shard.ts";

/** Where a part goes. */
export interface PartOutput {
  /** SHA-256 of the octets written. */
  readonly hash: Hash;
  /** Number of octets written. */
  readonly bytes: number;
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  /** Removes the file unless it is finished. */
  close(): Promise<void>;
}

/** The temporary file of one attempt. No attempt touches another's until a part is complete. */
const PARTIAL = /^\.[0-9a-f-]{36}\.partial$/;

abstract class Counted {
  readonly hash: Hash = createHash("sha256");
  bytes = 0;

  protected count(bytes: Buffer): void {
    this.hash.update(bytes);
    this.bytes += bytes.length;
  }
}

class PartStream extends Counted implements PartOutput {
  readonly #sink: DecisionSink;

  constructor(sink: DecisionSink) {
    super();
    this.#sink = sink;
  }

  async write(text: string): Promise<void> {
    this.count(Buffer.from(text));
    await this.#sink(text);
  }

  async finish(): Promise<void> {
    // A stream has no name to change to.
  }

  async close(): Promise<void> {
    // The caller opened the stream and closes it.
  }
}

class PartFile extends Counted implements PartOutput {
  readonly #file: NamedFile;
  readonly #partial: string;
  readonly #handle: FileHandle;
  #isFinished = false;

  constructor(file: NamedFile, partial: string, handle: FileHandle) {
    super();
    this.#file = file;
    this.#partial = partial;
    this.#handle = handle;
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await onFile("write", this.#file.name, () => this.#handle.appendFile(bytes));
    this.count(bytes);
  }

  async finish(): Promise<void> {
    const { path, name } = this.#file;
    await onFile("write", name, async () => {
      await this.#handle.datasync();
      await rename(this.#partial, path).catch(async (error: NodeJS.ErrnoException) => {
        // Another attempt finished first and has removed this one's file: the part is complete.
        if (error.code !== "ENOENT") throw error;
        await readPart(this.#file);
      });
    });
    this.#isFinished = true;
    const folder = dirname(path);
    const left = (await readdir(folder).catch(() => [])).filter((each) => {
      return each.startsWith(basename(path)) && PARTIAL.test(each.slice(basename(path).length));
    });
    for (const each of left) await unlink(join(folder, each)).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    if (!this.#isFinished) await unlink(this.#partial).catch(() => undefined);
  }
}

/** Whether the file has the part already; refuses a file with other content. */
export async function isDone(file: NamedFile, run: RunIdentity, shard: Shard): Promise<boolean> {
  const found = await stat(file.path).catch(() => null);
  if (found === null) return false;
  const said = `\`${file.name}\` exists already and is not shard ${shard.number}/${shard.of} of this replay: name another file, or overwrite it with --force`;
  if (!found.isFile()) throw new ReplayError("refused", said);
  const part = await readPart(file).catch(() => null);
  const isSame =
    part?.shard.number === shard.number &&
    part.shard.of === shard.of &&
    JSON.stringify(part.run) === JSON.stringify(run);
  if (isSame) return true;
  throw new ReplayError("refused", said);
}

export async function openPart(out: NamedFile | DecisionSink): Promise<PartOutput> {
  if (typeof out === "function") return new PartStream(out);
  const partial = `${out.path}.${randomUUID()}.partial`;
  const handle = await onFile("write", out.name, () => open(partial, "wx"));
  return new PartFile(out, partial, handle);
}
