/** Text → program: parsed, checked and compiled against any variables, with a result of any type. */
import type { Problem, Span } from "../../base/diagnostic.ts";
import type { Guard } from "../../base/guard.ts";
import { LIMITS } from "../../base/limits.ts";
import type { PatternEngine } from "../pattern/engines/pattern-engine.ts";
import { type CompiledTree, compileTree, type Variables } from "./run/compile-tree.ts";
import { ComputedPatterns } from "./run/computed-patterns.ts";
import type { Frame, Run, Trace } from "./run/frame.ts";
import { parseSource } from "./syntax/parse-source.ts";
import type { Node } from "./syntax/tree.ts";
import { renderResult } from "./values/render-value.ts";
import type { CelType } from "./values/type.ts";
import type { Result } from "./values/value.ts";

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

export interface Program {
  readonly type: CelType;
  /**
   * Evaluates; never throws. The result may share parts with `input`. Until the next evaluation, `frame` holds the
   * fuel it spent and the stage of an unknown it read. It spends at most `LIMITS.celFuelMax` and what `guard` has left.
   * This fuel is not taken from the guard; only states that patterns make, beyond their fuel, are.
   */
  evaluate(input: unknown, guard?: Guard | null): Result;
  /** The same evaluation with its steps. */
  explain(input: unknown, guard?: Guard | null): Steps & { readonly result: Result };
  readonly frame: Readonly<Pick<Frame, "fuel" | "needs">>;
}

export interface ProgramOptions {
  readonly variables: Variables;
  readonly engine: PatternEngine | null;
  /** `lenient` accepts what the types forbid; it becomes an error at run time. */
  readonly checking: "strict" | "lenient";
}

export type ProgramResult =
  | { readonly ok: true; readonly program: Program; readonly tree: Node }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Compiles; reports all problems of types and patterns at once, ordered by position. */
export function compileProgram(source: string, options: ProgramOptions): ProgramResult {
  const parsed = parseSource(source);
  if (!parsed.ok) return { ok: false, problems: [parsed.problem] };
  const { tree } = parsed;
  const compiled = compileTree(tree, options, "plain");
  const problems = compiled.problems.filter(
    ({ code }) => options.checking === "strict" || code.startsWith("pattern/"),
  );
  if (problems.length === 0) {
    return { ok: true, program: createProgram(source, compiled, options), tree };
  }
  const start = ({ span }: Problem): number => span?.start ?? 0;
  return { ok: false, problems: problems.toSorted((a, b) => start(a) - start(b)) };
}

/** A program has one frame: evaluation is synchronous, and calls nothing that could call it again. */
function createProgram(
  source: string,
  { type, run, slots }: CompiledTree,
  options: ProgramOptions,
): Program {
  const frame: Frame = {
    input: null,
    locals: new Array(slots).fill(null),
    fuel: 0,
    fuelMax: LIMITS.celFuelMax,
    guard: null,
    patterns: new ComputedPatterns(options.engine),
    needs: null,
    trace: null,
  };
  // Compiled again from the source on first use: `evaluate` pays nothing for it, and the tree is not kept.
  let evaluateTraced: Program["evaluate"] | null = null;
  return {
    type,
    frame,
    evaluate: evaluator(run, frame),
    explain(input, guard) {
      evaluateTraced ??= evaluator(compileTraced(source, options), frame);
      const trace: Trace = { steps: [], dropped: new Map() };
      frame.trace = trace;
      const result = evaluateTraced(input, guard);
      frame.trace = null;
      const steps = trace.steps.map((step) => ({
        span: step.span,
        value: renderResult(step.result),
      }));
      const earlier = Array.from(trace.dropped, ([span, times]) => ({ span, ...times }));
      return { result, steps, earlier };
    },
  };
}

function evaluator(run: Run, frame: Frame): Program["evaluate"] {
  const slots = frame.locals.length;
  return (input, guard = null) => {
    frame.input = input;
    frame.fuel = 0;
    frame.fuelMax = guard === null ? LIMITS.celFuelMax : Math.min(guard.left, LIMITS.celFuelMax);
    frame.guard = guard;
    frame.needs = null;
    const result = run(frame);
    // Keeps no reference to the message after its evaluation.
    frame.input = null;
    frame.guard = null;
    for (let slot = 0; slot < slots; slot++) frame.locals[slot] = null;
    return result;
  };
}

/** Compiles the tracing form of a source that has been compiled before. */
function compileTraced(source: string, options: ProgramOptions): Run {
  const parsed = parseSource(source);
  if (!parsed.ok) throw new Error(`\`${source}\` was parsed before`);
  return compileTree(parsed.tree, options, "tracing").run;
}
