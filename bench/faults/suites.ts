/** Fault suites: under load something is killed at random moments, and in the end nothing that was acknowledged may be lost. */
import { join } from "node:path";
import pg from "pg";
import type { StorePlace } from "../../src/simulator/store/sql/open-sql-store.ts";
import { type Cluster, createCluster } from "./cluster.ts";
import { createCutProxy } from "./cut-proxy.ts";
import { type Load, startLoad } from "./load.ts";
import { API_KEY, kill, type Served, startServe } from "./served.ts";
import { judge, type Verdict } from "./verdict.ts";
import { withScratch } from "./world.ts";

export interface FaultReport extends Verdict {
  readonly suite: string;
  readonly faults: number;
  readonly sent: number;
  /** Answers by code. */
  readonly answers: Readonly<Record<string, number>>;
  /** Milliseconds of every fault until a message was acknowledged again: median and longest. */
  readonly recoveryMs: { readonly median: number; readonly longest: number };
}

/** Numbers from 0 to 1 that a seed determines. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until one more message is acknowledged; how long that took. */
async function recovered(load: Load): Promise<number> {
  const began = performance.now();
  const before = load.acknowledged.size;
  while (load.acknowledged.size === before) {
    if (performance.now() - began > 120_000) throw new Error("no message is taken any more");
    await pause(20);
  }
  return performance.now() - began;
}

interface Scene {
  readonly suite: string;
  readonly faults: number;
  readonly seed: number;
  readonly place: StorePlace;
  ports(): readonly number[];
  /** One fault and its mending; resolves when the servers are up again. */
  strike(random: () => number): Promise<void>;
  /** Ends all servers, after what is due has been delivered. */
  end(): Promise<void>;
}

const CLIENTS = 4;
/** Between two faults. */
const CALM_MS = 400;
/** At most, for a node that is gone to be noticed, and its deliveries to be made again. */
const SETTLE_MS = 60_000;
const OUTAGE_MS = 30_000;

async function play(scene: Scene): Promise<FaultReport> {
  const random = randomOf(scene.seed);
  const load = startLoad(scene.ports, { clients: CLIENTS, prefix: scene.suite, pauseMs: 5 });
  const took: number[] = [];
  try {
    await recovered(load);
    for (let fault = 0; fault < scene.faults; fault++) {
      await pause(random() * CALM_MS);
      const strike = scene.strike(random);
      took.push(await recovered(load));
      await strike;
    }
  } finally {
    await load.stop();
  }
  await scene.end();
  const verdict = await judge(scene.place, load.acknowledged);
  took.sort((a, b) => a - b);
  return {
    suite: scene.suite,
    faults: scene.faults,
    sent: load.sent,
    answers: Object.fromEntries(load.answers),
    ...verdict,
    recoveryMs: {
      median: Math.round(took[took.length >> 1] ?? 0),
      longest: Math.round(took.at(-1) ?? 0),
    },
  };
}

/** kill −9 of the one process that keeps its state in a directory. */
export async function embeddedSuite(faults: number, seed: number): Promise<FaultReport> {
  const scratch = withScratch();
  const data = join(scratch.directory, "data");
  const options = ["--data", data, "--seed", scratch.world];
  let served: Served | undefined = await startServe(options);
  try {
    return await play({
      suite: "embedded",
      faults,
      seed,
      place: { kind: "pglite", directory: data },
      ports: () => (served === undefined ? [] : [served.mxPort]),
      async strike() {
        const victim = served!;
        served = undefined;
        await kill(victim);
        served = await startServe(options);
      },
      async end() {
        await pause(3_000);
        await kill(served!, "SIGTERM");
      },
    });
  } finally {
    served?.process.kill("SIGKILL");
    scratch.remove();
  }
}

/** Waits until no delivery is left, or `SETTLE_MS`. */
async function delivered(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const untilMs = performance.now() + SETTLE_MS;
    while (performance.now() < untilMs) {
      const { rowCount } = await client.query("select 1 from mailflow.delivery limit 1");
      if (rowCount === 0) return;
      await pause(200);
    }
  } finally {
    await client.end();
  }
}

interface Nodes {
  readonly up: (Served | undefined)[];
  start(at: number): Promise<void>;
  end(): Promise<void>;
}

