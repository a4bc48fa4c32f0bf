/** The state of one evaluation, and its fuel. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import type { Stage } from "../../facts/facts.ts";
import type { Result } from "../values/value.ts";
import type { ComputedPatterns } from "./computed-patterns.ts";

export interface Frame {
  /** What the variables are read from. */
  input: unknown;
  /** Variables of macros, by the slot given at compile time; only those of `cel.bind` can be abnormal. */
  readonly locals: Result[];
  fuel: number;
  fuelMax: number;
  /** Pays for the states that patterns make beyond what fuel counts; `null` if they are free. */
  guard: Guard | null;
  readonly patterns: ComputedPatterns;
  /** The earliest stage at which a fact that was read while unknown becomes known. */
  needs: Stage | null;
  /** Only when tracing. */
  trace: Trace | null;
}

/** `tracing` notes the value of every node that is not a literal in `frame.trace`. */
export type Mode = "plain" | "tracing";

export interface Trace {
  /** What was evaluated, in order. */
  readonly steps: { readonly span: Span; readonly result: Result }[];
  /** How often each node was true and false in the steps that were dropped, by its span. */
  readonly dropped: Map<Span, { timesTrue: number; timesFalse: number }>;
}

/** Drops the steps from `mark` on, but keeps their tally. */
export function dropSteps({ steps, dropped }: Trace, mark: number): void {
  for (const { span, result } of steps.splice(mark)) {
    if (typeof result !== "boolean") continue;
    const tally = dropped.get(span) ?? { timesTrue: 0, timesFalse: 0 };
    if (result) tally.timesTrue++;
    else tally.timesFalse++;
    dropped.set(span, tally);
  }
}

/** Spends fuel. Returns whether that was more than was left: then the caller returns `EXHAUSTED`. */
export function overspends(frame: Frame, amount: number): boolean {
  frame.fuel += amount;
  return frame.fuel > frame.fuelMax;
}

/** One compiled node: returns its result in this evaluation. */
export interface Run {
  (frame: Frame): Result;
  /** Gives a text without replacing its lone surrogates by U+FFFD. Only for searches that find the same in both; it saves reading the whole text. */
  readonly asGiven?: (frame: Frame) => Result;
}
