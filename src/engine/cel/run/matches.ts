/** `matches`: patterns of a linear-time engine, compiled with the expression or, where they are computed, on demand. */
import type { Problem } from "../../../base/diagnostic.ts";
import { type CompiledPattern, compilePattern } from "../../pattern/engines/compile-pattern.ts";
import type { PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import { measurePattern } from "../../pattern/syntax/cost.ts";
import { startsAtText } from "../../pattern/syntax/required-literals.ts";
import type { CallNode } from "../syntax/tree.ts";
import { Abnormal, CelError, EXHAUSTED, type Result } from "../values/value.ts";
import { type Frame, overspends, type Run } from "./frame.ts";

/** Fuel of compiling a pattern: a fixed part, and per character. */
const COMPILE_FUEL = 2_000;
const COMPILE_FUEL_PER_UNIT = 200;

/**
 * Fuel of trying up to four places before the whole text is searched: `a.*b$` in 100 characters of `a😀` took 27 ns a unit
 * without it. Shorter texts are searched at once; in longer ones the tries cost little beside the search.
 */
const TRIES_FUEL = 72;
const TRIES_FUEL_PER_UNIT = 2;
/** Shorter tries cost less than the text that the host leaps over. */
const TRIED_UNITS_MIN = 16;
const TRIED_UNITS_MAX = 128;

/** Fuel of the tries, from the units that one may read. */
function triesFuel(reach: number, units: number): number {
  const tried = Math.min(reach, units, TRIED_UNITS_MAX);
  return tried < TRIED_UNITS_MIN ? 0 : TRIES_FUEL + TRIES_FUEL_PER_UNIT * tried;
}

/** Code units that one try may read. A pattern that begins with `^` is tried once, which the search of the text pays for. */
function triedUnits({ tree }: CompiledPattern): number {
  return startsAtText(tree) ? 0 : measurePattern(tree.root).unitsMax;
}

/** Tests a compiled pattern, and charges for it. */
function testPattern(pattern: CompiledPattern, text: string, frame: Frame): Result {
  if (overspends(frame, pattern.fuelPerUnit * (text.length + 1))) return EXHAUSTED;
  const occurs = pattern.testPaid(text, frame.guard);
  return frame.guard?.isSpent === true ? EXHAUSTED : occurs;
}

/** Whether a computed pattern occurs in the text; an error if `source` is not a pattern. */
export function testComputed(frame: Frame, text: string, source: string): Result {
  // Charged whether kept or not, so that fuel does not depend on what ran before.
  if (overspends(frame, COMPILE_FUEL + COMPILE_FUEL_PER_UNIT * source.length)) return EXHAUSTED;
  const pattern = frame.patterns.get(source);
  if (pattern instanceof CelError) return pattern;
  // Charged as if its automaton were made for this text alone.
  if (overspends(frame, pattern.testFuel(0))) return EXHAUSTED;
  return testPattern(pattern, text, frame);
}

/** A pattern that is known when the expression is compiled. One that is refused becomes a problem at its literal. */
export function runConstantPattern(
  node: CallNode,
  operand: Run,
  source: string,
  engine: PatternEngine | null,
  problems: Problem[],
): Run {
  const compiled = compilePattern(source, engine);
  if (!compiled.ok) {
    problems.push({ ...compiled.problem, span: node.args[1]!.span });
    const broken = new CelError(compiled.problem.message, node.span);
    return () => broken;
  }
  const notString = new CelError("`matches` of a value that is not a string", node.span);
  const read = operand.asGiven ?? operand;
  const { pattern } = compiled;
  let tried: number | undefined;
  return (frame) => {
    const text = read(frame);
    if (typeof text !== "string") return text instanceof Abnormal ? text : notString;
    // Measured when it is first wanted: most rules never are.
    tried ??= triedUnits(pattern);
    if (overspends(frame, triesFuel(tried, text.length))) return EXHAUSTED;
    return testPattern(pattern, text, frame);
  };
}
