/** `mutate`: whether tests and mail would notice small changes of the rules. Changes without an effect do not count. */
import type { Facts } from "../../engine/facts/facts.ts";
import { resolve } from "../../engine/routing/resolve.ts";
import { type Outcome, outcomeOf, sameOutcome } from "../outcome.ts";
import { compareSteps, type Difference } from "../proof/compare-all.ts";
import { type ProofOptions, readStatesMax } from "../proof/prove.ts";
import { inSlices, type Sliced } from "../proof/slices.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import { type Expectation, meets } from "../test/rule-test.ts";
import { type Mutation, mutantsOf } from "./mutants.ts";

/** A message that a test expects something of, or that is only kept. */
export interface KnownMessage {
  /** Name of the test or of the message. */
  readonly name: string;
  readonly facts: Facts;
  /** If left out, every change of where the message goes is noticed. A test that fails on the unchanged rules notices nothing. */
  readonly expect?: Expectation | undefined;
}

/** What became of a mutant. */
export type Fate =
  /** `by`: the first test or message that notices. */
  | { readonly kind: "noticed"; readonly by: string }
  /** Proved to have no effect, so it does not count. */
  | { readonly kind: "equivalent" }
  /**
   * `difference`: a message that would go another way; `null` if neither one nor a proof that there is none was
   * found.
   */
  | { readonly kind: "survived"; readonly difference: Difference | null };

/** A small change, and whether it is noticed. */
export interface MutantReport extends Mutation {
  readonly fate: Fate;
}

/** The result of `mutate`. */
export interface MutationReport {
  readonly mutants: readonly MutantReport[];
  readonly noticed: number;
  readonly survived: number;
  readonly equivalent: number;
  /** Percentage noticed of the mutants that are not equivalent, 0 to 100; 100 if there are none. */
  readonly score: number;
}

interface RoutedMessage extends KnownMessage {
  /** What the rules do with it before any change. */
  readonly was: Outcome;
}

function outcomeIn({ domain }: RehearsedDomain, facts: Facts): Outcome | null {
  const resolution = resolve(domain, facts);
  return resolution.verdict === "decided" ? outcomeOf(resolution) : null;
}

/** Without tests that fail on the rules as they are: they would fail on every mutant, whatever it changed. */
function routed(known: readonly KnownMessage[], original: RehearsedDomain): RoutedMessage[] {
  return known.flatMap((each) => {
    const was = outcomeIn(original, each.facts);
    const isFailing = was === null || (each.expect !== undefined && !meets(each.expect, was));
    return isFailing ? [] : [{ ...each, was }];
  });
}

function notices({ facts, expect, was }: RoutedMessage, mutant: RehearsedDomain): boolean {
  const now = outcomeIn(mutant, facts);
  return now !== null && !(expect === undefined ? sameOutcome(was, now) : meets(expect, now));
}

function* fateOf(
  original: RehearsedDomain,
  mutant: RehearsedDomain,
  known: readonly RoutedMessage[],
  statesMax: number,
): Sliced<Fate> {
  const by = known.find((each) => notices(each, mutant));
  if (by !== undefined) return { kind: "noticed", by: by.name };
  const { verdict, differences } = yield* compareSteps(original, mutant, statesMax);
  if (verdict === "equal") return { kind: "equivalent" };
  return { kind: "survived", difference: differences[0] ?? null };
}

/** Options of `mutate`: those of `prove`, and one for its progress. */
export interface MutateOptions extends ProofOptions {
  /** Called after each change, with the number of those that were tried. */
  readonly onProgress?: ((tried: number) => void) | undefined;
}

function* mutateSteps(
  rehearsed: RehearsedDomain,
  known: readonly KnownMessage[],
  statesMax: number,
  onProgress: (tried: number) => void,
): Sliced<MutationReport> {
  const mutants: MutantReport[] = [];
  const watching = routed(known, rehearsed);
  for (const { rehearsed: mutant, ...mutation } of mutantsOf(rehearsed)) {
    mutants.push({ ...mutation, fate: yield* fateOf(rehearsed, mutant, watching, statesMax) });
    onProgress(mutants.length);
    yield;
  }
  const count = (kind: Fate["kind"]): number =>
    mutants.filter(({ fate }) => fate.kind === kind).length;
  const [noticed, survived] = [count("noticed"), count("survived")];
  const counted = noticed + survived;
  const score = counted === 0 ? 100 : (100 * noticed) / counted;
  return { mutants, noticed, survived, equivalent: count("equivalent"), score };
}

/**
 * Makes small changes of every active rule, or of every alias, and reports which of them the tests and messages
 * notice. Throws on invalid options.
 */
export async function mutate(
  rehearsed: RehearsedDomain,
  known: readonly KnownMessage[],
  { onProgress = () => undefined, ...options }: MutateOptions = {},
): Promise<MutationReport> {
  const steps = mutateSteps(rehearsed, known, readStatesMax(options), onProgress);
  return inSlices(steps, options);
}
