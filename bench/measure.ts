/** Runs the contestants of one case in turn, A B C A B C …, each in its own process. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Bench, Scale } from "./bench.ts";
import type { Round } from "./worker.ts";

/** What one contestant took on one case. */
export interface Measurement {
  readonly case: string;
  readonly contestant: string;
  /** Median over the rounds. */
  readonly nsPerOperation: number;
  /** Median over the rounds of (this contestant's time / the subject's time of the same turn). */
  readonly ratio: number;
  /** Half the distance between the quartiles of that ratio, as a share of it. */
  readonly spread: number;
  readonly hash: string;
}

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));
const ROUNDS: Readonly<Record<Scale, number>> = { full: 9, tiny: 1 };

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.round((sorted.length - 1) * share)]!;
}

async function start(args: readonly string[]): Promise<ChildProcess> {
  const child = fork(WORKER, args, { execArgv: ["--import", "tsx"] });
  const first = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (first[0] !== "ready")
    throw new Error(`bench worker ${args.join(" ")} ended before it was ready`);
  return child;
}

async function ask(child: ChildProcess): Promise<Round> {
  child.send("round");
  const [round] = (await once(child, "message")) as [Round];
  return round;
}

function summarise(
  caseName: string,
  contestant: string,
  own: readonly Round[],
  subject: readonly Round[],
): Measurement {
  const times = own.map(({ nsPerOperation }) => nsPerOperation).sort((a, b) => a - b);
  const ratios = own
    .map(({ nsPerOperation }, turn) => nsPerOperation / subject[turn]!.nsPerOperation)
    .sort((a, b) => a - b);
  const ratio = quantile(ratios, 0.5);
  return {
    case: caseName,
    contestant,
    nsPerOperation: quantile(times, 0.5),
    ratio,
    spread: (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2 / ratio,
    hash: own[0]!.hash,
  };
}

/** Throws when a contestant decides otherwise than the subject: then the times mean nothing. */
export async function measureCase(
  bench: Bench,
  caseName: string,
  scale: Scale,
): Promise<Measurement[]> {
  const names = Object.keys(bench.contestants);
  const children: ChildProcess[] = [];
  try {
    for (const name of names) children.push(await start([bench.name, name, caseName, scale]));
    const rounds: Round[][] = names.map(() => []);
    for (let turn = 0; turn < ROUNDS[scale]; turn++) {
      for (const [index, child] of children.entries()) rounds[index]!.push(await ask(child));
    }
    const subject = rounds[0]!;
    return names.map((name, index) => {
      const own = rounds[index]!;
      const hashes = new Set([...own, ...subject].map(({ hash }) => hash));
      if (hashes.size > 1 && bench.answersDiffer?.[name] === undefined) {
        throw new Error(`${bench.name}, ${caseName}: ${name} did not decide as ${names[0]} did`);
      }
      return summarise(caseName, name, own, subject);
    });
  } finally {
    for (const child of children) child.kill();
  }
}
