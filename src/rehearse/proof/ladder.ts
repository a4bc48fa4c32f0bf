/** A domain as a ladder: entries in the order of trial, each with the formula of what it matches, and then the end. */

import { Guard } from "../../base/guard.ts";
import { LIMITS } from "../../base/limits.ts";
import { canonicalDestination } from "../../engine/facts/address.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { type Forward, fillForward } from "../../engine/routing/forward.ts";
import { canonicalAlias } from "../../engine/routing/rules/alias-rule.ts";
import { destinationText } from "../outcome.ts";
import {
  aliasEntries,
  type RehearsedDomain,
  type RuleEntry,
  ruleEntries,
} from "../rehearsed-domain.ts";
import { toolsOfType } from "../rules/tools-table.ts";
import { type AtomTable, and, type Formula, or } from "./formula/formula.ts";
import { aliasFormulas, type MatchWay } from "./formula/rule-formula.ts";
import type { Sliced } from "./slices.ts";

/** The owner of a decision: an alias, a rule, or `end` after all of them. */
export type Owner =
  | { readonly kind: "alias" | "rule"; readonly id: string }
  | { readonly kind: "end" };

/** One way in which an alias or rule takes a message. */
export interface Rung {
  readonly owner: Owner;
  /** When the message matches and the forward can be filled. */
  readonly takes: Formula;
  /** If equal for two rungs, both send every message that both match to the same places. */
  readonly outcome: string;
}

export interface Ladder {
  readonly domain: CompiledDomain;
  /** In the order of trial; the last is the end, which takes all other messages. */
  readonly rungs: readonly Rung[];
  /** Indexes of the rungs of each owner, by `ownerKey`. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

export function ownerKey(owner: Owner): string {
  return owner.kind === "end" ? "end" : `${owner.kind} ${owner.id}`;
}

/** The outcome of a forward without captures. */
function plainOutcome({ plain }: Forward): string {
  const places = plain.map((destination) => canonicalDestination(destinationText(destination)));
  return plain.length === 0 ? "discard" : `forward ${[...new Set(places)].sort().join()}`;
}

/** Some hosts also get the recipient's detail. */
function detailOutcome(forward: Forward): string {
  const filled = fillForward(forward, { detail: "detail" }, new Guard(LIMITS.messageFuelMax));
  const isPlain =
    "destinations" in filled &&
    JSON.stringify(filled.destinations) === JSON.stringify(forward.plain);
  return isPlain ? plainOutcome(forward) : `${plainOutcome(forward)} with the detail`;
}

/** Whether the captures give valid destinations is left open. */
function rungOf(
  owner: Owner,
  forward: Forward,
  way: MatchWay,
  source: unknown,
  atoms: AtomTable,
): Rung {
  const { formula, condition, filled } = way;
  if (!forward.usesCaptures) {
    const outcome = filled === "plain" ? plainOutcome(forward) : detailOutcome(forward);
    return { owner, takes: formula, outcome };
  }
  const key = `captures of ${condition} fill ${String(source)} at ${forward.ownDomain}`;
  const fills = atoms.free(key, `the captures fill \`${String(source)}\``);
  return { owner, takes: and(formula, fills), outcome: key };
}

function* aliasRungs(rehearsed: RehearsedDomain, atoms: AtomTable): Sliced<readonly Rung[]> {
  const written = new Map(aliasEntries(rehearsed).map((entry) => [entry.id, entry.values]));
  const exact: Rung[] = [];
  const detailed: Rung[] = [];
  for (const { id, matcher, forward } of rehearsed.domain.aliases) {
    const owner = { kind: "alias", id } as const;
    const { alias } = matcher;
    const formulas = aliasFormulas(alias, atoms);
    const source = written.get(id)?.forward;
    const taken = {
      formula: formulas.exact,
      condition: canonicalAlias(alias),
      filled: "plain",
    } as const;
    exact.push(rungOf(owner, forward, taken, source, atoms));
    yield;
    if (formulas.subaddress === null) continue;
    const sub = { ...taken, formula: formulas.subaddress, filled: "detail" } as const;
    detailed.push(rungOf(owner, forward, sub, source, atoms));
  }
  // Literal aliases are compared as written, then without the detail, before all other forms.
  const literals = rehearsed.domain.aliasPlan.literals.size;
  return [...exact.slice(0, literals), ...detailed, ...exact.slice(literals)];
}

/** Rules of a type of which nothing is known may match any message. */
function waysOf(
  { id, config, values }: RuleEntry,
  domain: string,
  atoms: AtomTable,
): readonly MatchWay[] {
  const ways = toolsOfType(values.type).ways(config, domain, atoms);
  if (ways !== null) return ways;
  const condition = JSON.stringify([values.type, config]);
  const formula = atoms.free(condition, `the condition of rule \`${id}\``);
  return [{ formula, condition, filled: "plain" }];
}

function* ruleRungs(rehearsed: RehearsedDomain, atoms: AtomTable): Sliced<readonly Rung[]> {
  const { domain } = rehearsed;
  const written = new Map(ruleEntries(rehearsed).map((entry) => [entry.id, entry]));
  const rungs: Rung[] = [];
  for (const { id, forward, active } of domain.rules) {
    if (!active) continue;
    const entry = written.get(id)!;
    const owner = { kind: "rule", id } as const;
    for (const way of waysOf(entry, domain.name, atoms)) {
      rungs.push(rungOf(owner, forward, way, entry.config.forward, atoms));
    }
    yield;
  }
  return rungs;
}

function endOutcome({ engine, fallback }: CompiledDomain): string {
  if (engine === null) return "reject";
  if (engine === "alias") return "reject";
  return fallback === null ? "discard" : plainOutcome(fallback);
}

/** Ladders that are compared share `atoms`. */
export function* ladderOf(rehearsed: RehearsedDomain, atoms: AtomTable): Sliced<Ladder> {
  const { domain } = rehearsed;
  const rungs =
    domain.engine === "rules"
      ? yield* ruleRungs(rehearsed, atoms)
      : domain.engine === "alias"
        ? yield* aliasRungs(rehearsed, atoms)
        : [];
  const end: Rung = {
    owner: { kind: "end" },
    takes: { kind: "constant", value: true },
    outcome: endOutcome(domain),
  };
  const all = [...rungs, end];
  const places = new Map<string, number[]>();
  for (const [index, { owner }] of all.entries()) {
    const key = ownerKey(owner);
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  return { domain, rungs: all, places };
}

/** When an owner takes a message that reaches it, in any of its ways. */
export function takenBy({ rungs, places }: Ladder, owner: Owner): Formula {
  const own = places.get(ownerKey(owner)) ?? [];
  return or(...own.map((place) => rungs[place]!.takes));
}
