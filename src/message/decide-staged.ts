/** Asks the engine about one message for one recipient, stage by stage. */
import type { Facts, Stage } from "../engine/facts/facts.ts";
import type { CompiledDomain } from "../engine/routing/compile-domain.ts";
import type { Decision } from "../engine/routing/resolution.ts";
import { resolve } from "../engine/routing/resolve.ts";
import type { ResolveStats } from "../engine/routing/resolve-stats.ts";
import { type Envelope, type ToFactsOptions, toFacts } from "./header/message-facts.ts";
import type { ReadSoFar, StagedMessage } from "./streamed-message.ts";

export interface StagedDecision {
  readonly decision: Decision;
  /** The facts that the decision is based on. */
  readonly facts: Facts;
  readonly read: ReadSoFar;
  /** The last stage of the message that was read. */
  readonly stage: Stage;
}

function stageOf(read: ReadSoFar): Stage {
  if (read === undefined) return "envelope";
  return "body" in read ? "body" : "header";
}

/** Decides, and reads the message no further than the decision needs, but at least up to `from`. Adds its counts to `stats`. */
export async function decideStaged(
  domain: CompiledDomain,
  envelope: Envelope,
  message: Pick<StagedMessage, "upTo"> & Partial<Pick<StagedMessage, "toEnd">>,
  from: Stage,
  options: ToFactsOptions,
  stats?: ResolveStats,
): Promise<StagedDecision> {
  let read = await message.upTo(from);
  for (;;) {
    const stage = stageOf(read);
    const facts = toFacts(envelope, read, options);
    const resolution = resolve(domain, facts, stats === undefined ? {} : { stats });
    if (resolution.verdict === "decided") return { decision: resolution, facts, read, stage };
    if (stage !== "body") {
      read = await message.upTo(stage === "header" ? "body" : resolution.needs);
    } else if (read !== undefined && !("size" in read) && message.toEnd !== undefined) {
      read = await message.toEnd();
    } else {
      throw new Error("a domain left a message undecided of which every fact is known");
    }
  }
}
