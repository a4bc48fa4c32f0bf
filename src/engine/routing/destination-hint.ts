/** What to write instead of a text that is neither a mailbox nor a webhook. */
import { nearestName } from "../../base/nearest-name.ts";
import { quote } from "../../base/quote.ts";
import { parseAddrSpec, parseUrl, splitAddress } from "../facts/address.ts";

/** Mail hosts whose last label is often left out, by their first label. */
const HOSTS: ReadonlyMap<string, string> = new Map(
  ["gmail.com", "hotmail.com", "icloud.com", "outlook.com", "yahoo.com", "fastmail.com"].map(
    (host) => [host.split(".")[0]!, host],
  ),
);

function isDestination(text: string): boolean {
  return parseAddrSpec(text) !== null || parseUrl(text) !== null;
}

function oneLabel(text: string): string | null {
  const { localPart, domain } = splitAddress(text);
  if (localPart === "" || !/^[a-z0-9-]+$/i.test(domain)) return null;
  const meant = HOSTS.get(nearestName(domain, HOSTS.keys()) ?? "");
  const advice =
    meant === undefined
      ? `write it in full, as in ${quote(`${localPart}@${domain}.example`)}`
      : `did you mean ${quote(`${localPart}@${meant}`)}?`;
  return `has a domain without a dot: ${advice}`;
}

/** The rest of a message that begins with the text itself; never empty. */
export function destinationHint(text: string): string {
  const list = text.split(";").map((item) => item.trim());
  if (list.length > 1 && list.every(isDestination)) {
    return `has a semicolon: write ${quote(list.join(", "))}`;
  }
  const bare = /^(?:[^<>]*<|mailto:)([^<>]+?)>?$/i.exec(text)?.[1]?.trim();
  if (bare !== undefined && parseAddrSpec(bare) !== null) {
    const beside = text.includes("<") ? "has a name beside the address" : "is a link";
    return `${beside}: write ${quote(bare)}`;
  }
  const isHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[:/]\S*)?$/i.test(text);
  if (isHost) return `is neither a mailbox nor a webhook: write ${quote(`https://${text}`)}`;
  return oneLabel(text) ?? "is neither a mailbox nor a webhook: write `user@domain` or `https://…`";
}
