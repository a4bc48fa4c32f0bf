/**
 * The file of decisions. It is written under a temporary name, checked before a run resumes, and renamed when
 * complete.
 */
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, link, open, rename, stat, unlink } from "node:fs/promises";
import type { NamedFile } from "../mail-place.ts";
import { onFile, ReplayError } from "../replay-error.ts";

/** The decisions that are safe on the disk. Plain JSON. */
export interface WrittenOut {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of these octets. */
  readonly hash: string;
}

/** The file to write decisions to until they are complete. */
export function partialOf({ path, name }: NamedFile): NamedFile {
  return { path: `${path}.partial`, name: `${name}.partial` };
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** The hash of the first octets of a file; `null` if it is missing or has fewer. */
async function hashOfStart({ path, name }: NamedFile, bytes: number): Promise<Hash | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || found.size < bytes) return null;
  const hash = createHash("sha256");
  if (bytes === 0) return hash;
  return onFile("read", name, async () => {
    for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk);
    return hash;
  });
}

function changed(name: string): ReplayError {
  return new ReplayError(
    "refused",
    `\`${name}\` is not what this replay wrote: restore it, or start again with --force`,
  );
}

export class DecisionFile {
  readonly #file: NamedFile;
  readonly #handle: FileHandle;
  /** `beside`: written under its temporary name; `in place`: complete, or a pipe or device. */
  readonly #place: "beside" | "in place";
  readonly #overwrite: "overwrite" | "keep";
  readonly #hash: Hash;
  #bytes: number;

  private constructor(
    file: NamedFile,
    handle: FileHandle,
    place: "beside" | "in place",
    overwrite: "overwrite" | "keep",
    start: { readonly hash: Hash; readonly bytes: number },
  ) {
    this.#file = file;
    this.#handle = handle;
    this.#place = place;
    this.#overwrite = overwrite;
    this.#hash = start.hash;
    this.#bytes = start.bytes;
  }

  /** Begins a file. Unless `overwrite`, refuses a file that exists; a pipe or device is written in place. */
  static async begin(file: NamedFile, overwrite: "overwrite" | "keep"): Promise<DecisionFile> {
    const found = await stat(file.path).catch(() => null);
    const start = { hash: createHash("sha256"), bytes: 0 };
    if (found?.isDirectory()) {
      throw new ReplayError("refused", `\`${file.name}\` is a folder: name a file`);
    }
    if (found !== null && !found.isFile()) {
      const handle = await onFile("open", file.name, () => open(file.path, "w"));
      return new DecisionFile(file, handle, "in place", overwrite, start);
    }
    const partial = partialOf(file);
    const left = await stat(partial.path).catch(() => null);
    if (overwrite === "keep") {
      if (found !== null) {
        const said = `\`${file.name}\` exists already: name another file, or overwrite it with --force`;
        throw new ReplayError("refused", said);
      }
      if (left !== null && left.size > 0) {
        const said = `\`${partial.name}\` is left from a run that was stopped: continue a replay with its --resume, remove the file, or start again with --force`;
        throw new ReplayError("refused", said);
      }
    }
    // A run that was killed at its start leaves an empty one.
    const flags = overwrite === "keep" && left === null ? "wx" : "w";
    const handle = await onFile("write", partial.name, () => open(partial.path, flags));
    return new DecisionFile(file, handle, "beside", overwrite, start);
  }

  /** Resumes after what was written. Refuses a file that is gone or has changed. `isComplete`: all was written. */
  static async resume(
    file: NamedFile,
    written: WrittenOut,
    isComplete: boolean,
  ): Promise<DecisionFile> {
    const partial = partialOf(file);
    const isBeside = await exists(partial.path);
    if (!isBeside && !isComplete) throw changed(partial.name);
    const own = isBeside ? partial : file;
    const hash = await hashOfStart(own, written.bytes);
    if (hash === null || hash.copy().digest("hex") !== written.hash) throw changed(own.name);
    if (!isBeside && (await stat(own.path)).size !== written.bytes) throw changed(own.name);
    const handle = await onFile("write", own.name, () => open(own.path, "r+"));
    if (isBeside) await onFile("write", own.name, () => handle.truncate(written.bytes));
    const place = isBeside ? "beside" : "in place";
    return new DecisionFile(file, handle, place, "keep", { hash, bytes: written.bytes });
  }

  get name(): string {
    return this.#place === "beside" ? partialOf(this.#file).name : this.#file.name;
  }

  get path(): string {
    return this.#file.path;
  }

  /** Resolves when the system has accepted all of it. */
  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await onFile("write", this.name, async () => {
      // Without a position: a pipe has none, and a file was truncated to where writing resumes.
      const place = this.#place === "beside" ? this.#bytes : null;
      for (let at = 0; at < bytes.length; ) {
        const length = bytes.length - at;
        const { bytesWritten } = await this.#handle.write(
          bytes,
          at,
          length,
          place === null ? null : place + at,
        );
        at += bytesWritten;
      }
    });
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  /** Makes everything written safe on the disk, and returns what that is. */
  async keep(): Promise<WrittenOut> {
    if (this.#place === "beside") {
      await onFile("write", this.name, () => this.#handle.datasync());
    }
    const hash = this.#hash.copy().digest("hex");
    return { path: this.#file.path, bytes: this.#bytes, hash };
  }

  /** Renames the complete file. */
  async finish(): Promise<void> {
    await this.close();
    if (this.#place === "in place") return;
    const [from, to] = [partialOf(this.#file), this.#file];
    await onFile("write", to.name, async () => {
      if (this.#overwrite === "overwrite") return rename(from.path, to.path);
      try {
        // A link fails if the name is taken, even if it was taken only just now.
        await link(from.path, to.path);
        await unlink(from.path);
      } catch (error) {
        if (await exists(to.path)) throw error;
        // The file system has no links.
        await rename(from.path, to.path);
      }
    });
  }

  #isClosed = false;

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await onFile("write", this.name, () => this.#handle.close());
  }
}
