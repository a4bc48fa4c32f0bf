/**
 * The worker's side of proofs: for each entry, what covers it or a message that it decides; and all warnings. A new request
 * ends the one before.
 */
import type { Path } from "../../base/diagnostic.ts";
import { reachFindings } from "../../rehearse/check/reach-warnings.ts";
import { findWarnings } from "../../rehearse/check/warnings.ts";
import { type Owner, ownerKey } from "../../rehearse/proof/ladder.ts";
import { allProofs, answer, type Proof } from "../../rehearse/proof/prove.ts";
import { Prover, STATES_MAX } from "../../rehearse/proof/prover.ts";
import { inSlices, type Sliced } from "../../rehearse/proof/slices.ts";
import {
  aliasEntries,
  type RehearsedDomain,
  rehearse,
  ruleEntries,
} from "../../rehearse/rehearsed-domain.ts";
import type { DomainDraft } from "../model/domain.ts";

export interface ProofRequest {
  readonly kind: "prove";
  readonly id: number;
  readonly domain: DomainDraft;
}

/** A message that shows what was found. */
export interface WitnessMail {
  readonly recipient: string;
  readonly text: string;
}

/** What is known of one rule. */
export interface RuleProof {
  readonly rule: string;
  /** Why no message reaches it; `null`: one does, or it is not known. */
  readonly covered: string | null;
  /** A message that it decides; `null`: there is none, or it is not known. */
  readonly witness: WitnessMail | null;
}

/** One row of the list of findings. */
export interface PageFinding {
  /** What it is about; `domain`: the domain itself. */
  readonly of: Owner | { readonly kind: "domain" };
  /** The name of an alias or rule; for anything else, what it is. */
  readonly name: string;
  readonly standing: "warning" | "unknown" | "reached";
  /** After the name, for example ``is never reached: rule `a` …``. */
  readonly says: string;
  /** For a rule that is never reached, a message that it would decide if it were alone; otherwise one that it decides. */
  readonly witness: WitnessMail | null;
}

export interface ProofAnswer {
  readonly id: number;
  readonly proofs: readonly RuleProof[];
  /** Warnings in the order of the configuration, then entries without a proof, then entries that are reached. */
  readonly findings: readonly PageFinding[];
}

/** Most states that the proofs of all entries together may visit: some seconds of a worker. */
const ALL_STATES_MAX = 30 * STATES_MAX;
/** Most unreachable entries for which a message is shown. */
const ALONE_MAX = 20;

function nameOf(of: PageFinding["of"], { config }: RehearsedDomain): string {
  if (of.kind === "domain") return "the domain";
  if (of.kind === "end") return "the fallback address";
  if (of.kind === "rule") return of.id;
  const index = Number(/^aliases\[(\d+)\]$/.exec(of.id)?.[1] ?? Number.NaN);
  const aliases = (config.aliases ?? []) as readonly { readonly id?: string; alias: string }[];
  return (aliases.find(({ id }) => id === of.id) ?? aliases[index])?.alias ?? of.id;
}

function ownerAt(path: Path, rehearsed: RehearsedDomain): PageFinding["of"] {
  const [list, index] = path;
  if (list === "rules") return { kind: "rule", id: ruleEntries(rehearsed)[Number(index)]!.id };
  if (list === "aliases") return { kind: "alias", id: aliasEntries(rehearsed)[Number(index)]!.id };
  return path.at(-1) === "rules_fallback_email" ? { kind: "end" } : { kind: "domain" };
}

/** A message that a rule would decide if there were no others. */
function* takenAlone(rehearsed: RehearsedDomain, rule: string): Sliced<WitnessMail | null> {
  const entry = ruleEntries(rehearsed).find(({ id }) => id === rule);
  const alone = rehearse({ ...rehearsed.config, rules: entry === undefined ? [] : [entry.values] });
  if (!alone.ok || entry === undefined) return null;
  const question = { kind: "never-reached", of: { kind: "rule", id: rule } } as const;
  const prover = yield* Prover.of(alone.rehearsed);
  const proof = yield* answer(prover, question, { left: STATES_MAX });
  return proof.verdict === "refuted" ? proof.message : null;
}

function* warningsOf(
  rehearsed: RehearsedDomain,
  proofs: readonly Proof[],
): Sliced<readonly PageFinding[]> {
  const found: PageFinding[] = [];
  let left = ALONE_MAX;
  for (const { message: says, path, code } of findWarnings(rehearsed, proofs)) {
    const of = ownerAt(path, rehearsed);
    const isCovered = code === "rule/unreachable" && says.startsWith("is never") && left-- > 0;
    const witness = isCovered && of.kind === "rule" ? yield* takenAlone(rehearsed, of.id) : null;
    found.push({ of, name: nameOf(of, rehearsed), standing: "warning", says, witness });
  }
  return found;
}

function standingsOf(rehearsed: RehearsedDomain, proofs: readonly Proof[]): readonly PageFinding[] {
  const findings = proofs.flatMap((proof): PageFinding[] => {
    const { of } = proof.question;
    const about = { of, name: nameOf(of, rehearsed) };
    if (proof.verdict === "proved") return [];
    if (proof.verdict === "unknown") {
      return [
        { ...about, standing: "unknown", says: `is not proved: ${proof.why}`, witness: null },
      ];
    }
    return [{ ...about, standing: "reached", says: "is reached", witness: proof.message }];
  });
  return [
    ...findings.filter(({ standing }) => standing === "unknown"),
    ...findings.filter(({ standing }) => standing === "reached"),
  ];
}

function* allFindings(rehearsed: RehearsedDomain): Sliced<Omit<ProofAnswer, "id">> {
  const proofs = yield* allProofs(rehearsed, STATES_MAX, ALL_STATES_MAX);
  const { reach } = reachFindings(rehearsed.domain, proofs);
  const known = proofs.flatMap((proof): RuleProof[] => {
    const { of } = proof.question;
    if (of.kind !== "rule") return [];
    const covered = reach.get(ownerKey(of))?.message ?? null;
    const witness = proof.verdict === "refuted" ? proof.message : null;
    return [{ rule: of.id, covered, witness }];
  });
  const warnings = yield* warningsOf(rehearsed, proofs);
  return { proofs: known, findings: [...warnings, ...standingsOf(rehearsed, proofs)] };
}

export function createRuleProver(
  post: (answer: ProofAnswer) => void,
): (request: ProofRequest) => Promise<void> {
  let running = new AbortController();
  return async ({ id, domain: config }) => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    const rehearsed = rehearse(config);
    if (!rehearsed.ok) return;
    try {
      post({ id, ...(await inSlices(allFindings(rehearsed.rehearsed), { signal })) });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}
