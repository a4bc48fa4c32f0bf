/** `prove` and `witness`: which messages reach an alias, a rule or the fallback, and which can never be reached. */
import { assertOptions } from "../../base/options.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import { not } from "./formula/formula.ts";
import { type Owner, ownerKey, takenBy } from "./ladder.ts";
import type { Message } from "./message/witness-message.ts";
import { Prover, STATES_MAX } from "./prover.ts";
import { reach } from "./reach.ts";
import { inSlices, type Sliced, type SliceOptions } from "./slices.ts";
import type { Meter } from "./text/find-text.ts";

/** The question: does `of` never decide any message? */
export interface Question {
  readonly kind: "never-reached";
  readonly of: Owner;
}

/** The answer to one question: proved for every message, refuted by a message, or unknown. */
export type Proof =
  | {
      readonly question: Question;
      readonly verdict: "proved";
      /**
       * Entries that together take every message that it matches, none of which can be left out; empty: it matches no message
       * at all.
       */
      readonly coveredBy: readonly Owner[];
      /** `same`: the one that covers it matches the same messages; `all`: that one matches every message. */
      readonly cover: "same" | "all" | "some";
    }
  | {
      readonly question: Question;
      readonly verdict: "refuted";
      /** A message that it decides. */
      readonly message: Message;
    }
  | { readonly question: Question; readonly verdict: "unknown"; readonly why: string };

/** The budget of an answer, and how it shares the thread. */
export interface ProofOptions extends SliceOptions {
  /** States that one question may look at. Default: 60,000, about half a second. */
  readonly statesMax?: number | undefined;
}

/** Whether `by`, which covers `of`, matches the same messages, all messages, or some others too. */
function* coverOf(
  prover: Prover,
  of: Owner,
  by: Owner,
  meter: Meter,
): Sliced<"same" | "all" | "some"> {
  const { ladder, solver } = prover;
  const wide = takenBy(ladder, by);
  const everything = yield* solver.solve(not(wide), meter);
  if (everything.kind === "unsatisfiable") return "all";
  if (of.kind === "end") return "some";
  const narrow = takenBy(ladder, of);
  const formula = { kind: "and", parts: [wide, not(narrow)] } as const;
  return (yield* solver.solve(formula, meter)).kind === "unsatisfiable" ? "same" : "some";
}

export function* answer(prover: Prover, question: Question, meter: Meter): Sliced<Proof> {
  const found = yield* reach(prover, question.of, meter);
  if (found.kind === "reached") return { question, verdict: "refuted", message: found.message };
  if (found.kind === "unknown") return { question, verdict: "unknown", why: found.why };
  const { coveredBy } = found;
  const [only] = coveredBy;
  const cover =
    only === undefined || coveredBy.length > 1
      ? "some"
      : yield* coverOf(prover, question.of, only, meter);
  return { question, verdict: "proved", coveredBy, cover };
}

/** One question for each alias or active rule that the domain routes by, and one for its fallback. */
export function questionsOf({ ladder }: Prover): readonly Question[] {
  const { engine, fallback } = ladder.domain;
  const owners = new Map(ladder.rungs.map(({ owner }) => [ownerKey(owner), owner]));
  const hasEnd = engine === "rules" && fallback !== null;
  return [...owners.values()]
    .filter(({ kind }) => kind !== "end" || hasEnd)
    .map((of) => ({ kind: "never-reached", of }));
}

/** Questions cost something even if the answer is immediate. */
const QUESTION_COST = 20;

/** Answers all questions; `left` is the budget of all together, `statesMax` that of each. */
export function* allProofs(
  rehearsed: RehearsedDomain,
  statesMax: number,
  left: number = Number.POSITIVE_INFINITY,
): Sliced<readonly Proof[]> {
  const prover = yield* Prover.of(rehearsed);
  const proofs: Proof[] = [];
  let rest = left;
  for (const question of questionsOf(prover)) {
    const given = Math.min(statesMax, rest);
    const meter: Meter = { left: given };
    proofs.push(yield* answer(prover, question, meter));
    rest -= given - Math.max(0, meter.left) + QUESTION_COST;
    yield;
  }
  return proofs;
}

function* oneProof(rehearsed: RehearsedDomain, asked: Question, statesMax: number): Sliced<Proof> {
  const prover = yield* Prover.of(rehearsed);
  const known = questionsOf(prover).some(({ of }) => ownerKey(of) === ownerKey(asked.of));
  if (!known) throw new TypeError(`the domain does not route by ${ownerKey(asked.of)}`);
  return yield* answer(prover, asked, { left: statesMax });
}

export function readStatesMax(options: ProofOptions): number {
  assertOptions(options, ["statesMax", "sliceMs", "signal"]);
  const { statesMax = STATES_MAX } = options;
  if (statesMax >= 0) return statesMax;
  throw new RangeError(`\`statesMax\` is ${statesMax}: give a number that is not negative`);
}

/**
 * Proves or refutes that what the question names decides no message, or answers `unknown` and why. A message given as
 * a witness has been read and resolved. Proofs hold for messages as `mailflow/message` reads them, within the
 * engine's budget. Without a question, answers all of them, in the order of trial. Runs in slices; throws on invalid
 * options.
 */
export async function prove(
  rehearsed: RehearsedDomain,
  options?: ProofOptions,
): Promise<readonly Proof[]>;
export async function prove(
  rehearsed: RehearsedDomain,
  question: Question,
  options?: ProofOptions,
): Promise<Proof>;
export async function prove(
  rehearsed: RehearsedDomain,
  asked: Question | ProofOptions = {},
  given: ProofOptions = {},
): Promise<Proof | readonly Proof[]> {
  if (!("kind" in asked)) return inSlices(allProofs(rehearsed, readStatesMax(asked)), asked);
  return inSlices(oneProof(rehearsed, asked, readStatesMax(given)), given);
}

/** The result of `witness`: a message that the rule decides, a proof that there is none, or neither. */
export type Witness =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "none"; readonly coveredBy: readonly Owner[] }
  | { readonly kind: "unknown"; readonly why: string };

/** A message that the alias, the rule or the fallback decides. Options are those of `prove`. */
export async function witness(
  rehearsed: RehearsedDomain,
  of: Owner,
  options: ProofOptions = {},
): Promise<Witness> {
  const proof = await prove(rehearsed, { kind: "never-reached", of }, options);
  if (proof.verdict === "refuted") return { kind: "message", message: proof.message };
  if (proof.verdict === "unknown") return { kind: "unknown", why: proof.why };
  return { kind: "none", coveredBy: proof.coveredBy };
}
