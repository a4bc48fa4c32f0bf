/** A message that is read stage by stage, no further than asked, each byte once, and then passed on. */

import { LIMITS } from "../base/limits.ts";
import { assertOptions } from "../base/options.ts";
import { STAGES, type Stage } from "../engine/facts/facts.ts";
import type { BlockFacts } from "./header/header-facts.ts";
import type { MessageFacts } from "./header/message-facts.ts";
import { bodySourceOf, messageLimits, octetsWithin, type ReadOptions } from "./message-limits.ts";
import type { MessageSource } from "./message-source.ts";
import { blockFactsOf, messageFactsAfter } from "./read-message.ts";
import { type ReadSoFar, type StagedMessage, StreamedMessage } from "./streamed-message.ts";

/** Options of `stagedMessage`. */
export interface StagedOptions extends ReadOptions {
  /** Octets to hold at the body stage, 1 or more; the default is that of `LIMITS`. */
  readonly heldBytesMax?: number | undefined;
}

/** The bytes are in memory: nothing has to be kept or closed. */
function ofBytes(message: Uint8Array, options: ReadOptions): StagedMessage {
  let header: BlockFacts | null = null;
  let read: ReadSoFar;
  let reached: Stage = "envelope";
  const upTo = async (stage: Stage): Promise<ReadSoFar> => {
    if (STAGES.indexOf(stage) <= STAGES.indexOf(reached)) return read;
    if (stage === "header") read = header = blockFactsOf(message, options);
    else read = messageFactsAfter(header, message, options);
    reached = stage;
    return read;
  };
  return {
    upTo,
    toEnd: async () => (await upTo("body")) as MessageFacts,
    async *stream() {
      yield message;
    },
    octets: async () => octetsWithin(message, messageLimits(options)),
    close: async () => undefined,
  };
}

function heldBytesMaxOf({ heldBytesMax = LIMITS.heldBytesMax }: StagedOptions): number {
  if (Number.isSafeInteger(heldBytesMax) && heldBytesMax >= 1) return heldBytesMax;
  throw new TypeError(`\`heldBytesMax\` is \`${heldBytesMax}\`: give a whole number, 1 or more`);
}

/** Makes a message that is read only as far as asked. Throws a TypeError for options it does not know. */
export function stagedMessage(source: MessageSource, options: StagedOptions = {}): StagedMessage {
  assertOptions(options, ["limits", "bodySource", "heldBytesMax"]);
  const { limits, bodySource } = options;
  const heldBytesMax = heldBytesMaxOf(options);
  if (source instanceof Uint8Array) return ofBytes(source, { limits, bodySource });
  const read = { limits: messageLimits({ limits }), bodySource: bodySourceOf({ bodySource }) };
  return new StreamedMessage(source, { ...read, heldBytesMax });
}

/** A message that is read but never passed on: nothing of it is held. */
export function passingMessage(source: MessageSource, options: ReadOptions): StagedMessage {
  if (source instanceof Uint8Array) return ofBytes(source, options);
  const read = { limits: messageLimits(options), bodySource: bodySourceOf(options) };
  return new StreamedMessage(source, { ...read, heldBytesMax: null });
}
