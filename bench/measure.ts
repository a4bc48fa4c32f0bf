/** Runs the contestants of one case in turn, A B C A B C …, each in its own process. */
import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import type { Answers, Bench, Contestant, Scale } from "./bench.ts";
import { ROOT } from "./paths.ts";
import type { Ready, Round, Task } from "./worker.ts";
import { workerFile } from "./worker-file.ts";

/** What one contestant took on one case. */
export interface Measurement {
  readonly case: string;
  readonly contestant: string;
  /** Median over the rounds, in the bench's unit. */
  readonly perOperation: number;
  /** Median over the rounds of (this contestant's cost / the subject's of the same turn). */
  readonly ratio: number;
  /** Half the distance between the quartiles of that ratio, as a share of it. */
  readonly spread: number;
  /** Of all that was decided in the first round. */
  readonly hash: string;
  /** The answer to all operations of the first round, if they have one in common. */
  readonly onlyAnswer?: string;
  /** The share of answers that are the subject's. */
  readonly agreement: number;
}

/** What one case gave: the measurements, and who could not take part. */
export interface CaseResult {
  readonly measurements: readonly Measurement[];
  readonly skipped: readonly { readonly contestant: string; readonly reason: string }[];
}

interface Runner {
  readonly contestant: Contestant;
  readonly child: ChildProcess;
  /** Rounds that it has inputs for; `null`: each round is the same work. */
  readonly turns: number | null;
  readonly rounds: Round[];
}

const ROUNDS: Readonly<Record<Scale, number>> = { full: 9, tiny: 1 };
/** A case with slow contestants has fewer rounds: none is begun after this time, but three are always run. */
const CASE_MS = 6_000;
const ROUNDS_MIN = 3;
/** A worker that says nothing for so long has hung; preparing 100,000 domains takes minutes. */
const ANSWER_MS = 600_000;

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.round((sorted.length - 1) * share)]!;
}

/** The worker's next message; rejects when it ends instead. */
function next<T>(child: ChildProcess, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => {
      clearTimeout(late);
      reject(new Error(`the worker of ${what} ended with ${code ?? "a signal"}`));
    };
    const late = setTimeout(
      () => reject(new Error(`the worker of ${what} said nothing for ${ANSWER_MS / 1_000} s`)),
      ANSWER_MS,
    );
    child.once("exit", ended);
    child.once("message", (message) => {
      clearTimeout(late);
      child.off("exit", ended);
      resolve(message as T);
    });
  });
}

function hashOf({ answers }: Round): string {
  return createHash("sha256").update(answers.join("\n")).digest("hex").slice(0, 16);
}

function onlyAnswerOf({ answers }: Round): string | undefined {
  return answers.every((answer) => answer === answers[0]) ? String(answers[0]) : undefined;
}

const answersOf = ({ rounds }: Runner): Answers => rounds.flatMap(({ answers }) => answers);

/** The share of `own` answers that are the subject's. */
export function agreementOf(own: Answers, subject: Answers): number {
  const same = subject.filter((answer, index) => answer === own[index]).length;
  return subject.length === 0 ? 1 : same / subject.length;
}

function summarise(caseName: string, runner: Runner, subject: Runner): Measurement {
  const costs = runner.rounds.map(({ perOperation }) => perOperation).sort((a, b) => a - b);
  const ratios = runner.rounds
    .map(({ perOperation }, turn) => perOperation / subject.rounds[turn]!.perOperation)
    .sort((a, b) => a - b);
  const ratio = quantile(ratios, 0.5);
  const onlyAnswer = onlyAnswerOf(runner.rounds[0]!);
  return {
    case: caseName,
    contestant: runner.contestant.name,
    perOperation: quantile(costs, 0.5),
    ratio,
    spread: (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2 / ratio,
    hash: hashOf(runner.rounds[0]!),
    ...(onlyAnswer !== undefined && { onlyAnswer }),
    agreement: agreementOf(answersOf(runner), answersOf(subject)),
  };
}

/** Throws when a contestant decides otherwise than the subject: then the times mean nothing. */
function assertSameWork(bench: Bench, caseName: string, runner: Runner, subject: Runner): void {
  const { name, differs } = runner.contestant;
  const where = `${bench.name}, ${caseName}: ${name}`;
  if (runner.turns === null && new Set(runner.rounds.map(hashOf)).size > 1)
    throw new Error(`${where} did not decide the same in every round`);
  const [answers, expected] = [answersOf(runner), answersOf(subject)];
  const agreement = agreementOf(answers, expected);
  if (agreement >= (differs?.agreementMin ?? 1)) return;
  const index = expected.findIndex((answer, at) => answer !== answers[at]);
  throw new Error(
    `${where} agrees with ${subject.contestant.name} on ${(agreement * 100).toFixed(1)} %: answer ${index} is \`${answers[index]}\`, not \`${expected[index]}\``,
  );
}

/** Runs one case. */
export async function measureCase(
  bench: Bench,
  caseName: string,
  scale: Scale,
): Promise<CaseResult> {
  const worker = await workerFile();
  const children: ChildProcess[] = [];
  try {
    const started = bench.contestants.map(async (contestant) => {
      const task: Task = { bench: bench.name, contestant: contestant.name, caseName, scale };
      const child = fork(worker, [JSON.stringify(task)], {
        execArgv: ["--expose-gc", "--max-old-space-size=12288"],
        env: { ...process.env, MAILFLOW_BENCH_ROOT: ROOT },
      });
      children.push(child);
      const ready = await next<Ready>(child, `${bench.name}/${contestant.name}, ${caseName}`);
      return { contestant, child, ready };
    });
    const runners: Runner[] = [];
    const skipped: { contestant: string; reason: string }[] = [];
    for (const { contestant, child, ready } of await Promise.all(started)) {
      if (ready.kind === "ready") {
        runners.push({ contestant, child, turns: ready.turns, rounds: [] });
      } else skipped.push({ contestant: contestant.name, reason: ready.reason });
    }
    const subject = runners[0];
    if (subject === undefined || subject.contestant !== bench.contestants[0])
      return { measurements: [], skipped: skipped.slice(0, 1) };
    const begun = Date.now();
    for (let turn = 0; turn < (subject.turns ?? ROUNDS[scale]); turn++) {
      if (turn >= ROUNDS_MIN && Date.now() - begun > CASE_MS) break;
      for (const { child, contestant, rounds } of runners) {
        const round = next<Round>(child, `${bench.name}/${contestant.name}, ${caseName}`);
        child.send(turn);
        rounds.push(await round);
      }
    }
    for (const runner of runners) assertSameWork(bench, caseName, runner, subject);
    const measurements = runners.map((runner) => summarise(caseName, runner, subject));
    return { measurements, skipped };
  } finally {
    for (const child of children) child.kill();
  }
}
