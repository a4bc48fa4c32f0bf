/** Compiles a domain's rules and sorts them by rank. */
import { LIMITS } from "../../../base/limits.ts";
import {
  byAge,
  type Context,
  idOf,
  payEntry,
  priced,
  readForward,
  readId,
  readingFuel,
  reportDuplicates,
} from "../config/config-entry.ts";
import {
  type Fields,
  isTexts,
  ownField,
  type Report,
  readOptional,
  readRecord,
  readRecords,
  readTimestamp,
  reportAt,
  reportChoice,
} from "../config/config-fields.ts";
import type { CompiledRule, PricedMatcher } from "./compiled-rule.ts";
import { type KnownRule, saysSame, valuesOf } from "./known-rule.ts";
import type { RuleType } from "./rule-type.ts";

function readType(fields: Fields, { ruleTypes }: Context): RuleType | null {
  const type = ruleTypes.get(ownField(fields, "type"));
  if (type !== undefined) return type;
  const choice = `one of ${[...ruleTypes.keys()].map((one) => `\`${one}\``).join(", ")}`;
  const kind = { code: "rule/unknown-type", called: "a rule type" } as const;
  return reportChoice(fields, "type", kind, `give ${choice}`, `use ${choice}`);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** A key of everything a matcher is made from; `null` if a field is neither a text nor a list of texts. */
function keyOf({ type, fields }: RuleType, config: Fields): string | null {
  const values = Object.keys(fields).map((name) => ownField(config, name));
  const hasKey = values.every((value) => isText(value) || isTexts(value));
  return hasKey ? JSON.stringify([type, ...values]) : null;
}

function readMatcher(type: RuleType, config: Fields, context: Context): PricedMatcher | null {
  const { pieces, engine } = context;
  const read = (): PricedMatcher | null => {
    const programs = pieces?.programs;
    let isWrong = false;
    const report: Report = (diagnostic) => {
      isWrong = true;
      config.report(diagnostic);
    };
    const values = Object.entries(type.fields).map(([name, field]): [string, unknown] => [
      name,
      field.read({ ...config, report }, name, { engine, programs }),
    ]);
    if (isWrong) return null;
    return priced(type.compile(Object.fromEntries(values)));
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

function readRule(fields: Fields, nextRank: number, context: Context): KnownRule | null {
  const id = readId(fields);
  const createdMs = readTimestamp(fields, "created_at");
  const rank = readRank(fields, nextRank);
  const active = readOptional(fields, "active", "boolean") ?? true;
  const config = readRecord(fields, "config");
  const type = readType(fields, context);
  if (config === null) return null;
  let found: PricedMatcher | null = null;
  let fuel = 0;
  if (type !== null) {
    const texts = Object.keys(type.fields).filter((name) => type.fields[name]!.holds === "text");
    fuel = readingFuel(config, texts);
    if (!payEntry(fields, context.guard, fuel)) return null;
    found = readMatcher(type, config, context);
  }
  const forward = readForward(fields, config, found, context);
  if (type === null || found === null || forward === null) return null;
  const { matcher } = found;
  const rule = Object.freeze({ id, rank, active, createdMs, type, matcher, forward });
  const values = context.pieces === null ? null : valuesOf(type, fields, config);
  return { rule, place: fields.path[1] as number, values, fuel: fuel + found.fuel };
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
