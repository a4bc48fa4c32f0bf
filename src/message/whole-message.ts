/** A whole message: all its texts and attachments, each decoded only when asked for. */

import type { AttachmentFact } from "../engine/facts/facts.ts";
import { BlockFacts, type HeaderFacts } from "./header/header-facts.ts";
import { cleanText, rawHeaderText } from "./header/header-text.ts";
import { type MessageLimits, messageLimits, type ReadOptions } from "./message-limits.ts";
import { partsOfMessage } from "./message-parts.ts";
import {
  type CollectedMessage,
  collectMessage,
  type MessageSource,
  wholeOf,
} from "./message-source.ts";
import { decodedSize } from "./mime/decoded-size.ts";
import { isText } from "./mime/kept-contents.ts";
import type { MimePart } from "./mime/part-reader.ts";
import { decodeText } from "./mime/part-text.ts";
import { decodeTransfer } from "./mime/transfer-decoding.ts";
import { decodeCharset } from "./text/charset.ts";

/** A part of a message that is not one of its texts. */
export interface Attachment extends AttachmentFact {
  /** Content-ID without angle brackets, as in `cid:` references; `""` if it has none. */
  readonly contentId: string;
  readonly disposition: "inline" | "attachment";
  /** The octets after transfer decoding, decoded again at each call. */
  content(): Uint8Array;
}

/** A message with its text, its HTML and its attachments, each decoded when asked for. */
export interface WholeMessage extends HeaderFacts {
  /** The inline text/plain contents, joined by line breaks; `""` if there are none. */
  readonly text: string;
  /** The inline text/html contents as they are, joined by line breaks; `""` if there are none. */
  readonly html: string;
  /** In the order of the message, embedded messages included. */
  readonly attachments: readonly Attachment[];
  /** Octets as received. */
  readonly size: number;
}

function joined(parts: readonly MimePart[], contentType: "text/plain" | "text/html"): string {
  const texts = parts
    .filter((part) => isText(part, contentType) && part.content.length > 0)
    .map(decodeText);
  return texts.join("\n").toWellFormed();
}

function contentIdOf(part: MimePart): string {
  const field = part.fields.find(({ name }) => name === "content-id");
  const text = field === undefined ? "" : cleanText(rawHeaderText(field.value, decodeCharset));
  return /^<(.+)>$/.exec(text)?.[1] ?? text;
}

function attachmentOf(part: MimePart): Attachment {
  const { filename, contentType, disposition, transferEncoding } = part;
  return {
    filename,
    contentType,
    size: decodedSize(part),
    contentId: contentIdOf(part),
    disposition,
    content: () => decodeTransfer(part.content, transferEncoding),
  };
}

function wholeOfCollected(message: CollectedMessage, limits: MessageLimits): WholeMessage {
  const { block, parts, problems: found } = partsOfMessage(message, limits);
  const { from, subject, headers, problems } = new BlockFacts(block, decodeCharset, found);
  return {
    from,
    subject,
    headers,
    problems,
    text: joined(parts, "text/plain"),
    html: joined(parts, "text/html"),
    attachments: parts
      .filter((part) => !isText(part, "text/plain") && !isText(part, "text/html"))
      .map(attachmentOf),
    size: message.size,
  };
}

/** `wholeMessage` for bytes in memory. Any bytes give a message. */
export function wholeMessageOf(message: Uint8Array, options?: ReadOptions): WholeMessage {
  return wholeOfCollected(wholeOf(message), messageLimits(options));
}

/**
 * The whole message. `messageFacts` gives what rules see of it; here texts are cut only at `messageBytesMax`. Any
 * bytes give a message. Rejects only with what the stream itself throws, and with a TypeError for options it does not
 * know.
 */
export async function wholeMessage(
  source: MessageSource,
  options?: ReadOptions,
): Promise<WholeMessage> {
  const limits = messageLimits(options);
  return wholeOfCollected(await collectMessage(source, limits.messageBytesMax), limits);
}
