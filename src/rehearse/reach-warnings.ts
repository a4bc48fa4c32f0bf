/** Warnings about rules that no message can reach, and ranks that do not say what comes first. */
import { canonicalAlias } from "../routing/alias-matcher.ts";
import type { CompiledRule } from "../routing/compile-rules.ts";
import type { Scope } from "../routing/resolution.ts";
import { isAlwaysTrue } from "./cel-warnings.ts";
import { type Finding, takesEverything } from "./pattern-warnings.ts";
import type { RuleEntry } from "./rehearsed-domain.ts";

/** A finding about one rule, and the field it speaks of. */
export interface RuleFinding extends Finding {
  readonly rule: RuleEntry;
  readonly field: readonly string[];
}

/** An active rule as written and as compiled. */
interface Tried {
  readonly entry: RuleEntry;
  readonly compiled: CompiledRule;
}

function scopesOf({ config }: RuleEntry): readonly Scope[] {
  return config.scopes as readonly Scope[];
}

function takesEveryMessage({ values, config }: RuleEntry): boolean {
  switch (values.type) {
    case "alias":
      return /^\*+$/.test(String(config.alias));
    case "cel":
      return isAlwaysTrue(String(config.expression));
    default: {
      const searched = (config.scopes as readonly Scope[]).some((scope) => scope !== "body");
      return takesEverything(String(config.regex), searched ? "lines" : "texts");
    }
  }
}

/** Whether whatever `later` matches, `earlier` matches too. */
function covers(earlier: RuleEntry, later: RuleEntry): boolean {
  if (earlier.values.type !== later.values.type) return false;
  const [one, other] = [earlier.config, later.config];
  switch (later.values.type) {
    case "alias": {
      const [wide, narrow] = [
        canonicalAlias(String(one.alias)),
        canonicalAlias(String(other.alias)),
      ];
      if (wide === narrow) return true;
      // `sales*` takes `sales-eu`, `sales-eu+x` and `sales-*`; what is a pattern is not compared.
      const prefix = /^([^^$()[\]{}|?\\*]+)\*$/.exec(wide)?.[1];
      const isPattern = /[\^$()[\]{}|?\\]/.test(narrow);
      return prefix !== undefined && !isPattern && narrow.startsWith(prefix);
    }
    case "regex": {
      const searched = new Set(scopesOf(earlier));
      return one.regex === other.regex && scopesOf(later).every((scope) => searched.has(scope));
    }
    default:
      return String(one.expression).trim() === String(other.expression).trim();
  }
}

/** Whether `earlier` takes all that it matches: filled captures can make no destination, and then it fails. */
function isSure(earlier: Tried, later: Tried): boolean {
  if (!earlier.compiled.forward.usesCaptures) return true;
  const isSame = earlier.entry.config.forward === later.entry.config.forward;
  return isSame && covers(later.entry, earlier.entry);
}

const FIELDS: Readonly<Record<string, string>> = {
  alias: "alias",
  regex: "regex",
  cel: "expression",
};

function conditionField({ values }: RuleEntry): readonly string[] {
  return ["config", FIELDS[String(values.type)]!];
}

function named({ compiled }: Tried): string {
  return `rule \`${compiled.id}\` (rank ${compiled.rank})`;
}

function rankTies(tried: readonly Tried[]): RuleFinding[] {
  return tried.slice(1).flatMap((rule, index) => {
    const before = tried[index]!;
    if (before.compiled.rank !== rule.compiled.rank) return [];
    const message = `rank ${rule.compiled.rank} is that of rule \`${before.compiled.id}\` too, so that creation time decides which is tried first: give it a rank of its own`;
    return [{ code: "rule/rank-tie", message, rule: rule.entry, field: ["rank"] }];
  });
}

function shadowed(tried: readonly Tried[]): RuleFinding[] {
  const byType = new Map<unknown, Tried[]>();
  return tried.flatMap((later): RuleFinding[] => {
    const { type } = later.entry.values;
    const earlier = byType.get(type) ?? [];
    const cover = earlier.find((each) => covers(each.entry, later.entry) && isSure(each, later));
    byType.set(type, [...earlier, later]);
    if (cover === undefined) return [];
    const isSame = covers(later.entry, cover.entry);
    const why = isSame ? "has the same condition and is tried first" : "takes all that it matches";
    const mend = isSame ? "remove one" : "rank this one before it";
    const message = `is never reached: ${named(cover)} ${why}: ${mend}`;
    return [
      { code: "rule/unreachable", message, rule: later.entry, field: conditionField(later.entry) },
    ];
  });
}

/** Of the rules behind one that takes every message only that one tells. */
export function reachFindings(
  entries: readonly RuleEntry[],
  rules: readonly CompiledRule[],
): readonly RuleFinding[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const tried = rules
    .filter(({ active }) => active)
    .map((compiled): Tried => ({ compiled, entry: byId.get(compiled.id)! }));
  const end = tried.findIndex(
    ({ entry, compiled }) => !compiled.forward.usesCaptures && takesEveryMessage(entry),
  );
  const reached = end < 0 ? tried : tried.slice(0, end + 1);
  const findings = [...rankTies(tried), ...shadowed(reached)];
  const behind = end < 0 ? [] : tried.slice(end + 1);
  if (behind.length === 0) return findings;
  const last = tried[end]!;
  const rest =
    behind.length === 1
      ? named(behind[0]!)
      : `the ${behind.length} rules from ${named(behind[0]!)} on`;
  const message = `takes every message, so that ${rest} can never be reached: rank it last`;
  const field = conditionField(last.entry);
  return [...findings, { code: "rule/unreachable", message, rule: last.entry, field }];
}
