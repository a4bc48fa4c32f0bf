/** The results of evaluating a CEL expression. */
import type { Span } from "../../base/diagnostic.ts";
import type { Stage } from "../facts/facts.ts";

/**
 * The outcome for one message. Once an unknown fact has been read, only `false` is final: `true`, an error
 * or spent fuel could change when that fact is known, so the outcome is `unknown` instead.
 */
export type CelOutcome =
  | { readonly kind: "value"; readonly value: boolean }
  /** `needs`: the earliest stage at which a fact that was read while unknown becomes known. */
  | { readonly kind: "unknown"; readonly needs: Stage }
  /** `span`: where the error occurred; `null` if the fuel is spent. */
  | { readonly kind: "failed"; readonly message: string; readonly span: Span | null };

/** The value of one sub-expression, in the order of evaluation. */
export interface StepTrace {
  /** The place of the sub-expression in the expression. */
  readonly span: Span;
  /** Its value as CEL source (strings quoted and cut), `error: …`, or `unknown`. */
  readonly value: string;
}

/** How often a sub-expression was true and false. */
export interface StepTally {
  readonly span: Span;
  readonly timesTrue: number;
  readonly timesFalse: number;
}

/** What was evaluated. */
export interface Steps {
  /** In the order of evaluation; of a macro, only the last iteration. */
  readonly steps: readonly StepTrace[];
  /** The earlier iterations: how often each of their bool sub-expressions was true and false. */
  readonly earlier: readonly StepTally[];
}

export interface Evaluation {
  readonly outcome: CelOutcome;
  readonly fuel: number;
  /** The earliest stage of a fact that was read while unknown: knowing it may change what is spent. */
  readonly read: Stage | null;
}
