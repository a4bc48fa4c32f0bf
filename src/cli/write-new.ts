/** Writes a file that a command makes: whole or not at all, and never over a file that it does not know. */
import { randomUUID } from "node:crypto";
import { link, open, rename, stat, unlink, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "./command.ts";
import { writeFailure } from "./read/files.ts";

/** Refuses to write over a domain file, even with `--force`. */
export async function refuseDomain(
  option: string,
  path: string,
  domains: readonly string[],
  cwd: string,
): Promise<void> {
  const found = await stat(resolve(cwd, path)).catch(() => null);
  for (const domain of domains) {
    const { dev, ino } = await stat(resolve(cwd, domain));
    if (dev !== found?.dev || ino !== found.ino) continue;
    throw new UsageError(`\`--${option} ${path}\` is the domain file: name another file`);
  }
}

/** Octets of a file by which its kind is recognised. */
const HEAD_OCTETS = 64;

/** Refuses to write over a file, unless it is empty or begins as `own` says that earlier output does. */
export async function refuseOthers(
  option: string,
  path: string,
  own: RegExp,
  cwd: string,
): Promise<void> {
  const target = resolve(cwd, path);
  const found = await stat(target).catch(() => null);
  if (found === null || !found.isFile() || found.size === 0) return;
  const head = Buffer.alloc(Math.min(HEAD_OCTETS, found.size));
  try {
    const file = await open(target);
    await file.read(head, 0, head.length, 0).finally(() => file.close());
  } catch (error) {
    throw new UsageError(writeFailure(error, path));
  }
  if (own.test(head.toString("latin1"))) return;
  throw new UsageError(`\`--${option} ${path}\` would overwrite another file: name a new one`);
}

export function existsAlready(path: string): UsageError {
  return new UsageError(
    `\`${path}\` exists already: name another file, or overwrite it with --force`,
  );
}

/**
 * Throws a `UsageError` if the file cannot be written, or exists already and may not be overwritten. Writes a pipe or
 * device in place.
 */
export async function writeNew(
  path: string,
  text: string,
  existing: "refuse" | "overwrite",
  cwd: string,
): Promise<void> {
  const target = resolve(cwd, path);
  const beside = `${target}.${randomUUID()}`;
  const found = await stat(target).catch(() => null);
  try {
    if (found !== null && !found.isFile()) return await writeFile(target, text);
    await writeFile(beside, text, { flag: "wx" });
    if (existing === "overwrite") await rename(beside, target);
    // A link fails if the name is taken, even if it was taken only just now.
    else await link(beside, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw existsAlready(path);
    throw new UsageError(writeFailure(error, path));
  } finally {
    await unlink(beside).catch(() => undefined);
  }
}
