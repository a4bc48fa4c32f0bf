/** Finds mail that several domains forward in a circle. Each circle is shown by a message. */
import { canonicalDestination, splitAddress } from "../../engine/facts/address.ts";
import type { Destination } from "../../engine/routing/resolution.ts";
import { resolve } from "../../engine/routing/resolve.ts";
import { destinationText } from "../outcome.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import { AtomTable, and, type Formula, not, or, TRUE } from "./formula/formula.ts";
import { type Ladder, ladderOf } from "./ladder.ts";
import {
  decisionOn,
  inOneText,
  type Message,
  messageOf,
  readFacts,
} from "./message/witness-message.ts";
import type { Written } from "./message/write-message.ts";
import type { Sliced } from "./slices.ts";
import { Solver } from "./solve/solve.ts";
import type { Meter } from "./text/find-text.ts";
import { TextAutomaton } from "./text/text-automaton.ts";
import { writeProgram } from "./text/text-program.ts";

/** A circle: mail to each address is forwarded to the next, and from the last to the first. */
export interface Loop {
  readonly addresses: readonly string[];
  /** A message to the first address that goes round. */
  readonly message: Message;
}

/** A forward from an address at a given domain to another, and when mail takes it. */
interface Hop {
  readonly to: string;
  readonly when: Formula;
}

/** Most hops in one circle, and most paths to follow in all. */
const HOPS_MAX = 10;
const WAYS_MAX = 10_000;

/** The formula for one recipient, whose local part is known. */
function forRecipient(formula: Formula, local: string, atoms: AtomTable): Formula {
  if (formula.kind === "and") {
    return and(...formula.parts.map((part) => forRecipient(part, local, atoms)));
  }
  if (formula.kind === "or") {
    return or(...formula.parts.map((part) => forRecipient(part, local, atoms)));
  }
  if (formula.kind !== "literal") return formula;
  const atom = atoms.at(formula.atom);
  if (atom.kind !== "text" || atom.variable !== "local") return formula;
  const program = writeProgram(atom.pattern);
  if (program === null) return formula;
  const found = new TextAutomaton(program).finds(local);
  return { kind: "constant", value: found === formula.value };
}

class Circles {
  readonly #ladders: ReadonlyMap<string, Ladder>;
  readonly #atoms: AtomTable;
  readonly #solver: Solver;
  readonly #hops = new Map<string, readonly Hop[]>();
  readonly #seen = new Set<string>();
  #ways = 0;
  readonly loops: Loop[] = [];
  gaveUp = false;

  private constructor(ladders: ReadonlyMap<string, Ladder>, atoms: AtomTable) {
    this.#ladders = ladders;
    this.#atoms = atoms;
    this.#solver = new Solver(atoms);
  }

  static *of(domains: readonly RehearsedDomain[]): Sliced<Circles> {
    const atoms = new AtomTable();
    const ladders = new Map<string, Ladder>();
    for (const each of domains) ladders.set(each.domain.name, yield* ladderOf(each, atoms));
    return new Circles(ladders, atoms);
  }

  /** Addresses at the given domains that some forward names. */
  starts(): readonly string[] {
    const named = [...this.#ladders.values()].flatMap(({ domain }) => {
      const forwards = [...domain.rules, ...domain.aliases].map(({ forward }) => forward);
      const all = domain.fallback === null ? forwards : [...forwards, domain.fallback];
      return all.flatMap(({ plain }) => plain.map(destinationText)).map(canonicalDestination);
    });
    return [...new Set(named)].filter((address) => this.#ladders.has(splitAddress(address).domain));
  }

