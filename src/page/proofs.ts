/**
 * Proofs about the edited rules, found by a worker: rules that no message reaches, a message for every other rule, and all
 * warnings.
 */
import { effect, signal } from "@preact/signals";
import { compiled } from "./state.ts";
import type { PageFinding, ProofAnswer, ProofRequest, RuleProof } from "./worker/proof-worker.ts";

/** Milliseconds of quiet before anything is proved. */
const QUIET_MS = 400;

export const proofs = signal<ReadonlyMap<string, RuleProof>>(new Map());
/** `null`: nothing is proved yet. */
export const findings = signal<readonly PageFinding[] | null>(null);

/** Starts watching. The worker runs the page's own script. */
export function watchProofs(script: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let worker: Worker | undefined;
  let id = 0;
  const open = (): Worker => {
    const opened = new Worker(script, { type: "module" });
    opened.addEventListener("message", ({ data }: MessageEvent<ProofAnswer>) => {
      if (data.id !== id) return;
      proofs.value = new Map(data.proofs.map((each) => [each.rule, each]));
      findings.value = data.findings;
    });
    return opened;
  };
  effect(() => {
    const { domain, deciding } = compiled.value;
    clearTimeout(timer);
    id++;
    if (domain === null) return;
    timer = setTimeout(() => {
      worker ??= open();
      const request: ProofRequest = { kind: "prove", id, domain: deciding };
      worker.postMessage(request);
    }, QUIET_MS);
  });
}
