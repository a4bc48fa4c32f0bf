/** The header fields that lists of received mail show. */
import { LIMITS } from "../../base/limits.ts";
import { ownText } from "../../base/own-text.ts";
import { fieldValues, type HeaderFacts } from "../../message/header/header-facts.ts";
import { latin1Text } from "../../message/text/octet-text.ts";

/** The decoded fields of a message that lists of received mail show; `""` if there is none. */
export interface ShownHeader {
  readonly [name: string]: unknown;
  readonly subject: string;
  readonly fromText: string;
  readonly toText: string;
}

function shownField(header: HeaderFacts, name: string): string {
  const text = fieldValues(header, name).join(", ");
  return ownText(text.slice(0, LIMITS.shownFieldUnitsMax).toWellFormed());
}

export function shownHeader(header: HeaderFacts): ShownHeader {
  return {
    subject: ownText(header.subject),
    fromText: shownField(header, "from"),
    toText: shownField(header, "to"),
  };
}

/** Octets within which the first line must end. */
const FIRST_LINE_BYTES_MAX = 1_000;

/**
 * Whether these fields are the same once fields were added on top of the message. They may not be if it begins with anything but
 * a field (a blank, a byte order mark, an mbox separator, lines that end with a lone CR), or if its header might be cut at a limit.
 */
export function keepsHeader(message: Uint8Array): boolean {
  const end = Math.min(message.length, FIRST_LINE_BYTES_MAX);
  return (
    message.length < LIMITS.headerBlockBytesMax / 2 &&
    /^[!-9;-~]+:[^\r\n]*\r?\n/.test(latin1Text(message, 0, end))
  );
}
