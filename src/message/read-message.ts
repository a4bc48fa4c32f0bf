/** Reads a message, as far as a stage of reception needs, into the facts that rules see. */

import type { AttachmentFact } from "../engine/facts/facts.ts";
import { findBlankLine, type HeaderBlock } from "./header/header-block.ts";
import { BlockFacts, factsOfBlock, type HeaderFacts } from "./header/header-facts.ts";
import type { MessageFacts } from "./header/message-facts.ts";
import { distinctProblems, type MessageProblem, problem } from "./header/message-problem.ts";
import { headerBlockOf } from "./header/read-header.ts";
import { htmlToText } from "./html/displayed-text.ts";
import {
  type BodySource,
  bodySourceOf,
  type MessageLimits,
  messageLimits,
  type ReadOptions,
} from "./message-limits.ts";
import {
  type CollectedMessage,
  collectHeader,
  collectMessage,
  type MessageSource,
  wholeOf,
} from "./message-source.ts";
import { decodedSize } from "./mime/decoded-size.ts";
import { findParts, type MimePart } from "./mime/mime-parts.ts";
import { decodeText } from "./mime/part-text.ts";
import { decodeCharset } from "./text/charset.ts";
import { normalLines } from "./text/line-endings.ts";

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

/** Types of text that readers know, and show as something else than text, or not at all. */
const OTHER_TEXT = new Set(
  (
    "calendar vcard x-vcard directory rtf css javascript ecmascript xml xsl xml-external-parsed-entity " +
    "rfc822-headers x-amp-html watch-html"
  )
    .split(" ")
    .map((name) => `text/${name}`),
);

/** Whether the part's text is a text of the message, not an attachment. Unknown types of text are plain (RFC 2046 §4.1.4). */
// ASSUMPTION(unknown-text): an inline text of a type that no reader knows is plain text of the message.
export function isText(part: MimePart, contentType: "text/plain" | "text/html"): boolean {
  if (part.disposition !== "inline") return false;
  if (part.contentType === "text/html" || contentType === "text/html") {
    return part.contentType === contentType;
  }
  return part.contentType.startsWith("text/") && !OTHER_TEXT.has(part.contentType);
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

/** What a reader sees something of: not white space, nor what has no width. */
const SHOWN = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

function isBlank(text: string): boolean {
  return !SHOWN.test(text);
}

function htmlOf(
  parts: readonly MimePart[],
  limits: MessageLimits,
  problems: MessageProblem[],
): string {
  const html = joinTexts(parts, "text/html", limits, problems);
  return html === "" ? "" : htmlToText(cut(html, limits.htmlUnitsMax, problems));
}

const BETWEEN_TEXTS = "\n\n";

/** The plain text and the HTML's, each cut no shorter than half of the bound, so that neither can push out the other. */
function bothTexts(
  plain: string,
  html: string,
  unitsMax: number,
  problems: MessageProblem[],
): string {
  if (isBlank(plain)) return isBlank(html) ? plain : html;
  if (isBlank(html)) return plain;
  const room = unitsMax - BETWEEN_TEXTS.length;
  const plainMax = Math.max(room - html.length, room >> 1);
  return `${cut(plain, plainMax, problems).trimEnd()}${BETWEEN_TEXTS}${html}`;
}

// ASSUMPTION(body-text): the body is the inline text/plain content, then the displayed text of the HTML, a blank line between.
function readBody(
  parts: readonly MimePart[],
  limits: MessageLimits,
  source: BodySource,
  problems: MessageProblem[],
): string {
  const readPlain = (): string => joinTexts(parts, "text/plain", limits, problems);
  const readHtml = (): string => htmlOf(parts, limits, problems);
  let text = source === "html" ? readHtml() : readPlain();
  if (source === "displayed") text = bothTexts(text, readHtml(), limits.factUnitsMax, problems);
  else if (isBlank(text)) text = (source === "html" ? readPlain() : readHtml()) || text;
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
  const found = findParts(
    bytes,
    block.keyFields,
    bodyStart,
    decodeCharset,
    limits,
    block.strayStart,
  );
  const problems = [...block.problems, ...found.problems];
  if (size > limits.messageBytesMax) {
    const max = limits.messageBytesMax;
    problems.push(problem("message-too-large", `only the first ${max} octets are read`));
  }
  return { block, parts: found.parts, problems: distinctProblems(problems) };
}

export function factsOfMessage(
  message: CollectedMessage,
  limits: MessageLimits,
  source: BodySource,
): MessageFacts {
  const { block, parts, problems } = partsOfMessage(message, limits);
  const all = [...problems];
  const body = readBody(parts, limits, source, all);
  return new WholeFacts(block, all, body, attachmentFacts(parts), message.size);
}

/** The facts of a message that is there as a whole. Any bytes give facts. */
export function messageFactsOf(message: Uint8Array, options?: ReadOptions): MessageFacts {
  const limits = messageLimits(options);
  return factsOfMessage(wholeOf(message, limits.messageBytesMax), limits, bodySourceOf(options));
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
  const bodySource = bodySourceOf(options);
  return factsOfMessage(await collectMessage(source, limits.messageBytesMax), limits, bodySource);
}
