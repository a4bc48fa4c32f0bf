/** What a bench is: cases, and contestants that do the same work on each of them. */

import type { CaseResult, Measurement } from "./measure.ts";

export type Scale = "full" | "tiny";

/** What was decided, one text an operation. */
export type Answers = readonly string[];

/** Work prepared for one case; `run` does all of it once. */
export interface OwnWork<Result = unknown> {
  /** Operations in one `run`. */
  readonly operations: number;
  run(): Result | Promise<Result>;
  /** What `run` gave as answers, not timed; left out: it gave answers. */
  tell?(result: Result): Answers | Promise<Answers>;
}

/** Work that tells itself what it cost: a program in another language, or bytes held. */
export interface MeasuredWork {
  readonly operations: number;
  /** `cost`: of all `runs` together, in the bench's unit. */
  measure(runs: number): Promise<{ readonly cost: number; readonly answers: Answers }>;
  /** Ends the programs it started, and removes what it wrote. */
  close?(): void;
}

/** Work that does not repeat: each turn has inputs of its own, which the turns before have not warmed. */
export interface TurnWork {
  readonly turns: number;
  /** Operations in one turn. */
  readonly operations: number;
  /** On inputs that no turn has. */
  warm(): void | Promise<void>;
  turn(nth: number): Turn | Promise<Turn>;
  close?(): void;
}

export interface Turn {
  /** Of the whole turn, in the bench's unit. */
  readonly cost: number;
  readonly answers: Answers;
}

// biome-ignore lint/suspicious/noExplicitAny: each work tells the results of its own runs.
export type Work = OwnWork<any> | MeasuredWork | TurnWork;

/** A contestant that cannot take part here, and why. */
export interface Absent {
  readonly absent: string;
}

/** Thrown by a contestant that finds out while at work that it cannot do it. */
export class Refusal extends Error {}

export interface Contestant {
  readonly name: string;
  prepare(caseName: string, scale: Scale): Work | Absent | Promise<Work | Absent>;
  /** Left out: every answer must be the subject's. */
  readonly differs?: {
    /** The share of answers that must be the subject's all the same. */
    readonly agreementMin: number;
    readonly why: string;
  };
}

/** Cost over N, from the results of `points`; one line a contestant. */
export interface Chart {
  readonly file: string;
  readonly title: string;
  /** What N counts. */
  readonly axis: string;
  readonly points: readonly { readonly x: number; readonly caseName: string }[];
}

export interface Bench {
  readonly name: string;
  /** What is measured, in one sentence. */
  readonly title: string;
  /** What one operation is, e.g. `message`. */
  readonly operation: string;
  /** `ns` of processor time unless told. */
  readonly unit?: "ns" | "wall ns" | "bytes";
  /** Rounds that each contestant runs before it is measured in a full run, where 3 do not make it warm. */
  readonly warmRounds?: number;
  cases(scale: Scale): readonly string[];
  /** Cases that stand apart: the mean leaves them out. */
  readonly meansWithout?: readonly string[];
  /** The first is the subject, the others what it is held against. */
  readonly contestants: readonly Contestant[];
  readonly charts?: readonly Chart[];
  /** Equal parts of the cases, each a fair sample of all; a full run measures the first. Left out: there is one. */
  readonly slices?: number;
  /** How its results are printed; left out: as a table for each case, and the means. */
  readonly report?: {
    renderCase(bench: Bench, caseName: string, result: CaseResult): string;
    renderSummary(bench: Bench, measurements: readonly Measurement[]): string;
  };
  /** Builds what rivals in other languages need, once, before a full run; what fails is told by the contestant. */
  build?(): void;
}

/** What a run of benches is asked for. */
export interface Request {
  readonly scale: Scale;
  /** Only cases whose name holds each of these. */
  readonly caseTexts: readonly string[];
  /** Text in the names of contestants. */
  readonly only: string;
  /** From 1; `null`: all. */
  readonly slice: number | null;
  readonly keep: boolean;
  readonly compare: boolean;
}

/** A bench without rivals, which prints its own report. */
export interface OwnBench {
  readonly name: string;
  /** Answers how many cases got worse, or break a bound. */
  run(request: Request): Promise<number>;
}

/** The contestant sits a case out; such a rival is told, not measured. */
export function absent(reason: string): Absent {
  return { absent: reason };
}
