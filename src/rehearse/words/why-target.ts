/** Reads where a message should have gone, and explains when nothing sends mail there. */
import { nearestName } from "../../base/nearest-name.ts";
import { parseAddrSpec } from "../../engine/facts/address.ts";
import { destinationText } from "../outcome.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import type { Target } from "../why/candidate.ts";
import type { WhyNot } from "../why/why.ts";
import { type Line, styled } from "./line.ts";

/** The target: the id of a rule, an alias or its id, or a destination. For anything else, a text that says what is wrong. */
export function readTarget(written: string, { domain }: RehearsedDomain): Target | string {
  const rule = domain.rules.find(({ id }) => id === written);
  if (rule !== undefined) return { kind: "rule", id: rule.id };
  const alias = domain.aliases.find(
    ({ id, matcher }) => id === written || matcher.alias === written,
  );
  if (alias !== undefined) return { kind: "alias", id: alias.id };
  if (parseAddrSpec(written) !== null || /^https?:\/\//i.test(written)) {
    return { kind: "destination", destination: written };
  }
  const meant = nearestName(
    written,
    domain.rules.map(({ id }) => id),
  );
  const hint =
    meant === undefined ? "name a rule by its id, or a destination" : `did you mean \`${meant}\`?`;
  return `\`${written}\` is neither a rule nor a destination: ${hint}`;
}

/** All destinations of the rules, the aliases and the fallback, each once; captures are written `$1`. */
export function destinationsOf({ domain }: RehearsedDomain): readonly string[] {
  const forwards = [...domain.rules, ...domain.aliases].map(({ forward }) => forward);
  const texts = [...forwards, domain.fallback]
    .flatMap((forward) => forward?.templates ?? [])
    .map(destinationText);
  return [...new Set(texts)];
}

export function noSuchTarget({ target }: WhyNot, rehearsed: RehearsedDomain): string {
  const wanted = target.kind === "destination" ? target.destination : target.id;
  const meant = nearestName(wanted, destinationsOf(rehearsed));
  const hint = meant === undefined ? "" : `: did you mean \`${meant}\`?`;
  return `no rule or alias of the domain sends mail to \`${wanted}\`${hint}`;
}

export function titleOf({ target, verdict }: Pick<WhyNot, "target" | "verdict">): Line {
  const wanted = target.kind === "destination" ? target.destination : `${target.kind} ${target.id}`;
  return verdict === "reached"
    ? [styled("green", "it did go there: "), wanted]
    : ["why not ", styled("bold", wanted), "?"];
}
