/** Lets one replay at a time write a file: a lock beside the file names the process. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, open, readFile, rename, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import type { NamedFile } from "../mail-place.ts";
import { onFile, ReplayError } from "../replay-error.ts";

/**
 * The process that holds a lock. `started`: the clock ticks at which it began, if the system reports them, since
 * process ids are reused.
 */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly started: string | null;
}

function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function isAlive({ pid, host, started }: Holder): boolean {
  // A process on another machine cannot be checked from here.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return started === null || started === startOf(pid);
}

export class RunLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** The path of the lock of a file. */
  static pathOf(path: string): string {
    return `${path}.lock`;
  }

  /** Takes the lock; refuses if a live process holds it. */
  static async take(file: NamedFile): Promise<RunLock> {
    const path = RunLock.pathOf(file.path);
    const name = `${file.name}.lock`;
    const own: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
    const claim = `${path}.${randomUUID()}`;
    return onFile("write", file.name, async () => {
      const handle = await open(claim, "wx");
      await handle.writeFile(JSON.stringify(own));
      await handle.close();
      try {
        for (;;) {
          const isTaken = await link(claim, path).then(
            () => true,
            (error: NodeJS.ErrnoException) => {
              if (error.code === "EEXIST") return false;
              throw error;
            },
          );
          if (isTaken) return new RunLock(path);
          await RunLock.#removeDead(path, name, file.name);
        }
      } finally {
        await unlink(claim);
      }
    });
  }

  /** Removes the lock of a process that has ended; throws if the process is alive. */
  static async #removeDead(path: string, name: string, of: string): Promise<void> {
    const text = await readFile(path, "utf8").catch(() => null);
    if (text === null) return;
    let holder: Holder | null = null;
    try {
      holder = JSON.parse(text) as Holder;
    } catch {
      // Not a replay's lock.
    }
    if (holder === null || typeof holder.pid !== "number" || isAlive(holder)) {
      const who = holder === null ? "somebody" : `process ${holder.pid} on ${holder.host}`;
      const said = `${who} is writing \`${of}\`: wait for it, or remove \`${name}\` if it has ended`;
      throw new ReplayError("refused", said);
    }
    const away = `${path}.${randomUUID()}`;
    await rename(path, away).catch(() => undefined);
    // Two processes may find it dead at once. The second may then have moved away the lock that the first has just
    // taken.
    const moved = await readFile(away, "utf8").catch(() => text);
    if (moved !== text) await link(away, path).catch(() => undefined);
    await unlink(away).catch(() => undefined);
  }

  async release(): Promise<void> {
    await unlink(this.#path).catch(() => undefined);
  }
}
