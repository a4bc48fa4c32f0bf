/** Ordinary mail of any size, made of what the messages of the dataset hold: what a bomb's cost is held against. */
import { messageLimits } from "../../src/message/message-limits.ts";
import { partsOfMessage } from "../../src/message/message-parts.ts";
import { wholeOf } from "../../src/message/message-source.ts";
import { rawMail } from "./mail.ts";

export type PlainKind = "HTML mail" | "text mail";

const HEADS: Readonly<Record<PlainKind, string>> = {
  "HTML mail":
    'From: "A Sender" <a@sender.test>\nTo: b@own.test\nSubject: an offer\nMIME-Version: 1.0\n' +
    'Content-Type: multipart/alternative; boundary="=_b"\n\n--=_b\nContent-Type: text/html; charset=utf-8\n\n',
  "text mail": "From: a@sender.test\nTo: b@own.test\nSubject: an offer\n\n",
};
const ENDS: Readonly<Record<PlainKind, string>> = { "HTML mail": "\n--=_b--\n", "text mail": "" };
const TYPES = { "HTML mail": "text/html", "text mail": "text/plain" } as const;
/** Messages of which the contents are. */
const MESSAGES = 512;
/** A content takes no more than this share of the whole, so that no single one is all of it. */
const SHARE_MAX = 1 / 8;

/** All contents of a type, ASCII, without what would end the document. */
function contentsOf(kind: PlainKind): string[] {
  const limits = messageLimits(undefined);
  return rawMail(MESSAGES)
    .flatMap(({ bytes }) => partsOfMessage(wholeOf(bytes), limits).parts)
    .filter((part) => part.contentType === TYPES[kind] && part.transferEncoding === "identity")
    .map(({ content }) => Buffer.from(content).toString("latin1"))
    .map((text) => text.replace(/[\u0080-\u00ff]/g, "?"))
    .map((text) => text.replace(/<\/?(?:html|head|body)\b[^>]*>/gi, ""));
}

/** Contents of the dataset one after the other, of about as many octets as asked for. */
export function plainMail(kind: PlainKind, octets: number): Uint8Array {
  const all = contentsOf(kind).filter(({ length }) => length <= octets * SHARE_MAX);
  let text = HEADS[kind];
  for (let index = 0; text.length < octets; index++) text += `${all[index % all.length]!}\n`;
  return new Uint8Array(Buffer.from(text + ENDS[kind], "latin1"));
}
