/** Finds the smallest changes to a rule that make it take a message; each is checked by resolving. */
import type { Facts } from "../../engine/facts/facts.ts";
import type { Decision } from "../../engine/routing/resolution.ts";
import { resolve } from "../../engine/routing/resolve.ts";
import type { CompiledRule } from "../../engine/routing/rules/compile-rules.ts";
import { type RehearsedDomain, ruleEntries, withRules } from "../rehearsed-domain.ts";
import type { RuleChange } from "../rules/rule-tools.ts";
import { toolsOf } from "../rules/tools-table.ts";
import { explainAlone, reaches, type Target } from "./candidate.ts";

/** Changes of a rule with which it takes the message. */
export interface RuleEdit {
  readonly rule: string;
  readonly changes: readonly RuleChange[];
  /** What the domain so changed decides on the message. */
  readonly decision: Decision;
}

/** Fields of the rule itself; the others stand in its `config`. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["active", "rank"]);

/** A rank before `taker`, whole where there is room. */
function rankBefore(taker: CompiledRule, rules: readonly CompiledRule[]): number {
  const before = rules.filter(({ rank }) => rank < taker.rank).at(-1);
  if (before === undefined || taker.rank - before.rank > 1) return taker.rank - 1;
  return (taker.rank + before.rank) / 2;
}

/** The domain with a rule changed, or `null` if it does not compile then. */
export function changeRule(
  rehearsed: RehearsedDomain,
  id: string,
  changes: readonly RuleChange[],
): RehearsedDomain | null {
  const rules = ruleEntries(rehearsed).map((entry) => {
    if (entry.id !== id) return entry.values;
    const own = changes.filter(({ field }) => OWN_FIELDS.has(field));
    const inner = changes.filter(({ field }) => !OWN_FIELDS.has(field));
    const fields = (some: readonly RuleChange[]): object =>
      Object.fromEntries(some.map(({ field, to }) => [field, to]));
    return { ...entry.values, ...fields(own), config: { ...entry.config, ...fields(inner) } };
  });
  return withRules(rehearsed, rules);
}

/** The edit with this start, moved before what takes the message if need be; `null` if that does not do either. */
function complete(
  rehearsed: RehearsedDomain,
  rule: CompiledRule,
  start: readonly RuleChange[],
  facts: Facts,
  target: Target,
): RuleEdit | null {
  for (let changes = start; ; ) {
    const domain = changeRule(rehearsed, rule.id, changes)?.domain;
    const decision = domain === undefined ? undefined : resolve(domain, facts);
    if (domain === undefined || decision?.verdict !== "decided") return null;
    if (reaches(decision, target)) return { rule: rule.id, changes, decision };
    const taker = domain.rules.find(({ id }) => id === decision.decidedBy?.id);
    const isMoved = changes.some(({ field }) => field === "rank");
    if (isMoved || taker === undefined || taker.id === rule.id) return null;
    const to = rankBefore(taker, domain.rules);
    changes = [...changes, { field: "rank", from: rule.rank, to }];
  }
}

/** Edits of the rule, those of fewest fields first, at most `editsMax`. */
export function editRule(
  rehearsed: RehearsedDomain,
  facts: Facts,
  rule: CompiledRule,
  target: Target,
  editsMax: number,
): readonly RuleEdit[] {
  const { domain } = rehearsed;
  if (domain.engine !== "rules") return [];
  const alone = explainAlone(rehearsed, { kind: "rule", entry: rule }, facts);
  const active: RuleChange[] = rule.active ? [] : [{ field: "active", from: false, to: true }];
  const starts =
    alone.verdict === "matched"
      ? [[]]
      : toolsOf(alone)
          .widen(alone, facts)
          .map((change) => [change]);
  const edits = starts.flatMap(
    (start) => complete(rehearsed, rule, [...active, ...start], facts, target) ?? [],
  );
  return edits.sort((a, b) => a.changes.length - b.changes.length).slice(0, editsMax);
}
