/** Reads a message, up to the stage that is asked for, into the facts that rules see. */

import { BodyStream } from "./body-stream.ts";
import { type BlockFacts, factsOfBlock, type HeaderFacts } from "./header/header-facts.ts";
import type { MessageFacts } from "./header/message-facts.ts";
import { headerBlockOf } from "./header/read-header.ts";
import { bodySourceOf, messageLimits, type ReadOptions } from "./message-limits.ts";
import { factsOfParts, partsOfMessage } from "./message-parts.ts";
import { chunksOf, collectHeader, type MessageSource, wholeOf } from "./message-source.ts";
import { decodeCharset } from "./text/charset.ts";

/** As `headerFactsOf`, to go on from with `messageFactsAfter`. */
export function blockFactsOf(message: Uint8Array, options?: ReadOptions): BlockFacts {
  const limits = messageLimits(options);
  const { bytes } = wholeOf(message, limits.messageBytesMax);
  return factsOfBlock(headerBlockOf(bytes, limits), decodeCharset);
}

/** The facts of the header block of a message in memory, whole or up to its blank line. Any bytes give facts. */
export function headerFactsOf(message: Uint8Array, options?: ReadOptions): HeaderFacts {
  return blockFactsOf(message, options);
}

/**
 * The facts of the header block. Reads a stream only up to the blank line and then closes it. Any bytes give facts;
 * rejects only with what the stream itself throws, and with a TypeError for options it does not know.
 */
export async function headerFacts(
  source: MessageSource,
  options?: ReadOptions,
): Promise<HeaderFacts> {
  if (source instanceof Uint8Array) return headerFactsOf(source, options);
  const limits = messageLimits(options);
  const bytes = await collectHeader(source, limits);
  return factsOfBlock(headerBlockOf(bytes, limits), decodeCharset);
}

/** The facts of a message in memory. Any bytes give facts. */
export function messageFactsOf(message: Uint8Array, options?: ReadOptions): MessageFacts {
  return messageFactsAfter(null, message, options);
}

/** As `messageFactsOf`; `header`: what `blockFactsOf` read under the same options. */
export function messageFactsAfter(
  header: BlockFacts | null,
  message: Uint8Array,
  options?: ReadOptions,
): MessageFacts {
  const limits = messageLimits(options);
  const whole = wholeOf(message, limits.messageBytesMax);
  const parts = partsOfMessage(whole, limits, header?.block);
  return factsOfParts(parts, whole.size, limits, bodySourceOf(options), header);
}

/**
 * The facts of a whole message; those of the header are the same as from `headerFacts`. Holds no more of a stream
 * than its texts. Any bytes give facts, and `problems` lists what could not be read. Rejects only with what the
 * stream itself throws, and with a TypeError for options it does not know.
 */
export async function messageFacts(
  source: MessageSource,
  options?: ReadOptions,
): Promise<MessageFacts> {
  if (source instanceof Uint8Array) return messageFactsOf(source, options);
  const body = new BodyStream(messageLimits(options), bodySourceOf(options));
  for await (const chunk of chunksOf(source)) body.push(chunk);
  return body.facts();
}
