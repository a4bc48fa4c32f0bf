/** Compiles a domain's rules and sorts them by rank. */
import { LIMITS } from "../base/limits.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import { byAge, type Context, eachDuplicate, readForward, readId } from "./config-entry.ts";
import {
  type Fields,
  ownField,
  readOptional,
  readRecord,
  readRecords,
  readTimestamp,
  reportAt,
} from "./config-fields.ts";
import type { RuleMatcher } from "./rule-matcher.ts";
import { RULE_TYPES } from "./rule-types.ts";
import { findAlike, type RulesById, type SeenRule, seenRule } from "./seen-rules.ts";

export type { CompiledRule };

function readMatcher(fields: Fields, config: Fields | null, context: Context): RuleMatcher | null {
  const type = ownField(fields, "type");
  const compile = RULE_TYPES.get(type);
  if (compile !== undefined) return config === null ? null : compile(config, context);
  const choice = [...RULE_TYPES.keys()].map((name) => `\`${name}\``).join(", ");
  if (type === undefined) {
    return reportAt(fields, "type", {
      code: "config/missing-field",
      message: `\`type\` is missing: give one of ${choice}`,
    });
  }
  const shown = typeof type === "string" ? `\`${type}\`` : "this";
  return reportAt(fields, "type", {
    code: "rule/unknown-type",
    message: `${shown} is not a rule type: use one of ${choice}`,
  });
}

function readRank(fields: Fields, next: number): number {
  const rank = ownField(fields, "rank");
  if (rank === undefined) return next;
  if (typeof rank === "number" && Number.isFinite(rank)) return rank;
  const message = "`rank` is not a finite number: give one, decimals allowed, lower is tried first";
  reportAt(fields, "rank", { code: "rule/rank-not-finite", message });
  return next;
}

function readRule(fields: Fields, nextRank: number, context: Context): CompiledRule | null {
  const id = readId(fields);
  const createdMs = readTimestamp(fields, "created_at");
  const rank = readRank(fields, nextRank);
  const active = readOptional(fields, "active", "boolean") ?? true;
  const config = readRecord(fields, "config");
  const matcher = readMatcher(fields, config, context);
  const groupCount = matcher === null ? Number.POSITIVE_INFINITY : matcher.groupCount;
  const forward = config === null ? null : readForward(config, groupCount, context);
  if (matcher === null || forward === null) return null;
  return Object.freeze({ id, rank, active, createdMs, matcher, forward });
}

/** Reads a rule, or finds it as it was read `before`, and notes it in `now`. */
function readOrFind(
  fields: Fields,
  nextRank: number,
  context: Context,
  before: RulesById,
  now: Map<unknown, SeenRule>,
): CompiledRule | null {
  const { values } = fields;
  const found = findAlike(before, values);
  if (found !== undefined) {
    now.set(values.id, found);
    return found.rule;
  }
  const reported = context.problems();
  const rule = readRule(fields, nextRank, context);
  if (rule === null || context.problems() > reported) return rule;
  const seen = seenRule(values, rule);
  if (seen !== null) now.set(values.id, seen);
  return rule;
}

/** Reads `rules`, inactive ones too; those with diagnostics are left out. */
export function compileRules(root: Fields, context: Context): readonly CompiledRule[] {
  const entries = readRecords(root, "rules", LIMITS.rulesMax);
  const idOf = (fields: Fields): string | undefined => {
    const id = ownField(fields, "id");
    return typeof id === "string" ? id : undefined;
  };
  eachDuplicate(entries, idOf, (fields, first) => {
    const message = `\`${idOf(fields)}\` is already the id of \`rules[${first}]\`: give another`;
    reportAt(fields, "id", { code: "rule/duplicate-id", message });
  });
  // ASSUMPTION(next-rank): a rule without a rank gets the largest rank before it, plus one
  let largest = 0;
  const { pieces, ownDomain } = context;
  const before = pieces?.rules.of(ownDomain);
  const now = new Map<unknown, SeenRule>();
  const rules: CompiledRule[] = [];
  for (const fields of entries) {
    const rule =
      before === undefined
        ? readRule(fields, largest + 1, context)
        : readOrFind(fields, largest + 1, context, before, now);
    if (rule === null) continue;
    largest = Math.max(largest, rule.rank);
    rules.push(rule);
  }
  pieces?.rules.keep(ownDomain, now);
  // ASSUMPTION(rank-ties): rules of equal rank are tried by created_at, then id; without a created_at, last
  return rules.sort((a, b) => a.rank - b.rank || byAge(a, b));
}
