/** Makes the facts that rules see from the parts of a message that were read. */
import { assertOptions } from "../../base/options.ts";
import { jsTypeName } from "../../base/type-name.ts";
import type { AttachmentFact, Facts } from "../../engine/facts/facts.ts";
import type { HeaderFacts } from "./header-facts.ts";

/** The facts of a header and the text after it. */
export interface TextFacts extends HeaderFacts {
  /** The text/plain content, then the displayed text of the HTML, with a blank line between; `""` if there is neither. */
  readonly body: string;
}

/** The facts of a whole message. */
export interface MessageFacts extends TextFacts {
  readonly attachments: readonly AttachmentFact[];
  /** Octets as received. */
  readonly size: number;
}

/** What the SMTP transaction says about one recipient (RFC 5321 §3.3). */
export interface Envelope {
  /** Forward-path, full address without angle brackets. */
  readonly recipient: string;
  /** Reverse-path without angle brackets; `""` is the null reverse-path. */
  readonly sender?: string | undefined;
}

/** Options of `toFacts`. */
export interface ToFactsOptions {
  /** Where `sender` comes from; default `"header"`. */
  readonly senderSource?: "header" | "envelope" | undefined;
}

/** The facts for one recipient. Headers are decoded when a rule asks for them; `BlockFacts` explains how. */
class StageFacts implements Facts {
  declare readonly recipient: string;
  declare readonly sender: string;
  declare readonly subject: string;
  declare readonly headers: HeaderFacts["headers"];
  declare readonly body?: string;
  declare readonly attachments?: readonly AttachmentFact[];
  declare readonly size?: number;
  readonly #read: HeaderFacts;

  static readonly #accessor: PropertyDescriptor & ThisType<StageFacts> = {
    get() {
      return this.#read.headers;
    },
    enumerable: true,
  };

  constructor(recipient: string, sender: string, read: HeaderFacts | TextFacts | MessageFacts) {
    this.recipient = recipient;
    this.sender = sender;
    this.subject = read.subject;
    Object.defineProperty(this, "headers", StageFacts.#accessor);
    this.#read = read;
    if (!("body" in read)) return;
    this.body = read.body;
    if (!("size" in read)) return;
    this.attachments = read.attachments;
    this.size = read.size;
  }
}

function senderSourceOf(options: ToFactsOptions): "header" | "envelope" {
  assertOptions(options, ["senderSource"]);
  const source: unknown = options.senderSource ?? "header";
  if (source === "header" || source === "envelope") return source;
  throw new TypeError(`\`senderSource\` is \`${String(source)}\`: give \`header\` or \`envelope\``);
}

const ENVELOPE = "give `{ recipient, sender }`, each a string";
const MESSAGE = "await what `headerFacts` or `messageFacts` returns, and give that";

/** A promise that was not awaited, or an object of another kind, would be a message of which nothing is known. */
function assertPart(
  whole: object,
  called: "envelope" | "message",
  name: string,
  isRight: (value: unknown) => boolean,
): void {
  const isWhole = typeof whole === "object" && whole !== null && !("then" in whole);
  const value = isWhole ? (whole as Readonly<Record<string, unknown>>)[name] : whole;
  if (isWhole && isRight(value)) return;
  const place = isWhole ? `\`${name}\` of the ${called}` : `the ${called}`;
  const advice = called === "envelope" ? ENVELOPE : MESSAGE;
  throw new TypeError(`${place} is ${jsTypeName(value)}: ${advice}`);
}

const isText = (value: unknown): boolean => typeof value === "string";

/**
 * The facts of one message for one recipient, from the parts read so far. The sender is unknown until the header is
 * read. Then it is the From mailbox as written, or the envelope sender if From has none; a missing envelope sender
 * then counts as `""`. Throws a `TypeError` on invalid arguments.
 */
// ASSUMPTION(recipient-source): the recipient is the envelope's, whatever the To field says.
// ASSUMPTION(sender-source): the sender is the From mailbox as written, and the envelope sender where From has none.
export function toFacts(
  envelope: Envelope,
  read?: HeaderFacts | TextFacts | MessageFacts,
  options: ToFactsOptions = {},
): Facts {
  const source = senderSourceOf(options);
  assertPart(envelope, "envelope", "recipient", isText);
  assertPart(envelope, "envelope", "sender", (value) => value === undefined || isText(value));
  const { recipient } = envelope;
  if (read === undefined) {
    return source === "envelope" ? { recipient, sender: envelope.sender } : { recipient };
  }
  assertPart(read, "message", "from", (value) => value === null || isText(value));
  assertPart(read, "message", "subject", isText);
  const envelopeSender = envelope.sender ?? "";
  const sender = source === "envelope" ? envelopeSender : (read.from ?? envelopeSender);
  return new StageFacts(recipient, sender, read);
}
