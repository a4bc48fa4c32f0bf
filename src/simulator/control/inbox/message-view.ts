/** One message of the inboxes as a reader shows it: its fields, texts and parts, and each part as a download. */
import { splitHeaderBlock } from "../../../message/header/header-block.ts";
import { headerText, rawHeaderText } from "../../../message/header/header-text.ts";
import type { MessageProblem } from "../../../message/index.ts";
import { messageLimits } from "../../../message/message-limits.ts";
import { partsOfMessage } from "../../../message/message-parts.ts";
import { wholeOf } from "../../../message/message-source.ts";
import { decodedSize } from "../../../message/mime/decoded-size.ts";
import type { MimePart } from "../../../message/mime/part-reader.ts";
import { decodeTransfer } from "../../../message/mime/transfer-decoding.ts";
import { decodeCharset } from "../../../message/text/charset.ts";
import { wholeMessageOf } from "../../../message/whole-message.ts";
import { notFound } from "../../model/problem.ts";
import type { ReceivedRow } from "../../model/records.ts";
import type { Store } from "../../store/store.ts";
import { contentOf, getMessage, type MessageSummary, summaryOf } from "./inbox.ts";

export interface MessagePart {
  /** From 0, in the order of the message; names the part in its address. */
  readonly part: number;
  readonly contentType: string;
  readonly filename: string;
  readonly disposition: "inline" | "attachment";
  /** Without angle brackets; `""` if it has none. */
  readonly contentId: string;
  /** Octets before transfer. */
  readonly bytes: number;
}

export interface InboxMessage extends MessageSummary {
  /** The header fields in order, decoded. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** All text/plain and all text/html, each joined; `""` if there is none. For a webhook, `plain` is its JSON. */
  readonly plain: string;
  readonly html: string;
  readonly parts: readonly MessagePart[];
  readonly problems: readonly MessageProblem[];
}

function contentIdOf({ fields }: MimePart): string {
  const field = fields.find(({ name }) => name === "content-id");
  const text = field === undefined ? "" : rawHeaderText(field.value, decodeCharset).trim();
  return /^<(.+)>$/.exec(text)?.[1] ?? text;
}

function partsOf(octets: Uint8Array): readonly MimePart[] {
  return partsOfMessage(
    wholeOf(octets, messageLimits(undefined).messageBytesMax),
    messageLimits(undefined),
  ).parts;
}

function shownPart(part: MimePart, index: number): MessagePart {
  const { contentType, filename, disposition } = part;
  const contentId = contentIdOf(part);
  return { part: index, contentType, filename, disposition, contentId, bytes: decodedSize(part) };
}

function viewOf(row: ReceivedRow, octets: Uint8Array): InboxMessage {
  const summary = summaryOf(row);
  if (row.kind !== "mailbox") {
    const plain = Buffer.from(octets).toString("utf8");
    return { ...summary, headers: [], plain, html: "", parts: [], problems: [] };
  }
  const { text: plain, html, problems } = wholeMessageOf(octets);
  const headers = splitHeaderBlock(octets).fields.map(({ name, value }) => ({
    name,
    value: headerText(value, decodeCharset),
  }));
  return { ...summary, headers, plain, html, parts: partsOf(octets).map(shownPart), problems };
}

/** Throws 404 if there is none. */
export async function viewMessage(store: Store, id: string): Promise<InboxMessage> {
  const row = await getMessage(store, id);
  return viewOf(row, await contentOf(store, id));
}

/** A file name made safe for a header (RFC 6266), whatever a sender wrote. */
function fileNameOf(name: string): string {
  const plain = name.replace(/[^\w .()+,-]/g, "_").slice(0, 200) || "part";
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed().slice(0, 200) || "part")}`;
}

/** A sender's content is a download, never a page of this origin. */
function download(octets: Uint8Array, type: string, name: string): Response {
  const headers = {
    "content-type": type,
    "content-disposition": fileNameOf(name),
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
  };
  return new Response(Buffer.from(octets), { headers });
}

/** The message as a file: `.eml`, or `.json` for a webhook. */
export async function messageFile(store: Store, id: string): Promise<Response> {
  const { kind } = await getMessage(store, id);
  const octets = await contentOf(store, id);
  return kind === "mailbox"
    ? download(octets, "message/rfc822", `${id}.eml`)
    : download(octets, "application/json", `${id}.json`);
}

/** One part of a message as a file; throws 404 if there is none. */
export async function partFile(store: Store, id: string, index: string): Promise<Response> {
  const { kind } = await getMessage(store, id);
  const part = kind === "mailbox" ? partsOf(await contentOf(store, id))[Number(index)] : undefined;
  if (part === undefined || !/^\d{1,6}$/.test(index)) throw notFound("part");
  const { contentType, filename, transferEncoding, content } = part;
  const name = filename === "" ? `part-${index}` : filename;
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : "application/octet-stream";
  return download(decodeTransfer(content, transferEncoding), type, name);
}
