/** Makes the body text that rules see from a message's parts: the plain text, then that of the HTML. */
import { type MessageProblem, problem } from "./header/message-problem.ts";
import { htmlToText } from "./html/displayed-text.ts";
import type { BodySource, MessageLimits } from "./message-limits.ts";
import { isText } from "./mime/kept-contents.ts";
import type { MimePart } from "./mime/part-reader.ts";
import { decodeText } from "./mime/part-text.ts";

/** Joins the texts of all parts of one type with line breaks; stops decoding at the bound. */
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

/** A character that a reader sees: neither white space nor without width. */
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

/** The plain text and that of the HTML. Each keeps at least half of the bound, so that neither can push out the other. */
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
export function readBody(
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
