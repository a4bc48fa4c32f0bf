/**
 * Proofs about the edited rules, found by a worker: rules that no message reaches, a message for every other rule, and all
 * warnings.
 */
import { effect, signal } from "@preact/signals";
import { openWorker } from "./open-worker.ts";
import { compiled } from "./state.ts";
import type { PageFinding, ProofAnswer, ProofRequest, RuleProof } from "./worker/proof-worker.ts";

/** Milliseconds of quiet before anything is proved. */
const QUIET_MS = 400;

export const proofs = signal<ReadonlyMap<string, RuleProof>>(new Map());
/** `null`: nothing is proved yet. */
export const findings = signal<readonly PageFinding[] | null>(null);

/** Starts watching. If the worker fails, another is opened for the next edit. */
export function watchProofs(script: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let worker: Worker | undefined;
  let id = 0;
  const show = (answer: ProofAnswer): void => {
    if (answer.id !== id) return;
    proofs.value = new Map(answer.proofs.map((each) => [each.rule, each]));
    findings.value = answer.findings;
  };
  const forget = (): void => {
    worker = undefined;
  };
  effect(() => {
    const { domain, deciding } = compiled.value;
    clearTimeout(timer);
    id++;
    if (domain === null) return;
    timer = setTimeout(() => {
      worker ??= openWorker(script, show, forget);
      const request: ProofRequest = { kind: "prove", id, domain: deciding };
      worker.postMessage(request);
    }, QUIET_MS);
  });
}
