/** Small changes of a condition, like slips of its author. */
import { parseSource } from "../../engine/cel/syntax/parse-source.ts";
import { childrenOf as celChildren, type Node } from "../../engine/cel/syntax/tree.ts";
import { childrenOf, type PatternNode } from "../../engine/pattern/syntax/pattern-tree.ts";
import { readPattern } from "../../engine/pattern/syntax/re2-syntax.ts";

type SlipConfig = Readonly<Record<string, unknown>>;

/** A condition after a change. */
export interface Slip {
  readonly kind: "literal" | "scope" | "operator";
  /** The whole `config` with the change. */
  readonly config: SlipConfig;
  /** What was changed, in a few words: `` `&&` became `||` ``. */
  readonly change: string;
}

function splice(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

function nodesOf(root: PatternNode): readonly PatternNode[] {
  return [root, ...childrenOf(root).flatMap(nodesOf)];
}

/** Literals to change in one pattern. */
const LITERALS_MAX = 3;

export function regexSlips(config: SlipConfig): readonly Slip[] {
  const source = String(config.regex);
  const scopes = config.scopes as readonly string[];
  const read = readPattern(source);
  const nodes = read.ok ? nodesOf(read.tree.root) : [];
  const changed = (kind: Slip["kind"], regex: string): Slip => ({
    kind,
    config: { ...config, regex },
    change: `/${source}/ became /${regex}/`,
  });
  const literals = nodes.filter((node) => node.kind === "literal");
  const step = Math.max(1, Math.ceil(literals.length / LITERALS_MAX));
  const ofLiterals = literals
    .filter((_, index) => index % step === 0)
    .map(({ span }) => changed("literal", splice(source, span.start, span.end, "#")));
  const ofAnchors = nodes
    .filter((node) => node.kind === "assertion")
    .map(({ span }) => changed("operator", splice(source, span.start, span.end, "")));
  const ofCase = /^\(\?i\)/.test(source)
    ? changed("operator", source.slice(4))
    : changed("operator", `(?i)${source}`);
  const withScopes = (list: readonly string[]): Slip => ({
    kind: "scope",
    config: { ...config, scopes: list },
    change: `scopes ${scopes.join(", ")} became ${list.join(", ")}`,
  });
  const fewer =
    scopes.length < 2
      ? []
      : scopes.map((scope) => withScopes(scopes.filter((each) => each !== scope)));
  const other = ["subject", "body", "sender", "recipient"].find((scope) => !scopes.includes(scope));
  const more = other === undefined ? [] : [withScopes([...scopes, other])];
  return [...ofLiterals, ...ofAnchors, ofCase, ...fewer, ...more];
}

export function aliasSlips(config: SlipConfig): readonly Slip[] {
  const source = String(config.alias);
  const changed = (kind: Slip["kind"], alias: string): Slip => ({
    kind,
    config: { ...config, alias },
    change: `\`${source}\` became \`${alias}\``,
  });
  const literal = source.length > 1 ? [changed("literal", source.slice(0, -1))] : [];
  const wide = source.includes("*")
    ? [changed("operator", source.replaceAll("*", "") || "someone")]
    : /^[\w.-]+$/.test(source)
      ? [changed("operator", `${source}*`)]
      : [];
  return [...literal, ...wide];
}

const OPERATORS: Readonly<Record<string, string>> = {
  "==": "!=",
  "!=": "==",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
};
const METHODS: Readonly<Record<string, string>> = {
  startsWith: "contains",
  endsWith: "contains",
  contains: "startsWith",
  exists: "all",
  all: "exists",
};

function celNodes(root: Node): readonly Node[] {
  return [root, ...celChildren(root).flatMap(celNodes)];
}

/** Where an operator is between the parts of a node, outside its strings. */
function operatorAt(source: string, left: Node, right: Node, operator: string): number {
  return source.indexOf(operator, left.span.end) < right.span.start
    ? source.indexOf(operator, left.span.end)
    : -1;
}

function celEdits(
  source: string,
  node: Node,
): readonly (readonly [Slip["kind"], number, number, string])[] {
  if (node.kind === "literal" && typeof node.value === "string" && node.value !== "") {
    const { start, end } = node.span;
    return [["literal", start, end, JSON.stringify(`${node.value}#`)]];
  }
  if (node.kind === "logic" && node.operator !== "?:") {
    const by = node.operator === "&&" ? "||" : "&&";
    return node.operands.slice(1).flatMap((right, index) => {
      const at = operatorAt(source, node.operands[index]!, right, node.operator);
      return at < 0 ? [] : [["operator", at, at + 2, by] as const];
    });
  }
  if (node.kind !== "call") return [];
  if (node.form === "operator" && Object.hasOwn(OPERATORS, node.name)) {
    const at = operatorAt(source, node.args[0]!, node.args[1]!, node.name);
    return at < 0 ? [] : [["operator", at, at + node.name.length, OPERATORS[node.name]!]];
  }
  if (node.form !== "method" || !Object.hasOwn(METHODS, node.name)) return [];
  const { end } = node.nameSpan;
  return [["operator", end - node.name.length, end, METHODS[node.name]!]];
}

/** Changes to make in one expression. */
const EDITS_MAX = 8;

export function celSlips(config: SlipConfig): readonly Slip[] {
  const source = String(config.expression);
  const parsed = parseSource(source);
  if (!parsed.ok) return [];
  const edits = celNodes(parsed.tree).flatMap((node) => celEdits(source, node));
  const changed = (kind: Slip["kind"], expression: string, change: string): Slip => ({
    kind,
    config: { ...config, expression },
    change,
  });
  return [
    ...edits
      .slice(0, EDITS_MAX)
      .map(([kind, start, end, by]) =>
        changed(
          kind,
          splice(source, start, end, by),
          `\`${source.slice(start, end)}\` at ${start} became \`${by}\``,
        ),
      ),
    changed("operator", `!(${source})`, "the expression became its opposite"),
  ];
}
