/** Lets only one process at a time use a data directory, and tells the others which one. */
import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, readFile, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { StoreUnavailableError } from "../../store.ts";

/** The process that holds the directory. Process ids are reused, so more than the id identifies it. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in ticks since the machine started; null if the system does not report it. */
  readonly began: string | null;
  /** Random: no two locks have the same text. */
  readonly token: string;
}

const FILE = "mailflow.pid";
/** A holder on another machine or in another container counts as alive while it updates its file. */
const TOUCH_MS = 2_000;
const SILENT_MS = 10_000;
const TRIES_MAX = 10;
const WAIT_MS = 5;

/** Another process uses the data directory; the message names it. */
export class DirectoryInUseError extends Error {}

async function startTicks(pid: number): Promise<string | null> {
  try {
    const [boot, line] = await Promise.all([
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
      readFile(`/proc/${pid}/stat`, "utf8"),
    ]);
    // The program's name, in parentheses, may contain blanks.
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
  return isRunning(pid) && (began === null || began === (await startTicks(pid)));
}

async function holderIn(path: string): Promise<{ text: string; holder: Holder } | undefined> {
  try {
    const text = await readFile(path, "utf8");
    const holder: Partial<Holder> | null = JSON.parse(text);
    if (typeof holder?.pid !== "number") throw new TypeError("it names no process");
    return { text, holder: holder as Holder };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StoreUnavailableError(
      `${path} cannot be read: remove it if no process works in this directory`,
    );
  }
}

/**
 * Removes the file of a dead holder. Only one process at a time may do so: the one that creates the link named after the
 * holder's text. It reads the file again before removing it, since another process may have been faster.
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

/** A link appears with its whole content, or not at all. */
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
 * Creates the directory if needed, and locks it. Resolves with a function that unlocks it. Rejects with a `DirectoryInUseError`
 * that names the process using it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, FILE);
  const own: Holder = {
    pid: process.pid,
    host: hostname(),
    began: await startTicks(process.pid),
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
    throw new DirectoryInUseError(`${directory} is being locked by other processes: try again`);
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
