/** A message that is read stage by stage, each of its bytes once, as far as it is asked for. */

import { STAGES, type Stage } from "../engine/facts/facts.ts";
import { HeaderCollector } from "./header/header-collector.ts";
import { BlockFacts, type HeaderFacts } from "./header/header-facts.ts";
import type { MessageFacts } from "./header/message-facts.ts";
import { headerBlockOf } from "./header/read-header.ts";
import {
  type BodySource,
  bodySourceOf,
  type MessageLimits,
  messageLimits,
  type ReadOptions,
} from "./message-limits.ts";
import { checkedChunk, type MessageSource } from "./message-source.ts";
import { factsOfMessage, headerFactsOf, messageFactsOf } from "./read-message.ts";
import { decodeCharset } from "./text/charset.ts";
import { collectedBytes } from "./text/collected.ts";
import { normalLines } from "./text/line-endings.ts";

/** What is read of a message up to a stage; nothing is read for the envelope's. */
export type ReadSoFar = HeaderFacts | MessageFacts | undefined;

/** A message that several recipients share. A stage that was read is not read again, nor one below a later one. */
export interface StagedMessage {
  /** What is known at the stage, or at a later one that was read before. Rejects with what the source throws. */
  upTo(stage: Stage): Promise<ReadSoFar>;
  /**
   * All octets as received, read to the end. Rejects with a RangeError if there are more than `messageBytesMax`.
   */
  octets(): Promise<Uint8Array>;
  /** Closes the source: what was not read is never read. */
  close(): Promise<void>;
}

/** The bytes are there: nothing has to be kept or closed. */
function ofBytes(message: Uint8Array, options: ReadOptions | undefined): StagedMessage {
  let read: ReadSoFar;
  let reached: Stage = "envelope";
  return {
    async upTo(stage) {
      if (STAGES.indexOf(stage) <= STAGES.indexOf(reached)) return read;
      read =
        stage === "header" ? headerFactsOf(message, options) : messageFactsOf(message, options);
      reached = stage;
      return read;
    },
    octets: async () => message,
    close: async () => undefined,
  };
}

class StreamedMessage implements StagedMessage {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #limits: MessageLimits;
  readonly #bodySource: BodySource;
  readonly #header: HeaderCollector;
  readonly #octets = collectedBytes();
  #size = 0;
  #state: "open" | "ended" | "closed" = "open";
  /** The last stage that was begun, so that no two read at once. */
  #reading: Promise<ReadSoFar> = Promise.resolve(undefined);
  #begun: Stage = "envelope";

  constructor(source: AsyncIterable<Uint8Array>, limits: MessageLimits, bodySource: BodySource) {
    this.#bodySource = bodySource;
    this.#chunks = source[Symbol.asyncIterator]();
    this.#limits = limits;
    this.#header = new HeaderCollector(limits.headerBlockBytesMax);
  }

  /** Takes one more chunk; `false` if there is none. */
  async #take(): Promise<boolean> {
    if (this.#state === "closed") throw new Error("the message was closed before it was read");
    if (this.#state === "ended") return false;
    const next = await this.#chunks.next();
    if (next.done === true) {
      this.#state = "ended";
      return false;
    }
    const chunk = checkedChunk(next.value);
    const room = Math.max(0, this.#limits.messageBytesMax - this.#size);
    this.#size += chunk.length;
    this.#octets.push(chunk.subarray(0, room));
    this.#header.push(chunk);
    return true;
  }

  async #readHeader(): Promise<HeaderFacts> {
    while (!this.#header.isComplete && (await this.#take()));
    return new BlockFacts(headerBlockOf(this.#header.end(), this.#limits), decodeCharset);
  }

  async #readBody(): Promise<MessageFacts> {
    while (await this.#take());
    const message = { bytes: normalLines(this.#octets.bytes), size: this.#size };
    return factsOfMessage(message, this.#limits, this.#bodySource);
  }

  upTo(stage: Stage): Promise<ReadSoFar> {
    if (STAGES.indexOf(stage) <= STAGES.indexOf(this.#begun)) return this.#reading;
    this.#begun = stage;
    const read = (): Promise<ReadSoFar> =>
      stage === "header" ? this.#readHeader() : this.#readBody();
    this.#reading = this.#reading.then(read);
    return this.#reading;
  }

  async octets(): Promise<Uint8Array> {
    await this.#reading;
    while (await this.#take());
    if (this.#size > this.#limits.messageBytesMax) {
      throw new RangeError(`the message is longer than ${this.#limits.messageBytesMax} octets`);
    }
    return this.#octets.bytes;
  }

  async close(): Promise<void> {
    if (this.#state !== "open") return;
    this.#state = "closed";
    await this.#chunks.return?.();
  }
}

/** A message that is read as far as it is asked to. Throws a TypeError for options it does not know. */
export function stagedMessage(source: MessageSource, options?: ReadOptions): StagedMessage {
  if (source instanceof Uint8Array) return ofBytes(source, options);
  return new StreamedMessage(source, messageLimits(options), bodySourceOf(options));
}
