/** The facts of a message that rules see, and the stage of reception at which each becomes known. */

/** Stages of reception: RCPT TO; the header block has been read; the whole message has been read. */
export const STAGES = ["envelope", "header", "body"] as const;
/** How much of a message is known: its envelope, its header too, or its body as well. */
export type Stage = (typeof STAGES)[number];

/** An attachment as CEL rules see it: `attachments[0].filename`. */
export interface AttachmentFact {
  /** Decoded file name, `""` if it has none. */
  readonly filename: string;
  /** Lower-case media type, e.g. `application/pdf`. */
  readonly contentType: string;
  /** Octets after transfer decoding: a whole number. */
  readonly size: number;
}

/**
 * What is known about one message for one recipient. A field left out (or `undefined`) is *unknown*, which is
 * not the same as empty. Addresses may be in any case: the engine compares and shows them in lower case. Texts may have lone surrogates:
 * rules see U+FFFD for each. `resolve` throws a `TypeError` on a fact of another type.
 */
export interface Facts {
  /** Envelope recipient (forward-path), full address without angle brackets. */
  readonly recipient?: string | undefined;
  /** Mailbox address of the From field as written, or the envelope sender if it has none. */
  readonly sender?: string | undefined;
  /** Decoded, unfolded subject without control characters; `""` if the message has none. */
  readonly subject?: string | undefined;
  /** Every text that a mail client may show: the text/plain content, then the displayed text of the HTML. */
  readonly body?: string | undefined;
  /** Lower-case field name → decoded values, in the order of the message. */
  readonly headers?: ReadonlyMap<string, readonly string[]> | undefined;
  readonly attachments?: readonly AttachmentFact[] | undefined;
  /** Octets of the whole message: a whole number from 0 to `Number.MAX_SAFE_INTEGER`. */
  readonly size?: number | undefined;
}

export type FactName = keyof Facts;

/** The stage from which a fact is known. */
export const STAGE_OF: Readonly<Record<FactName, Stage>> = {
  recipient: "envelope",
  sender: "header",
  subject: "header",
  headers: "header",
  body: "body",
  attachments: "body",
  size: "body",
};

/** The earlier of two stages. */
export function earlierStage(a: Stage, b: Stage): Stage {
  return STAGES.indexOf(a) <= STAGES.indexOf(b) ? a : b;
}
