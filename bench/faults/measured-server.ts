/** A server in a process of its own, and what it takes of the machine. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { API_KEY } from "./served.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface MeasuredServer {
  readonly process: ChildProcess;
  readonly mxPort: number;
  /** Of the API; absent for a server without one. */
  readonly url?: string;
  /** Until it listened. */
  readonly startMs: number;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Rejects when it ends before it says where it listens. */
export async function startMeasured(args: readonly string[]): Promise<MeasuredServer> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let said = "";
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("\n")) resolve(said);
    });
    void ended.then(() => reject(new Error("the server ended")));
  });
  const { mxPort, url } = JSON.parse(await line);
  return {
    process: child,
    mxPort,
    url,
    startMs: performance.now() - began,
    async end(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
    },
  };
}

export function serve(command: string, options: readonly string[]): Promise<MeasuredServer> {
  const ports = ["--port", "0", "--smtp-port", "0", "--submission-port", "0"];
  return startMeasured([command, "serve", ...ports, "--json", "--api-key", API_KEY, ...options]);
}

/** Of a process by its id: who started it, and its processor seconds; `undefined` when it is gone. */
function statOf(pid: string): { readonly parent: number; readonly seconds: number } | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    // With those of children that have ended.
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    return { parent: Number(fields[1]), seconds: ticks / 100 };
  } catch {
    return undefined;
  }
}

/** Processor seconds that a process and its children have used. */
export function cpuSeconds(pid: number): number {
  const own = statOf(String(pid))?.seconds ?? 0;
  const children = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && statOf(name)?.parent === pid,
  );
  return children.reduce((sum, name) => sum + (statOf(name)?.seconds ?? 0), own);
}

export function residentMb({ process: { pid } }: MeasuredServer): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return Number(kilobytes) / 1_024;
}

/** Deliveries that have no final event yet, as the server counts them. */
export async function deliveriesWaiting({ url }: MeasuredServer): Promise<number> {
  const answer = await fetch(`${url}/metrics`);
  return Number(/^mailflow_deliveries_waiting (\d+)/m.exec(await answer.text())?.[1]);
}
