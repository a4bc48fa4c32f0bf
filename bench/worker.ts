/** One contestant on one case, in a process of its own: prepares, then runs a round each time it is asked. */
import {
  type Answers,
  type Bench,
  type MeasuredWork,
  type OwnWork,
  Refusal,
  type Scale,
  type Work,
} from "./bench.ts";
import { loadBench } from "./benches.ts";
import { ownCpuNs } from "./cpu-time.ts";

export interface Round {
  readonly perOperation: number;
  readonly answers: Answers;
}

/** What a worker says first. */
export type Ready =
  | { readonly kind: "ready"; readonly turns: number | null }
  | { readonly kind: "absent"; readonly reason: string };

export interface Task {
  readonly bench: string;
  readonly contestant: string;
  readonly caseName: string;
  readonly scale: Scale;
}

/** Rounds are made of as many runs as fill this time: below it the clock's grain would show. */
const ROUND_MS: Readonly<Record<Scale, number>> = { full: 100, tiny: 0.1 };
const WARM_ROUNDS = 3;
/** Times below this are not told apart. */
const TICK_NS = 1_000;
/** A contestant whose round takes this long is warm after one. */
const SLOW_NS = 1e9;

async function cost(
  work: OwnWork | MeasuredWork,
  runs: number,
): Promise<{ cost: number; answers: Answers }> {
  if ("measure" in work) return work.measure(runs);
  let result: unknown;
  const start = ownCpuNs();
  for (let run = 0; run < runs; run++) result = await work.run();
  const cost = ownCpuNs() - start;
  return { cost, answers: (await work.tell?.(result)) ?? (result as Answers) };
}

/** Fixed work: how many runs a round has is settled once, while warming up. */
async function runsAfterWarmUp(
  work: OwnWork | MeasuredWork,
  scale: Scale,
  { unit, warmRounds = WARM_ROUNDS }: Pick<Bench, "unit" | "warmRounds">,
): Promise<number> {
  let runs = 1;
  for (let warm = 0; warm < (scale === "full" ? warmRounds : 1); warm++) {
    const took = Math.max((await cost(work, runs)).cost, TICK_NS);
    if (unit === "bytes" || took > SLOW_NS) break;
    runs = Math.max(1, Math.ceil((ROUND_MS[scale] * 1e6 * runs) / took));
  }
  return runs;
}

/** Warms up; answers what does one round. */
async function roundsOf(
  work: Work,
  scale: Scale,
  bench: Pick<Bench, "unit" | "warmRounds">,
): Promise<(turn: number) => Promise<Round>> {
  if ("turn" in work) {
    await work.warm();
    return async (turn) => {
      const { cost, answers } = await work.turn(turn);
      return { perOperation: Math.max(cost, TICK_NS) / work.operations, answers };
    };
  }
  const runs = await runsAfterWarmUp(work, scale, bench);
  return async () => {
    const round = await cost(work, runs);
    return { perOperation: round.cost / runs / work.operations, answers: round.answers };
  };
}

async function main(): Promise<void> {
  const task = JSON.parse(process.argv[2]!) as Task;
  const bench = await loadBench(task.bench);
  if (bench === undefined || "run" in bench) throw new Error(`no contestants of ${task.bench}`);
  const contestant = bench.contestants.find(({ name }) => name === task.contestant);
  if (contestant === undefined) throw new Error(`no contestant ${task.bench}/${task.contestant}`);
  const send = (message: Ready | Round): void => {
    if (process.connected) process.send?.(message);
  };
  let close: (() => void) | undefined;
  const end = (): void => {
    close?.();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT", "disconnect"] as const) process.once(signal, end);
  try {
    const work = await contestant.prepare(task.caseName, task.scale);
    if ("absent" in work) return send({ kind: "absent", reason: work.absent });
    close = "close" in work ? work.close : undefined;
    const round = await roundsOf(work, task.scale, bench);
    process.on("message", async (turn: number) => send(await round(turn)));
    send({ kind: "ready", turns: "turn" in work ? work.turns : null });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    send({ kind: "absent", reason: error.message });
  }
}

await main();
