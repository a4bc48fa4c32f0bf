/** The rule types of the API (API v4 §2, Rule), by name, and those that a host adds. */
import { quote } from "../../../base/quote.ts";
import { isRecord } from "../config/config-fields.ts";
import { type AliasRuleConfig, type AliasRuleDetail, aliasType } from "./alias-rule.ts";
import { type CelRuleConfig, type CelRuleDetail, celType } from "./cel-rule.ts";
import { checkedType } from "./host-matcher.ts";
import { type RegexRuleConfig, type RegexRuleDetail, regexType } from "./regex-rule.ts";
import type { RuleType } from "./rule-type.ts";

/** The types that every domain knows, with their `config` and what a trace says of their rules. */
export interface RuleShapes {
  readonly alias: { readonly config: AliasRuleConfig; readonly detail: AliasRuleDetail };
  readonly regex: { readonly config: RegexRuleConfig; readonly detail: RegexRuleDetail };
  readonly cel: { readonly config: CelRuleConfig; readonly detail: CelRuleDetail };
}

/** The name of a type that every domain knows. The tools are a table by this name, so that tsc reports what a new type lacks. */
export type RuleTypeName = keyof RuleShapes;

export const RULE_TYPES: Readonly<Record<RuleTypeName, RuleType>> = {
  alias: aliasType,
  regex: regexType,
  cel: celType,
};

export type RuleTypes = ReadonlyMap<unknown, RuleType>;

const OWN: RuleTypes = new Map(Object.values(RULE_TYPES).map((one) => [one.type, one]));

function isRuleType(value: Partial<RuleType> | null | undefined): value is RuleType {
  const { type, fields, compile } = value ?? {};
  if (typeof type !== "string" || typeof compile !== "function" || !isRecord(fields)) return false;
  return Object.values(fields).every((field) => typeof field?.read === "function");
}

/** The API's rule types and `added`, by name. Throws a `TypeError` on invalid types, or if a name is taken. */
export function ruleTypesWith(added: readonly RuleType[] | undefined): RuleTypes {
  if (added === undefined) return OWN;
  const types = new Map(OWN);
  if (!Array.isArray(added)) throw new TypeError("`ruleTypes` is not an array: list rule types");
  for (const one of added as readonly RuleType[]) {
    if (!isRuleType(one)) {
      throw new TypeError("a rule type is made with `ruleType({ type, fields, compile })`");
    }
    if (types.has(one.type)) throw new TypeError(`there is a rule type ${quote(one.type)} already`);
    types.set(one.type, checkedType(one));
  }
  return types;
}
