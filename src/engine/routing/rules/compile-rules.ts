/** Compiles a domain's rules and sorts them by rank. */
import { LIMITS } from "../../../base/limits.ts";
import { quote } from "../../../base/quote.ts";
import {
  byAge,
  type Context,
  idOf,
  readForward,
  readId,
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
} from "../config/config-fields.ts";
import { entryFuel, gateFuel, payEntry, sourceFuel } from "../config/entry-fuel.ts";
import type { CompiledRule, PricedMatcher } from "./compiled-rule.ts";
import { type KnownRule, knownRule, saysSame } from "./known-rule.ts";
import type { RuleType } from "./rule-type.ts";

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
  const shown = isText(name) ? quote(name) : "this";
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

/** A rule, and what is known of it if it can be recognised later. */
interface ReadRule {
  readonly rule: CompiledRule;
  readonly known: KnownRule | null;
}

function readRule(fields: Fields, nextRank: number, context: Context): ReadRule | null {
  const id = readId(fields);
  const createdMs = readTimestamp(fields, "created_at");
  const rank = readRank(fields, nextRank);
  const active = readOptional(fields, "active", "boolean") ?? true;
  const config = readRecord(fields, "config");
  const type = readType(fields, context);
  const readFuel = type === null || config === null ? 0 : ruleFuel(type, config);
  if (!payEntry(fields, context.guard, readFuel)) return null;
  const priced = type === null || config === null ? null : readMatcher(type, config, context);
  if (priced !== null && !payEntry(fields, context.guard, priced.fuel)) return null;
  const groupCount = priced === null ? Number.POSITIVE_INFINITY : priced.matcher.groupCount;
  const forward = config === null ? null : readForward(config, groupCount, context);
  if (type === null || config === null || priced === null || forward === null) return null;
  const { matcher } = priced;
  const rule = Object.freeze({ id, rank, active, createdMs, type, matcher, forward });
  const fuel = readFuel + priced.fuel;
  return { rule, known: context.version === null ? null : knownRule(rule, fields, config, fuel) };
}

/** Recognises entries of the version before, of which some in a row have been changed, added or removed; pays for them. */
function recognise(
  { version, guard }: Context,
  count: number,
  fields: Fields,
  nextRank: number,
): KnownRule | null {
  const known = version?.rules ?? [];
  const place = fields.path[1] as number;
  for (const one of [known[place], known[place + known.length - count]]) {
    if (one && one.fuel <= guard.left && saysSame(one, fields, nextRank)) {
      guard.take(one.fuel);
      return one;
    }
  }
  return null;
}

/** The rules of a domain, and by entry what is known of them. */
export interface CompiledRules {
  /** By rank; those with diagnostics are left out, unless it is their age, rank or id that is wrong. */
  readonly rules: CompiledRule[];
  readonly known: readonly (KnownRule | null)[];
}

/** Reads `rules`, inactive ones too. */
export function compileRules(root: Fields, context: Context): CompiledRules {
  const entries = readRecords(root, "rules", LIMITS.rulesMax);
  reportDuplicates(entries, "id", idOf, "rule/duplicate-id", "give another");
  // ASSUMPTION(next-rank): a rule without a rank gets the largest rank before it, plus one
  let largest = 0;
  const rules: CompiledRule[] = [];
  const known: (KnownRule | null)[] = [];
  for (const fields of entries) {
    if (context.guard.isSpent) break;
    const same = recognise(context, entries.length, fields, largest + 1);
    const read =
      same === null ? readRule(fields, largest + 1, context) : { rule: same.rule, known: same };
    known.push(read?.known ?? null);
    if (read === null) continue;
    largest = Math.max(largest, read.rule.rank);
    rules.push(read.rule);
  }
  // ASSUMPTION(rank-ties): rules of equal rank are tried by created_at, then id; without a created_at, last
  rules.sort((a, b) => a.rank - b.rank || byAge(a, b));
  return { rules, known };
}
