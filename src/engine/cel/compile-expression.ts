/** A rule's expression: it reads the variables of mail, gives a bool, and no later fact changes a final answer. */
import type { Problem, Span } from "../../base/diagnostic.ts";
import type { Guard as Budget } from "../../base/guard.ts";
import type { Facts, Stage } from "../facts/facts.ts";
import type { PatternEngine } from "../pattern/engines/pattern-engine.ts";
import { compileProgram, type Program, type ProgramResult, type Steps } from "./compile-program.ts";
import { MAIL_VARIABLES } from "./mail-variables.ts";
import { operandsInOrder } from "./run/compile-tree.ts";
import { type CelGuard, findGuard } from "./syntax/guard.ts";
import { describeType } from "./values/type.ts";
import { CelError, type Result } from "./values/value.ts";

export type ExpressionResult =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Programs by source, for a host with more expressions than can be kept compiled. */
export interface ProgramStore {
  get(source: string, make: () => Program): Program;
}

/**
 * The outcome for one message. Once an unknown fact has been read, only `false` is final: `true`, an error
 * or spent fuel could change when that fact is known, so the outcome is `unknown` instead.
 */
export type CelOutcome =
  | { readonly kind: "value"; readonly value: boolean }
  /** `needs`: the earliest stage at which a fact that was read while unknown becomes known. */
  | { readonly kind: "unknown"; readonly needs: Stage }
  /** `span`: the part that gave the error; `null` if a fact did, or if the fuel is spent. */
  | { readonly kind: "failed"; readonly message: string; readonly span: Span | null };

export interface Evaluation {
  readonly outcome: CelOutcome;
  readonly fuel: number;
  /** The earliest stage of a fact that was read while unknown: knowing it may change what is spent. */
  readonly read: Stage | null;
}

const TRUE: CelOutcome = { kind: "value", value: true };
const FALSE: CelOutcome = { kind: "value", value: false };
const SPENT: CelOutcome = {
  kind: "failed",
  message: "the fuel of the expression is spent: it handles too much of this message",
  span: null,
};

/**
 * Compiles the expression of a rule. Its type must be bool for certain: a `dyn` result is refused, because
 * it could turn out to be anything on some message. With a `store` the expression keeps only its source, and takes
 * its program from the store.
 */
export function compileExpression(
  source: string,
  engine: PatternEngine | null = null,
  store?: ProgramStore,
): ExpressionResult {
  const compiled = compileRule(source, engine);
  if (!compiled.ok) return compiled;
  const { program, tree } = compiled;
  if (program.type.kind !== "bool") {
    const message = `the expression gives ${describeType(program.type)}: a rule needs a bool, so compare it with something`;
    const span = { start: 0, end: source.length };
    return { ok: false, problems: [{ code: "cel/not-bool", message, span }] };
  }
  const isChain = tree.kind === "logic" && tree.operator === "&&";
  const guard = findGuard(tree, isChain ? operandsInOrder(tree, MAIL_VARIABLES) : [tree]);
  return { ok: true, expression: new Expression(source, guard, program, engine, store) };
}

/**
 * A compiled expression. Facts are read as they are given: the caller has already made the addresses canonical.
 *
 * A class, because a host keeps hundreds of thousands of expressions, and closures take a KB for each. Fields are
 * `declare`d, and so written once: V8 does not treat a field that is first set to `undefined` as a constant, and then
 * cannot inline the closures of an expression where that is the only one evaluated.
 */
export class Expression {
  declare readonly source: string;
  /** What must hold for it to be true; `null` if nothing is known. */
  declare readonly guard: CelGuard | null;
  /** `null`: the store keeps it, or compiles the source again, which is known to compile. */
  declare private readonly compiled: Program | null;
  declare private readonly engine: PatternEngine | null;
  declare private readonly store: ProgramStore | undefined;

  constructor(
    source: string,
    guard: CelGuard | null,
    program: Program,
    engine: PatternEngine | null,
    store: ProgramStore | undefined,
  ) {
    this.source = source;
    this.guard = guard;
    this.compiled = store === undefined ? program : null;
    this.engine = engine;
    this.store = store;
  }

  private fromStore(): Program {
    const { source, engine } = this;
    return this.store!.get(source, () => {
      const again = compileRule(source, engine);
      if (!again.ok) throw new Error(`\`${source}\` compiled before`);
      return again.program;
    });
  }

  /**
   * Never throws; `fuel` is what was spent: loop iterations, each with the parts of its body, plus characters handled.
   * It stops with spent fuel as soon as that is more than `LIMITS.celFuelMax`, or than `budget` has left. It takes
   * nothing from the budget except what patterns cost beyond their fuel.
   */
  evaluate(facts: Facts, budget?: Budget): Evaluation {
    const { evaluate, frame } = this.compiled ?? this.fromStore();
    const outcome = outcomeOf(evaluate(facts, budget), frame.needs);
    return { outcome, fuel: frame.fuel, read: frame.needs };
  }

  /** The same outcome, with the sub-expressions that were evaluated. */
  explain(facts: Facts, budget?: Budget): Evaluation & Steps {
    const { explain, frame } = this.compiled ?? this.fromStore();
    const { result, steps, earlier } = explain(facts, budget);
    const outcome = outcomeOf(result, frame.needs);
    return { outcome, fuel: frame.fuel, read: frame.needs, steps, earlier };
  }
}

function compileRule(source: string, engine: PatternEngine | null): ProgramResult {
  return compileProgram(source, { variables: MAIL_VARIABLES, engine, checking: "strict" });
}

/**
 * Once an unknown fact was read, only `false` is final. When the fact is known, its operand might spend the fuel,
 * which replaces `true`, or decide, which replaces an error.
 */
function outcomeOf(result: Result, needs: Stage | null): CelOutcome {
  if (result === false) return FALSE;
  if (needs !== null) return { kind: "unknown", needs };
  if (result === true) return TRUE;
  return result instanceof CelError ? result : SPENT;
}
