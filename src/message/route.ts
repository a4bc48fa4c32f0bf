/** Decides one message for one recipient at the earliest stage that suffices. */
import { assertOptions } from "../base/options.ts";
import type { Stage } from "../engine/facts/facts.ts";
import type { CompiledDomain } from "../engine/routing/compile-domain.ts";
import type { Decision } from "../engine/routing/resolution.ts";
import type { ResolveStats } from "../engine/routing/resolve-stats.ts";
import { decideStaged } from "./decide-staged.ts";
import type { Envelope, ToFactsOptions } from "./header/message-facts.ts";
import type { MessageProblem } from "./header/message-problem.ts";
import type { ReadOptions } from "./message-limits.ts";
import type { MessageSource } from "./message-source.ts";
import { passingMessage } from "./staged-message.ts";
import type { StagedMessage } from "./streamed-message.ts";

/** How the sender is chosen and how much is read. */
export interface RouteOptions extends ToFactsOptions, ReadOptions {
  /** `route` adds its counts to this. */
  readonly stats?: ResolveStats | undefined;
}

/** The result of `route`. */
export interface Routed {
  readonly decision: Decision;
  /** The last stage of the message that was read. */
  readonly stage: Stage;
  /** What could not be read of the message up to that stage. */
  readonly problems: readonly MessageProblem[];
}

function isStaged(source: MessageSource | StagedMessage): source is StagedMessage {
  return "upTo" in source;
}

/**
 * Decides one message for one recipient. Asks the engine with the envelope, then the header, then the body, and reads
 * no further than the answer needs. Then it closes the source; it holds nothing of it. For several recipients, or to
 * pass the message on, give a `StagedMessage`, which they share, and close it yourself. Rejects with what the source
 * throws, and with a TypeError for options it does not know.
 */
export async function route(
  domain: CompiledDomain,
  envelope: Envelope,
  source: MessageSource | StagedMessage,
  options: RouteOptions = {},
): Promise<Routed> {
  assertOptions(options, ["senderSource", "limits", "bodySource", "stats"]);
  const { senderSource, limits, bodySource, stats } = options;
  const message = isStaged(source) ? source : passingMessage(source, { limits, bodySource });
  try {
    const decided = await decideStaged(
      domain,
      envelope,
      message,
      "envelope",
      { senderSource },
      stats,
    );
    const { decision, read, stage } = decided;
    return { decision, stage, problems: read?.problems ?? [] };
  } finally {
    if (!isStaged(source)) await message.close();
  }
}