async function twoNodes(url: string, world: string): Promise<Nodes> {
  const up: (Served | undefined)[] = [];
  const start = async (at: number): Promise<void> => {
    up[at] = await startServe(["--store", url, "--seed", world]);
  };
  await start(0);
  await start(1);
  return {
    up,
    start,
    async end() {
      await delivered(url);
      await Promise.all(up.map((served) => served && kill(served, "SIGTERM")));
    },
  };
}

type Strike = (parts: {
  readonly cluster: Cluster;
  readonly nodes: Nodes;
  readonly random: () => number;
}) => Promise<void>;

async function nodesSuite(
  suite: string,
  programs: string,
  { faults, seed }: { faults: number; seed: number },
  strike: Strike,
): Promise<FaultReport> {
  const scratch = withScratch();
  const cluster = await createCluster(programs);
  const nodes = await twoNodes(cluster.url, scratch.world);
  try {
    return await play({
      suite,
      faults,
      seed,
      place: { kind: "postgres", url: cluster.url },
      ports: () => nodes.up.flatMap((served) => served?.mxPort ?? []),
      strike: (random) => strike({ cluster, nodes, random }),
      end: nodes.end,
    });
  } finally {
    for (const served of nodes.up) served?.process.kill("SIGKILL");
    await cluster.remove();
    scratch.remove();
  }
}

/** kill −9 of one of two nodes. */
export function nodeSuite(programs: string, faults: number, seed: number): Promise<FaultReport> {
  return nodesSuite("node", programs, { faults, seed }, async ({ nodes, random }) => {
    const at = random() < 0.5 ? 0 : 1;
    const victim = nodes.up[at]!;
    nodes.up[at] = undefined;
    await kill(victim);
    await nodes.start(at);
  });
}

/** kill −9 of PostgreSQL and all its processes. */
export function serverSuite(programs: string, faults: number, seed: number): Promise<FaultReport> {
  return nodesSuite("postgres", programs, { faults, seed }, async ({ cluster, random }) => {
    await cluster.kill();
    await pause(random() * 1_000);
    await cluster.start();
  });
}

export interface OutageReport extends FaultReport {
  /** What the API of each node answered while the database was away, by status. */
  readonly apiAnswers: Readonly<Record<string, number>>;
}

/** PostgreSQL is away for 30 seconds. */
export async function outageSuite(
  programs: string,
  faults: number,
  seed: number,
): Promise<OutageReport> {
  const apiAnswers: Record<string, number> = {};
  const report = await nodesSuite(
    "outage",
    programs,
    { faults, seed },
    async ({ cluster, nodes }) => {
      await cluster.kill();
      const untilMs = performance.now() + OUTAGE_MS;
      while (performance.now() < untilMs) {
        await pause(1_000);
        for (const served of nodes.up) {
          const status = await apiStatus(served!);
          apiAnswers[status] = (apiAnswers[status] ?? 0) + 1;
        }
      }
      await cluster.start();
    },
  );
  return { ...report, apiAnswers };
}

async function apiStatus({ url }: Served): Promise<number> {
  const headers = { authorization: `Basic ${btoa(`api:${API_KEY}`)}` };
  return (await fetch(`${url}/v4/domains`, { headers })).status;
}

/** All sessions ended by the server. */
export function sessionSuite(programs: string, faults: number, seed: number): Promise<FaultReport> {
  return nodesSuite("sessions", programs, { faults, seed }, async ({ cluster }) => {
    await cluster.terminate();
  });
}

/** The network between one node and PostgreSQL is cut, and mended. */
export async function networkSuite(
  programs: string,
  faults: number,
  seed: number,
): Promise<FaultReport> {
  const scratch = withScratch();
  const cluster = await createCluster(programs);
  const proxy = await createCutProxy(cluster.port);
  const throughProxy = cluster.url.replace(`:${cluster.port}/`, `:${proxy.port}/`);
  const near = await startServe(["--store", cluster.url, "--seed", scratch.world]);
  const far = await startServe(["--store", throughProxy, "--seed", scratch.world]);
  const up = [near, far];
  try {
    return await play({
      suite: "network",
      faults,
      seed,
      place: { kind: "postgres", url: cluster.url },
      ports: () => up.map(({ mxPort }) => mxPort),
      async strike(random) {
        proxy.cut();
        await pause(1_000 + random() * 3_000);
        proxy.mend();
      },
      async end() {
        await delivered(cluster.url);
        await Promise.all(up.map((served) => kill(served, "SIGTERM")));
      },
    });
  } finally {
    for (const served of up) served.process.kill("SIGKILL");
    proxy.close();
    await cluster.remove();
    scratch.remove();
  }
}
