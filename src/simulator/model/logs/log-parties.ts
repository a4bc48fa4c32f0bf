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

/** An address in angle brackets: the field that has it, by its number, and where the bracket opens. */
interface Place {
  readonly nth: number;
  readonly value: string;
  readonly at: number;
}

/** Angle brackets and what is in them: no others, except in a quoted local part. */
const ANGLE = /<("(?:[^"\\]|\\.)*"@[^<>]*|[^<>]*)>/g;

/** The first place of each address in angle brackets. */
function placesIn(
  values: readonly string[],
  keyOf: (written: string) => string,
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const [nth, value] of values.entries()) {
    for (const { 1: written, index } of value.matchAll(ANGLE)) {
      const key = keyOf(written!);
      if (!places.has(key)) places.set(key, { nth, value, at: index });
    }
  }
  return places;
}

/**
 * Finds the display name that one of these address fields gives an address. The fields are read once, however many
 * addresses are asked for: a field may have thousands.
 */
export function partyFinder(
  header: HeaderFacts | undefined,
  fields: readonly string[],
): (email: string) => Party {
  const values = header === undefined ? [] : fields.flatMap((name) => fieldValues(header, name));
  let literal: ReadonlyMap<string, Place> | undefined;
  let canonical: ReadonlyMap<string, Place> | undefined;
  const hasQuotes = values.some((value) => value.includes('"@'));
  const placeOf = (email: string): Place | undefined => {
    literal ??= placesIn(values, (written) => written.toLowerCase());
    const same = literal.get(email.toLowerCase());
    // There it may have U-labels, needless quotes, or marks of their own.
    if (!/xn--|[^\0-\x7f]/.test(email) && !hasQuotes) return same;
    canonical ??= placesIn(values, canonicalAddress);
    const alike = canonical.get(canonicalAddress(email));
    return same === undefined || (alike !== undefined && alike.nth < same.nth) ? alike : same;
  };
  return (email) => {
    const place = placeOf(email);
    if (place === undefined) return { email, name: null };
    const { value, at } = place;
    return { email, name: nameBefore(value.slice(Math.max(0, at - NAME_UNITS_MAX), at)) };
  };
}

/** `email` with the display name that one of these address fields gives it. */
export function partyIn(
  header: HeaderFacts | undefined,
  fields: readonly string[],
  email: string,
): Party {
  return partyFinder(header, fields)(email);
}

/** The sender as the log shows it. */
// ASSUMPTION(log-sender): the sender of a log entry is the From mailbox, and the envelope sender where there is no usable From
export function senderParty(header: HeaderFacts | undefined, envelopeSender: string): Party {
  return partyIn(header, ["from"], ownText(header?.from ?? canonicalAddress(envelopeSender)));
}
