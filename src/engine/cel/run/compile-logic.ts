/** Operators that a table of functions cannot describe: `&&`, `||`, `?:`, `==`, `!=`, `in`. */
import type { Span } from "../../../base/diagnostic.ts";
import { type CallNode, literalText, type Node } from "../syntax/tree.ts";
import { unitCount } from "../values/search.ts";
import type { CelType } from "../values/type.ts";
import {
  Abnormal,
  CelError,
  EXHAUSTED,
  isList,
  isMap,
  type Result,
  UNKNOWN,
  type Value,
} from "../values/value.ts";
import { equalValues, includesValue } from "./equality.ts";
import { overspends, type Run } from "./frame.ts";

/** The answer when no operand decides: an unknown before an error, because it could still decide. */
export function graver(earlier: Abnormal | null, later: Abnormal): Abnormal {
  return earlier === null || later === UNKNOWN ? later : earlier;
}

/** The operand that decides wins over errors and unknowns on either side; spent fuel ends the evaluation. */
export function runLogic(operator: "&&" | "||", span: Span, operands: readonly Run[]): Run {
  const decisive = operator === "||";
  const notBool = new CelError(`\`${operator}\` of a value that is not a bool`, span);
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

export function runChoice(span: Span, test: Run, yes: Run, no: Run): Run {
  const notBool = new CelError("`?:` on a value that is not a bool", span);
  return (frame) => {
    const chosen = test(frame);
    if (chosen === true) return yes(frame);
    if (chosen === false) return no(frame);
    return chosen instanceof Abnormal ? chosen : notBool;
  };
}

export function runCompare(node: CallNode, left: Run, right: Run, leftType: CelType): Run {
  const [leftNode, rightNode] = node.args as [Node, Node];
  if (node.name === "in") return runMembership(rightNode, left, right, leftType);
  const constant = literalText(rightNode);
  if (constant !== null) return runStringEquality(left, constant, node.name);
  const first = literalText(leftNode);
  if (first !== null) return runStringEquality(right, first, node.name);
  const wanted = node.name === "==";
  return (frame) => {
    const a = left(frame);
    if (a instanceof Abnormal) return a;
    const b = right(frame);
    if (b instanceof Abnormal) return b;
    const equal = equalValues(a, b, frame);
    return equal instanceof Abnormal ? equal : equal === wanted;
  };
}

/** The commonest test in rules. */
function runStringEquality(operand: Run, constant: string, operator: string): Run {
  const wanted = operator === "==";
  const fuel = constant.length;
  return (frame) => {
    const value = operand(frame);
    if (value instanceof Abnormal) return value;
    if (overspends(frame, fuel)) return EXHAUSTED;
    return (value === constant) === wanted;
  };
}

function runMembership(range: Node, left: Run, right: Run, leftType: CelType): Run {
  const noRange = new CelError("`in` of a value that is neither a list nor a map", range.span);
  const constants = constantStrings(range);
  if (constants !== null && leftType.kind === "string") {
    return (frame) => {
      const value = left(frame);
      if (typeof value !== "string") return value;
      return overspends(frame, unitCount(value)) ? EXHAUSTED : constants.has(value);
    };
  }
  return (frame) => {
    const item = left(frame);
    if (item instanceof Abnormal) return item;
    const among = right(frame);
    if (among instanceof Abnormal) return among;
    if (!isList(among) && !isMap(among)) return noRange;
    return includesValue(item, among, frame);
  };
}

function constantStrings(node: Node): ReadonlySet<Value> | null {
  if (node.kind !== "list") return null;
  const values = node.items.map(literalText);
  return values.includes(null) ? null : new Set(values);
}
