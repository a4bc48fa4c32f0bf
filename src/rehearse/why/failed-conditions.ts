/** The clauses of an expression, which of them were not true for a message, and the values they were computed from. */
import { childrenOf, isLoop, type Node } from "../../engine/cel/syntax/tree.ts";
import { conjunctsOf, spanKey, treeOf } from "../cel-conditions.ts";
import type { FailedCondition } from "./failed-clause.ts";

/** Whether the source shows the value already, as a list literal does. */
function saysItself(source: string, value: string): boolean {
  const bare = (text: string): string => text.replace(/\s+/g, "").replaceAll("'", '"');
  return bare(source) === bare(value);
}

/** The operands of a condition, without literals, which its author can see, and without maps. */
function operandsOf(
  node: Node,
  expression: string,
  values: ReadonlyMap<string, string>,
): { source: string; value: string }[] {
  const found = new Map<string, string>();
  const visit = (part: Node): void => {
    const isLogic =
      part.kind === "logic" ? part.operator !== "?:" : part.kind === "call" && part.name === "!";
    // For a macro's predicate, only the values for the last element are known.
    const isOverElements = part.kind === "macro" && isLoop(part.macro);
    const children = isOverElements ? [part.operand] : childrenOf(part);
    for (const child of children) {
      if (isLogic) {
        visit(child);
        continue;
      }
      const value = values.get(spanKey(child.span));
      if (child.kind === "literal" || value === undefined || value.startsWith("{")) continue;
      const source = expression.slice(child.span.start, child.span.end);
      if (!saysItself(source, value)) found.set(source, value);
    }
  };
  visit(node);
  return [...found].map(([source, value]) => ({ source, value }));
}

/** A part that `&&` combines at the top of an expression, and its value for a message. */
export type Clause = Omit<FailedCondition, "kind">;

/** Every clause with a known value, in the order of the source. `values`: the known values, by span. */
export function clausesOf(
  expression: string,
  values: ReadonlyMap<string, string>,
): readonly Clause[] {
  const tree = treeOf(expression);
  if (tree === null) return [];
  return conjunctsOf(tree).flatMap((node): Clause[] => {
    const { span } = node;
    // A constant has no step.
    const value = node.kind === "literal" ? String(node.value) : values.get(spanKey(span));
    if (value === undefined) return [];
    const source = expression.slice(span.start, span.end);
    return [{ source, span, value, operands: operandsOf(node, expression, values) }];
  });
}

/** The clauses that were not true, in the order of the source. `values`: the known values, by span. */
export function failedConditions(
  expression: string,
  values: ReadonlyMap<string, string>,
): readonly FailedCondition[] {
  return clausesOf(expression, values)
    .filter(({ value }) => value !== "true")
    .map((clause) => ({ kind: "condition", ...clause }));
}
