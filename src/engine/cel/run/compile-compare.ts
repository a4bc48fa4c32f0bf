/** `==`, `!=` and `in`. */
import { type CompareNode, literalText, type Node } from "../syntax/tree.ts";
import { unitCount } from "../values/search.ts";
import type { CelType } from "../values/type.ts";
import { Abnormal, CelError, EXHAUSTED, isList, isMap, type Value } from "../values/value.ts";
import { equalValues, includesValue } from "./equality.ts";
import { overspends, type Run } from "./frame.ts";

export function runCompare(node: CompareNode, left: Run, right: Run, leftType: CelType): Run {
  if (node.operator === "in") return runMembership(node, left, right, leftType);
  const wanted = node.operator === "==";
  const constant = literalText(node.right) ?? literalText(node.left);
  const other = literalText(node.right) === null ? right : left;
  if (constant !== null) return runStringEquality(other, constant, node.operator);
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
function runStringEquality(operand: Run, constant: string, operator: "==" | "!="): Run {
  const wanted = operator === "==";
  const fuel = constant.length;
  return (frame) => {
    const value = operand(frame);
    if (value instanceof Abnormal) return value;
    if (overspends(frame, fuel)) return EXHAUSTED;
    return (value === constant) === wanted;
  };
}

function runMembership(node: CompareNode, left: Run, right: Run, leftType: CelType): Run {
  const noRange = new CelError("`in` of a value that is neither a list nor a map", node.right.span);
  const constants = constantStrings(node.right);
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
    const range = right(frame);
    if (range instanceof Abnormal) return range;
    if (!isList(range) && !isMap(range)) return noRange;
    return includesValue(item, range, frame);
  };
}

function constantStrings(node: Node): ReadonlySet<Value> | null {
  if (node.kind !== "list") return null;
  const values = node.items.map(literalText);
  return values.includes(null) ? null : new Set(values);
}
