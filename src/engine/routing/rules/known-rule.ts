/** A rule that a compiler has read before, and whether an entry says the same. */
import { type Fields, isRecord, isTexts, ownField } from "../config/config-fields.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import type { RuleType } from "./rule-type.ts";

/** A rule, and what it was read from. */
export interface KnownRule {
  readonly rule: CompiledRule;
  /** The index of its entry. */
  readonly place: number;
  /** What the fields of the entry and of its `config` held, in the order in which they are listed here. */
  readonly values: readonly unknown[];
  /** What it took of the budget of its domain. */
  readonly fuel: number;
}

const ENTRY_FIELDS: readonly string[] = ["id", "rank", "active", "created_at", "type"];

const configFields = new WeakMap<RuleType, readonly string[]>();

/** The fields of a rule's `config` that the type reads, and `forward`. */
function configFieldsOf(type: RuleType): readonly string[] {
  const known = configFields.get(type);
  if (known !== undefined) return known;
  const names = [...Object.keys(type.fields), "forward"];
  configFields.set(type, names);
  return names;
}

/** `null` if a field holds something else than a primitive value or a list of texts: then an author may have changed it in place. */
export function knownRule(
  rule: CompiledRule,
  fields: Fields,
  config: Fields,
  fuel: number,
): KnownRule | null {
  const values: unknown[] = ENTRY_FIELDS.map((name) => ownField(fields, name));
  for (const name of configFieldsOf(rule.type)) values.push(ownField(config, name));
  if (values.some((value) => typeof value === "object" && !isTexts(value))) return null;
  const kept = values.map((value) => (isTexts(value) ? [...value] : value));
  return { rule, place: fields.path[1] as number, values: kept, fuel };
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
  let nth = 0;
  for (const name of ENTRY_FIELDS)
    if (!Object.is(ownField(fields, name), values[nth++])) return false;
  const [id, ownRank] = values;
  if (id === undefined && place !== fields.path[1]) return false;
  if (ownRank === undefined && rule.rank !== rank) return false;
  const config = ownField(fields, "config");
  if (!isRecord(config)) return false;
  for (const name of configFieldsOf(rule.type)) {
    const value = Object.hasOwn(config, name) ? config[name] : undefined;
    if (!isSame(value, values[nth++])) return false;
  }
  return true;
}
