/** The conditions of a CEL expression: the sub-expressions that decide its result, each of which can be true or false. */
import type { Span } from "../base/diagnostic.ts";
import { compileExpression } from "../engine/cel/compile-expression.ts";
import type { StepTrace } from "../engine/cel/compile-program.ts";
import { parseSource } from "../engine/cel/syntax/parse-source.ts";
import { childrenOf, isLoop, type Node } from "../engine/cel/syntax/tree.ts";
import type { Facts } from "../engine/facts/facts.ts";
import { viewMessage } from "../engine/routing/message-view.ts";

/** One condition of a CEL expression, with its place in the source. */
export interface Condition {
  readonly source: string;
  /** The condition's span in the expression. */
  readonly span: Span;
  /**
   * A condition in a macro is evaluated for each element; a trace has its values for the element that ended the
   * macro.
   */
  readonly place: "expression" | "macro";
}

/** Most sources kept parsed or compiled: an author asks about the same ones again and again. */
const KEPT_MAX = 2_000;

/** Caches answers by question; drops all of them when there are too many. */
function remembering<Answer>(answer: (source: string) => Answer): (source: string) => Answer {
  const known = new Map<string, Answer>();
  return (source) => {
    const found = known.get(source);
    if (found !== undefined) return found;
    if (known.size >= KEPT_MAX) known.clear();
    const made = answer(source);
    known.set(source, made);
    return made;
  };
}

const parsed = remembering(parseSource);

/** The tree of an expression that compiles. */
export function treeOf(expression: string): Node | null {
  const result = parsed(expression);
  return result.ok ? result.tree : null;
}

export function spanKey({ start, end }: Span): string {
  return `${start}-${end}`;
}

interface ConditionPart {
  readonly node: Node;
  readonly place: Condition["place"];
}

/** Predicates of macros inside a node that is not itself a condition. */
function nestedPredicates(node: Node, place: Condition["place"]): ConditionPart[] {
  if (node.kind !== "macro" || !isLoop(node.macro))
    return childrenOf(node).flatMap((child) => nestedPredicates(child, place));
  const { operand, condition, body } = node;
  return [
    ...nestedPredicates(operand, place),
    ...(condition === null ? [] : decisive(condition, "macro")),
    ...(body === null ? [] : nestedPredicates(body, "macro")),
  ];
}

/** The parts that `&&`, `||`, `!` and `?:` combine; predicates of macros are separate parts. */
function decisive(node: Node, place: Condition["place"]): ConditionPart[] {
  switch (node.kind) {
    case "literal":
      return [];
    case "logic":
      return node.operands.flatMap((operand) => decisive(operand, place));
    case "macro":
      if (node.macro !== "cel.bind") break;
      return [...nestedPredicates(node.operand, place), ...decisive(node.body!, place)];
    case "call":
      if (node.form !== "operator" || node.name !== "!") break;
      return node.args.flatMap((arg) => decisive(arg, place));
  }
  return [{ node, place }, ...nestedPredicates(node, place)];
}

/** The conditions, in the order of the source, without constant ones such as `true`. */
export function conditionsOf(expression: string): readonly Condition[] {
  const tree = treeOf(expression);
  if (tree === null) return [];
  const conditions = decisive(tree, "expression").map(({ node: { span }, place }) => ({
    span,
    source: expression.slice(span.start, span.end),
    place,
  }));
  return conditions.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
}

/** The operands of a chain of `&&`, nested chains included; any other node is its own operand. */
export function conjunctsOf(node: Node): readonly Node[] {
  if (node.kind !== "logic" || node.operator !== "&&") return [node];
  return node.operands.flatMap(conjunctsOf);
}

/** The value of each sub-expression by its span; if it is evaluated more than once, the last value. */
export function valuesInSteps(steps: readonly StepTrace[]): Map<string, string> {
  return new Map(steps.map(({ span, value }) => [spanKey(span), value]));
}

/** One view of a message for all its expressions: it makes each text canonical once. */
const views = new WeakMap<Facts, Facts>();

function viewOf(facts: Facts): Facts {
  const view = views.get(facts) ?? viewMessage(facts);
  views.set(facts, view);
  return view;
}

const compile = remembering((source) => compileExpression(source));

function stepsOf(source: string, facts: Facts): readonly StepTrace[] {
  const compiled = compile(source);
  return compiled.ok ? compiled.expression.explain(facts).steps : [];
}

/**
 * The value of each sub-expression by its span; if it is evaluated more than once, the last value. Each clause of a
 * chain of `&&` is evaluated, even after a false one.
 */
export function valuesOf(expression: string, facts: Facts): ReadonlyMap<string, string> {
  const tree = treeOf(expression);
  const values = new Map<string, string>();
  if (tree === null) return values;
  const message = viewOf(facts);
  for (const { span } of conjunctsOf(tree)) {
    const { start: offset } = span;
    for (const { span: within, value } of stepsOf(
      expression.slice(span.start, span.end),
      message,
    )) {
      const moved = { start: within.start + offset, end: within.end + offset };
      values.set(spanKey(moved), value);
    }
  }
  for (const [key, value] of valuesInSteps(stepsOf(expression, message))) values.set(key, value);
  return values;
}
