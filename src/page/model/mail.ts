/** Messages on the page: read from files or typed, always as the facts that rules see. */
import type { Facts } from "../../engine/facts/facts.ts";
import { looksLikeMbox, mboxReader } from "../../mailbox/mbox/mbox.ts";
import { dialectOfHead, HEAD_EVIDENCE_BYTES } from "../../mailbox/mbox/mbox-dialect.ts";
import { type MessageFacts, toFacts } from "../../message/header/message-facts.ts";
import { recipientsOf } from "../../message/header/recipients.ts";
import { messageFactsOf } from "../../message/read-message.ts";

/** One message for one recipient; what a person types replaces what was read. */
export interface Mail {
  readonly name: string;
  readonly recipient: string;
  readonly sender: string;
  readonly subject: string;
  readonly body: string;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly attachments: MessageFacts["attachments"];
  readonly size: number;
  /** Milliseconds since the epoch; `null` where the message has no date. */
  readonly dateMs: number | null;
  readonly edited: boolean;
}

/** Fewest octets of a message. */
const MAIL_BYTES_MIN = 4;

export function typedMail(domain: string): Mail {
  return {
    name: "written here",
    recipient: `someone@${domain}`,
    sender: "ann@mail.example",
    subject: "",
    body: "",
    headers: new Map(),
    attachments: [],
    size: 0,
    dateMs: null,
    edited: false,
  };
}

function dateOf(headers: ReadonlyMap<string, readonly string[]>): number | null {
  const ms = Date.parse(headers.get("date")?.[0] ?? "");
  return Number.isNaN(ms) ? null : ms;
}

/** One message for each of its recipients at the domain, or for the recipient given. */
export function readMessage(
  bytes: Uint8Array,
  name: string,
  domain: string,
  fallbackRecipient: string = `someone@${domain}`,
): readonly Mail[] {
  const read = messageFactsOf(bytes);
  const { subject, body, headers, attachments, size } = read;
  const named = recipientsOf(read, domain);
  const recipients = named.length > 0 ? named : [fallbackRecipient];
  return recipients.map((recipient) => ({
    name,
    recipient,
    sender: read.from ?? "",
    subject,
    body,
    headers,
    attachments,
    size,
    dateMs: dateOf(headers),
    edited: false,
  }));
}

/** Whether these bytes begin like a message, with a header field. */
export function looksLikeMail(bytes: Uint8Array): boolean {
  if (bytes.length < MAIL_BYTES_MIN) return false;
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 1_000));
  return /^[!-9;-~]+[ \t]*:/.test(start.replace(/^\uFEFF|^ï»¿/, ""));
}

/** Octets handed to the reader at a time. */
const CHUNK_BYTES = 1_048_576;

/** The messages of an mbox of any variant, in file order, found by the reader of mail stores. */
export function* splitMbox(bytes: Uint8Array): Generator<Uint8Array> {
  const rest = bytes.length > HEAD_EVIDENCE_BYTES ? "more" : "ended";
  const dialect = dialectOfHead(bytes.subarray(0, HEAD_EVIDENCE_BYTES), rest);
  const { splitter, messageOf } = mboxReader({}, dialect);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    for (const piece of splitter.push(bytes.subarray(at, at + CHUNK_BYTES))) {
      yield messageOf(piece).bytes;
    }
  }
  for (const piece of splitter.end()) yield messageOf(piece).bytes;
}

/** The message in a dropped or opened file, or the messages of an mbox one by one. Throws an `Error` if the file is neither. */
export function* readMailFile(
  bytes: Uint8Array,
  name: string,
  domain: string,
): Generator<readonly Mail[]> {
  if (!looksLikeMbox(bytes)) {
    if (!looksLikeMail(bytes)) {
      throw new Error(`${name} is not a message: open a file that a mail program saved as .eml`);
    }
    yield readMessage(bytes, name, domain);
    return;
  }
  let count = 0;
  for (const message of splitMbox(bytes)) {
    yield readMessage(message, `${name} ${++count}`, domain);
  }
}

/** Fields that describe how the body is encoded. The body is encoded again, so they are left out. */
const BODY_FIELDS = /^(?:content-.*|mime-version)$/;

const onOneLine = (value: string): string =>
  value.replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? " " : blanks));

/** The sender that a reader finds in a From field. */
function senderIn(from: string | undefined): string | null {
  if (from === undefined) return null;
  const head = new TextEncoder().encode(`From: ${onOneLine(from)}\r\n\r\n`);
  return messageFactsOf(head).from ?? "";
}

/** The message as a text that a program can read again, as it was edited, without its attachments. */
export function composeMessage({ sender, subject, headers, body }: Mail): string {
  const typed = new Map<string, string>();
  if (headers.get("subject")?.[0] !== subject) typed.set("subject", subject);
  if (senderIn(headers.get("from")?.[0]) !== sender) typed.set("from", sender);
  const fields = [...headers].flatMap(([name, values]) =>
    BODY_FIELDS.test(name) || typed.has(name)
      ? []
      : values.map((value): [string, string] => [name, value]),
  );
  fields.push(...typed);
  fields.push(["mime-version", "1.0"], ["content-type", "text/plain; charset=utf-8"]);
  const head = fields.map(([name, value]) => `${name}: ${onOneLine(value)}`);
  return `${head.join("\r\n")}\r\n\r\n${body.replace(/\r?\n/g, "\r\n")}`;
}

/** The facts of a message, as the reader gives them or as they were typed. */
export function factsOf(mail: Mail): Facts {
  const { recipient, sender, subject, body, attachments, size } = mail;
  const headers = new Map(mail.headers);
  if (!headers.has("subject") && subject !== "") headers.set("subject", [subject]);
  const read: MessageFacts = {
    from: sender === "" ? null : sender,
    subject,
    headers,
    body,
    attachments,
    size: size === 0 ? new TextEncoder().encode(subject + body).length : size,
    problems: [],
  };
  return toFacts({ recipient, sender }, read);
}
