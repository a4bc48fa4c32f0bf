/** One contestant on one case, in a process of its own: prepares, then runs a round each time it is asked. */
import { createHash } from "node:crypto";
import {
  type Absent,
  type Answers,
  absent,
  type Bench,
  Refusal,
  type Scale,
  type Work,
} from "./bench.ts";
import { BENCHES } from "./benches.ts";
import { ownCpuNs } from "./cpu-time.ts";

export interface Round {
  readonly perOperation: number;
  readonly hash: string;
}

/** What a worker says first. */
export type Ready =
  | { readonly kind: "ready"; readonly answers: Answers }
  | { readonly kind: "absent"; readonly reason: string };

export interface Task {
  readonly bench: string;
  readonly contestant: string;
  readonly caseName: string;
  readonly scale: Scale;
}

/** Rounds are made of as many runs as fill this time: below it the clock's grain would show. */
const ROUND_MS: Readonly<Record<Scale, number>> = { full: 100, tiny: 0.1 };
const WARM_ROUNDS: Readonly<Record<Scale, number>> = { full: 3, tiny: 1 };
/** Times below this are not told apart. */
const TICK_NS = 1_000;
/** A contestant whose round takes this long is warm after one. */
const SLOW_NS = 1e9;

async function cost(work: Work, runs: number): Promise<{ cost: number; answers: Answers }> {
  if ("measure" in work) return work.measure(runs);
  let result: unknown;
  const start = ownCpuNs();
  for (let run = 0; run < runs; run++) result = await work.run();
  const cost = ownCpuNs() - start;
  return { cost, answers: (await work.tell?.(result)) ?? (result as Answers) };
}

/** Fixed work: how many runs a round has is settled once, while warming up. */
async function warmUp(
  work: Work,
  scale: Scale,
  unit: Bench["unit"],
): Promise<{ runs: number; answers: Answers } | Absent> {
  let [runs, answers]: [number, Answers] = [1, []];
  try {
    for (let warm = 0; warm < WARM_ROUNDS[scale]; warm++) {
      const round = await cost(work, runs);
      answers = round.answers;
      const took = Math.max(round.cost, TICK_NS);
      if (unit === "bytes" || took > SLOW_NS) break;
      runs = Math.max(1, Math.ceil((ROUND_MS[scale] * 1e6 * runs) / took));
    }
  } catch (error) {
    if (error instanceof Refusal) return absent(error.message);
    throw error;
  }
  return { runs, answers };
}

async function main(): Promise<void> {
  const task = JSON.parse(process.argv[2]!) as Task;
  const bench = BENCHES.find(({ name }) => name === task.bench);
  const contestant = bench?.contestants.find(({ name }) => name === task.contestant);
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
  const work = await contestant.prepare(task.caseName, task.scale);
  if ("absent" in work) return send({ kind: "absent", reason: work.absent });
  if ("measure" in work) close = work.close;

  const warm = await warmUp(work, task.scale, bench?.unit);
  if ("absent" in warm) return send({ kind: "absent", reason: warm.absent });
  const { runs, answers } = warm;
  process.on("message", async () => {
    const round = await cost(work, runs);
    const hash = createHash("sha256").update(round.answers.join("\n")).digest("hex").slice(0, 16);
    send({ perOperation: round.cost / runs / work.operations, hash });
  });
  send({ kind: "ready", answers });
}

await main();
