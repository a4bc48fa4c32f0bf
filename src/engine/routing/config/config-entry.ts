/** What aliases and rules of a configuration share: an id, an age, a forward, and no duplicates. */
import { formatPath, type Path, type Problem } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import { quote } from "../../../base/quote.ts";
import type { Program } from "../../cel/compile-program.ts";
import type { PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import { compileForward, type Forward } from "../forward.ts";
import type { Searchers } from "../plan/fact-index.ts";
import type { RoutingPlan } from "../plan/plan.ts";
import type { CompiledRule, PricedMatcher } from "../rules/compiled-rule.ts";
import type { KnownRule } from "../rules/known-rule.ts";
import type { RuleTypes } from "../rules/rule-types.ts";
import { type Fields, ownField, readOptional, readText, reportAt } from "./config-fields.ts";
import type { BoundedCache } from "./pieces.ts";

/** What compiling an entry needs to know about its domain. */
export interface Context {
  readonly engine: PatternEngine | null;
  readonly ruleTypes: RuleTypes;
  readonly ownDomain: string;
  /** The budget of the domain. */
  readonly guard: Guard;
  /** Pieces compiled before; `null` if nothing is kept. */
  readonly pieces: Pieces | null;
  readonly version: DomainVersion | null;
}

/** What is known of a domain when it is compiled again. */
export interface DomainVersion {
  /** By entry of `rules`, as they were when nothing was wrong with the domain. */
  rules: readonly (KnownRule | null)[];
  /** The rules of its plans: of the one made last, and of the one before, as a host may use two versions in turn. */
  planned: readonly (readonly CompiledRule[])[];
}

/** What a compiler keeps. */
export interface Pieces extends Searchers {
  readonly matchers: BoundedCache<PricedMatcher>;
  readonly forwards: BoundedCache<Forward>;
  readonly programs: BoundedCache<Program>;
  /** By the rules of a domain. */
  readonly plans: BoundedCache<RoutingPlan, readonly CompiledRule[]>;
  /** By the name of a domain. */
  readonly versions: BoundedCache<DomainVersion>;
}

/** The `forward` of an entry, read with the captures its matcher provides. */
export function readForward(
  config: Fields,
  groupCount: number,
  { ownDomain, pieces }: Context,
): Forward | null {
  const source = readText(config, "forward", LIMITS.forwardUnitsMax);
  if (source === null) return null;
  const compile = (): Forward | null =>
    compileForward(source, groupCount, ownDomain, (problem) => {
      reportAt(config, "forward", problem);
    });
  if (pieces === null) return compile();
  return pieces.forwards.get(`${groupCount} ${ownDomain} ${source}`, compile);
}

/** The author's id, or one made from the place in the configuration: `rules[3]`. */
export function readId(fields: Fields): string {
  return readOptional(fields, "id", "string") ?? formatPath(fields.path);
}

/** The id that an entry will have; `undefined` if it is no text. */
export function idOf(fields: Fields): string | undefined {
  const id = ownField(fields, "id");
  if (id === undefined) return formatPath(fields.path);
  return typeof id === "string" ? id : undefined;
}

/** Reports the field `name` of every entry whose key an earlier entry has. */
export function reportDuplicates(
  entries: readonly Fields[],
  name: "id" | "alias",
  keyOf: (fields: Fields) => string | undefined,
  code: Problem["code"],
  advice: string,
): void {
  const first = new Map<string, Path>();
  for (const fields of entries) {
    const key = keyOf(fields);
    if (key === undefined) continue;
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, fields.path);
      continue;
    }
    const place = quote(formatPath(earlier));
    const message = `${quote(key)} is already the ${name} of ${place}: ${advice}`;
    reportAt(fields, name, { code, message });
  }
}

/** Creation time, then id, then place (sorting is stable). */
export function byAge(
  a: { readonly createdMs: number; readonly id: string },
  b: { readonly createdMs: number; readonly id: string },
): number {
  // Of two without a creation time the difference is `NaN`.
  return a.createdMs - b.createdMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
