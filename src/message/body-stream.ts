/** Reads the body stage of a message as it passes by. It holds no more than the texts, however large the message is. */
import { findBlankLine, type HeaderBlock } from "./header/header-block.ts";
import type { MessageFacts, TextFacts } from "./header/message-facts.ts";
import { headerBlockOf } from "./header/read-header.ts";
import type { BodySource, MessageLimits } from "./message-limits.ts";
import {
  bodyStartOf,
  factsOfBeginning,
  factsOfParts,
  type MessageParts,
  partsWith,
} from "./message-parts.ts";
import { KeptContents } from "./mime/kept-contents.ts";
import { closeAll, letGo, type PartReader, passLines, readerOf } from "./mime/part-reader.ts";
import { decodeCharset } from "./text/charset.ts";
import { collectedBytes } from "./text/collected.ts";
import { lineEndings } from "./text/line-endings.ts";

/** Size of the window in which delimiters are searched for. */
const WINDOW_BYTES = 65_536;

/** Takes a message's octets as they come. The caller may overwrite them afterwards. */
export class BodyStream {
  readonly #limits: MessageLimits;
  readonly #source: BodySource;
  readonly #windowBytes: number;
  readonly #endings = lineEndings();
  /** Octets not yet passed: the header block, then a line or a part's head whose end has not come yet. */
  readonly #window = collectedBytes();
  #block: HeaderBlock | null = null;
  #reader: PartReader | null = null;
  #size = 0;
  /** Window length at which it is searched: twice the length left over, so that no octet is searched often. */
  #lookAt: number;

  /** `windowBytes`: how many octets are searched at a time. */
  constructor(limits: MessageLimits, source: BodySource, windowBytes: number = WINDOW_BYTES) {
    this.#windowBytes = windowBytes;
    this.#lookAt = windowBytes;
    this.#limits = limits;
    this.#source = source;
  }

  push(chunk: Uint8Array): void {
    const room = Math.max(0, this.#limits.messageBytesMax - this.#size);
    this.#size += chunk.length;
    const most = Math.min(chunk.length, room);
    for (let at = 0; at < most && this.#reader?.isDone !== true; at += this.#windowBytes) {
      const end = Math.min(at + this.#windowBytes, most);
      this.#window.push(this.#endings.push(chunk.subarray(at, end)));
      if (this.#window.length >= this.#lookAt) this.#pass();
    }
  }

  #pass(): void {
    this.#reader ??= this.#begin("more comes");
    if (this.#reader !== null) {
      this.#reader.bytes = this.#window.bytes;
      passLines(this.#reader, "more comes");
      this.#window.cutOut(0, letGo(this.#reader));
    }
    this.#lookAt = Math.max(this.#windowBytes, 2 * this.#window.length);
  }

  /** Begins to read the parts; `null` while the end of the header has not come. */
  #begin(end: "more comes" | "end"): PartReader | null {
    const { bytes } = this.#window;
    const isEnd = end === "end";
    if (!isEnd && findBlankLine(bytes, 0).bodyStart === null) return null;
    const block = headerBlockOf(bytes, this.#limits);
    const bodyStart = bodyStartOf(bytes, block, this.#limits) ?? (isEnd ? bytes.length : null);
    if (bodyStart === null) return null;
    this.#block = block;
    const keeper = new KeptContents(this.#limits.textBytesMax);
    const { keyFields, strayStart } = block;
    return readerOf(bytes, keyFields, bodyStart, strayStart, decodeCharset, this.#limits, keeper);
  }

  #end(): MessageParts {
    this.#window.push(this.#endings.end());
    const reader = this.#reader ?? this.#begin("end")!;
    reader.bytes = this.#window.bytes;
    passLines(reader, "end");
    closeAll(reader);
    const found = { parts: reader.parts, problems: [...reader.problems.values()] };
    return partsWith(this.#block!, found, this.#size, this.#limits);
  }

  /** The facts of the whole message, as `messageFacts` gives them. Call it after the last chunk. */
  facts(): MessageFacts {
    return factsOfParts(this.#end(), this.#size, this.#limits, this.#source);
  }

  /** The facts of the chunks pushed so far, for a message that goes on after them. Push nothing afterwards. */
  beginning(): TextFacts {
    return factsOfBeginning(this.#end(), this.#limits, this.#source);
  }
}
