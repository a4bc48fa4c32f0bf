/** Text → program: parsed, checked and compiled against any variables, with a result of any type. */
import type { Problem } from "../base/diagnostic.ts";
import { LIMITS } from "../base/limits.ts";
import type { Stage } from "../mail/facts.ts";
import type { PatternEngine } from "../regex/pattern-engine.ts";
import { checkTree } from "./check-tree.ts";
import { compileTree, type Variables } from "./compile-tree.ts";
import type { StepTrace } from "./expression.ts";
import type { Frame, Run } from "./frame.ts";
import { createPatternCache } from "./matches.ts";
import { parseSource } from "./parse-source.ts";
import { renderResult } from "./render-value.ts";
import type { CelType } from "./type.ts";
import type { Result } from "./value.ts";

/** What one evaluation came to. */
export interface Evaluation {
  readonly result: Result;
  readonly fuel: number;
  /** The earliest stage that makes a fact known that was read while unknown. */
  readonly needs: Stage | null;
}

export interface Program {
  readonly type: CelType;
  /** Never throws. The result is borrowed: it may share parts with `input`. */
  evaluate(input: unknown): Evaluation;
  /** The same evaluation with its steps. */
  explain(input: unknown): Evaluation & { readonly steps: readonly StepTrace[] };
}

export interface ProgramOptions {
  readonly variables: Variables;
  readonly engine: PatternEngine;
  /** `lenient` leaves what the types forbid to run time, where it becomes an error. */
  readonly checking: "strict" | "lenient";
}

export type ProgramResult =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Compiles; all problems of types and patterns are told at once, ordered by where they stand. */
export function compileProgram(source: string, options: ProgramOptions): ProgramResult {
  const parsed = parseSource(source);
  if (!parsed.ok) return { ok: false, problems: [parsed.problem] };
  const { tree } = parsed;
  const declared = new Map([...options.variables].map(([name, { type }]) => [name, type]));
  const checked = checkTree(tree, declared);
  const plain = compileTree(tree, checked.types, options, "plain");
  const problems =
    options.checking === "lenient" ? plain.problems : [...checked.problems, ...plain.problems];
  if (problems.length > 0) return { ok: false, problems: problems.toSorted(byPosition) };
  const { engine } = options;
  const frame = createFrame(engine);
  let traced: { readonly run: Run; readonly frame: Frame } | null = null;
  const program: Program = {
    type: checked.types.get(tree)!,
    evaluate: (input) => evaluateIn(frame, plain.run, input),
    explain(input) {
      // Compiled again only when first asked for, so that `evaluate` pays nothing for it.
      traced ??= {
        run: compileTree(tree, checked.types, options, "tracing").run,
        frame: createFrame(engine),
      };
      traced.frame.steps.length = 0;
      const evaluation = evaluateIn(traced.frame, traced.run, input);
      const steps = traced.frame.steps.map(({ span, result }) => ({
        span,
        value: renderResult(result),
      }));
      traced.frame.steps.length = 0;
      return { ...evaluation, steps };
    },
  };
  return { ok: true, program };
}

function byPosition(a: Problem, b: Problem): number {
  return (a.span?.start ?? 0) - (b.span?.start ?? 0);
}

function createFrame(engine: PatternEngine): Frame {
  return {
    input: null,
    locals: [],
    fuel: 0,
    fuelMax: LIMITS.celFuelMax,
    patterns: createPatternCache(engine),
    needs: null,
    steps: [],
  };
}

/** A program has one frame: evaluation is synchronous and calls nothing that could call it again. */
function evaluateIn(frame: Frame, run: Run, input: unknown): Evaluation {
  frame.input = input;
  frame.fuel = 0;
  frame.needs = null;
  const result = run(frame);
  // What was bound is let go with the message it came from.
  frame.input = null;
  frame.locals.length = 0;
  return { result, fuel: frame.fuel, needs: frame.needs };
}
