/** Reads the mailboxes of an address field (RFC 5322 §3.4, obsolete forms of §4.4 included), without recursion. */
import { LIMITS } from "../base/limits.ts";
import { canonicalAddress, parseAddrSpec, splitAddress } from "./address.ts";

/** What stands between two commas. */
interface Element {
  /** Text outside angle brackets: atoms and quoted strings as given, comments left out. */
  bare: string;
  /** Content of each pair of angle brackets. */
  angles: string[];
}

/** Index after the quoted string that opens at `start`; the end of the text if it never closes. */
function skipQuoted(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return Math.min(index + 1, text.length);
}

/** Index after the comment that opens at `start`; the end of the text if it never closes or nests too deep. */
function skipComment(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const letter = text[index];
    if (letter === "\\") index++;
    else if (letter === "(" && ++depth > LIMITS.commentDepthMax) return text.length;
    else if (letter === ")" && --depth === 0) return index + 1;
  }
  return text.length;
}

/** The content of the angle brackets that open at `start`, without comments, and the index after them. */
function readAngle(text: string, start: number): [string, number] {
  let content = "";
  let index = start + 1;
  while (index < text.length) {
    const letter = text[index]!;
    if (letter === ">") return [content, index + 1];
    let next = index + 1;
    if (letter === '"') next = skipQuoted(text, index);
    if (letter === "(") next = skipComment(text, index);
    // `<<x@y>` counts from the last bracket.
    if (letter === "<") content = "";
    else if (letter !== "(") content += text.slice(index, next);
    index = next;
  }
  return [content, index];
}

/** Drops blanks around dots and `@` (obsolete syntax) and an obsolete route, outside quotes. */
function tidy(text: string): string {
  const parts = text.trim().split(/("(?:[^"\\]|\\.)*")/);
  const joined = parts.map((part, index) =>
    index % 2 === 1 ? part : part.replace(/[ \t]+/g, " ").replace(/ ?([.@]) ?/g, "$1"),
  );
  return joined
    .join("")
    .replace(/^@[^":]*:/, "")
    .trim();
}

/** `"john"@x` is `john@x`: quotes that a local part does not need are no part of it (RFC 5321 §4.1.2). */
function unquoted(address: string): string {
  const { localPart, domain } = splitAddress(address);
  const inner = /^"(.*)"$/.exec(localPart)?.[1]?.replace(/\\(.)/g, "$1");
  if (inner === undefined || inner.includes('"')) return address;
  return parseAddrSpec(`${inner}@${domain}`) === null ? address : `${inner}@${domain}`;
}

/** The address in canonical form, or `null` if mail cannot be sent to it. An encoded word is no local part. */
function usable(text: string): string | null {
  const address = tidy(text);
  if (address.startsWith("=?")) return null;
  return parseAddrSpec(address) === null ? null : canonicalAddress(unquoted(address));
}

function mailboxOf(element: Element): string | null {
  for (const angle of element.angles) {
    const address = usable(angle);
    if (address !== null) return address;
  }
  if (element.angles.length > 0 || !element.bare.includes("@")) return null;
  const whole = usable(element.bare);
  if (whole !== null) return whole;
  // `John Doe john@example.com`: the last word, if it is an address.
  return usable(
    element.bare
      .trim()
      .split(/[ \t]+/)
      .at(-1) ?? "",
  );
}

/** One mailbox as nearly all senders write it: a name without punctuation, or quoted, and an address of plain letters. */
const PLAIN =
  /^(?:[^"(),:;<>@\\]*|"[^"\\]*" ?)<([\w.+-]{1,64}@[a-zA-Z0-9.-]{1,253})>$|^([\w.+-]{1,64}@[a-zA-Z0-9.-]{1,253})$/;

/**
 * The usable mailboxes of a field's unfolded text, in order, canonical (lower case, domain as A-labels). What
 * cannot be sent to (no domain of two labels, an address literal) is left out, as are names and comments.
 * `"a@b.c", <c@d.e>` is `c@d.e`: quoted text is a name unless a domain follows it.
 */
export function parseMailboxes(text: string): readonly string[] {
  const plain = PLAIN.exec(text);
  const address = plain === null ? null : (plain[1] ?? plain[2]!);
  if (address !== null && parseAddrSpec(address) !== null) return [address.toLowerCase()];
  const found: string[] = [];
  let element: Element = { bare: "", angles: [] };
  let index = 0;
  const close = (): void => {
    const address = mailboxOf(element);
    if (address !== null) found.push(address);
    element = { bare: "", angles: [] };
  };
  while (index < text.length && found.length < LIMITS.mailboxesMax) {
    const letter = text[index]!;
    if (letter === '"') {
      const next = skipQuoted(text, index);
      element.bare += text.slice(index, next);
      index = next;
      continue;
    }
    if (letter === "(") {
      index = skipComment(text, index);
      continue;
    }
    if (letter === "<") {
      const [content, next] = readAngle(text, index);
      element.angles.push(content);
      index = next;
      continue;
    }
    if (letter === "," || letter === ";") close();
    // The name of a group; a route's colon stands within angle brackets.
    else if (letter === ":") element = { bare: "", angles: [] };
    else element.bare += letter;
    index++;
  }
  if (found.length < LIMITS.mailboxesMax) close();
  return found;
}
