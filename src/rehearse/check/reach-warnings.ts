/** Proved warnings about entries that no message can reach, and warnings about ranks that do not decide the order. */
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { type Owner, ownerKey } from "../proof/ladder.ts";
import type { Proof } from "../proof/prove.ts";
import type { Finding } from "./pattern-warnings.ts";

type Proved = Extract<Proof, { readonly verdict: "proved" }>;

function named(owner: Owner, { rules, aliases }: CompiledDomain): string {
  if (owner.kind === "end") return "the fallback";
  if (owner.kind === "rule") {
    const rule = rules.find(({ id }) => id === owner.id);
    return `rule \`${owner.id}\` (rank ${rule?.rank})`;
  }
  const alias = aliases.find(({ id }) => id === owner.id);
  return `alias \`${alias?.matcher.alias}\``;
}

/** `a`, `a and b`, `a, b and c`. */
function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

function reachMessage({ question, coveredBy, cover }: Proved, domain: CompiledDomain): string {
  const { kind } = question.of;
  const by = listed(coveredBy.map((owner) => named(owner, domain)));
  const takes = coveredBy.length === 1 ? "takes" : "together take";
  if (kind === "end") return `is never used: ${by} ${takes} every message`;
  if (kind === "alias") {
    if (coveredBy.length === 0) return "matches no address: correct or remove it";
    return cover === "all"
      ? `is never reached: ${by} is tried first and takes every address: remove one of them`
      : `is never reached: ${by} ${takes} every message that it matches: remove it`;
  }
  if (coveredBy.length === 0) {
    return "matches no message, because its conditions contradict each other: correct or remove it";
  }
  if (cover === "same") {
    return `is never reached: ${by} has the same condition and is tried first: remove one`;
  }
  return `is never reached: ${by} ${takes} every message that it matches: rank this one before ${coveredBy.length === 1 ? "it" : "them"}`;
}

function rankTies({ rules }: CompiledDomain): Map<string, Finding> {
  const active = rules.filter((rule) => rule.active);
  const ties = new Map<string, Finding>();
  for (const [index, rule] of active.slice(1).entries()) {
    const before = active[index]!;
    if (before.rank !== rule.rank) continue;
    const message = `rank ${rule.rank} is also the rank of rule \`${before.id}\`, so creation time decides which is tried first: give it another rank`;
    ties.set(ownerKey({ kind: "rule", id: rule.id }), { code: "rule/rank-tie", message });
  }
  return ties;
}

/** Findings on aliases, rules and the fallback, by `ownerKey`. */
export interface ReachFindings {
  /** On the entry's condition. */
  readonly reach: ReadonlyMap<string, Finding>;
  readonly ranks: ReadonlyMap<string, Finding>;
}

const CODES = {
  end: "fallback/unreachable",
  alias: "alias/unreachable",
  rule: "rule/unreachable",
} as const;

/** If a rule takes every message, only that rule has a finding, and the rules after it have none. */
export function reachFindings(domain: CompiledDomain, proofs: readonly Proof[]): ReachFindings {
  const reach = new Map<string, Finding>();
  const behind = new Map<string, { readonly taker: Owner; readonly rules: Owner[] }>();
  for (const proof of proofs) {
    if (proof.verdict !== "proved") continue;
    const { of } = proof.question;
    const [taker] = proof.coveredBy;
    if (of.kind === "rule" && proof.cover === "all" && taker !== undefined) {
      const known = behind.get(ownerKey(taker));
      if (known === undefined) behind.set(ownerKey(taker), { taker, rules: [of] });
      else known.rules.push(of);
      continue;
    }
    const isEmpty = of.kind === "rule" && proof.coveredBy.length === 0;
    const code = isEmpty ? "rule/contradiction" : CODES[of.kind];
    reach.set(ownerKey(of), { code, message: reachMessage(proof, domain) });
  }
  for (const [key, { rules }] of behind) {
    const first = named(rules[0]!, domain);
    const rest = rules.length === 1 ? first : `the ${rules.length} rules from ${first} on`;
    const message = `takes every message, so ${rest} can never be reached: rank it last`;
    reach.set(key, { code: "rule/unreachable", message });
  }
  return { reach, ranks: rankTies(domain) };
}
