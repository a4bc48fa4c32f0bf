/** Asks the engine about one message for one recipient, stage by stage. */
import { strict as assert } from "node:assert";
import type { Facts, Stage } from "../mail/facts.ts";
import { type Envelope, type ToFactsOptions, toFacts } from "../mail/message-facts.ts";
import type { CompiledDomain } from "../routing/compile-domain.ts";
import type { Decision } from "../routing/resolution.ts";
import { resolve } from "../routing/resolve.ts";
import type { ReadSoFar, StagedMessage } from "./staged-message.ts";

export interface StagedDecision {
  readonly decision: Decision;
  /** What it was decided on. */
  readonly facts: Facts;
  readonly read: ReadSoFar;
  /** The stage that the message was read up to. */
  readonly stage: Stage;
}

function stageOf(read: ReadSoFar): Stage {
  if (read === undefined) return "envelope";
  return "body" in read ? "body" : "header";
}

/** The decision, with the message read no further than it needs, but up to `from` at least. */
export async function decideStaged(
  domain: CompiledDomain,
  envelope: Envelope,
  message: Pick<StagedMessage, "upTo">,
  from: Stage,
  options: ToFactsOptions,
): Promise<StagedDecision> {
  for (let asked = from; ; ) {
    const read = await message.upTo(asked);
    const stage = stageOf(read);
    const facts = toFacts(envelope, read, options);
    const resolution = resolve(domain, facts);
    if (resolution.verdict === "decided") return { decision: resolution, facts, read, stage };
    assert(stage !== "body", "a domain left a message undecided of which every fact is known");
    asked = stage === "header" ? "body" : resolution.needs;
  }
}
