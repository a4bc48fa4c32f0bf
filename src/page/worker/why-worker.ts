/** The worker's side of “Why not here?”: the same answer as the command `mailflow why`, and the rule changes that it found. */
import { rehearse } from "../../rehearse/rehearsed-domain.ts";
import type { RuleEdit } from "../../rehearse/why/edit-rule.ts";
import { why } from "../../rehearse/why/why.ts";
import type { Line } from "../../rehearse/words/line.ts";
import { showMissed } from "../../rehearse/words/show-why.ts";
import { noSuchTarget, readTarget, titleOf } from "../../rehearse/words/why-target.ts";
import type { DomainDraft } from "../model/domain.ts";
import { factsOf, type Mail } from "../model/mail.ts";

export interface WhyRequest {
  readonly kind: "why";
  readonly id: number;
  readonly domain: DomainDraft;
  readonly mail: Mail;
  /** As it was typed: an address, a webhook, the id of a rule, or an alias. */
  readonly target: string;
}

export interface WhyAnswer {
  readonly id: number;
  readonly title: Line;
  /** What could have sent the message there, in the order of trial. */
  readonly candidates: readonly {
    readonly lines: readonly Line[];
    /** Each was tried and sends the message there. */
    readonly edits: readonly RuleEdit[];
  }[];
}

/** Answers a question; a domain that does not compile has no answer. */
export function answerWhy({ id, domain, mail, target }: WhyRequest): WhyAnswer | null {
  const result = rehearse(domain);
  if (!result.ok) return null;
  const read = readTarget(target, result.rehearsed);
  if (typeof read === "string") return { id, title: [read], candidates: [] };
  const answered = why(result.rehearsed, factsOf(mail), read);
  if (answered.verdict === "no-such-target") {
    return { id, title: [noSuchTarget(answered, result.rehearsed)], candidates: [] };
  }
  const candidates = answered.candidates.map((missed) => ({
    lines: showMissed(missed),
    edits: missed.ruleEdits,
  }));
  return { id, title: titleOf(answered), candidates };
}
