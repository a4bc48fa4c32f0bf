/** Finds the smallest changes to a rule that make it take a message; each is checked by resolving. */
import type { Facts } from "../../engine/facts/facts.ts";
import type { Decision } from "../../engine/routing/resolution.ts";
import { resolve } from "../../engine/routing/resolve.ts";
import type { CompiledRule } from "../../engine/routing/rules/compiled-rule.ts";
import { type RehearsedDomain, ruleEntries, withRules } from "../rehearsed-domain.ts";
import type { RuleChange } from "../rules/rule-tools.ts";
import type { RuleProposal } from "../rules/this-message.ts";
import { toolsOf, toolsOfType } from "../rules/tools-table.ts";
import { explainAlone, reaches, type Target } from "./candidate.ts";

/** A change of the rules that sends the message where it should go. */
export type RuleEdit = {
  /** The decision of the changed domain for the message. */
  readonly decision: Decision;
} & (
  | { readonly kind: "change"; readonly rule: string; readonly changes: readonly RuleChange[] }
  /** A new rule, put before the rule with this id. */
  | { readonly kind: "add"; readonly before: string; readonly added: NewRule }
);

/** A rule that is not in the domain yet, as it would be written in the configuration. */
export interface NewRule extends RuleProposal {
  readonly rank: number;
}

/** Fields of the rule itself; all others are in its `config`. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["active", "rank"]);

/** A rank before `taker`, a whole number if there is room. */
function rankBefore(taker: CompiledRule, rules: readonly CompiledRule[]): number {
  const before = rules.filter(({ rank }) => rank < taker.rank).at(-1);
  if (before === undefined || taker.rank - before.rank > 1) return taker.rank - 1;
  return (taker.rank + before.rank) / 2;
}

/** The domain with a rule changed, or `null` if that does not compile. */
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

/**
 * The edit that begins with these changes, moved before the entry that takes the message if needed; `null` if that is
 * not enough.
 */
function complete(
  rehearsed: RehearsedDomain,
  rule: CompiledRule,
  start: readonly RuleChange[],
  facts: Facts,
  target: Target,
): Extract<RuleEdit, { readonly kind: "change" }> | null {
  for (let changes = start; ; ) {
    const domain = changeRule(rehearsed, rule.id, changes)?.domain;
    const decision = domain === undefined ? undefined : resolve(domain, facts);
    if (domain === undefined || decision?.verdict !== "decided") return null;
    if (reaches(decision, target)) return { kind: "change", rule: rule.id, changes, decision };
    const taker = domain.rules.find(({ id }) => id === decision.decidedBy?.id);
    const isMoved = changes.some(({ field }) => field === "rank");
    if (isMoved || taker === undefined || taker.id === rule.id) return null;
    const to = rankBefore(taker, domain.rules);
    changes = [...changes, { field: "rank", from: rule.rank, to }];
  }
}

/** The domain with one more rule, or `null` if that does not compile. */
export function addRule(rehearsed: RehearsedDomain, added: NewRule): RehearsedDomain | null {
  return withRules(rehearsed, [
    ...ruleEntries(rehearsed).map(({ values }) => values),
    { ...added },
  ]);
}

/**
 * A rule for mail like this, before the entry that takes it now; `null` if it does not bring the message to the
 * target.
 */
function newRule(
  rehearsed: RehearsedDomain,
  rule: CompiledRule,
  facts: Facts,
  target: Target,
): RuleEdit | null {
  if (target.kind !== "destination") return null;
  const { domain } = rehearsed;
  const entry = ruleEntries(rehearsed).find(({ id }) => id === rule.id)!;
  const draft = toolsOfType(entry.values.type).another(facts);
  const now = resolve(domain, facts);
  if (draft === null || now.verdict !== "decided") return null;
  const before = domain.rules.find(({ id }) => id === now.decidedBy?.id) ?? rule;
  const forward = rule.forward.usesCaptures ? target.destination : entry.config.forward;
  const rank = rankBefore(before, domain.rules);
  const added = { type: draft.type, rank, config: { ...draft.config, forward } };
  const changed = addRule(rehearsed, added)?.domain;
  const decision = changed === undefined ? undefined : resolve(changed, facts);
  if (decision?.verdict !== "decided" || !reaches(decision, target)) return null;
  return { kind: "add", before: before.id, added, decision };
}

/** Edits of the rule, those of fewest fields first, then a new rule for the message; at most `editsMax`. */
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
  const tools = toolsOf(alone);
  // An alternative captures nothing, so it cannot fill the forward.
  const alternatives = rule.forward.usesCaptures ? [] : tools.addAlternative(alone, facts);
  const starts =
    alone.verdict === "matched"
      ? [[]]
      : [...tools.widen(alone, facts), ...alternatives].map((change) => [change]);
  const edits = starts.flatMap(
    (start) => complete(rehearsed, rule, [...active, ...start], facts, target) ?? [],
  );
  edits.sort((a, b) => a.changes.length - b.changes.length);
  const added = edits.length < editsMax ? newRule(rehearsed, rule, facts, target) : null;
  return added === null ? edits.slice(0, editsMax) : [...edits, added];
}
