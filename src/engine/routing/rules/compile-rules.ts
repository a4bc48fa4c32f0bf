/** Compiles a domain's rules and sorts them by rank. */
import { LIMITS } from "../../../base/limits.ts";
import { byAge, type Context, eachDuplicate, readForward, readId } from "../config/config-entry.ts";
import {
  type Fields,
  ownField,
  readOptional,
  readRecord,
  readRecords,
  readTimestamp,
  reportAt,
} from "../config/config-fields.ts";
import { entryFuel, gateFuel, payEntry, sourceFuel } from "../config/entry-fuel.ts";
import type { CompiledRule, PricedMatcher } from "./compiled-rule.ts";
import type { RuleType } from "./rule-type.ts";

export type { CompiledRule };

function readType(fields: Fields, { ruleTypes }: Context): RuleType | null {
  const name = ownField(fields, "type");
  const type = ruleTypes.get(name);
  if (type !== undefined) return type;
  const choice = [...ruleTypes.keys()].map((one) => `\`${one}\``).join(", ");
  if (name === undefined) {
    return reportAt(fields, "type", {
      code: "config/missing-field",
      message: `\`type\` is missing: give one of ${choice}`,
    });
  }
  const shown = isText(name) ? `\`${name}\`` : "this";
  return reportAt(fields, "type", {
    code: "rule/unknown-type",
    message: `${shown} is not a rule type: use one of ${choice}`,
  });
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** A key of everything a matcher is made from; `null` if a field is neither a text nor a list of texts. */
function keyOf({ type, fields }: RuleType, config: Fields): string | null {
  const values = Object.keys(fields).map((name) => ownField(config, name));
  const hasKey = values.every((value) =>
    Array.isArray(value) ? value.every(isText) : isText(value),
  );
  return hasKey ? JSON.stringify([type, ...values]) : null;
}

function readMatcher(type: RuleType, config: Fields, context: Context): PricedMatcher | null {
  const { pieces, engine } = context;
  const read = (): PricedMatcher | null => {
    const programs = pieces?.programs;
    const values = Object.entries(type.fields).map(([name, field]): [string, unknown] => [
      name,
      field.read(config, name, { engine, programs }),
    ]);
    if (values.some(([, value]) => value === null)) return null;
    const matcher = type.compile(Object.fromEntries(values));
    return { matcher, fuel: gateFuel(matcher.gate()) };
  };
  const key = pieces === null ? null : keyOf(type, config);
  return key === null ? read() : pieces!.matchers.get(key, read);
}

function readRank(fields: Fields, next: number): number {
  const rank = ownField(fields, "rank");
  if (rank === undefined) return next;
  if (Number.isFinite(rank)) return rank as number;
  const isQuoted = isText(rank) && rank.trim() !== "" && Number.isFinite(Number(rank));
  const message = isQuoted
    ? `\`rank\` is a text: write ${Number(rank)}, without quotes`
    : "`rank` is not a finite number: give one, decimals allowed, lower is tried first";
  reportAt(fields, "rank", { code: "rule/rank-not-finite", message });
  return next;
}

/** What a rule takes of the budget of its domain to be read. */
function ruleFuel(type: RuleType, config: Fields): number {
  return Object.keys(type.fields)
    .filter((name) => type.fields[name]!.holds === "text")
    .reduce((fuel, name) => fuel + sourceFuel(config, name), entryFuel(config));
}

function readRule(fields: Fields, nextRank: number, context: Context): CompiledRule | null {
  const id = readId(fields);
  const createdMs = readTimestamp(fields, "created_at");
  const rank = readRank(fields, nextRank);
  const active = readOptional(fields, "active", "boolean") ?? true;
  const config = readRecord(fields, "config");
  const type = readType(fields, context);
  if (type !== null && config !== null) {
    if (!payEntry(fields, context.guard, ruleFuel(type, config))) return null;
  }
  const priced = type === null || config === null ? null : readMatcher(type, config, context);
  if (priced !== null && !payEntry(fields, context.guard, priced.fuel)) return null;
  const matcher = priced?.matcher ?? null;
  const groupCount = matcher === null ? Number.POSITIVE_INFINITY : matcher.groupCount;
  const forward = config === null ? null : readForward(config, groupCount, context);
  if (type === null || matcher === null || forward === null) return null;
  return Object.freeze({ id, rank, active, createdMs, type, matcher, forward });
}

/** Reads `rules`, inactive ones too; those with diagnostics are left out. */
export function compileRules(root: Fields, context: Context): readonly CompiledRule[] {
  const entries = readRecords(root, "rules", LIMITS.rulesMax);
  const idOf = (fields: Fields): string | undefined => {
    const id = ownField(fields, "id");
    return isText(id) ? id : undefined;
  };
  eachDuplicate(entries, idOf, (fields, first) => {
    const message = `\`${idOf(fields)}\` is already the id of \`rules[${first}]\`: give another`;
    reportAt(fields, "id", { code: "rule/duplicate-id", message });
  });
  // ASSUMPTION(next-rank): a rule without a rank gets the largest rank before it, plus one
  let largest = 0;
  const rules: CompiledRule[] = [];
  for (const fields of entries) {
    if (context.guard.isSpent) break;
    const rule = readRule(fields, largest + 1, context);
    if (rule === null) continue;
    largest = Math.max(largest, rule.rank);
    rules.push(rule);
  }
  // ASSUMPTION(rank-ties): rules of equal rank are tried by created_at, then id; without a created_at, last
  return rules.sort((a, b) => a.rank - b.rank || byAge(a, b));
}
