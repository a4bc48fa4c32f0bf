/** Finds from a stored message's header whom it was for, where no envelope is kept. */
import { LIMITS } from "../../base/limits.ts";
import { canonicalDomain, splitAddress } from "../../engine/facts/address.ts";
import { type AddressLimits, parseMailboxes } from "./address-list.ts";
import type { HeaderFacts } from "./header-facts.ts";

/** Fields that delivering servers write, the most reliable first, then those that the author writes. */
const SOURCES: readonly (readonly string[])[] = [
  ["delivered-to"],
  ["x-original-to"],
  ["x-envelope-to"],
  ["to", "cc"],
];

/**
 * The addresses at `domain` that the message was for, canonical, without duplicates, in order. They come from the
 * first of Delivered-To, X-Original-To and X-Envelope-To that names any, else from To and Cc.
 */
// ASSUMPTION(recipients-of-stored-mail): a stored message was for the addresses its delivery fields name, else To and Cc.
export function recipientsOf(
  read: HeaderFacts,
  domain: string,
  limits: AddressLimits = LIMITS,
): readonly string[] {
  const wanted = canonicalDomain(domain);
  for (const names of SOURCES) {
    const values = names.flatMap((name) => read.headers.get(name) ?? []);
    const addresses = values.flatMap((value) => parseMailboxes(value, limits));
    const found = addresses.filter((address) => splitAddress(address).domain === wanted);
    if (found.length > 0) return [...new Set(found)];
  }
  return [];
}
