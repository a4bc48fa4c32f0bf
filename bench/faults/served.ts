/** A `mailflow serve` in a process of its own, built from the sources, that can be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { buildCommand } from "../build-command.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Everything is kept, so that it can be judged in the end. */
const KEEP = ["--keep-messages", "100000000", "--keep-bytes", "1000000000000"];
let built: Promise<string> | undefined;

/** Built once, for this process alone: the sources may change while it runs. */
async function build(): Promise<string> {
  const file = await buildCommand(`mailflow-faults-${process.pid}`);
  process.once("exit", () => rmSync(dirname(file), { recursive: true, force: true }));
  return file;
}
export const API_KEY = "faults";

export interface Served {
  readonly process: ChildProcess;
  readonly url: string;
  readonly mxPort: number;
  /** Until it listens. */
  readonly startMs: number;
  /** Settles when the process has ended. */
  readonly ended: Promise<void>;
}

/** Kills at once, and waits for the end. */
export async function kill(served: Served, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  served.process.kill(signal);
  await served.ended;
}

/** Rejects with what the process said when it ends before it listens: a node that does not start is a failure of the suite. */
export async function startServe(options: readonly string[]): Promise<Served> {
  built ??= build();
  const command = await built;
  const ports = ["--port", "0", "--smtp-port", "0", "--submission-port", "0"];
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [command, "serve", ...ports, "--json", "--api-key", API_KEY, ...KEEP, ...options],
    { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let [said, complaint] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-4_000);
  });
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("\n")) resolve(said);
    });
    void ended.then(() => reject(new Error(`serve ended: ${complaint}`)));
  });
  const { url, mxPort } = JSON.parse(await line);
  return { process: child, url, mxPort, startMs: performance.now() - began, ended };
}
