/** Finds the differences of two versions that make a message go another way: few, sufficient alone, and all needed. */
import type { Facts } from "../../engine/facts/facts.ts";
import { resolve } from "../../engine/routing/resolve.ts";
import { deciderKey, deciderOf, type Outcome, outcomeOf, sameOutcome } from "../outcome.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import { type Delta, Versions } from "./config-delta.ts";

/** With more differences than this, no cause is sought. */
const DELTAS_MAX = 200;
/** Compiled versions with some of the differences to keep. */
const KEPT_MAX = 256;

export interface CauseFinder {
  readonly deltas: readonly Delta[];
  /**
   * Differences that alone make the message go from `before` to `after`, and without which all others leave it at
   * `before`; empty if there are too many differences.
   */
  causeOf(facts: Facts, before: Outcome, after: Outcome): readonly Delta[];
}

/** Whether the same entry sends the message to the same places. */
function isSame(a: Outcome, b: Outcome): boolean {
  return sameOutcome(a, b) && deciderKey(deciderOf(a)) === deciderKey(deciderOf(b));
}

export function causeFinder(before: RehearsedDomain, after: RehearsedDomain): CauseFinder {
  const versions = new Versions(before, after);
  const { deltas } = versions;
  const kept = new Map<string, RehearsedDomain | null>();
  const versionWith = (some: readonly Delta[]): RehearsedDomain | null => {
    const key = some.map((delta) => deltas.indexOf(delta)).join(" ");
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= KEPT_MAX) kept.clear();
    const made = versions.with(some);
    kept.set(key, made);
    return made;
  };
  const leadsTo = (some: readonly Delta[], facts: Facts, wanted: Outcome): boolean => {
    const rehearsed = versionWith(some);
    const resolution = rehearsed === null ? null : resolve(rehearsed.domain, facts);
    return resolution?.verdict === "decided" && isSame(outcomeOf(resolution), wanted);
  };
  return {
    deltas,
    causeOf(facts, from, to) {
      if (deltas.length > DELTAS_MAX) return [];
      const holds = (some: readonly Delta[]): boolean =>
        leadsTo(some, facts, to) &&
        leadsTo(
          deltas.filter((delta) => !some.includes(delta)),
          facts,
          from,
        );
      const single = deltas.find((delta) => holds([delta]));
      if (single !== undefined) return [single];
      // True of all differences together.
      if (!holds(deltas)) return [];
      return deltas.reduce<readonly Delta[]>((needed, delta) => {
        const fewer = needed.filter((other) => other !== delta);
        return holds(fewer) ? fewer : needed;
      }, deltas);
    },
  };
}
