/** Small changes of a rule set, one at a time, like slips of its author. */
import { parseSource } from "../../engine/cel/syntax/parse-source.ts";
import { childrenOf as celChildren, type Node } from "../../engine/cel/syntax/tree.ts";
import { childrenOf, type PatternNode } from "../../engine/pattern/syntax/pattern-tree.ts";
import { readPattern } from "../../engine/pattern/syntax/re2-syntax.ts";
import { aliasEntries, type RehearsedDomain, rehearse, ruleEntries } from "../rehearsed-domain.ts";

/** One change of one rule or alias. */
export interface Mutation {
  readonly of: "rule" | "alias";
  readonly id: string;
  readonly kind: "literal" | "scope" | "operator" | "rank" | "off";
  /** What was changed, in a few words: `` `&&` became `||` ``. */
  readonly change: string;
}

export interface Mutant extends Mutation {
  readonly rehearsed: RehearsedDomain;
}

type JsonRecord = RehearsedDomain["config"];

/** A condition after a change, and the change. */
interface Variant {
  readonly kind: Mutation["kind"];
  readonly config: JsonRecord;
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

function regexVariants(config: JsonRecord): readonly Variant[] {
  const source = String(config.regex);
  const scopes = config.scopes as readonly string[];
  const read = readPattern(source);
  const nodes = read.ok ? nodesOf(read.tree.root) : [];
  const changed = (kind: Mutation["kind"], regex: string): Variant => ({
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
  const withScopes = (list: readonly string[]): Variant => ({
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

function aliasVariants(config: JsonRecord): readonly Variant[] {
  const source = String(config.alias);
  const changed = (kind: Mutation["kind"], alias: string): Variant => ({
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
): readonly (readonly [Mutation["kind"], number, number, string])[] {
  if (node.kind === "literal" && typeof node.value === "string" && node.value !== "") {
    const { start, end } = node.span;
    return [["literal", start, end, JSON.stringify(`${node.value}#`)]];
  }
  if (node.kind === "logic") {
    const by = node.operator === "&&" ? "||" : "&&";
    return node.operands.slice(1).flatMap((right, index) => {
      const at = operatorAt(source, node.operands[index]!, right, node.operator);
      return at < 0 ? [] : [["operator", at, at + 2, by] as const];
    });
  }
  if (node.kind === "compare" && Object.hasOwn(OPERATORS, node.operator)) {
    const at = operatorAt(source, node.left, node.right, node.operator);
    return at < 0 ? [] : [["operator", at, at + 2, OPERATORS[node.operator]!]];
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

function celVariants(config: JsonRecord): readonly Variant[] {
  const source = String(config.expression);
  const parsed = parseSource(source);
  if (!parsed.ok) return [];
  const edits = celNodes(parsed.tree).flatMap((node) => celEdits(source, node));
  const changed = (kind: Mutation["kind"], expression: string, change: string): Variant => ({
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

const VARIANTS: Readonly<Record<string, (config: JsonRecord) => readonly Variant[]>> = {
  alias: aliasVariants,
  regex: regexVariants,
  cel: celVariants,
};

function* ruleMutants(rehearsed: RehearsedDomain): Generator<Mutant> {
  const entries = ruleEntries(rehearsed);
  const active = rehearsed.domain.rules.filter((rule) => rule.active);
  const ranks = new Map(rehearsed.domain.rules.map(({ id, rank }) => [id, rank]));
  const build = (
    mutation: Mutation,
    change: (id: string, values: JsonRecord) => JsonRecord,
  ): Mutant[] => {
    const rules = entries.map(({ id, values }) =>
      change(id, { ...values, id, rank: ranks.get(id) }),
    );
    const result = rehearse({ ...rehearsed.config, rules }, rehearsed.options);
    return result.ok ? [{ ...mutation, rehearsed: result.rehearsed }] : [];
  };
  for (const [place, { id, rank }] of active.entries()) {
    const mutation = { of: "rule", id } as const;
    const { values, config } = entries.find((entry) => entry.id === id)!;
    yield* build({ ...mutation, kind: "off", change: "it was switched off" }, (each, own) =>
      each === id ? { ...own, active: false } : own,
    );
    const next = active[place + 1];
    if (next !== undefined && next.rank !== rank) {
      const swapped = new Map([
        [id, next.rank],
        [next.id, rank],
      ]);
      const change = `it changed ranks with \`${next.id}\``;
      yield* build({ ...mutation, kind: "rank", change }, (each, own) => ({
        ...own,
        rank: swapped.get(each) ?? own.rank,
      }));
    }
    const variants = VARIANTS[String(values.type)]?.(config) ?? [];
    for (const variant of variants) {
      const { kind, change } = variant;
      yield* build({ ...mutation, kind, change }, (each, own) =>
        each === id ? { ...own, config: variant.config } : own,
      );
    }
  }
}

function* aliasMutants(rehearsed: RehearsedDomain): Generator<Mutant> {
  const entries = aliasEntries(rehearsed).map(({ id, values }) => ({ ...values, id }));
  const build = (mutation: Mutation, aliases: readonly JsonRecord[]): Mutant[] => {
    const result = rehearse({ ...rehearsed.config, aliases }, rehearsed.options);
    return result.ok ? [{ ...mutation, rehearsed: result.rehearsed }] : [];
  };
  for (const entry of entries) {
    const mutation = { of: "alias", id: entry.id } as const;
    const off = entries.filter((each) => each !== entry);
    yield* build({ ...mutation, kind: "off", change: "it was removed" }, off);
    for (const { kind, change, config } of aliasVariants(entry)) {
      const changed = entries.map((each) => (each === entry ? config : each));
      yield* build({ ...mutation, kind, change }, changed);
    }
  }
}

/** Every small change that compiles, in the order of trial. */
export function mutantsOf(rehearsed: RehearsedDomain): Generator<Mutant> {
  return rehearsed.domain.engine === "alias" ? aliasMutants(rehearsed) : ruleMutants(rehearsed);
}
