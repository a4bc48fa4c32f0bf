/** Compiles a domain's rules and sorts them by rank. */
import { LIMITS } from "../../../base/limits.ts";
import {
  byAge,
  type Context,
  idOf,
  payEntry,
  readForward,
  readId,
  readingFuel,
  reportDuplicates,
} from "../config/config-entry.ts";
import {
  type Fields,
  isTexts,
  ownField,
  readOptionalFlag,
  readRecord,
  readRecords,
  readTimestamp,
  reportAt,
  reportChoice,
} from "../config/config-fields.ts";
import { type CompiledRule, type KnownRule, saysSame, valuesOf } from "./compiled-rule.ts";
import type { RuleMatcher } from "./rule-matcher.ts";
import type { RuleType } from "./rule-type.ts";

function readType(fields: Fields, { ruleTypes }: Context): RuleType | null {
  const type = ruleTypes.get(ownField(fields, "type"));
  if (type !== undefined) return type;
  const choice = `one of ${[...ruleTypes.keys()].map((one) => `\`${one}\``).join(", ")}`;
  const kind = { code: "rule/unknown-type", called: "a rule type" } as const;
  return reportChoice(fields, "type", kind, `give ${choice}`, `use ${choice}`);
}

/** A key of everything a matcher is made from; `null` if a field is neither a text nor a list of texts. */
function keyOf({ type, fields }: RuleType, config: Fields): string | null {
  const values = Object.keys(fields).map((name) => ownField(config, name));
  const hasKey = values.every((value) => typeof value === "string" || isTexts(value));
  return hasKey ? JSON.stringify([type, ...values]) : null;
}

function readMatcher(type: RuleType, config: Fields, context: Context): RuleMatcher | null {
  const { pieces, engine, countProblems } = context;
  const read = (): RuleMatcher | null => {
    const before = countProblems();
    const values = Object.entries(type.fields).map(([name, field]): [string, unknown] => [
      name,
      field.read(config, name, { engine, programs: pieces?.programs }),
    ]);
    return countProblems() > before ? null : type.compile(Object.fromEntries(values));
  };
  const key = pieces === null ? null : keyOf(type, config);
  return key === null ? read() : pieces!.matchers.get(key, read);
}

function readRank(fields: Fields, next: number): number {
  const rank = ownField(fields, "rank");
  if (rank === undefined) return next;
  if (Number.isFinite(rank)) return rank as number;
  const isQuoted = typeof rank === "string" && rank.trim() !== "" && Number.isFinite(Number(rank));
  const message = isQuoted
    ? `\`rank\` is a text: write ${Number(rank)}, without quotes`
    : "`rank` is not a finite number: give one, decimals allowed, lower is tried first";
  reportAt(fields, "rank", { code: "rule/rank-not-finite", message });
  return next;
}

function readRule(fields: Fields, nextRank: number, context: Context): KnownRule | null {
  const id = readId(fields);
  const createdMs = readTimestamp(fields, "created_at");
  const rank = readRank(fields, nextRank);
  const active = readOptionalFlag(fields, "active") ?? true;
  const config = readRecord(fields, "config");
  const type = readType(fields, context);
  if (config === null) return null;
  const { guard, pieces } = context;
  const before = guard.used;
  let matcher: RuleMatcher | null = null;
  if (type !== null) {
    const texts = Object.keys(type.fields).filter((name) => type.fields[name]!.holds === "text");
    if (!payEntry(fields, guard, readingFuel(config, texts))) return null;
    matcher = readMatcher(type, config, context);
  }
  const forward = readForward(fields, config, matcher, context);
  if (type === null || matcher === null || forward === null) return null;
  const rule = Object.freeze({ id, rank, active, createdMs, type, matcher, forward });
  const values = pieces === null ? null : valuesOf(type, fields, config);
  return { rule, place: fields.path[1] as number, values, fuel: guard.used - before };
}

/** Recognises entries of the version before, of which some in a row have been changed, added or removed; pays for them. */
function recognise(
  { version, guard }: Context,
  count: number,
  fields: Fields,
  nextRank: number,
): KnownRule | null {
  const known = version.rules;
  const place = fields.path[1] as number;
  for (const one of [known[place], known[place + known.length - count]]) {
    if (one && one.fuel <= guard.left && saysSame(one, fields, nextRank)) {
      guard.take(one.fuel);
      return one;
    }
  }
  return null;
}

/** Reads `rules`, inactive ones too: sorted by rank, and as entries, those of them that can be read. */
export function compileRules(
  root: Fields,
  context: Context,
): { readonly rules: CompiledRule[]; readonly known: readonly (KnownRule | null)[] } {
  const entries = readRecords(root, "rules", LIMITS.rulesMax);
  reportDuplicates(entries, "id", idOf, "rule/duplicate-id", "give another");
  // ASSUMPTION(next-rank): a rule without a rank gets the largest rank before it, plus one
  let largest = 0;
  const rules: CompiledRule[] = [];
  const known: (KnownRule | null)[] = [];
  for (const fields of entries) {
    if (context.guard.isSpent) break;
    const next = largest + 1;
    const read =
      recognise(context, entries.length, fields, next) ?? readRule(fields, next, context);
    known.push(read);
    if (read === null) continue;
    largest = Math.max(largest, read.rule.rank);
    rules.push(read.rule);
  }
  // ASSUMPTION(rank-ties): rules of equal rank are tried by created_at, then id; without a created_at, last
  rules.sort((a, b) => a.rank - b.rank || byAge(a, b));
  return { rules, known };
}
