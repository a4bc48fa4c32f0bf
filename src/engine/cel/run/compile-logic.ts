/** `&&`, `||` and `?:`. */
import type { ChoiceNode, LogicNode } from "../syntax/tree.ts";
import { Abnormal, CelError, EXHAUSTED, type Result, UNKNOWN } from "../values/value.ts";
import type { Run } from "./frame.ts";

/** The answer when no operand decides: an unknown before an error, because it could still decide. */
export function graver(earlier: Abnormal | null, later: Abnormal): Abnormal {
  return earlier === null || later === UNKNOWN ? later : earlier;
}

/** The operand that decides wins over errors and unknowns on either side; spent fuel ends the evaluation. */
export function runLogic(node: LogicNode, operands: readonly Run[]): Run {
  const decisive = node.operator === "||";
  const notBool = new CelError(`\`${node.operator}\` of a value that is not a bool`, node.span);
  if (operands.length === 2) {
    const [first, second] = operands as [Run, Run];
    return (frame) => {
      const left = first(frame);
      if (left === decisive || left === EXHAUSTED) return left;
      const right = second(frame);
      if (left === !decisive && typeof right === "boolean") return right;
      if (right === decisive || right === EXHAUSTED) return right;
      let pending: Abnormal | null = null;
      for (const value of [left, right]) {
        if (value === !decisive) continue;
        pending = graver(pending, value instanceof Abnormal ? value : notBool);
      }
      return pending!;
    };
  }
  return (frame): Result => {
    let pending: Abnormal | null = null;
    for (const operand of operands) {
      const value = operand(frame);
      if (value === !decisive) continue;
      if (value === decisive || value === EXHAUSTED) return value;
      pending = graver(pending, value instanceof Abnormal ? value : notBool);
    }
    return pending ?? !decisive;
  };
}

export function runChoice(node: ChoiceNode, test: Run, yes: Run, no: Run): Run {
  const notBool = new CelError("`?:` on a value that is not a bool", node.span);
  return (frame) => {
    const chosen = test(frame);
    if (chosen === true) return yes(frame);
    if (chosen === false) return no(frame);
    return chosen instanceof Abnormal ? chosen : notBool;
  };
}
