/** Warnings about a CEL expression: comparisons of addresses that can only come out one way, and its patterns. */
import { childrenOf, type Node } from "../../engine/cel/syntax/tree.ts";
import { treeOf } from "../cel-conditions.ts";
import { type Finding, patternFindings } from "./pattern-warnings.ts";

const ADDRESSES: ReadonlySet<string> = new Set(["sender", "recipient"]);
const SEARCHES: ReadonlySet<string> = new Set(["startsWith", "endsWith", "contains"]);

function isAddress(node: Node | undefined, shadowed: ReadonlySet<string>): boolean {
  return node?.kind === "name" && ADDRESSES.has(node.name) && !shadowed.has(node.name);
}

/** Literal texts with an ASCII capital. */
function capitals(node: Node | undefined): readonly Node[] {
  if (node?.kind === "list") return node.items.flatMap(capitals);
  const isText = node?.kind === "literal" && typeof node.value === "string";
  return isText && /[A-Z]/.test(node.value as string) ? [node] : [];
}

function capitalFindings(wrong: readonly Node[], says: "true" | "false"): Finding[] {
  return wrong.map(({ span }) => {
    const outcome = says === "true" ? "always differs" : "is never equal";
    const message = `${outcome}: addresses are compared in lower case: write it in lower case`;
    return { code: "cel/capital-letters", message, span };
  });
}

function matchesFindings(node: Extract<Node, { kind: "call" }>, expression: string): Finding[] {
  const pattern = node.args[1];
  if (pattern?.kind !== "literal" || typeof pattern.value !== "string") return [];
  // Escapes of the literal move what stands behind them: then the whole literal is pointed at.
  const written = expression.slice(pattern.span.start, pattern.span.end);
  const offset = written.indexOf(pattern.value);
  return patternFindings(pattern.value, "addresses").map(({ span, ...finding }) => {
    if (offset < 0 || span === undefined) return { ...finding, span: pattern.span };
    const start = pattern.span.start + offset;
    return { ...finding, span: { start: start + span.start, end: start + span.end } };
  });
}

function findingsOf(
  node: Node,
  expression: string,
  shadowed: ReadonlySet<string>,
): readonly Finding[] {
  const findings: Finding[] = [];
  if (node.kind === "compare") {
    const { left, right, operator } = node;
    const says = operator === "!=" ? "true" : "false";
    if (isAddress(left, shadowed)) findings.push(...capitalFindings(capitals(right), says));
    if (operator !== "in" && isAddress(right, shadowed)) {
      findings.push(...capitalFindings(capitals(left), says));
    }
  }
  if (node.kind === "call" && node.form === "method" && isAddress(node.args[0], shadowed)) {
    if (SEARCHES.has(node.name)) {
      const message = `\`${node.name}\` is never true: addresses are compared in lower case: write it in lower case`;
      for (const { span } of capitals(node.args[1])) {
        findings.push({ code: "cel/capital-letters", message, span });
      }
    }
    if (node.name === "matches") findings.push(...matchesFindings(node, expression));
  }
  const names =
    node.kind === "loop"
      ? node.variables
      : node.kind === "bind" || node.kind === "optional-map"
        ? [node.variable]
        : [];
  const inner = names.length === 0 ? shadowed : new Set([...shadowed, ...names]);
  return [
    ...findings,
    ...childrenOf(node).flatMap((child) => findingsOf(child, expression, inner)),
  ];
}

export function expressionFindings(expression: string): readonly Finding[] {
  const tree = treeOf(expression);
  return tree === null ? [] : findingsOf(tree, expression, new Set());
}

/** Whether the expression is the literal `true`. */
export function isAlwaysTrue(expression: string): boolean {
  const tree = treeOf(expression);
  return tree?.kind === "literal" && tree.value === true;
}
