/** Which differences of two domains make a message go another way: the fewest that do, tried by resolving. */
import type { Facts } from "../mail/facts.ts";
import { resolve } from "../routing/resolve.ts";
import { applyDeltas, type Delta, deltasBetween } from "./config-delta.ts";
import { deciderKey, deciderOf, type Outcome, outcomeOf, sameOutcome } from "./outcome.ts";
import type { RehearsedDomain } from "./rehearsed-domain.ts";

/** Differences among which causes are sought; between domains that differ in more, none is named. */
const DELTAS_MAX = 200;
/** Domains with some of the differences that are kept compiled. */
const KEPT_MAX = 256;

export interface CauseFinder {
  readonly deltas: readonly Delta[];
  /** The differences without any one of which the message would not go from `before` to `after`; empty if unknown. */
  causeOf(facts: Facts, after: Outcome): readonly Delta[];
}

/** Whether the same entry sends the message to the same places. */
function isSame(a: Outcome, b: Outcome): boolean {
  return sameOutcome(a, b) && deciderKey(deciderOf(a)) === deciderKey(deciderOf(b));
}

export function causeFinder(before: RehearsedDomain, after: RehearsedDomain): CauseFinder {
  const deltas = deltasBetween(before, after);
  const kept = new Map<string, RehearsedDomain | null>();
  const domainWith = (some: readonly Delta[]): RehearsedDomain | null => {
    const key = some.map((delta) => deltas.indexOf(delta)).join(" ");
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= KEPT_MAX) kept.clear();
    const made = applyDeltas(before, some);
    kept.set(key, made);
    return made;
  };
  const leadsTo = (some: readonly Delta[], facts: Facts, wanted: Outcome): boolean => {
    const rehearsed = domainWith(some);
    const resolution = rehearsed === null ? null : resolve(rehearsed.domain, facts);
    return resolution?.verdict === "decided" && isSame(outcomeOf(resolution), wanted);
  };
  return {
    deltas,
    causeOf(facts, wanted) {
      if (deltas.length > DELTAS_MAX) return [];
      const single = deltas.find((delta) => leadsTo([delta], facts, wanted));
      if (single !== undefined) return [single];
      if (!leadsTo(deltas, facts, wanted)) return [];
      return deltas.reduce<readonly Delta[]>((needed, delta) => {
        const fewer = needed.filter((other) => other !== delta);
        return leadsTo(fewer, facts, wanted) ? fewer : needed;
      }, deltas);
    },
  };
}
