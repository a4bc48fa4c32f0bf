/** Only one process at a time works in a data directory: the others learn which one does. */
import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, readFile, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Whose directory it is. Process ids are given out again, so more than the id says which process that was. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in ticks of the machine's start; null where the system does not say. */
  readonly began: string | null;
  /** Random: no two locks have the same text. */
  readonly token: string;
}

const FILE = "mailflow.pid";
/** A holder on another machine, or in another container, is alive while it touches its file. */
const TOUCH_MS = 2_000;
const SILENT_MS = 10_000;
const TRIES_MAX = 10;
const WAIT_MS = 5;

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

/**
 * Removes the file that a dead holder left. One process at a time may: the one whose link to the name made of that
 * holder's text exists. It reads the file again before it removes it, since another may have been faster.
 */
async function removeStale(path: string, { text, draft }: { text: string; draft: string }) {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const right = `${path}.${digest}`;
  if (!(await linked(draft, right))) {
    const other = await holderIn(right);
    if (other !== undefined && !(await isAlive(right, other.holder)))
      await removeStale(right, { text: other.text, draft });
    return;
  }
  try {
    if ((await holderIn(path))?.text === text) await unlink(path);
  } finally {
    await unlink(right);
  }
}

/** A link appears with all its content, or not at all. */
async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Makes the directory if it is not there, and takes it. Resolves with what gives it back. Rejects with a
 * `DirectoryInUseError` that names the process that has it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, FILE);
  const own: Holder = {
    pid: process.pid,
    host: hostname(),
    began: await beganOf(process.pid),
    token: randomUUID(),
  };
  const draft = `${path}.${own.token}.new`;
  await writeFile(draft, JSON.stringify(own));
  try {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      if (await linked(draft, path)) return keep(path);
      const found = await holderIn(path);
      if (found === undefined) continue;
      if (await isAlive(path, found.holder)) {
        const { pid, host } = found.holder;
        const where = host === hostname() ? "" : ` on ${host}`;
        throw new DirectoryInUseError(
          `${directory} is in use by process ${pid}${where}: end it first`,
        );
      }
      await removeStale(path, { text: found.text, draft });
      await setTimeout(tries * WAIT_MS);
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
