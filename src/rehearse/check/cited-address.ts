/** Finds an address that can exist and that a pattern matches only because a dot in it matches any character. */
import type { Span } from "../../base/diagnostic.ts";

/** The character in place of the dot. */
const OTHER = "x";

/** Names, dots and an `@` next to a dot, as a pattern writes them. */
const BEFORE = /(?:[\w@-]|\\?\.)*$/;
const BEHIND = /^(?:[\w@-]|\\?\.)*/;

/**
 * `null` if every existing address has a dot there: before the top-level domain at the end of a pattern, or in the
 * domain of the recipients.
 */
export function citedAddress(
  regex: string,
  span: Span,
  searched: "local-part" | "address",
  domain: string | null,
): string | null {
  const before = BEFORE.exec(regex.slice(0, span.start))![0].replaceAll("\\", "");
  const written = BEHIND.exec(regex.slice(span.end))![0];
  const behind = written.replaceAll("\\", "");
  if (searched === "local-part") return `${before}${OTHER}${behind}`;
  const rest = regex.slice(span.end + written.length);
  const isInLocalPart = behind.includes("@");
  if (isInLocalPart) {
    const [, host = ""] = behind.split("@");
    const local = before + OTHER + behind.slice(0, behind.indexOf("@"));
    return `${local}@${domain ?? wholeHost(host, rest)}`;
  }
  if (domain !== null) {
    return before.includes("@") ? null : `${before}${OTHER}${behind}@${domain}`;
  }
  // The text after the last dot of an address is its top-level domain, which no other name can be.
  if (rest.startsWith("$") && !behind.includes(".")) return null;
  const host = wholeHost(before.slice(before.indexOf("@") + 1) + OTHER + behind, rest);
  const local = before.includes("@") ? before.slice(0, before.indexOf("@")) : "";
  return `${local === "" ? "ann" : local}@${host}`;
}

function wholeHost(host: string, rest: string): string {
  if (host === "") return "b.example";
  return rest.startsWith("$") ? host : `${host}.com`.replace(/(\.[a-z]+)\.com$/, "$1");
}
