/** A message's parts, and the facts made from them. */
import type { AttachmentFact } from "../engine/facts/facts.ts";
import { readBody } from "./body-text.ts";
import { findBlankLine, type HeaderBlock } from "./header/header-block.ts";
import { BlockFacts } from "./header/header-facts.ts";
import type { MessageFacts, TextFacts } from "./header/message-facts.ts";
import { type MessageProblem, problem } from "./header/message-problem.ts";
import { headerBlockOf } from "./header/read-header.ts";
import type { BodySource, MessageLimits } from "./message-limits.ts";
import type { CollectedMessage } from "./message-source.ts";
import { decodedSize } from "./mime/decoded-size.ts";
import { isText } from "./mime/kept-contents.ts";
import { findParts } from "./mime/mime-parts.ts";
import type { MimePart } from "./mime/part-reader.ts";
import { decodeCharset } from "./text/charset.ts";

function attachmentFacts(parts: readonly MimePart[]): readonly AttachmentFact[] {
  const facts: AttachmentFact[] = [];
  for (const part of parts) {
    if (isText(part, "text/plain") || isText(part, "text/html")) continue;
    const { filename, contentType } = part;
    facts.push({ filename, contentType, size: decodedSize(part) });
  }
  return facts;
}

class BeginningFacts extends BlockFacts implements TextFacts {
  readonly body: string;

  constructor(
    block: HeaderBlock,
    problems: readonly MessageProblem[],
    body: string,
    header: BlockFacts | null,
  ) {
    super(block, decodeCharset, problems, header);
    this.body = body;
  }
}

class WholeFacts extends BeginningFacts implements MessageFacts {
  readonly attachments: readonly AttachmentFact[];
  readonly size: number;

  constructor(
    block: HeaderBlock,
    problems: readonly MessageProblem[],
    body: string,
    attachments: readonly AttachmentFact[],
    size: number,
    header: BlockFacts | null,
  ) {
    super(block, problems, body, header);
    this.attachments = attachments;
    this.size = size;
  }
}

/** The header block and the parts of a message. */
export interface MessageParts {
  readonly block: HeaderBlock;
  readonly parts: readonly MimePart[];
  /** What could not be read after the header block. */
  readonly problems: readonly MessageProblem[];
}

/** Where the body begins in the bytes read so far; `null` if there is no blank line. */
export function bodyStartOf(
  bytes: Uint8Array,
  block: HeaderBlock,
  { headerBlockBytesMax }: MessageLimits,
): number | null {
  if (block.bodyStart !== null || bytes.length <= headerBlockBytesMax) return block.bodyStart;
  return findBlankLine(bytes, 0).bodyStart;
}

/** The parts, with every problem of the message of `size` octets that its header does not have. */
export function partsWith(
  block: HeaderBlock,
  found: Pick<MessageParts, "parts" | "problems">,
  size: number,
  { messageBytesMax }: MessageLimits,
): MessageParts {
  const problems = [...found.problems];
  if (size > messageBytesMax) {
    problems.push(
      problem("message-too-large", `only the first ${messageBytesMax} octets are read`),
    );
  }
  return { block, parts: found.parts, problems };
}

/** `block`: the message's header block, where it was read before. */
export function partsOfMessage(
  message: CollectedMessage,
  limits: MessageLimits,
  block: HeaderBlock = headerBlockOf(message.bytes, limits),
): MessageParts {
  const { bytes, size } = message;
  const bodyStart = bodyStartOf(bytes, block, limits) ?? bytes.length;
  const { keyFields, strayStart } = block;
  const found = findParts(bytes, keyFields, bodyStart, decodeCharset, limits, strayStart);
  return partsWith(block, found, size, limits);
}

/** `header`: the facts of the header block, where they were read before. */
export function factsOfParts(
  { block, parts, problems }: MessageParts,
  size: number,
  limits: MessageLimits,
  source: BodySource,
  header: BlockFacts | null = null,
): MessageFacts {
  const all = [...problems];
  const body = readBody(parts, limits, source, all);
  return new WholeFacts(block, all, body, attachmentFacts(parts), size, header);
}

/** The facts of a message's beginning; its size and attachments are not known. */
export function factsOfBeginning(
  { block, parts, problems }: MessageParts,
  limits: MessageLimits,
  source: BodySource,
): TextFacts {
  const all = [...problems];
  const body = readBody(parts, limits, source, all);
  return new BeginningFacts(block, all, body, null);
}
