/** How far a replay has come, kept in a file, so that it can go on after it was ended or killed. */
import { createHash } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import type { NamedFile } from "./mail-place.ts";
import type { WrittenOut } from "./output/decision-file.ts";
import { onFile, ReplayError } from "./replay-error.ts";
import type { MboxProgress } from "./replay-parts.ts";
import type { Tally } from "./replay-tally.ts";

export interface ReplayState {
  readonly version: 4;
  /** Of mailflow, the domain, the places and the options: another replay cannot go on from here. */
  readonly run: string;
  readonly batches: number;
  /** Of the keys of the batches that are done: mail that has changed since is noticed. */
  readonly plan: string;
  /** The decisions that belong to them; `null`: they are not written. */
  readonly out: WrittenOut | null;
  /** Whether all batches are done. */
  readonly isComplete: boolean;
  /** Of the mbox that a part was done of last. */
  readonly mbox: MboxProgress;
  readonly tally: Tally;
}

export function hashOf(...texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}

/** The state, or `null` if there is no such file. Refuses a file that is not one. */
export async function readState({ path, name }: NamedFile): Promise<ReplayState | null> {
  const text = await onFile("read", name, async () => {
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  });
  if (text === null) return null;
  try {
    const state = JSON.parse(text) as ReplayState;
    if (state.version === 4 && typeof state.run === "string") return state;
  } catch {
    // Refused below.
  }
  throw new ReplayError("refused", `\`${name}\` is not the state of a replay: name another file`);
}

/** Written whole or not at all, and on the disk when it resolves. */
export async function writeState({ path, name }: NamedFile, state: ReplayState): Promise<void> {
  await onFile("write", name, async () => {
    const file = await open(`${path}.new`, "w");
    try {
      await file.writeFile(JSON.stringify(state));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  });
}
