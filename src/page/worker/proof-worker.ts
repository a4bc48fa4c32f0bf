/** The worker's side of proofs: for each rule what covers it, or a message that it takes. A later request ends an earlier one. */
import { reachFindings } from "../../rehearse/check/reach-warnings.ts";
import { ownerKey } from "../../rehearse/proof/ladder.ts";
import { allProofs } from "../../rehearse/proof/prove.ts";
import { STATES_MAX } from "../../rehearse/proof/prover.ts";
import { inSlices } from "../../rehearse/proof/slices.ts";
import { rehearse } from "../../rehearse/rehearsed-domain.ts";
import type { DomainDraft } from "../model/domain.ts";

export interface ProofRequest {
  readonly kind: "prove";
  readonly id: number;
  readonly domain: DomainDraft;
}

/** What is known of one rule. */
export interface RuleProof {
  readonly rule: string;
  /** Why no message reaches it; `null`: one does, or it is not known. */
  readonly covered: string | null;
  /** A message that it decides; `null`: there is none, or it is not known. */
  readonly witness: { readonly recipient: string; readonly text: string } | null;
}

export interface ProofAnswer {
  readonly id: number;
  readonly proofs: readonly RuleProof[];
}

/** States that all rules together may look at: some seconds of a worker. */
const ALL_STATES_MAX = 30 * STATES_MAX;

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
      const steps = allProofs(rehearsed.rehearsed, STATES_MAX, ALL_STATES_MAX);
      const proofs = await inSlices(steps, { signal });
      const { reach } = reachFindings(rehearsed.rehearsed.domain, proofs);
      const known = proofs.flatMap((proof): RuleProof[] => {
        const { of } = proof.question;
        if (of.kind !== "rule") return [];
        const covered = reach.get(ownerKey(of))?.message ?? null;
        const witness = proof.verdict === "refuted" ? proof.message : null;
        return [{ rule: of.id, covered, witness }];
      });
      post({ id, proofs: known });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}
