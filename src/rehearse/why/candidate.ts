/** The alias, rule or fallback that could send a message where it should go. */

import { fitsWildcard } from "../../base/wildcard.ts";
import { canonicalDestination, isWebhook } from "../../engine/facts/address.ts";
import type { Facts } from "../../engine/facts/facts.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import type { TraceEntry } from "../../engine/routing/explain.ts";
import { explain } from "../../engine/routing/explain.ts";
import type { Forward } from "../../engine/routing/forward.ts";
import type { Decision } from "../../engine/routing/resolution.ts";
import type { CompiledAlias, CompiledRule } from "../../engine/routing/rules/compiled-rule.ts";
import { destinationText } from "../outcome.ts";
import { onlyEntry, type RehearsedDomain } from "../rehearsed-domain.ts";

/** Where a message should have gone, or what should have sent it. */
export type Target =
  | { readonly kind: "rule" | "alias"; readonly id: string }
  | { readonly kind: "destination"; readonly destination: string };

/** An alias or rule that could have sent the message to the wanted destination. */
export type Candidate =
  | { readonly kind: "rule"; readonly entry: CompiledRule }
  | { readonly kind: "alias"; readonly entry: CompiledAlias }
  | { readonly kind: "fallback" };

const CAPTURE = /\$[1-9]/;

/** Whether a destination can come from a template; a capture can be any text, but does not change the kind. */
function fits(destination: string, template: string): boolean {
  if (isWebhook(destination) !== isWebhook(template)) return false;
  const pieces = canonicalDestination(template).split(CAPTURE);
  return fitsWildcard(canonicalDestination(destination), pieces);
}

/**
 * The text that each group must capture so that the candidate sends to the destination; empty if nothing must be
 * filled.
 */
export function wantedCaptures(candidate: Candidate, target: Target): ReadonlyMap<number, string> {
  const wanted = new Map<number, string>();
  if (candidate.kind === "fallback" || target.kind !== "destination") return wanted;
  const template = candidate.entry.forward.templates
    .map(destinationText)
    .find((text) => CAPTURE.test(text) && fits(target.destination, text));
  if (template === undefined) return wanted;
  const pieces = template.split(CAPTURE);
  const groups = [...template.matchAll(/\$([1-9])/g)].map(([, digit]) => Number(digit));
  const text = target.destination.toLowerCase();
  let from = pieces[0]!.length;
  for (const [index, group] of groups.entries()) {
    const next = pieces[index + 1]!.toLowerCase();
    const isLast = index === groups.length - 1;
    const to = isLast ? text.length - next.length : text.indexOf(next, from);
    const captured = target.destination.slice(from, to);
    wanted.set(group, isWebhook(template) ? decoded(captured) : captured);
    from = to + next.length;
  }
  return wanted;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sendsTo({ templates }: Forward, destination: string): boolean {
  return templates.some((template) => fits(destination, destinationText(template)));
}

/** All candidates that could bring a message to the target, in the order of trial. */
export function candidatesFor(domain: CompiledDomain, target: Target): readonly Candidate[] {
  const { aliases, rules, fallback, engine } = domain;
  const wanted = (
    { id, forward }: CompiledRule | CompiledAlias,
    kind: "rule" | "alias",
  ): boolean =>
    target.kind === "destination"
      ? sendsTo(forward, target.destination)
      : target.kind === kind && target.id === id;
  const byRule = rules
    .filter((rule) => wanted(rule, "rule"))
    .map((entry): Candidate => ({ kind: "rule", entry }));
  const byAlias = aliases
    .filter((alias) => wanted(alias, "alias"))
    .map((entry): Candidate => ({ kind: "alias", entry }));
  const isFallback =
    fallback !== null && target.kind === "destination" && sendsTo(fallback, target.destination);
  const ofRules: Candidate[] = isFallback ? [...byRule, { kind: "fallback" }] : byRule;
  const [used, unused] = engine === "alias" ? [byAlias, ofRules] : [ofRules, byAlias];
  // Entries that the domain does not route by are candidates only if there are no others.
  return used.length > 0 ? used : unused;
}

/** Whether a decision reaches the target. */
export function reaches(decision: Decision, target: Target): boolean {
  if (target.kind !== "destination") {
    return decision.decidedBy?.kind === target.kind && decision.decidedBy.id === target.id;
  }
  const wanted = canonicalDestination(target.destination);
  return decision.destinations.some(
    (destination) => canonicalDestination(destinationText(destination)) === wanted,
  );
}

/** The explanation for an alias or rule alone, without those before it. */
export function explainAlone(
  rehearsed: RehearsedDomain,
  { kind, entry }: Exclude<Candidate, { kind: "fallback" }>,
  facts: Facts,
): TraceEntry {
  return explain(onlyEntry(rehearsed, kind, entry.id), facts).trace[0]!;
}
