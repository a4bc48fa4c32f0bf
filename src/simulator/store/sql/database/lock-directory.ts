/** One process at a time works in a directory of data: the others are told which one does. */
import { link, mkdir, readFile, rename, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** Whose directory it is. Process ids are given out again, so more than the id says which process that was. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in ticks of the machine's start; null where the system does not say. */
  readonly began: string | null;
}

const FILE = "mailflow.pid";
/** A holder on another machine, or in another container, is alive while it touches its file. */
const TOUCH_MS = 2_000;
const SILENT_MS = 10_000;
const TRIES_MAX = 5;

/** The directory of the data belongs to another process, which the message names. */
export class DirectoryInUseError extends Error {}

async function beganOf(pid: number): Promise<string | null> {
  try {
    const [boot, line] = await Promise.all([
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
      readFile(`/proc/${pid}/stat`, "utf8"),
    ]);
    // The name of the program, in parentheses, may hold blanks.
    const ticks = line.slice(line.lastIndexOf(")") + 2).split(" ")[19];
    return `${boot.trim()} ${ticks}`;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function isAlive(path: string, { pid, host, began }: Holder): Promise<boolean> {
  if (host !== hostname()) return Date.now() - (await stat(path)).mtimeMs < SILENT_MS;
  return isRunning(pid) && (began === null || began === (await beganOf(pid)));
}

async function holderIn(path: string): Promise<{ text: string; holder: Holder } | undefined> {
  try {
    const text = await readFile(path, "utf8");
    return { text, holder: JSON.parse(text) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${path} cannot be read: remove it if no process works in this directory`);
  }
}

/** Takes the file away if it is still the one that was looked at. */
async function removeStale(path: string, text: string): Promise<void> {
  const apart = `${path}.${process.pid}.stale`;
  try {
    await rename(path, apart);
    const taken = await readFile(apart, "utf8");
    // Another process was faster, and this is its file: it goes back.
    if (taken !== text) await link(apart, path).catch(() => {});
    await unlink(apart);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/**
 * Makes the directory if it is not there, and takes it. Resolves with what gives it back. Rejects with a
 * `DirectoryInUseError` that names the process that has it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, FILE);
  const own: Holder = { pid: process.pid, host: hostname(), began: await beganOf(process.pid) };
  const text = JSON.stringify(own);
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, text);
  try {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      try {
        // A link appears with all its content, or not at all.
        await link(draft, path);
        return keep(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const found = await holderIn(path);
      if (found === undefined) continue;
      if (await isAlive(path, found.holder)) {
        const { pid, host } = found.holder;
        const where = host === hostname() ? "" : ` on ${host}`;
        throw new DirectoryInUseError(
          `${directory} is in use by process ${pid}${where}: end it first`,
        );
      }
      await removeStale(path, found.text);
    }
    throw new DirectoryInUseError(`${directory} is being taken by other processes: try again`);
  } finally {
    await unlink(draft).catch(() => {});
  }
}

function keep(path: string): () => Promise<void> {
  const timer = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, TOUCH_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await unlink(path).catch(() => {});
  };
}
