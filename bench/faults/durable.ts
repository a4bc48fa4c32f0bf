/**
 * What keeping the state costs: messages a second over SMTP in → routed → logged on each store, beside smtp-server alone, and how
 * long a service takes to start on its data. `npm run durable` keeps the figures in `bench/results/durable.json`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildCommand } from "../build-command.ts";
import { createCluster, serverPrograms } from "./cluster.ts";
import { startLoad } from "./load.ts";
import { withScratch } from "./world.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RESULT = join(ROOT, "bench/results/durable.json");
const CLIENTS = 16;
const WARM_MS = 4_000;
const ROUNDS = 3;
const ROUND_MS = 5_000;
const STARTS = 5;

interface Running {
  readonly process: ChildProcess;
  readonly mxPort: number;
  readonly startMs: number;
  readonly ended: Promise<unknown>;
}

async function start(args: readonly string[]): Promise<Running> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let said = "";
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("\n")) resolve(said);
    });
    void ended.then(() => reject(new Error("the server ended")));
  });
  const { mxPort } = JSON.parse(await line);
  return { process: child, mxPort, startMs: performance.now() - began, ended };
}

async function end({ process: child, ended }: Running, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended;
}

function serve(command: string, options: readonly string[]): Promise<Running> {
  const ports = ["--port", "0", "--smtp-port", "0", "--submission-port", "0"];
  return start([command, "serve", ...ports, "--json", "--api-key", "durable", ...options]);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Acknowledged messages a second, in each of `ROUNDS`. */
async function throughput(name: string, servers: readonly Running[]): Promise<readonly number[]> {
  const ports = servers.map(({ mxPort }) => mxPort);
  const load = startLoad(() => ports, { clients: CLIENTS, prefix: name, pauseMs: 0 });
  const rates: number[] = [];
  await pause(WARM_MS);
  for (let round = 0; round < ROUNDS; round++) {
    const before = load.acknowledged.size;
    const began = performance.now();
    await pause(ROUND_MS);
    rates.push(((load.acknowledged.size - before) * 1_000) / (performance.now() - began));
  }
  await load.stop();
  return rates;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;

function residentMb({ process: { pid } }: Running): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return Number(kilobytes) / 1_024;
}

interface StoreReport {
  readonly store: string;
  /** Messages a second: median of the rounds, and all of them. */
  readonly perSecond: number;
  readonly rounds: readonly number[];
  /** Of what smtp-server alone takes. */
  readonly ofBare: number;
  /** Processor hours of a million messages, all processes of mailflow together. */
  readonly cpuHoursPerMillion: number;
  readonly residentMb: readonly number[];
}

/** Seconds of processor time that a process has used. */
function cpuSeconds({ process: { pid } }: Running): number {
  const line = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function measure(
  store: string,
  bare: number,
  open: () => Promise<readonly Running[]>,
): Promise<StoreReport> {
  const servers = await open();
  const cpuBefore = servers.reduce((sum, each) => sum + cpuSeconds(each), 0);
  const began = performance.now();
  const rounds = await throughput(store, servers);
  const seconds = (performance.now() - began) / 1_000;
  const cpu = servers.reduce((sum, each) => sum + cpuSeconds(each), 0) - cpuBefore;
  const perSecond = median(rounds);
  const report = {
    store,
    perSecond,
    rounds,
    ofBare: perSecond / bare,
    cpuHoursPerMillion: ((cpu / (perSecond * seconds)) * 1_000_000) / 3_600,
    residentMb: servers.map(residentMb),
  };
  await Promise.all(servers.map((each) => end(each, "SIGTERM")));
  console.log(JSON.stringify(report));
  return report;
}

/** Milliseconds until it listens: on no data, on data after SIGTERM, and on data after a kill. */
async function starts(command: string): Promise<object> {
  const times: Record<"first" | "again" | "afterKill", number[]> = {
    first: [],
    again: [],
    afterKill: [],
  };
  for (let turn = 0; turn < STARTS; turn++) {
    const directory = mkdtempSync(join(tmpdir(), "mailflow-starts-"));
    const once = async (kind: keyof typeof times, signal: NodeJS.Signals): Promise<void> => {
      const served = await serve(command, ["--data", join(directory, "data")]);
      times[kind].push(served.startMs);
      await end(served, signal);
    };
    await once("first", "SIGTERM");
    await once("again", "SIGKILL");
    await once("afterKill", "SIGTERM");
    rmSync(directory, { recursive: true });
  }
  const memory = await serve(command, []);
  await end(memory, "SIGTERM");
  const summary = Object.fromEntries(
    Object.entries(times).map(([kind, all]) => [kind, { medianMs: median(all), all }]),
  );
  return { ...summary, inMemoryMs: memory.startMs };
}

const programs = serverPrograms();
const command = await buildCommand("mailflow-durable");
const scratch = withScratch();
const seed = ["--seed", scratch.world];
const reports: StoreReport[] = [];
const bareServer = await start(["--import", "tsx", "bench/faults/bare-server.ts"]);
const bare = median(await throughput("bare", [bareServer]));
await end(bareServer, "SIGTERM");
console.log(JSON.stringify({ store: "smtp-server alone", perSecond: bare }));
reports.push(await measure("memory", bare, async () => [await serve(command, seed)]));
reports.push(
  await measure("PGlite", bare, async () => [
    await serve(command, ["--data", join(scratch.directory, "data"), ...seed]),
  ]),
);
for (const nodes of programs === null ? [] : [1, 2]) {
  const cluster = await createCluster(programs!);
  const options = ["--store", cluster.url, ...seed];
  reports.push(
    await measure(`PostgreSQL, ${nodes} node${nodes > 1 ? "s" : ""}`, bare, async () => {
      const servers: Running[] = [];
      for (let node = 0; node < nodes; node++) servers.push(await serve(command, options));
      return servers;
    }),
  );
  await cluster.remove();
}
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
const rounded = (_key: string, value: unknown): unknown =>
  typeof value === "number" ? Number(value.toPrecision(4)) : value;
const kept = { machine, bare, reports, starts: await starts(command) };
console.log(JSON.stringify(kept.starts, rounded));
writeFileSync(RESULT, `${JSON.stringify(kept, rounded, 2)}\n`);
scratch.remove();
