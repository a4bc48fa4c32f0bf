/** Describes the differences between two configurations of a domain, each in its own words. */

import type { Change } from "../../../rehearse/diff/compare.ts";
import type { Delta } from "../../../rehearse/diff/config-delta.ts";
import { mistypedWord, type WordChange } from "../../../rehearse/diff/mistyped-word.ts";
import type { Decider } from "../../../rehearse/outcome.ts";
import type { RuleProposal } from "../../../rehearse/rules/this-message.ts";
import { toolsOfType } from "../../../rehearse/rules/tools-table.ts";
import { cutSource } from "../../../rehearse/words/excerpt.ts";

function shown(text: unknown): string {
  return cutSource(String(text));
}

function ofDomain({ field, from, to }: Delta): string {
  if (field === "routing_engine")
    return `the domain routes by ${to ?? "nothing"} instead of ${from ?? "nothing"}`;
  if (to === null) return `there is no fallback address any more (it was ${from})`;
  return from === null
    ? `the fallback address is new: ${to}`
    : `the fallback address is ${to} instead of ${from}`;
}

function scopes(list: unknown): string {
  return (list as readonly string[]).join(", ");
}

function rankOf(values: unknown): string {
  const { rank } = (values ?? {}) as { rank?: number };
  return rank === undefined ? "" : ` (rank ${rank})`;
}

function conditionOf(rule: unknown): string {
  const proposal = rule as RuleProposal;
  return toolsOfType(proposal.type).describe(proposal);
}

/** The mistyped word in the old or new expression of a rule. */
function typoOf({ field, from, to }: Delta): WordChange | null {
  return field === "expression" ? mistypedWord(String(from), String(to)) : null;
}

/** One line. */
export function describeDelta(delta: Delta): string {
  const { of, field, from, to } = delta;
  if (of === "domain") return ofDomain(delta);
  const name = `${of} ${delta.name}`;
  switch (field) {
    case "added":
      return `${name} is new${rankOf(to)}`;
    case "removed":
      return `${name} is gone${rankOf(from)}`;
    case "replaced":
      return `${name} was ${conditionOf(from)} and is ${conditionOf(to)}`;
    case "rank":
      return `${name} moved from rank ${from} to rank ${to}`;
    case "active":
      return `${name} was switched ${to === true ? "on" : "off"}`;
    case "regex":
      return `the pattern of ${name} was /${shown(from)}/ and is /${shown(to)}/`;
    case "scopes":
      return `${name} searches ${scopes(to)} instead of ${scopes(from)}`;
    case "expression": {
      const word = typoOf(delta);
      if (word !== null) {
        return `the expression of ${name} has \`${shown(word.to)}\` in place of \`${shown(word.from)}\``;
      }
      return `the expression of ${name} was \`${shown(from)}\` and is \`${shown(to)}\``;
    }
    case "forward":
      return `${name} forwards to ${shown(to)} instead of ${shown(from)}`;
    default:
      return `${field} of ${name} was \`${shown(from)}\` and is \`${shown(to)}\``;
  }
}

/** Whether no alias, rule or fallback address decided. */
export function isNobody({ kind }: Decider): boolean {
  return kind === "no-match" || kind === "routing-disabled" || kind === "over-budget";
}

/** Whose messages they are or were: `that rule invoices had`, `that nothing took`. */
export function describeOwner(decider: Decider, tense: "present" | "past"): string {
  if (isNobody(decider)) {
    return `that nothing ${tense === "present" ? "takes" : "took"}`;
  }
  return `that ${describeDecider(decider)} ${tense === "present" ? "has" : "had"}`;
}

/** The difference as the cause of a change. If a rule takes the message only now, says that a typo was fixed. */
export function describeCause(delta: Delta, { after }: Change): string {
  const { decidedBy } = after.outcome;
  const word = decidedBy?.kind === delta.of && decidedBy.id === delta.id ? typoOf(delta) : null;
  if (word === null) return describeDelta(delta);
  const { id } = delta;
  return `a typo in the expression of rule ${id} was corrected: \`${shown(word.from)}\` is now \`${shown(word.to)}\``;
}

/** `rule invoices`, `the fallback address`. */
export function describeDecider(decider: Decider): string {
  switch (decider.kind) {
    case "rule":
    case "alias":
      return `${decider.kind} ${decider.name}`;
    case "fallback":
      return "the fallback address";
    case "no-match":
      return "no match";
    case "over-budget":
      return "a spent budget";
    case "routing-disabled":
      return "routing disabled";
  }
}
