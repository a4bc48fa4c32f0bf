/** The people of a log entry, with the names that the message's header gives them. */

import { ownText } from "../../../base/own-text.ts";
import { canonicalAddress } from "../../../engine/facts/address.ts";
import { fieldValues, type HeaderFacts } from "../../../message/header/header-facts.ts";
import type { Party } from "../records.ts";

/** Code units before an address that are searched for its name. */
const NAME_UNITS_MAX = 320;

function nameBefore(text: string): string | null {
  const quoted = /"((?:[^"\\]|\\.)*)"\s*$/.exec(text)?.[1]?.replace(/\\(.)/g, "$1");
  const name = (quoted ?? /[^",;:<>]*$/.exec(text)![0]).trim();
  return name === "" ? null : ownText(name);
}

/** Where the mailbox is written in a field, or -1: there it may have U-labels, needless quotes, or marks of their own. */
function placeOf(value: string, email: string): number {
  const at = value.toLowerCase().indexOf(`<${email.toLowerCase()}>`);
  if (at >= 0) return at;
  if (!/xn--|[^\0-\x7f]/.test(email) && !value.includes('"@')) return -1;
  const wanted = canonicalAddress(email);
  for (const { 1: written, index } of value.matchAll(/<([^<>]*)>/g)) {
    if (canonicalAddress(written!) === wanted) return index;
  }
  return -1;
}

/** `email` with the display name that one of these address fields gives it. */
export function partyIn(
  header: HeaderFacts | undefined,
  fields: readonly string[],
  email: string,
): Party {
  for (const field of header === undefined ? [] : fields) {
    for (const value of fieldValues(header!, field)) {
      const at = placeOf(value, email);
      if (at < 0) continue;
      return { email, name: nameBefore(value.slice(Math.max(0, at - NAME_UNITS_MAX), at)) };
    }
  }
  return { email, name: null };
}

/** The sender as the log shows it. */
// ASSUMPTION(log-sender): the sender of a log entry is the From mailbox, and the envelope sender where there is no usable From
export function senderParty(header: HeaderFacts | undefined, envelopeSender: string): Party {
  return partyIn(header, ["from"], ownText(header?.from ?? canonicalAddress(envelopeSender)));
}
