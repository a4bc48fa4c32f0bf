/** What aliases and rules of a configuration share: an id, an age, a price, a forward, and no duplicates. */
import { formatPath, type Path, type Problem } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import { quote } from "../../../base/quote.ts";
import type { Program } from "../../cel/compile-program.ts";
import type { PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import { compileForward, type Forward } from "../forward.ts";
import type { Searchers } from "../plan/fact-index.ts";
import type { Gate } from "../plan/gate.ts";
import type { RoutingPlan } from "../plan/plan.ts";
import type { CompiledRule, KnownRule } from "../rules/compiled-rule.ts";
import type { RuleMatcher } from "../rules/rule-matcher.ts";
import type { RuleTypes } from "../rules/rule-types.ts";
import { type Fields, ownField, readOptionalText, readText, reportAt } from "./config-fields.ts";
import type { BoundedCache } from "./pieces.ts";

/** What a domain is compiled with. */
export interface CompileSettings {
  readonly engine: PatternEngine | null;
  readonly ruleTypes: RuleTypes;
  readonly plan: "first-message" | "at-once";
  readonly domainFuelMax: number;
  /** Pieces compiled before; `null` if nothing is kept. */
  readonly pieces: Pieces | null;
}

/** What compiling an entry needs to know about its domain. */
export interface Context extends Pick<CompileSettings, "engine" | "ruleTypes" | "pieces"> {
  readonly ownDomain: string;
  /** The budget of the domain. */
  readonly guard: Guard;
  readonly version: DomainVersion;
  /** How many problems were reported so far. */
  readonly countProblems: () => number;
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
  readonly matchers: BoundedCache<RuleMatcher>;
  readonly forwards: BoundedCache<Forward>;
  readonly programs: BoundedCache<Program>;
  /** By the rules of a domain. */
  readonly plans: BoundedCache<RoutingPlan, readonly CompiledRule[]>;
  /** By the name of a domain. */
  readonly versions: BoundedCache<DomainVersion>;
}

/** Units of work of an entry, and of each code unit of its forward: measured 5 µs and 1 KB, and 0.3 µs. */
const ENTRY_FUEL = 600;
const FORWARD_FUEL = 15;
/** Of a pattern or an expression, and of each of its code units: measured 20 to 30 µs and 4 KB, and 1 to 2.3 µs and 250 octets. */
const SOURCE_FUEL = 1_500;
const SOURCE_UNIT_FUEL = 130;
/** Of each literal by which an entry is found, in each fact: measured 5 to 10 µs, and 0.8 KB. */
const LITERAL_FUEL = 500;

function unitsOf(fields: Fields, name: string, unitsMax: number): number {
  const value = ownField(fields, name);
  return typeof value === "string" ? Math.min(value.length, unitsMax) : 0;
}

/** What an entry takes of the budget of its domain to be read, with the patterns or expressions in the fields `sources`. */
export function readingFuel(config: Fields, sources: readonly string[]): number {
  const forward = FORWARD_FUEL * unitsOf(config, "forward", LIMITS.forwardUnitsMax);
  return sources.reduce(
    // Longer sources are refused unread.
    (fuel, name) =>
      fuel + SOURCE_FUEL + SOURCE_UNIT_FUEL * unitsOf(config, name, LIMITS.celUnitsMax),
    ENTRY_FUEL + forward,
  );
}

/** What finding it by its gate takes. */
function gateFuel(gate: Gate | null): number {
  let literals = 0;
  for (const opening of gate?.openings ?? []) {
    if ("literals" in opening) literals += opening.literals.length;
  }
  return LITERAL_FUEL * literals;
}

/** False, and reported, if the budget of the domain does not cover `fuel`. Then no later entry is looked at. */
export function payEntry(fields: Fields, guard: Guard, fuel: number): boolean {
  if (guard.take(fuel)) return true;
  const used = `the aliases and rules before this one took ${guard.used} of the ${guard.unitsMax} units of work of a domain`;
  const message = `${used}, and this one needs ${fuel}: use fewer or shorter ones, or raise \`domainFuelMax\``;
  fields.report({ code: "domain/too-costly", message, path: fields.path });
  return false;
}

/** Pays for finding an entry, and reads its `forward`; without a matcher, which was refused, only to report what is wrong. */
export function readForward(
  fields: Fields,
  config: Fields,
  matcher: RuleMatcher | null,
  { guard, ownDomain, pieces }: Context,
): Forward | null {
  if (matcher !== null && !payEntry(fields, guard, gateFuel(matcher.gate()))) return null;
  // The captures of a refused matcher are not known: then everything but the captures is checked.
  const groupCount = matcher?.groupCount ?? Number.POSITIVE_INFINITY;
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
  return readOptionalText(fields, "id") ?? formatPath(fields.path);
}

/** The id that an entry will have; `undefined` if it is no text, or too long. */
export function idOf(fields: Fields): string | undefined {
  const id = ownField(fields, "id");
  if (id === undefined) return formatPath(fields.path);
  return typeof id === "string" && id.length <= LIMITS.idUnitsMax ? id : undefined;
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
    if (earlier === undefined) first.set(key, fields.path);
    else {
      const place = quote(formatPath(earlier));
      const message = `${quote(key)} is already the ${name} of ${place}: ${advice}`;
      reportAt(fields, name, { code, message });
    }
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
