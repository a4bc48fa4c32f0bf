/** How far a replay has come, kept in a file, so that it can go on after it was ended or killed. */
import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import type { MboxProgress } from "./replay-parts.ts";
import type { Tally } from "./replay-tally.ts";

export interface ReplayState {
  readonly version: 2;
  /** Of the domain, the places and the options: another replay cannot go on from here. */
  readonly run: string;
  readonly batches: number;
  /** Of the keys of the batches that are done: mail that has changed since is noticed. */
  readonly plan: string;
  /** Octets of the file of decisions that belong to them. */
  readonly outBytes: number;
  /** Of the mbox that a part was done of last. */
  readonly mbox: MboxProgress;
  readonly tally: Tally;
}

export function hashOf(...texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}

/** The state, or `null` if there is no such file. Throws a TypeError for a file that is none. */
export async function readState(path: string): Promise<ReplayState | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    const state = JSON.parse(text) as ReplayState;
    if (state.version === 2 && typeof state.run === "string") return state;
  } catch {
    // Told below.
  }
  throw new TypeError(`\`${path}\` is not the state of a replay: name another file`);
}

/** Written whole or not at all. */
export async function writeState(path: string, state: ReplayState): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(state));
  await rename(`${path}.new`, path);
}
