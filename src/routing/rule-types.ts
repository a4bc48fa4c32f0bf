/** The table of rule types: what each reads from a rule's `config`, and the matcher it compiles to (API v4 §2, Rule). */
import type { Problem } from "../base/diagnostic.ts";
import { LIMITS } from "../base/limits.ts";
import { compileExpression } from "../cel/compile-expression.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import { compileAlias } from "./alias-matcher.ts";
import { aliasRuleMatcher } from "./alias-rule.ts";
import { celRuleMatcher } from "./cel-rule.ts";
import type { Context } from "./config-entry.ts";
import { type Fields, ownField, readText, reportAt } from "./config-fields.ts";
import { regexRuleMatcher, SCOPES } from "./regex-rule.ts";
import type { Scope } from "./resolution.ts";
import type { RuleMatcher } from "./rule-matcher.ts";

/** Compiles the matching part of a rule's `config`; reports all that is wrong and answers `null` then. */
type RuleCompiler = (config: Fields, context: Context) => RuleMatcher | null;

/** The matcher for a key that says all that it is made from. */
function matcherFor(
  { pieces }: Context,
  key: string,
  make: () => RuleMatcher | null,
): RuleMatcher | null {
  return pieces === null ? make() : pieces.matchers.get(key, make);
}

function compileAliasRule(config: Fields, context: Context): RuleMatcher | null {
  const alias = readText(config, "alias", LIMITS.aliasUnitsMax);
  if (alias === null) return null;
  return matcherFor(context, `alias ${alias}`, () => {
    const matcher = compileAlias(alias, context.engine);
    return "code" in matcher ? reportAt(config, "alias", matcher) : aliasRuleMatcher(matcher);
  });
}

function readScopes(config: Fields): ReadonlySet<Scope> | null {
  const value = ownField(config, "scopes");
  const choice = SCOPES.map((scope) => `\`${scope}\``).join(", ");
  const problem = (code: Problem["code"], message: string): null =>
    reportAt(config, "scopes", { code, message });
  if (value === undefined)
    return problem("config/missing-field", `\`scopes\` is missing: list any of ${choice}`);
  if (!Array.isArray(value))
    return problem("config/wrong-type", `\`scopes\` is not an array: list any of ${choice}`);
  if (value.length === 0)
    return problem("rule/no-scopes", `\`scopes\` is empty: list any of ${choice}`);
  const scopes = new Set<Scope>();
  let refused = false;
  value.forEach((entry: unknown, index) => {
    const scope = SCOPES.find((name) => name === entry);
    if (scope !== undefined) {
      scopes.add(scope);
      return;
    }
    refused = true;
    config.report({
      code: "rule/unknown-scope",
      message: `${typeof entry === "string" ? `\`${entry}\`` : "this"} is not a scope: use any of ${choice}`,
      path: [...config.path, "scopes", index],
    });
  });
  return refused ? null : scopes;
}

function compileRegexRule(config: Fields, context: Context): RuleMatcher | null {
  const scopes = readScopes(config);
  const regex = readText(config, "regex", Number.POSITIVE_INFINITY);
  if (regex === null) return null;
  const key = `regex ${scopes === null ? "" : [...scopes].sort().join()} ${regex}`;
  return matcherFor(context, key, () => {
    const result = compilePattern(regex, context.engine);
    if (!result.ok) return reportAt(config, "regex", result.problem);
    return scopes === null ? null : regexRuleMatcher(result.pattern, scopes);
  });
}

function compileCelRule(config: Fields, context: Context): RuleMatcher | null {
  const source = readText(config, "expression", Number.POSITIVE_INFINITY);
  if (source === null) return null;
  return matcherFor(context, `cel ${source}`, () => {
    const result = compileExpression(source, context.engine, context.pieces?.programs);
    if (result.ok) return celRuleMatcher(result.expression);
    for (const problem of result.problems) reportAt(config, "expression", problem);
    return null;
  });
}

export const RULE_TYPES: ReadonlyMap<unknown, RuleCompiler> = new Map([
  ["alias", compileAliasRule],
  ["regex", compileRegexRule],
  ["cel", compileCelRule],
]);
