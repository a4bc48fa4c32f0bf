/** Opens the files that a replay writes: refuses to destroy any, takes the locks, and finds where to resume. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { MailPlace, NamedFile } from "../mail-place.ts";
import { ReplayError } from "../replay-error.ts";
import type { Decisions } from "../replay-merger.ts";
import { type ReplayState, readState } from "../replay-state.ts";
import { DecisionFile, type WrittenOut } from "./decision-file.ts";
import { refuseSources } from "./own-files.ts";
import { RunLock } from "./run-lock.ts";

/** Gets lines of JSON. Resolves when more may be written; rejects if the lines could not be written. */
export type DecisionSink = (lines: string) => Promise<void>;

export interface ReplayFiles {
  /** The files that the run writes. */
  readonly outputs: readonly NamedFile[];
  readonly out: Decisions | null;
  readonly stateFile: NamedFile | null;
  /** Where to resume; `null`: at the beginning. */
  readonly state: ReplayState | null;
  close(): Promise<void>;
}

interface FileOptions {
  readonly out?: string | NamedFile | DecisionSink | undefined;
  readonly state?: string | NamedFile | undefined;
  readonly existing?: "refuse" | "anew" | undefined;
}

function named(file: string | NamedFile): NamedFile {
  return typeof file === "string" ? { path: resolve(file), name: file } : file;
}

function sinkOf(sink: DecisionSink): Decisions {
  const nothing = async (): Promise<void> => undefined;
  const keep = async (): Promise<WrittenOut> => ({ path: "", bytes: 0, hash: "" });
  return { name: "the output", write: sink, keep, finish: nothing, close: nothing };
}

async function refusePipe(out: NamedFile): Promise<void> {
  const found = await stat(out.path).catch(() => null);
  if (found === null || found.isFile() || found.isDirectory()) return;
  const said = `\`${out.name}\` cannot be continued: --resume needs a file for --out`;
  throw new ReplayError("refused", said);
}

/** Returns the state to resume from; throws if it is not of this run and output. */
function checkState(
  state: ReplayState,
  run: string,
  stateFile: NamedFile,
  out: NamedFile | null,
): void {
  const { name } = stateFile;
  if (state.run !== run) {
    const said = `\`${name}\` is the state of another replay: give the same domain, mail and options, name another file, or start again with --force`;
    throw new ReplayError("refused", said);
  }
  if ((state.out?.path ?? null) === (out?.path ?? null)) return;
  const with_ = state.out === null ? "without --out" : `with --out \`${state.out.path}\``;
  const said = `\`${name}\` is the state of a replay ${with_}: continue with the same, or start again with --force`;
  throw new ReplayError("refused", said);
}

async function begin(
  out: NamedFile | null,
  state: ReplayState | null,
  existing: "refuse" | "anew",
): Promise<DecisionFile | null> {
  if (out === null) return null;
  if (state?.out) return DecisionFile.resume(out, state.out, state.isComplete);
  return DecisionFile.begin(out, existing === "anew" ? "overwrite" : "keep");
}

/** The state, if there is one to resume from, and the output at that place. */
async function resumeOrBegin(
  stateFile: NamedFile | null,
  out: NamedFile | null,
  run: string,
  existing: "refuse" | "anew",
  from: "state" | "start",
): Promise<{ readonly state: ReplayState | null; readonly out: DecisionFile | null }> {
  const found = stateFile === null ? null : await readState(stateFile);
  const state = from === "state" ? found : null;
  if (state === null || stateFile === null) return { state, out: await begin(out, null, existing) };
  try {
    checkState(state, run, stateFile, out);
    return { state, out: await begin(out, state, existing) };
  } catch (error) {
    const isRefused = error instanceof ReplayError && error.kind === "refused";
    if (!isRefused || existing === "refuse") throw error;
    return { state: null, out: await begin(out, null, existing) };
  }
}

export async function openFiles(
  places: readonly MailPlace[],
  run: string,
  { out, state, existing = "refuse" }: FileOptions,
  from: "state" | "start" = "state",
): Promise<ReplayFiles> {
  const sink = typeof out === "function" ? out : null;
  const outFile = out === undefined || typeof out === "function" ? null : named(out);
  const stateFile = state === undefined ? null : named(state);
  if (sink !== null && stateFile !== null) {
    const said =
      "a replay cannot continue with decisions that went to a stream: give a file for --out";
    throw new ReplayError("refused", said);
  }
  if (outFile !== null && outFile.path === stateFile?.path) {
    const said = `\`${outFile.name}\` cannot be both --out and --resume: name two files`;
    throw new ReplayError("refused", said);
  }
  const outputs = [outFile, stateFile].filter((file) => file !== null);
  const locks: RunLock[] = [];
  let opened: DecisionFile | null = null;
  const close = async (): Promise<void> => {
    await opened?.close();
    for (const lock of locks) await lock.release();
  };
  try {
    if (outFile !== null && stateFile !== null) await refusePipe(outFile);
    const before = stateFile === null ? null : await readState(stateFile).catch(() => null);
    const isOwn = ({ path }: NamedFile): boolean =>
      before !== null && (path === stateFile?.path || path.startsWith(before.out?.path ?? "\n"));
    await refuseSources(places, outputs, isOwn);
    for (const file of outputs) locks.push(await RunLock.take(file));
    const found = await resumeOrBegin(stateFile, outFile, run, existing, from);
    opened = found.out;
    const decisions = sink === null ? opened : sinkOf(sink);
    return { outputs, out: decisions, stateFile, state: found.state, close };
  } catch (error) {
    await close();
    throw error;
  }
}
