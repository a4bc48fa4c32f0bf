/** A message that comes as chunks: read first and then passed on, or read while it is passed on. */
import { STAGES, type Stage } from "../engine/facts/facts.ts";
import { BodyStream } from "./body-stream.ts";
import { HeaderCollector } from "./header/header-collector.ts";
import { BlockFacts, type HeaderFacts } from "./header/header-facts.ts";
import type { MessageFacts, TextFacts } from "./header/message-facts.ts";
import { headerBlockOf } from "./header/read-header.ts";
import { HeldOctets } from "./held-octets.ts";
import { type BodySource, type MessageLimits, octetsWithin } from "./message-limits.ts";
import { checkedChunk } from "./message-source.ts";
import { decodeCharset } from "./text/charset.ts";

/** The facts read up to a stage; `undefined` at the envelope stage. */
export type ReadSoFar = HeaderFacts | TextFacts | MessageFacts | undefined;

/**
 * A message that several recipients share. A stage is read once; asking for an earlier stage reads nothing.
 *
 * Either ask first and then take the stream: until then all octets read are held, `heldBytesMax` at most. Or take the
 * stream first: nothing is held, and a stage is known once the stream has been read that far.
 */
export interface StagedMessage {
  /**
   * The facts known at the stage, or at a later stage already read. At the body stage, if more than `heldBytesMax`
   * octets would have to be held, gives the facts of the beginning, without size and attachments. Rejects with what
   * the source throws.
   */
  upTo(stage: Stage): Promise<ReadSoFar>;
  /**
   * All facts, however much has to be held for them; of a message beyond `messageBytesMax`, those of the octets up to
   * there.
   */
  toEnd(): Promise<MessageFacts>;
  /**
   * The whole message, octet for octet: the held octets, which are freed, then the rest of the source. It can be
   * taken once. Leaving it early closes the source.
   */
  stream(): AsyncIterableIterator<Uint8Array>;
  /** All octets as received, read to the end. Rejects with a RangeError if there are more than `messageBytesMax`. */
  octets(): Promise<Uint8Array>;
  /** Closes the source; nothing more is read. */
  close(): Promise<void>;
}

/** How a message that comes as chunks is read. */
export interface StreamedReading {
  readonly limits: MessageLimits;
  readonly bodySource: BodySource;
  /** `null`: nothing is held, since the message is not passed on. */
  readonly heldBytesMax: number | null;
}

/** A call that waits until the stream has been read far enough. */
interface Waiting {
  isReached(): boolean;
  resolve(): void;
  reject(reason: unknown): void;
}

const CLOSED = "the message was closed before it was read";
const TAKEN = "the message's stream was taken: ask for a stage before, or take the stream first";
/** What can be asked for, in order: the stages, then the whole message. */
const TO_END = STAGES.length;

export class StreamedMessage implements StagedMessage {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #reading: StreamedReading;
  readonly #header: HeaderCollector;
  #held: HeldOctets | null;
  /** Reads the octets as they pass, if none are held. */
  #body: BodyStream | null = null;
  #state: "open" | "ended" | "closed" | { readonly failure: unknown } = "open";
  /** The last request. Each waits for the one before, so that no two read at once. */
  #asked: Promise<ReadSoFar> = Promise.resolve(undefined);
  #begun = 0;
  #isTaken = false;
  /**
   * Whether the caller has taken the stream. Then nothing more is held, and stages wait until the caller has read so
   * far.
   */
  #isPassedOn = false;
  #waiting: readonly Waiting[] = [];

  constructor(source: AsyncIterable<Uint8Array>, reading: StreamedReading) {
    this.#chunks = source[Symbol.asyncIterator]();
    this.#reading = reading;
    this.#header = new HeaderCollector(reading.limits);
    this.#held = reading.heldBytesMax === null ? null : new HeldOctets();
    if (this.#held === null) this.#readAsItPasses();
  }

  #readAsItPasses(): void {
    this.#held = null;
    this.#body = new BodyStream(this.#reading.limits, this.#reading.bodySource);
  }

