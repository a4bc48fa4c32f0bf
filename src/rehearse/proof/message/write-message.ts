/** Writes a draft as a message (RFC 5322, MIME), in ASCII if its addresses allow. */
import type { Draft, DraftAttachment } from "./draft.ts";

/** Most octets to write for attachments, and for a whole message. */
const ATTACHMENT_OCTETS_MAX = 30_000_000;
const MESSAGE_OCTETS_MAX = 40_000_000;
const LINE_UNITS_MAX = 76;
const BOUNDARY = "=_mailflow";
/** Octets of text in one encoded word: 75 characters in all (RFC 2047 §2). */
const WORD_OCTETS = 45;

const encoder = new TextEncoder();

function base64(text: string): string {
  const bytes = encoder.encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function inLines(text: string): string {
  return text.replace(/.{76}(?=.)/g, "$&\r\n");
}

/** The text as it is if reading it gives the same text, otherwise in encoded words. */
function headerValue(text: string): string {
  const isPlain = /^(?:[!-~](?: ?[!-~])*)?$/.test(text) && !text.includes("=?");
  if (isPlain && text.length <= 400) return text;
  const words: string[] = [];
  let word = "";
  for (const char of text) {
    if (encoder.encode(word + char).length > WORD_OCTETS) {
      words.push(word);
      word = "";
    }
    word += char;
  }
  words.push(word);
  return words.map((each) => `=?UTF-8?B?${base64(each)}?=`).join("\r\n ");
}

const DOT_ATOM = /^[^\s"(),.:;<>@[\\\]]+(?:\.[^\s"(),.:;<>@[\\\]]+)*$/u;

function address(text: string): string {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  if (at <= 0 || DOT_ATOM.test(local)) return text;
  return `"${local.replace(/["\\]/g, "\\$&")}"${text.slice(at)}`;
}

interface BodyPart {
  readonly head: readonly string[];
  /** In pieces. */
  readonly content: readonly string[];
}

/** A message as pieces of its text, which may be long. */
export interface Written {
  readonly recipient: string;
  readonly pieces: readonly string[];
}

function textPart(body: string): BodyPart {
  const lines = body.split("\n");
  const isPlain =
    /^[\n -~]*$/.test(body) &&
    lines.every((line) => line.length <= LINE_UNITS_MAX && !line.endsWith(" "));
  const head = ["Content-Type: text/plain; charset=utf-8"];
  if (isPlain && !body.endsWith("\n")) return { head, content: [lines.join("\r\n")] };
  return {
    head: [...head, "Content-Transfer-Encoding: base64"],
    content: [inLines(base64(body))],
  };
}

function parameter(text: string): string {
  if (/^[ -~]*$/.test(text)) return `filename="${text.replace(/["\\]/g, "\\$&")}"`;
  return `filename*=UTF-8''${encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`;
}

/** Lines of one piece of filling: about 64 KB. */
const PIECE_LINES = 840;

/** The line `count` times: one piece is repeated, so that megabytes are made only when they are read. */
function manyLines(line: string, count: number): readonly string[] {
  const piece = line.repeat(PIECE_LINES);
  const whole = new Array<string>(Math.floor(count / PIECE_LINES)).fill(piece);
  return [...whole, line.repeat(count % PIECE_LINES)];
}

/** `octets` octets of `x` in base64, in lines of 76 units. */
function filling(octets: number): readonly string[] {
  const left = octets % 57;
  const last = "eHh4".repeat(Math.floor(left / 3)) + ["", "eA==", "eHg="][left % 3]!;
  return [...manyLines(`${"eHh4".repeat(19)}\r\n`, Math.floor(octets / 57)), last];
}

function attachmentPart({ filename, contentType, octets }: DraftAttachment): BodyPart {
  return {
    head: [
      `Content-Type: ${contentType}`,
      `Content-Disposition: attachment${filename === "" ? "" : `; ${parameter(filename)}`}`,
      "Content-Transfer-Encoding: base64",
    ],
    content: filling(octets),
  };
}

/** The body with these parts, and filling after the last to reach `octetsMin`. */
function multipart(parts: readonly BodyPart[], octetsMin: number): readonly string[] {
  const written = parts.flatMap(({ head, content }) => [
    `--${BOUNDARY}\r\n${head.join("\r\n")}\r\n\r\n`,
    ...content,
    "\r\n",
  ]);
  const units = written.reduce((sum, { length }) => sum + length, 0);
  const lines = Math.ceil(Math.max(0, octetsMin - units) / (LINE_UNITS_MAX + 2));
  const more = manyLines(`${".".repeat(LINE_UNITS_MAX)}\r\n`, lines);
  return [...written, `--${BOUNDARY}--\r\n`, ...more];
}

/** The media type of the whole message: the one asked for, if any, with the parameters that its parts need. */
function multipartType(asked: string | undefined): string {
  if (asked === undefined) return `multipart/mixed; boundary="${BOUNDARY}"`;
  return `${asked}; boundary="${BOUNDARY}"`;
}

const DATE = "Mon, 02 Mar 2026 09:00:00 +0000";

/** The message and its recipient; `null` if it would be too large. */
export function writeMessage(draft: Draft, domain: string): Written | null {
  const octets = draft.attachments.reduce((sum, attachment) => sum + attachment.octets, 0);
  if (octets > ATTACHMENT_OCTETS_MAX || draft.octetsMin > MESSAGE_OCTETS_MAX) return null;
  const recipient = `${draft.local}@${domain}`;
  const fields: [string, string][] = [];
  const chosen = (name: string): readonly string[] | undefined => draft.headers.get(name);
  const add = (name: string, ordinary: string): void => {
    const lower = name.toLowerCase();
    if (draft.without.has(lower)) return;
    for (const value of chosen(lower)?.map(headerValue) ?? [ordinary]) fields.push([name, value]);
  };
  if (draft.sender !== "" || chosen("from") !== undefined) add("From", address(draft.sender));
  add("To", address(recipient));
  if (draft.subject !== "" || chosen("subject") !== undefined) {
    add("Subject", headerValue(draft.subject));
  }
  add("Date", DATE);
  add("Message-ID", "<witness@example.org>");
  const own = new Set(["from", "to", "subject", "date", "message-id", "mime-version"]);
  for (const [name, values] of draft.headers) {
    if (own.has(name) || name === "content-type") continue;
    const written = name.replace(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase());
    for (const value of values) fields.push([written, headerValue(value)]);
  }
  add("MIME-Version", "1.0");
  const [type] = chosen("content-type") ?? [];
  const text = textPart(draft.body);
  const isMultipart =
    draft.attachments.length > 0 || draft.octetsMin > 0 || type?.startsWith("multipart/");
  const head = fields.map(([name, value]) => `${name}: ${value}`);
  if (!isMultipart) {
    const own = type === undefined ? text.head : [`Content-Type: ${type}`, ...text.head.slice(1)];
    return { recipient, pieces: [[...head, ...own, "", ""].join("\r\n"), ...text.content] };
  }
  const parts = [text, ...draft.attachments.map(attachmentPart)];
  const fieldLines = [...head, `Content-Type: ${multipartType(type)}`, "", ""].join("\r\n");
  return { recipient, pieces: [fieldLines, ...multipart(parts, draft.octetsMin)] };
}
