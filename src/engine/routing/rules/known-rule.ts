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

/** What makes a rule: the fields of its entry, those of its `config` that the type reads, and `forward`. */
function valuesOf({ fields: read }: RuleType, fields: Fields, config: Fields): unknown[] {
  const values = ENTRY_FIELDS.map((name) => ownField(fields, name));
  for (const name of Object.keys(read)) values.push(ownField(config, name));
  values.push(ownField(config, "forward"));
  return values;
}

/** `null` if a field holds something else than a primitive value or a list of texts: then an author may have changed it in place. */
export function knownRule(
  rule: CompiledRule,
  fields: Fields,
  config: Fields,
  fuel: number,
): KnownRule | null {
  const values = valuesOf(rule.type, fields, config);
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
  const config = ownField(fields, "config");
  if (!isRecord(config)) return false;
  const [id, ownRank] = values;
  if (id === undefined && place !== fields.path[1]) return false;
  if (ownRank === undefined && rule.rank !== rank) return false;
  const said = valuesOf(rule.type, fields, { ...fields, values: config });
  return said.every((value, nth) => isSame(value, values[nth]));
}
