/** An alias or a rule, compiled, and whether an entry says the same as a rule that was compiled before. */
import { type Fields, isRecord, isTexts, ownField } from "../config/config-fields.ts";
import type { Forward } from "../forward.ts";
import type { AliasMatcher } from "./alias-rule.ts";
import type { RuleMatcher, RuleType } from "./rule-type.ts";

export interface CompiledAlias {
  readonly id: string;
  readonly createdMs: number;
  readonly matcher: AliasMatcher;
  readonly forward: Forward;
}

export interface CompiledRule extends Omit<CompiledAlias, "matcher"> {
  readonly rank: number;
  readonly active: boolean;
  readonly type: RuleType;
  readonly matcher: RuleMatcher;
}

/** A rule, and what it was read from. */
export interface KnownRule {
  readonly rule: CompiledRule;
  /** The index of its entry. */
  readonly place: number;
  /** What its entry said; `null` if it cannot be recognised. */
  readonly values: readonly unknown[] | null;
  /** What it took of the budget of its domain. */
  readonly fuel: number;
}

const ENTRY_FIELDS: readonly string[] = ["id", "rank", "active", "created_at", "type"];

/**
 * What the fields of an entry hold, then those of its `config`, as long as each is a primitive value or a list of texts. Anything
 * else gives `null`: an author may change it in place.
 */
export function valuesOf(type: RuleType, fields: Fields, config: Fields): unknown[] | null {
  const values: unknown[] = ENTRY_FIELDS.map((name) => ownField(fields, name));
  for (const name in type.fields) values.push(ownField(config, name));
  values.push(ownField(config, "forward"));
  if (values.some((value) => typeof value === "object" && !isTexts(value))) return null;
  return values.map((value) => (isTexts(value) ? [...value] : value));
}

function isSame(value: unknown, kept: unknown): boolean {
  if (!Array.isArray(kept)) return Object.is(value, kept);
  if (!Array.isArray(value) || value.length !== kept.length) return false;
  return kept.every((one, nth) => one === value[nth]);
}

/** Whether an entry makes the same rule; `rank`: what it gets if it says none. */
export function saysSame(
  { rule, place, values }: KnownRule,
  fields: Fields,
  rank: number,
): boolean {
  if (values === null) return false;
  let nth = 0;
  for (const name of ENTRY_FIELDS)
    if (!Object.is(ownField(fields, name), values[nth++])) return false;
  const [id, ownRank] = values;
  if (id === undefined && place !== fields.path[1]) return false;
  if (ownRank === undefined && rule.rank !== rank) return false;
  const config = ownField(fields, "config");
  if (!isRecord(config)) return false;
  for (const name in rule.type.fields) {
    const value = Object.hasOwn(config, name) ? config[name] : undefined;
    if (!isSame(value, values[nth++])) return false;
  }
  return Object.hasOwn(config, "forward") && config.forward === values[nth];
}
