/** Which conditions of an expression were not true on a message, and what they were computed from. */
import { childrenOf, type Node } from "../../engine/cel/syntax/tree.ts";
import { conjunctsOf, spanKey, treeOf } from "../cel-conditions.ts";
import type { FailedCondition } from "./failed-clause.ts";

/** A list that is written out is its own value. */
function saysItself(source: string, value: string): boolean {
  const bare = (text: string): string => text.replace(/\s+/g, "").replaceAll("'", '"');
  return bare(source) === bare(value);
}

/** What a condition worked on, without the literals, which its author can see, and without maps. */
function operandsOf(
  node: Node,
  expression: string,
  values: ReadonlyMap<string, string>,
): { source: string; value: string }[] {
  const found = new Map<string, string>();
  const visit = (part: Node): void => {
    const isLogic = part.kind === "logic" || (part.kind === "call" && part.name === "!");
    // Of a macro's predicate only the last element's values are known.
    const children = part.kind === "loop" ? [part.range] : childrenOf(part);
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

/** The conditions that were not true, in the order of the source. `values`: by span, as far as they are known. */
export function failedConditions(
  expression: string,
  values: ReadonlyMap<string, string>,
): readonly FailedCondition[] {
  const tree = treeOf(expression);
  if (tree === null) return [];
  return conjunctsOf(tree).flatMap((node): FailedCondition[] => {
    const value = values.get(spanKey(node.span));
    if (value === undefined || value === "true") return [];
    const { span } = node;
    const source = expression.slice(span.start, span.end);
    return [
      { kind: "condition", source, span, value, operands: operandsOf(node, expression, values) },
    ];
  });
}
