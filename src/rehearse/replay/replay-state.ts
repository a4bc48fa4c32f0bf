/** The progress of a replay, saved in a file, so that it can resume after it was ended or killed. */
import { createHash } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import type { NamedFile } from "./mail-place.ts";
import type { WrittenOut } from "./output/decision-file.ts";
import { onFile, ReplayError } from "./replay-error.ts";
import type { MboxProgress } from "./replay-parts.ts";
import type { Tally } from "./replay-tally.ts";

export interface ReplayState {
  readonly version: 4;
  /**
   * Hash of mailflow's version, the domain, the places and the options: a replay with another hash cannot resume
   * here.
   */
  readonly run: string;
  readonly batches: number;
  /** Hash of the keys of the finished batches: it shows whether their mail has changed since. */
  readonly plan: string;
  /** The decisions of these batches; `null`: none are written. */
  readonly out: WrittenOut | null;
  /** Whether all batches are done. */
  readonly isComplete: boolean;
  /** Progress in the mbox of the last finished part. */
  readonly mbox: MboxProgress;
  readonly tally: Tally;
}

export function hashOf(...texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}

/** The state, or `null` if the file does not exist. Refuses a file that is not a state. */
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

/** Writes the state whole or not at all. When it resolves, the state is on the disk. */
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