  /** Whether the budget is spent; then some circles may not be found. */
  #isSpent(meter: Meter): boolean {
    this.gaveUp ||= meter.left < 0 || this.#ways > WAYS_MAX;
    return this.gaveUp;
  }

  #hopsFrom(address: string, meter: Meter): readonly Hop[] {
    const known = this.#hops.get(address);
    if (known !== undefined) return known;
    const { domain: name } = splitAddress(address);
    const { domain } = this.#ladders.get(name)!;
    // What the recipient alone decides holds for all messages.
    const early = resolve(domain, { recipient: address });
    const hops =
      early.verdict === "decided"
        ? this.#placesOf(early.destinations).map((to) => ({ to, when: TRUE }))
        : this.#conditionalHops(address, meter);
    this.#hops.set(address, hops);
    return hops;
  }

  /** Those of the destinations that are at the given domains. */
  #placesOf(destinations: readonly Destination[]): readonly string[] {
    const places = destinations.map(destinationText).map(canonicalDestination);
    return places.filter((to) => this.#ladders.has(splitAddress(to).domain));
  }

  #conditionalHops(address: string, meter: Meter): readonly Hop[] {
    const { localPart, domain: name } = splitAddress(address);
    const { rungs, domain } = this.#ladders.get(name)!;
    meter.left -= rungs.length;
    if (this.#isSpent(meter)) return [];
    const forwards = new Map(
      [...domain.rules, ...domain.aliases].map((entry) => [entry.id, entry.forward]),
    );
    const hops: Hop[] = [];
    let passed: Formula = TRUE;
    for (const { owner, takes } of rungs) {
      const here = forRecipient(takes, localPart, this.#atoms);
      const forward = owner.kind === "end" ? domain.fallback : (forwards.get(owner.id) ?? null);
      const isFallback = owner.kind === "end" && domain.engine !== "rules";
      const places = forward === null || forward.usesCaptures || isFallback ? [] : forward.plain;
      const when = and(here, passed);
      const isNever = when.kind === "constant" && !when.value;
      if (!isNever) for (const to of this.#placesOf(places)) hops.push({ to, when });
      passed = and(passed, not(here));
      if (passed.kind === "constant" && !passed.value) break;
    }
    return hops;
  }

  /** Follows every path from the last address of `trail`; its message must satisfy `when`. */
  *follow(trail: readonly string[], when: readonly Formula[], meter: Meter): Sliced<void> {
    if (trail.length > HOPS_MAX) return;
    this.#ways++;
    if (this.#isSpent(meter)) return;
    for (const hop of this.#hopsFrom(trail.at(-1)!, meter)) {
      const at = trail.indexOf(hop.to);
      const conditions = [...when, hop.when];
      if (at < 0) yield* this.follow([...trail, hop.to], conditions, meter);
      else yield* this.#close(trail.slice(at), conditions.slice(at), meter);
    }
    yield;
  }

  *#close(addresses: readonly string[], when: readonly Formula[], meter: Meter): Sliced<void> {
    const key = [...addresses].sort().join();
    if (this.#seen.has(key)) return;
    const found = yield* this.#solver.solve(and(...when), meter);
    if (found.kind !== "satisfiable") return;
    const { localPart, domain: name } = splitAddress(addresses[0]!);
    const { domain } = this.#ladders.get(name)!;
    const choices = new Map(found.model.choices);
    choices.set("local", { kind: "text", text: localPart });
    const message = messageOf({ ...found.model, choices }, domain);
    if (message === null || !(yield* this.#goesRound(addresses, message))) return;
    this.#seen.add(key);
    this.loops.push({ addresses, message: inOneText(message) });
  }

  /** Whether every address sends the message to the next. */
  *#goesRound(addresses: readonly string[], message: Written): Sliced<boolean> {
    for (const [index, recipient] of addresses.entries()) {
      const next = addresses[(index + 1) % addresses.length]!;
      const { domain } = this.#ladders.get(splitAddress(recipient).domain)!;
      const { destinations } = decisionOn(domain, yield* readFacts({ ...message, recipient }));
      if (!destinations.some((to) => canonicalDestination(destinationText(to)) === next)) {
        return false;
      }
    }
    return true;
  }
}

/** The circles that were found; `isComplete`: whether the budget was enough to look for all of them. */
export interface FoundLoops {
  readonly loops: readonly Loop[];
  readonly isComplete: boolean;
}

/** Finds circles of at most 10 addresses, each of which occurs once. A circle must hold for a single message. */
export function* findLoops(
  domains: readonly RehearsedDomain[],
  statesMax: number,
): Sliced<FoundLoops> {
  const circles = yield* Circles.of(domains);
  const meter: Meter = { left: statesMax };
  for (const start of circles.starts()) yield* circles.follow([start], [], meter);
  return { loops: circles.loops, isComplete: !circles.gaveUp };
}
