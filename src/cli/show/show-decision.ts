/** Shows a decision in three lines: what happened, which entry decided and why, and where the message goes. */

import { nearestName } from "../../base/nearest-name.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import type { TraceEntry } from "../../engine/routing/explain.ts";
import type { Action, Decision } from "../../engine/routing/resolution.ts";
import { destinationText } from "../../rehearse/outcome.ts";
import { number } from "../../rehearse/words/count.ts";
import { describeMatch } from "../../rehearse/words/describe-entry.ts";
import { type Line, styled, type TerminalStyle } from "../../rehearse/words/line.ts";

export const ACTION_WORDS: Readonly<
  Record<Action, { readonly word: string; readonly style: TerminalStyle }>
> = {
  forward: { word: "forwarded", style: "green" },
  discard: { word: "discarded", style: "yellow" },
  reject: { word: "rejected", style: "red" },
};

function noAlias(domain: CompiledDomain, recipient: string): Line {
  const localPart = recipient.slice(0, recipient.lastIndexOf("@"));
  const meant = nearestName(localPart, domain.aliasPlan.literals.keys());
  const hint = meant === undefined ? "" : `; the nearest is \`${meant}\``;
  const many = domain.aliases.length;
  const said =
    many === 1 ? "the only alias does not take" : `none of the ${number(many)} aliases takes`;
  return [`${said} \`${localPart}\`${hint}`];
}

function noRule(domain: CompiledDomain, trace: readonly TraceEntry[]): string {
  const active = domain.rules.filter((rule) => rule.active).length;
  const failed = trace.filter((entry) => entry.verdict === "failed").length;
  if (active === 1) return `the only active rule ${failed === 0 ? "did not match" : "failed"}`;
  const said = `none of the ${number(active)} active rules matched`;
  return failed === 0 ? said : `${said}, ${number(failed)} of them failed`;
}

/** Which entry decided, and why. */
function because(
  { action, reason, decidedBy }: Decision,
  domain: CompiledDomain,
  recipient: string,
  trace: readonly TraceEntry[],
): Line {
  switch (reason) {
    case "alias":
    case "rule": {
      const matched = trace.find((entry) => entry.verdict === "matched");
      const why = matched === undefined ? [] : describeMatch(matched);
      if (decidedBy?.kind === "alias")
        return ["by alias ", styled("bold", decidedBy.alias), ": ", ...why];
      if (decidedBy === null) return why;
      return ["by rule ", styled("bold", decidedBy.id), ` (rank ${decidedBy.rank}): `, ...why];
    }
    case "fallback":
      return [`by the fallback address: ${noRule(domain, trace)}`];
    case "over-budget":
      return [
        action === "forward"
          ? "by the fallback address: the message needs more work than its budget allows"
          : "the message needs more work than its budget allows, and there is no fallback address",
      ];
    case "routing-disabled":
      return ["routing is disabled: `routing_engine` is null"];
    case "no-match":
      if (domain.engine === "alias") return noAlias(domain, recipient);
      return [`${noRule(domain, trace)}, and there is no fallback address`];
  }
}

function whither({ action, destinations, reply }: Decision): string {
  if (action === "forward") return `to ${destinations.map(destinationText).join(", ")}`;
  if (action === "discard" || reply === undefined) return "accepted, then dropped: nobody gets it";
  return `the sender gets ${reply.code} ${reply.enhanced} ${reply.text}`;
}

/** Three lines. */
export function showDecision(
  message: string,
  recipient: string,
  decision: Decision,
  domain: CompiledDomain,
  trace: readonly TraceEntry[],
): Line[] {
  const { word, style } = ACTION_WORDS[decision.action];
  return [
    [styled("bold", message), " for ", recipient, ": ", styled(style, word)],
    ["  ", ...because(decision, domain, recipient, trace)],
    ["  ", whither(decision)],
  ];
}
