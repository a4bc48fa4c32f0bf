/** `matches` with a pattern that is known when the expression is compiled. */
import type { Problem } from "../../../base/diagnostic.ts";
import { compilePattern } from "../../pattern/engines/compile-pattern.ts";
import type { PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import type { CallNode } from "../syntax/tree.ts";
import { Abnormal, CelError } from "../values/value.ts";
import type { Run } from "./frame.ts";
import { testPattern } from "./matches.ts";

/** A pattern that is refused becomes a problem at its literal. */
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
  return (frame) => {
    const text = read(frame);
    if (typeof text === "string") return testPattern(compiled.pattern, text, frame);
    return text instanceof Abnormal ? text : notString;
  };
}
