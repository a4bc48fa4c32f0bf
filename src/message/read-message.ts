/** Reads a message, as far as a stage of reception needs, into the facts that rules see. */
import { LIMITS } from "../base/limits.ts";
import { decodedSize } from "../mail/decoded-size.ts";
import type { AttachmentFact } from "../mail/facts.ts";
import { findBlankLine, splitHeaderBlock } from "../mail/header-block.ts";
import { factsOfBlock, type HeaderFacts, readHeaderFacts } from "../mail/header-facts.ts";
import { htmlToText } from "../mail/html-text.ts";
import type { MessageFacts } from "../mail/message-facts.ts";
import { type MessageProblem, problem } from "../mail/message-problem.ts";
import { findParts, type MimePart } from "../mail/mime-parts.ts";
import { decodeCharset } from "./charset.ts";
import { collectHeader, collectMessage, type MessageSource } from "./message-source.ts";
import { partText } from "./part-text.ts";

/**
 * The facts of the header block. Reads a stream only up to the blank line and then closes it. Any bytes give facts;
 * rejects only with what the stream itself throws.
 */
export async function headerFacts(source: MessageSource): Promise<HeaderFacts> {
  return readHeaderFacts(await collectHeader(source), decodeCharset);
}

function isText(part: MimePart, contentType: string): boolean {
  return part.contentType === contentType && part.disposition === "inline";
}

/** The texts of parts, joined by line breaks, decoded until the bound is reached. */
async function joinTexts(parts: readonly MimePart[], problems: MessageProblem[]): Promise<string> {
  const texts: string[] = [];
  let room: number = LIMITS.textBytesMax;
  for (const part of parts) {
    if (part.content.length > room) {
      problems.push(problem("body-cut", `only ${LIMITS.textBytesMax} octets of text are read`));
    }
    const content = part.content.subarray(0, room);
    room -= content.length;
    if (content.length === 0) continue;
    try {
      texts.push(await partText({ ...part, content }));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push(problem("part-unreadable", `a text part could not be read: ${reason}`));
    }
  }
  return texts.join("\n");
}

function cut(text: string, unitsMax: number, problems: MessageProblem[]): string {
  if (text.length <= unitsMax) return text;
  problems.push(problem("body-cut", `the body was cut after ${unitsMax} code units`));
  return text.slice(0, unitsMax);
}

// ASSUMPTION(body-text): the body is the inline text/plain content; where that is blank, the text of the HTML.
async function readBody(parts: readonly MimePart[], problems: MessageProblem[]): Promise<string> {
  const plain = parts.filter((part) => isText(part, "text/plain"));
  let text = await joinTexts(plain, problems);
  if (text.trim() === "") {
    const html = await joinTexts(
      parts.filter((part) => isText(part, "text/html")),
      problems,
    );
    if (html !== "") text = htmlToText(cut(html, LIMITS.htmlUnitsMax, problems));
  }
  return cut(text, LIMITS.factUnitsMax, problems).toWellFormed();
}

function attachmentFact(part: MimePart): AttachmentFact {
  const { filename, contentType } = part;
  return { filename, contentType, size: decodedSize(part) };
}

/** One problem of each code. */
function distinct(problems: readonly MessageProblem[]): readonly MessageProblem[] {
  return [...new Map(problems.map((found) => [found.code, found])).values()];
}

/**
 * The facts of a whole message; those of the header are what `headerFacts` gives. Any bytes give facts, and what could
 * not be read is in `problems`; rejects only with what the stream itself throws.
 */
export async function messageFacts(source: MessageSource): Promise<MessageFacts> {
  const { bytes, size } = await collectMessage(source);
  const block = splitHeaderBlock(bytes);
  const header = factsOfBlock(block, decodeCharset);
  const bodyStart = block.bodyStart ?? findBlankLine(bytes, 0).bodyStart ?? bytes.length;
  const found = findParts(bytes, block.fields, bodyStart, decodeCharset);
  const problems = [...header.problems, ...found.problems];
  if (size > LIMITS.messageBytesMax) {
    const max = LIMITS.messageBytesMax;
    problems.push(problem("message-too-large", `only the first ${max} octets are read`));
  }
  const body = await readBody(found.parts, problems);
  const attachments = found.parts
    .filter((part) => !isText(part, "text/plain") && !isText(part, "text/html"))
    .map(attachmentFact);
  return { ...header, body, attachments, size, problems: distinct(problems) };
}
