/** Text → program: parsed, checked and compiled against any variables, with a result of any type. */
import type { Problem } from "../../base/diagnostic.ts";
import type { Guard } from "../../base/guard.ts";
import { LIMITS } from "../../base/limits.ts";
import type { PatternEngine } from "../pattern/engines/pattern-engine.ts";
import type { Steps } from "./expression.ts";
import { type CompiledTree, compileTree, type Variables } from "./run/compile-tree.ts";
import type { DroppedSteps, Frame } from "./run/frame.ts";
import { parseSource } from "./syntax/parse-source.ts";
import type { Node } from "./syntax/tree.ts";
import { renderResult } from "./values/render-value.ts";
import type { CelType } from "./values/type.ts";
import type { Result } from "./values/value.ts";

export interface Program {
  readonly type: CelType;
  /**
   * Evaluates; never throws. The result may share parts with `input`. Until the next evaluation, `frame` holds the
   * fuel it spent and the stage of an unknown it read. It spends at most `LIMITS.celFuelMax` and what `guard` has left.
   * This fuel is not taken from the guard; only states that patterns make, beyond their fuel, are.
   */
  evaluate(input: unknown, guard?: Guard | null): Result;
  readonly frame: Readonly<Pick<Frame, "fuel" | "needs">>;
  /** The same evaluation with its steps. */
  explain(
    input: unknown,
    guard?: Guard | null,
  ): Readonly<Pick<Frame, "fuel" | "needs">> & { readonly result: Result } & Steps;
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
  const plain = compileTree(tree, options, "plain");
  const { type, refused } = plain;
  const problems = options.checking === "lenient" ? refused : [...plain.problems, ...refused];
  if (problems.length > 0) return { ok: false, problems: problems.toSorted(byPosition) };
  // Compiled again from the source on first use: `evaluate` pays nothing for it, and the tree is not kept.
  let explain: Program["explain"] | null = null;
  const { evaluate, frame } = createEvaluator(plain, options.engine, null);
  const program: Program = {
    type,
    evaluate,
    frame,
    explain(input, guard) {
      explain ??= createExplainer(source, options);
      return explain(input, guard);
    },
  };
  return { ok: true, program, tree };
}

function byPosition(a: Problem, b: Problem): number {
  return (a.span?.start ?? 0) - (b.span?.start ?? 0);
}

/** A program has one frame: evaluation is synchronous, and calls nothing that could call it again. */
function createEvaluator(
  { run, slots }: CompiledTree,
  engine: PatternEngine | null,
  dropped: DroppedSteps | null,
): { readonly evaluate: Program["evaluate"]; readonly frame: Frame } {
  const frame: Frame = {
    input: null,
    locals: new Array(slots).fill(null),
    fuel: 0,
    fuelMax: LIMITS.celFuelMax,
    guard: null,
    patterns: new Map(),
    engine,
    needs: null,
    steps: [],
    dropped,
  };
  const evaluate: Program["evaluate"] = (input, guard = null) => {
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
  return { evaluate, frame };
}

/** Compiles the tracing form of a source that has been compiled before. */
function createExplainer(source: string, options: ProgramOptions): Program["explain"] {
  const parsed = parseSource(source);
  if (!parsed.ok) throw new Error(`\`${source}\` was parsed before`);
  const traced = compileTree(parsed.tree, options, "tracing");
  const dropped: DroppedSteps = new Map();
  const { evaluate, frame } = createEvaluator(traced, options.engine, dropped);
  return (input, guard) => {
    const result = evaluate(input, guard);
    const steps = frame.steps.map((step) => ({
      span: step.span,
      value: renderResult(step.result),
    }));
    const earlier = Array.from(dropped, ([span, times]) => ({ span, ...times }));
    // Drops the values, so that the next evaluation starts with none.
    frame.steps.length = 0;
    dropped.clear();
    return { result, fuel: frame.fuel, needs: frame.needs, steps, earlier };
  };
}
