/**
 * What keeping the state costs: messages a second over SMTP in → routed → logged on each store, beside smtp-server alone, and how
 * long a service takes to start on its data. `npm run durable` keeps the figures in `bench/results/durable.json`; `--only
 * throughput` or `--only starts` does one of the two.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { buildCommand } from "../build-command.ts";
import { type Cluster, createCluster, serverPrograms } from "./cluster.ts";
import { type DatabaseFigures, watchDatabase } from "./database-watch.ts";
import {
  cpuSeconds,
  deliveriesWaiting,
  type MeasuredServer,
  residentMb,
  serve,
  startMeasured,
} from "./measured-server.ts";
import type { SteadyLoad, SteadyResult } from "./steady-load.ts";
import { withScratch } from "./world.ts";

const RESULT = fileURLToPath(new URL("../results/durable.json", import.meta.url));
const LOAD = fileURLToPath(new URL("steady-load.ts", import.meta.url));
const CONNECTIONS = 64;
const TIMES = { warmMs: 3_000, rounds: 3, roundMs: 4_000 };
/** For deliveries to end after the load has. */
const DRAIN_MS = 60_000;
const STARTS = 5;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;

async function load(servers: readonly MeasuredServer[]): Promise<SteadyResult> {
  const ports = servers.map(({ mxPort }) => mxPort);
  const asked: SteadyLoad = { ports, connections: CONNECTIONS, ...TIMES };
  const args = ["--import", "tsx", LOAD, JSON.stringify(asked)];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

/** Seconds until nothing waits any more. */
async function drained(servers: readonly MeasuredServer[]): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < DRAIN_MS) {
    const waiting = await Promise.all(servers.map(deliveriesWaiting));
    if (waiting.every((count) => count === 0)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return (performance.now() - began) / 1_000;
}

interface StoreReport {
  readonly store: string;
  /** Messages acknowledged a second: median of the rounds, and all of them. */
  readonly perSecond: number;
  readonly rounds: readonly number[];
  /** Of what smtp-server alone takes. */
  readonly ofBare: number;
  /** Messages a second from the first one acknowledged to the last one delivered. */
  readonly deliveredPerSecond: number;
  readonly refused: number;
  /** Processor hours of a million messages, accepted and delivered: of the nodes, of the database, of the load. */
  readonly cpuHoursPerMillion: {
    readonly nodes: number;
    readonly database: number;
    readonly load: number;
  };
  /** Processors busy with each, on average, while the load ran and until all was delivered. */
  readonly processorsBusy: {
    readonly nodes: number;
    readonly database: number;
    readonly load: number;
  };
  readonly residentMb: readonly number[];
  readonly database?: DatabaseFigures;
}

async function measure(
  store: string,
  bare: number,
  open: () => Promise<readonly MeasuredServer[]>,
  cluster?: Cluster,
): Promise<StoreReport> {
  const servers = await open();
  const nodesCpu = (): number =>
    servers.reduce((sum, each) => sum + cpuSeconds(each.process.pid!), 0);
  const databaseCpu = (): number => (cluster === undefined ? 0 : cpuSeconds(cluster.pid()));
  const watch = cluster === undefined ? undefined : await watchDatabase(cluster.url);
  const [nodesBefore, databaseBefore] = [nodesCpu(), databaseCpu()];
  const { acknowledged, perSecond: rounds, refused, ...client } = await load(servers);
  const database = await watch?.stop();
  const seconds = client.seconds + (await drained(servers));
  const cpu = {
    nodes: nodesCpu() - nodesBefore,
    database: databaseCpu() - databaseBefore,
    load: client.cpuSeconds,
  };
  const each = (of: (seconds: number) => number): StoreReport["processorsBusy"] => ({
    nodes: of(cpu.nodes),
    database: of(cpu.database),
    load: of(cpu.load),
  });
  const perSecond = median(rounds);
  const report = {
    store,
    perSecond,
    rounds,
    ofBare: perSecond / bare,
    deliveredPerSecond: acknowledged / seconds,
    refused,
    cpuHoursPerMillion: each((used) => ((used / acknowledged) * 1_000_000) / 3_600),
    processorsBusy: each((used) => used / seconds),
    residentMb: servers.map(residentMb),
    ...(database === undefined ? {} : { database }),
  };
  await Promise.all(servers.map((server) => server.end()));
  console.log(JSON.stringify(report, rounded));
  return report;
}

/** `isDivided`: each node has a database of its own, as groups of domains may; figures of the database are of the first. */
async function onPostgres(
  bare: number,
  nodes: number,
  settings: readonly string[] = [],
  isDivided = false,
): Promise<StoreReport> {
  const cluster = await createCluster(programs!, ["track_wal_io_timing=on", ...settings]);
  const places = isDivided ? ["a database each"] : [];
  const name = [`PostgreSQL, ${nodes} node${nodes > 1 ? "s" : ""}`, ...places, ...settings];
  const servers: MeasuredServer[] = [];
  try {
    return await measure(
      name.join(", "),
      bare,
      async () => {
        for (let node = 0; node < nodes; node++) {
          const url = isDivided && node > 0 ? await cluster.addDatabase(`own${node}`) : cluster.url;
          servers.push(await serve(command, ["--store", url, "--seed", scratch.world]));
        }
        return servers;
      },
      cluster,
    );
  } finally {
    for (const server of servers) server.process.kill("SIGKILL");
    await cluster.remove();
  }
}

async function throughput(): Promise<object> {
  const seed = ["--seed", scratch.world];
  const bareServer = await startMeasured(["--import", "tsx", "bench/faults/bare-server.ts"]);
  const loadBefore = loadavg();
  const bareLoad = await load([bareServer]);
  const bare = {
    perSecond: median(bareLoad.perSecond),
    rounds: bareLoad.perSecond,
    processorsBusy: {
      server: cpuSeconds(bareServer.process.pid!) / bareLoad.seconds,
      load: bareLoad.cpuSeconds / bareLoad.seconds,
    },
  };
  await bareServer.end();
  console.log(JSON.stringify(bare, rounded));
  const data = join(scratch.directory, "data");
  const reports = [
    await measure("memory", bare.perSecond, async () => [await serve(command, seed)]),
    await measure("PGlite", bare.perSecond, async () => [
      await serve(command, ["--data", data, ...seed]),
    ]),
  ];
  if (programs !== null) {
    for (const nodes of [1, 2]) reports.push(await onPostgres(bare.perSecond, nodes));
    reports.push(await onPostgres(bare.perSecond, 2, [], true));
    reports.push(await onPostgres(bare.perSecond, 1, ["synchronous_commit=off"]));
  }
  return { loadAverage: { before: loadBefore, after: loadavg() }, bare, reports };
}

/** Milliseconds until it listens: on no data, on data after SIGTERM, and on data after a kill. */
async function starts(): Promise<object> {
  const times: Record<"first" | "again" | "afterKill", number[]> = {
    first: [],
    again: [],
    afterKill: [],
  };
  const memories: number[] = [];
  for (let turn = 0; turn < STARTS; turn++) {
    const directory = mkdtempSync(join(tmpdir(), "mailflow-starts-"));
    const once = async (kind: keyof typeof times, signal: NodeJS.Signals): Promise<void> => {
      const served = await serve(command, ["--data", join(directory, "data")]);
      times[kind].push(served.startMs);
      if (kind === "again") memories.push(residentMb(served));
      await served.end(signal);
    };
    await once("first", "SIGTERM");
    await once("again", "SIGKILL");
    await once("afterKill", "SIGTERM");
    rmSync(directory, { recursive: true });
  }
  const memory = await serve(command, []);
  const inMemory = { startMs: memory.startMs, residentMb: residentMb(memory) };
  await memory.end();
  const summary = Object.fromEntries(
    Object.entries(times).map(([kind, all]) => [kind, { medianMs: median(all), all }]),
  );
  return { starts: { ...summary, residentMb: median(memories), inMemory } };
}

const rounded = (_key: string, value: unknown): unknown =>
  typeof value === "number" ? Number(value.toPrecision(4)) : value;

const { values } = parseArgs({ options: { only: { type: "string" } } });
const programs = serverPrograms();
const command = await buildCommand("mailflow-durable");
const scratch = withScratch();
const before = existsSync(RESULT) ? JSON.parse(readFileSync(RESULT, "utf8")) : {};
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
const kept = {
  ...before,
  machine,
  ...(values.only === "starts" ? {} : await throughput()),
  ...(values.only === "throughput" ? {} : await starts()),
};
writeFileSync(RESULT, `${JSON.stringify(kept, rounded, 2)}\n`);
scratch.remove();
