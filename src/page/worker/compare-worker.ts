/** The worker's side of the comparison: it keeps the open mail, and decides all of it twice whenever the rules change. */
import { createCompiler } from "../../engine/routing/compile-domain.ts";
import { type Changes, compareOn } from "../model/changes.ts";
import type { DomainDraft } from "../model/domain.ts";
import type { Mail } from "../model/mail.ts";
import { type MailPatch, patched } from "./mail-patch.ts";

/** Requests of the page: mail to keep, and two versions of a domain to compare on it. */
export interface CompareRequest {
  readonly kind: "compare";
  readonly id: number;
  readonly patch: MailPatch | null;
  readonly before: DomainDraft;
  readonly after: DomainDraft;
}

export interface CompareAnswer {
  readonly id: number;
  readonly changes: Changes;
}

/** Milliseconds of work after which the worker reports its result so far and reads the next request. */
const SLICE_MS = 40;

export interface ComparePort {
  post(answer: CompareAnswer): void;
  /** Runs `work` after the messages that arrived meanwhile. */
  later(work: () => void): void;
}

/** Answers requests; a new one ends the one before. */
export function createComparer(port: ComparePort): (request: CompareRequest) => void {
  const [saved, edited] = [createCompiler(), createCompiler()];
  let mails: readonly Mail[] = [];
  let latest = 0;
  return ({ id, patch, before, after }) => {
    latest = id;
    if (patch !== null) mails = patched(mails, patch);
    const [old, now] = [saved.compileDomain(before), edited.compileDomain(after)];
    if (!old.ok || !now.ok || mails.length < 2) return;
    const work = compareOn(old.domain, now.domain, mails);
    const slice = (): void => {
      if (latest !== id) return;
      const end = performance.now() + SLICE_MS;
      for (;;) {
        const { value, done } = work.next();
        if (!done && performance.now() < end) continue;
        port.post({ id, changes: value });
        if (!done) port.later(slice);
        return;
      }
    };
    slice();
  };
}
