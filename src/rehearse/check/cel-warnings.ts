/** Warnings about a CEL expression: about comparisons of addresses that always have the same result, and its patterns. */
import {
  type CallNode,
  childrenOf,
  type LiteralNode,
  literalText,
  type Node,
} from "../../engine/cel/syntax/tree.ts";
import { treeOf } from "../cel-conditions.ts";
import { type Finding, patternFindings } from "./pattern-warnings.ts";

const ADDRESSES: ReadonlySet<string> = new Set(["sender", "recipient"]);
const SEARCHES: ReadonlySet<string> = new Set(["startsWith", "endsWith", "contains"]);

function isAddress(node: Node | undefined, shadowed: ReadonlySet<string>): boolean {
  return node?.kind === "name" && ADDRESSES.has(node.name) && !shadowed.has(node.name);
}

/** Literal texts with an ASCII capital letter. */
function capitals(node: Node | undefined): readonly Node[] {
  if (node?.kind === "list") return node.items.flatMap(capitals);
  return node !== undefined && /[A-Z]/.test(literalText(node) ?? "") ? [node] : [];
}

function capitalFindings(wrong: readonly Node[], says: "true" | "false"): Finding[] {
  return wrong.map(({ span }) => {
    const outcome = says === "true" ? "always differs" : "is never equal";
    const message = `${outcome}: addresses are compared in lower case: write it in lower case`;
    return { code: "cel/capital-letters", message, span };
  });
}

/** Literal texts that are not addresses. An empty text is allowed, since a sender may be empty. */
function withoutAt(node: Node | undefined): readonly Node[] {
  if (node?.kind === "list") return node.items.flatMap(withoutAt);
  const value = node?.kind === "literal" ? node.value : undefined;
  return node !== undefined && typeof value === "string" && value !== "" && !value.includes("@")
    ? [node]
    : [];
}

function noAddressFindings(
  wrong: readonly Node[],
  variable: string,
  operator: string,
  domain: string,
): Finding[] {
  const outcome = operator === "!=" ? "always differs" : "is never equal";
  const host = variable === "recipient" ? domain : "…";
  return wrong.map((node) => {
    const { value } = node as LiteralNode;
    const message = `${outcome}, because every address has an \`@\`: write \`"${value}@${host}"\`, or \`${variable}.startsWith("${value}@")\``;
    return { code: "cel/no-address", message, span: node.span };
  });
}

/** Findings on names of header fields with capitals: no message has such a name. */
function headerFindings(node: Node, shadowed: ReadonlySet<string>): Finding[] {
  const isHeaders = (one: Node): boolean =>
    one.kind === "name" && one.name === "headers" && !shadowed.has("headers");
  const finding = (written: string, span: Finding["span"]): Finding => ({
    code: "cel/capital-letters",
    message: `is never found: names of header fields are in lower case: write \`${written.toLowerCase()}\``,
    ...(span !== undefined && { span }),
  });
  const isField = node.kind === "access" && node.form === "field";
  const name =
    node.kind === "access" && node.access !== "test" && isHeaders(node.operand)
      ? node.key
      : node.kind === "call" && node.name === "in" && isHeaders(node.args[1]!)
        ? node.args[0]
        : undefined;
  return capitals(name).map((one) => {
    const { value } = one as LiteralNode;
    return finding(isField ? String(value) : JSON.stringify(value), one.span);
  });
}

function matchesFindings(node: CallNode, { expression, domain }: ExpressionPlace): Finding[] {
  const ownDomain = node.args[0]?.kind === "name" && node.args[0].name === "recipient";
  const pattern = node.args[1];
  if (pattern?.kind !== "literal" || typeof pattern.value !== "string") return [];
  // Escapes in the literal shift the text after them, so the span is the whole literal.
  const written = expression.slice(pattern.span.start, pattern.span.end);
  const offset = written.indexOf(pattern.value);
  const findings = patternFindings(pattern.value, "addresses", ownDomain ? domain : null);
  return findings.map(({ span, ...finding }) => {
    if (offset < 0 || span === undefined) return { ...finding, span: pattern.span };
    const start = pattern.span.start + offset;
    return { ...finding, span: { start: start + span.start, end: start + span.end } };
  });
}

/** An expression and the domain whose recipients it is for. */
interface ExpressionPlace {
  readonly expression: string;
  readonly domain: string;
}

function compareFindings(
  { name: operator, args }: CallNode,
  shadowed: ReadonlySet<string>,
  domain: string,
): Finding[] {
  const [left, right] = args as [Node, Node];
  const says = operator === "!=" ? "true" : "false";
  const about = (address: Node, other: Node): Finding[] =>
    address.kind === "name" && isAddress(address, shadowed)
      ? [
          ...capitalFindings(capitals(other), says),
          ...noAddressFindings(withoutAt(other), address.name, operator, domain),
        ]
      : [];
  return [...about(left, right), ...(operator === "in" ? [] : about(right, left))];
}

function findingsOf(
  node: Node,
  place: ExpressionPlace,
  shadowed: ReadonlySet<string>,
): readonly Finding[] {
  const findings: Finding[] = headerFindings(node, shadowed);
  if (node.kind === "call" && ["==", "!=", "in"].includes(node.name)) {
    findings.push(...compareFindings(node, shadowed, place.domain));
  }
  if (node.kind === "call" && node.form === "method" && isAddress(node.args[0], shadowed)) {
    if (SEARCHES.has(node.name)) {
      const message = `\`${node.name}\` is never true: addresses are compared in lower case: write it in lower case`;
      for (const { span } of capitals(node.args[1])) {
        findings.push({ code: "cel/capital-letters", message, span });
      }
    }
    if (node.name === "matches") findings.push(...matchesFindings(node, place));
  }
  const names = node.kind === "macro" ? node.variables : [];
  const inner = names.length === 0 ? shadowed : new Set([...shadowed, ...names]);
  return [...findings, ...childrenOf(node).flatMap((child) => findingsOf(child, place, inner))];
}

/** Findings on an expression; `domain` is that of the recipients. */
export function expressionFindings(expression: string, domain: string): readonly Finding[] {
  const tree = treeOf(expression);
  return tree === null ? [] : findingsOf(tree, { expression, domain }, new Set());
}