  /** Takes one more chunk; `null` if there is none. */
  async #take(): Promise<Uint8Array | null> {
    if (this.#state === "closed") throw new Error(CLOSED);
    if (this.#state === "ended") return null;
    if (this.#state !== "open") throw this.#state.failure;
    try {
      const next = await this.#chunks.next();
      if (next.done !== true) return this.#pass(checkedChunk(next.value));
    } catch (failure) {
      this.#fail(failure);
      throw failure;
    }
    this.#state = "ended";
    for (const each of this.#waiting) each.resolve();
    return null;
  }

  #pass(chunk: Uint8Array): Uint8Array {
    this.#header.push(chunk);
    this.#body?.push(chunk);
    if (!this.#isPassedOn) this.#held?.push(chunk);
    for (const each of this.#waiting) if (each.isReached()) each.resolve();
    this.#waiting = this.#waiting.filter((each) => !each.isReached());
    return chunk;
  }

  #fail(failure: unknown): void {
    if (this.#state === "open") this.#state = { failure };
    for (const each of this.#waiting) each.reject(failure);
    this.#waiting = [];
  }

  /**
   * Reads on until `isReached` is true, or to the end. If the caller has taken the stream, waits until the caller has
   * read so far.
   */
  async #reach(isReached: () => boolean): Promise<void> {
    if (!this.#isPassedOn) {
      while (!isReached() && (await this.#take()) !== null);
      return;
    }
    if (isReached() || this.#state === "ended") return;
    if (this.#state === "closed") throw new Error(CLOSED);
    if (this.#state !== "open") throw this.#state.failure;
    await new Promise<void>((resolve, reject) => {
      this.#waiting = [...this.#waiting, { isReached, resolve, reject }];
    });
  }

  async #readHeader(): Promise<HeaderFacts> {
    await this.#reach(() => this.#header.isComplete);
    const { limits } = this.#reading;
    return new BlockFacts(headerBlockOf(this.#header.end(), limits), decodeCharset);
  }

  async #readBody(bytesMax: number): Promise<TextFacts | MessageFacts> {
    const held = this.#held;
    await this.#reach(() => held !== null && held.length > bytesMax);
    return held === null ? this.#body!.facts() : this.#factsOf(held, bytesMax);
  }

  /** The facts of the held octets, which are the whole message or more than `bytesMax`. */
  #factsOf(held: HeldOctets, bytesMax: number): TextFacts | MessageFacts {
    const { limits, bodySource } = this.#reading;
    const isWhole = this.#state === "ended";
    const messageBytesMax = isWhole ? limits.messageBytesMax : bytesMax;
    const body = new BodyStream({ ...limits, messageBytesMax }, bodySource);
    // One octet more than `bytesMax` shows that there are more, however the chunks are cut.
    let room = isWhole ? held.length : bytesMax + 1;
    for (const block of held.blocks()) {
      body.push(block.subarray(0, room));
      room = Math.max(0, room - block.length);
    }
    return isWhole || bytesMax >= limits.messageBytesMax ? body.facts() : body.beginning();
  }

  #ask<Read extends ReadSoFar>(what: number, read: () => Promise<Read>): Promise<ReadSoFar> {
    if (what <= this.#begun) return this.#asked;
    if (this.#isTaken && this.#held !== null) return Promise.reject(new Error(TAKEN));
    this.#begun = what;
    this.#asked = this.#asked.then(read);
    return this.#asked;
  }

  upTo(stage: Stage): Promise<ReadSoFar> {
    const { heldBytesMax, limits } = this.#reading;
    const bytesMax = Math.min(heldBytesMax ?? limits.messageBytesMax, limits.messageBytesMax);
    const read = stage === "header" ? () => this.#readHeader() : () => this.#readBody(bytesMax);
    return this.#ask(STAGES.indexOf(stage), read);
  }

  async toEnd(): Promise<MessageFacts> {
    const read = await this.upTo("body");
    if (read !== undefined && "size" in read) return read;
    const { messageBytesMax } = this.#reading.limits;
    return (await this.#ask(TO_END, () => this.#readBody(messageBytesMax))) as MessageFacts;
  }

  stream(): AsyncIterableIterator<Uint8Array> {
    if (this.#isTaken) throw new Error("the message's stream was taken before: it is given once");
    this.#isTaken = true;
    if (this.#begun === 0) {
      this.#readAsItPasses();
      this.#isPassedOn = true;
    }
    const passed = this.#passOn(this.#asked);
    let isLeft = false;
    const iterator: AsyncIterableIterator<Uint8Array> = {
      next: async () => (isLeft ? { done: true, value: undefined } : passed.next()),
      // A generator could not be ended while it waits for its source.
      return: async () => {
        isLeft = true;
        await this.close();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  /** First waits for what was `asked` before the stream was taken. */
  async *#passOn(asked: Promise<ReadSoFar>): AsyncGenerator<Uint8Array> {
    await asked;
    this.#isPassedOn = true;
    if (this.#held !== null) yield* this.#held.release();
    for (let chunk = await this.#take(); chunk !== null; chunk = await this.#take()) yield chunk;
  }

  async octets(): Promise<Uint8Array> {
    await this.#asked;
    if (this.#isTaken || this.#held === null) throw new Error(TAKEN);
    const { messageBytesMax } = this.#reading.limits;
    await this.#reach(() => this.#held!.length > messageBytesMax);
    return octetsWithin(this.#held.bytes, this.#reading.limits);
  }

  async close(): Promise<void> {
    if (this.#state !== "open") return;
    this.#state = "closed";
    this.#fail(new Error(CLOSED));
    await this.#chunks.return?.();
  }
}
