/** When a rule or an alias matches, as a formula. */

import type { Scope } from "../../../engine/routing/resolution.ts";
import { canonicalAlias, isPatternAlias } from "../../../engine/routing/rules/alias-rule.ts";
import { ANY_CHAR } from "../text/char-set.ts";
import { anchored, charsNode, literalNode, sourceNode } from "../text/text-program.ts";
import { type AtomTable, type Formula, or, TRUE } from "./formula.ts";

/** One way in which a rule takes a message. */
export interface MatchWay {
  readonly formula: Formula;
  /** The condition whose captures fill the forward. */
  readonly condition: string;
  readonly filled: "plain" | "detail";
}

/** The ways in which a local part can be that of an alias: as written, or as `alias+detail`. */
export interface AliasFormulas {
  readonly exact: Formula;
  /** `null` for aliases without subaddresses: wildcards, patterns, `*`. */
  readonly subaddress: Formula | null;
}

function localPart(atoms: AtomTable, key: string, root: ReturnType<typeof literalNode>): Formula {
  return atoms.text("local", { key, root, changes: [], suffix: "" });
}

export function aliasFormulas(source: string, atoms: AtomTable): AliasFormulas {
  if (source === "*") return { exact: TRUE, subaddress: null };
  if (isPatternAlias(source)) {
    const whole = `\\A(?:${source})\\z`;
    const root = sourceNode(whole);
    const exact = root === null ? atoms.free(`alias ${source}`, source) : null;
    return { exact: exact ?? localPart(atoms, `/${whole}/`, root!), subaddress: null };
  }
  const alias = canonicalAlias(source);
  if (alias.includes("*")) {
    const anything = charsNode(ANY_CHAR, 0, Number.POSITIVE_INFINITY);
    const parts = alias
      .split("*")
      .flatMap((piece) => [anything, literalNode(piece)])
      .slice(1);
    const root = anchored({ kind: "concat", span: { start: 0, end: 0 }, parts }, "both");
    return { exact: localPart(atoms, `wildcard ${alias}`, root), subaddress: null };
  }
  const exact = localPart(atoms, `equals ${alias}`, anchored(literalNode(alias), "both"));
  // The user part of a subaddress ends at the first `+`.
  if (alias === "" || alias.includes("+")) return { exact, subaddress: null };
  const detailed = anchored(literalNode(`${alias}+`), "begin");
  return { exact, subaddress: localPart(atoms, `startsWith ${alias}+`, detailed) };
}

export function aliasWays(alias: string, atoms: AtomTable): readonly MatchWay[] {
  const { exact, subaddress } = aliasFormulas(alias, atoms);
  const way: MatchWay = { formula: exact, condition: canonicalAlias(alias), filled: "plain" };
  return subaddress === null ? [way] : [way, { ...way, formula: subaddress, filled: "detail" }];
}

const VARIABLES: Readonly<Record<Scope, string>> = {
  recipient: "local",
  sender: "sender",
  subject: "subject",
  body: "body",
};

function regexFormula(
  source: string,
  scopes: readonly Scope[],
  domain: string,
  atoms: AtomTable,
): Formula {
  const root = sourceNode(source);
  if (root === null) return atoms.free(`regex ${source} ${[...scopes].sort()}`, source);
  const searches = [...new Set(scopes)].sort().map((scope) => {
    const suffix = scope === "recipient" ? `@${domain}` : "";
    return atoms.text(VARIABLES[scope], { key: `/${source}/`, root, changes: [], suffix });
  });
  return or(...searches);
}

export function regexWays(
  source: string,
  scopes: readonly Scope[],
  domain: string,
  atoms: AtomTable,
): readonly MatchWay[] {
  const condition = JSON.stringify([source, [...new Set(scopes)].sort()]);
  return [{ formula: regexFormula(source, scopes, domain, atoms), condition, filled: "plain" }];
}
