/** Reads a message, as far as a stage of reception needs, into the facts that rules see. */
import { decodedSize } from "../mail/decoded-size.ts";
import type { AttachmentFact } from "../mail/facts.ts";
import { findBlankLine, type HeaderBlock } from "../mail/header-block.ts";
import { BlockFacts, factsOfBlock, type HeaderFacts } from "../mail/header-facts.ts";
import { htmlToText } from "../mail/html-text.ts";
import { normalLines } from "../mail/line-endings.ts";
import type { MessageFacts } from "../mail/message-facts.ts";
import { distinctProblems, type MessageProblem, problem } from "../mail/message-problem.ts";
import { findParts, type MimePart } from "../mail/mime-parts.ts";
import { decodeCharset } from "./charset.ts";
import { type MessageLimits, messageLimits, type ReadOptions } from "./message-limits.ts";
import {
  type CollectedMessage,
  collectHeader,
  collectMessage,
  type MessageSource,
  wholeOf,
} from "./message-source.ts";
import { decodeText } from "./part-text.ts";
import { headerBlockOf } from "./read-header.ts";

/** The facts of the header block of a message that is there, whole or up to its blank line. Any bytes give facts. */
export function headerFactsOf(message: Uint8Array, options?: ReadOptions): HeaderFacts {
  const limits = messageLimits(options);
  return factsOfBlock(headerBlockOf(normalLines(message), limits), decodeCharset);
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
  const bytes = await collectHeader(source, limits.headerBlockBytesMax);
  return factsOfBlock(headerBlockOf(bytes, limits), decodeCharset);
}

/** Whether the part's text is a text of the message, not an attachment. */
export function isText(part: MimePart, contentType: "text/plain" | "text/html"): boolean {
  return part.contentType === contentType && part.disposition === "inline";
}

/** The texts of the parts of a type, joined by line breaks, decoded until a bound is reached. */
function joinTexts(
  parts: readonly MimePart[],
  contentType: "text/plain" | "text/html",
  limits: MessageLimits,
  problems: MessageProblem[],
): string {
  let joined: string | undefined;
  let room = limits.textBytesMax;
  let count = 0;
  for (const part of parts) {
    if (!isText(part, contentType)) continue;
    if (++count > limits.textPartsMax) {
      problems.push(problem("body-cut", `only ${limits.textPartsMax} parts of text are read`));
      break;
    }
    if (part.content.length > room) {
      problems.push(problem("body-cut", `only ${limits.textBytesMax} octets of text are read`));
    }
    const content = part.content.subarray(0, room);
    room -= content.length;
    if (content.length === 0) continue;
    const text = decodeText(content.length === part.content.length ? part : { ...part, content });
    joined = joined === undefined ? text : `${joined}\n${text}`;
  }
  return joined ?? "";
}

function cut(text: string, unitsMax: number, problems: MessageProblem[]): string {
  if (text.length <= unitsMax) return text;
  problems.push(problem("body-cut", `the body was cut after ${unitsMax} code units`));
  return text.slice(0, unitsMax);
}

// ASSUMPTION(body-text): the body is the inline text/plain content; where that is blank, the text of the HTML.
function readBody(
  parts: readonly MimePart[],
  limits: MessageLimits,
  problems: MessageProblem[],
): string {
  let text = joinTexts(parts, "text/plain", limits, problems);
  if (!/\S/.test(text)) {
    const html = joinTexts(parts, "text/html", limits, problems);
    if (html !== "") text = htmlToText(cut(html, limits.htmlUnitsMax, problems));
  }
  return cut(text, limits.factUnitsMax, problems).toWellFormed();
}

function attachmentFacts(parts: readonly MimePart[]): readonly AttachmentFact[] {
  const facts: AttachmentFact[] = [];
  for (const part of parts) {
    if (isText(part, "text/plain") || isText(part, "text/html")) continue;
    const { filename, contentType } = part;
    facts.push({ filename, contentType, size: decodedSize(part) });
  }
  return facts;
}

class WholeFacts extends BlockFacts implements MessageFacts {
  readonly body: string;
  readonly attachments: readonly AttachmentFact[];
  readonly size: number;

  constructor(
    block: HeaderBlock,
    problems: readonly MessageProblem[],
    body: string,
    attachments: readonly AttachmentFact[],
    size: number,
  ) {
    super(block, decodeCharset, distinctProblems(problems));
    this.body = body;
    this.attachments = attachments;
    this.size = size;
  }
}

/** The header block and the parts of a message, and what is wrong with them. */
export interface MessageParts {
  readonly block: HeaderBlock;
  readonly parts: readonly MimePart[];
  readonly problems: readonly MessageProblem[];
}

export function partsOfMessage(message: CollectedMessage, limits: MessageLimits): MessageParts {
  const { bytes, size } = message;
  const block = headerBlockOf(bytes, limits);
  const isWhole = bytes.length <= limits.headerBlockBytesMax;
  const beyond = block.bodyStart === null && !isWhole ? findBlankLine(bytes, 0).bodyStart : null;
  const bodyStart = block.bodyStart ?? beyond ?? bytes.length;
  const found = findParts(bytes, block.keyFields, bodyStart, decodeCharset, limits);
  const problems = [...block.problems, ...found.problems];
  if (size > limits.messageBytesMax) {
    const max = limits.messageBytesMax;
    problems.push(problem("message-too-large", `only the first ${max} octets are read`));
  }
  return { block, parts: found.parts, problems: distinctProblems(problems) };
}

export function factsOfMessage(message: CollectedMessage, limits: MessageLimits): MessageFacts {
  const { block, parts, problems } = partsOfMessage(message, limits);
  const all = [...problems];
  const body = readBody(parts, limits, all);
  return new WholeFacts(block, all, body, attachmentFacts(parts), message.size);
}

/** The facts of a message that is there as a whole. Any bytes give facts. */
export function messageFactsOf(message: Uint8Array, options?: ReadOptions): MessageFacts {
  const limits = messageLimits(options);
  return factsOfMessage(wholeOf(message, limits.messageBytesMax), limits);
}

/**
 * The facts of a whole message; those of the header are what `headerFacts` gives. Any bytes give facts, and what could
 * not be read is in `problems`; rejects only with what the stream itself throws, and with a TypeError for options it
 * does not know.
 */
export async function messageFacts(
  source: MessageSource,
  options?: ReadOptions,
): Promise<MessageFacts> {
  const limits = messageLimits(options);
  return factsOfMessage(await collectMessage(source, limits.messageBytesMax), limits);
}
