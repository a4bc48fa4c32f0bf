/** Reads the mailboxes of an address field (RFC 5322 §3.4, obsolete forms of §4.4 included), without recursion. */
import { LIMITS } from "../../base/limits.ts";
import { canonicalAddress, parseAddrSpec } from "../../engine/facts/address.ts";
import { cleanText } from "./header-text.ts";

/** How much of an address field is read. */
export interface AddressLimits {
  /** Mailboxes to try, usable or not. */
  readonly mailboxesMax: number;
  readonly commentDepthMax: number;
}

/** All mailboxes that mail can be sent to, or the first as written. */
export type Wanted = "all" | "first written";

/** The mailboxes read from an address field. */
export interface MailboxList {
  readonly mailboxes: readonly string[];
  /** How many were tried. */
  readonly tried: number;
  /** Why the rest of the field was not read. */
  readonly cut: "too-many-mailboxes" | "comments-too-deep" | null;
}

const [QUOTE, OPEN, CLOSE, COMMA, COLON, SEMICOLON, LESS, GREATER, BACKSLASH] = [
  34, 40, 41, 44, 58, 59, 60, 62, 92,
];

/** Index after the quoted string that opens at `start`; -1 if it never closes. */
function quotedEnd(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) return index + 1;
    if (unit === BACKSLASH) index++;
  }
  return -1;
}

function isSpecial(unit: number): boolean {
  if (unit > LESS) return false;
  return (
    unit === LESS ||
    unit === COMMA ||
    unit === QUOTE ||
    unit === OPEN ||
    unit === COLON ||
    unit === SEMICOLON
  );
}

/** Drops blanks around dots and `@` (obsolete syntax). */
function joinedAtoms(text: string): string {
  return text.replace(/[ \t]+/g, " ").replace(/ ?([.@]) ?/g, "$1");
}

/** Drops blanks around dots and `@`, and an obsolete route, outside quotes. */
function tidy(text: string): string {
  const trimmed = text.trim();
  if (!/["\s:]/.test(trimmed)) return trimmed;
  let joined = "";
  let from = 0;
  for (let quote = trimmed.indexOf('"'); quote >= 0; quote = trimmed.indexOf('"', from)) {
    const end = quotedEnd(trimmed, quote);
    // If this quote never closes, no later one does.
    if (end < 0) break;
    joined += joinedAtoms(trimmed.slice(from, quote)) + trimmed.slice(quote, end);
    from = end;
  }
  return (joined + joinedAtoms(trimmed.slice(from))).replace(/^@[^":]*:/, "").trim();
}

/** Text that cannot be an address: nothing after the last `@` could separate two labels. */
const NO_DOMAIN = /^[^@]*$|@[^@.\u0080-\uffff]*$/;

/** The address in canonical form, or `null` if mail cannot be sent to it. An encoded word is not a local part. */
function usable(text: string): string | null {
  if (NO_DOMAIN.test(text)) return null;
  const address = tidy(text);
  if (address.startsWith("=?")) return null;
  return parseAddrSpec(address) === null ? null : canonicalAddress(address);
}

/** An address as the reader sees it, in canonical form, even if mail cannot be sent to it. */
function written(text: string): string | null {
  const address = tidy(cleanText(text));
  const isAddress = address.includes("@") && address.length > 1 && !address.startsWith("=?");
  return isAddress ? canonicalAddress(address) : null;
}

/** The last blank-separated word that has an `@`; the whole text if none has. */
function lastAddress(text: string): string {
  const words = tidy(text).split(/[ \t]+/);
  return words.findLast((word) => word.includes("@")) ?? text;
}

/** The last blank-separated word. */
function lastWord(text: string): string {
  const words = text.trim();
  return words.slice(Math.max(words.lastIndexOf(" "), words.lastIndexOf("\t")) + 1);
}

/** One pass over a field. */
class Pass {
  readonly mailboxes: string[] = [];
  tried = 0;
  cut: MailboxList["cut"] = null;
  readonly #text: string;
  readonly #wanted: Wanted;
  readonly #limits: AddressLimits;
  /** Whether an unclosed quote was found. Then no later quote closes either, so none opens a quoted string. */
  #isUnclosed = false;
  /** What was read since the last comma: the text outside angle brackets, without comments, and the address in them. */
  #bare = "";
  #hasAngle = false;
  #address: string | null = null;

  constructor(text: string, wanted: Wanted, limits: AddressLimits) {
    this.#text = text;
    this.#wanted = wanted;
    this.#limits = limits;
    let index = 0;
    while (index < text.length && this.tried < limits.mailboxesMax) {
      index = this.#pass(index);
      if (wanted === "first written" && this.mailboxes.length > 0) return;
    }
    this.#close();
    if (index < text.length) this.cut = "too-many-mailboxes";
  }

  /** Passes the comment, quoted string, angle brackets, mark or text at `start`, and returns where it ends. */
  #pass(start: number): number {
    const unit = this.#text.charCodeAt(start);
    if (unit === OPEN) return this.#skipComment(start);
    if (unit === LESS) return this.#readAngle(start);
    if (unit === COMMA || unit === SEMICOLON) {
      this.#close();
      return start + 1;
    }
    if (unit === COLON) {
      // A group's name ends here; the colon of a route is inside angle brackets.
      this.#open();
      return start + 1;
    }
    let end = start + 1;
    if (unit === QUOTE) end = this.#skipQuoted(start);
    else while (end < this.#text.length && !isSpecial(this.#text.charCodeAt(end))) end++;
    this.#bare += this.#text.slice(start, end);
    return end;
  }

  /** Index after the quoted string that opens at `start`, or after its quote if it never closes. */
  #skipQuoted(start: number): number {
    const end = this.#isUnclosed ? -1 : quotedEnd(this.#text, start);
    this.#isUnclosed = end < 0;
    return end < 0 ? start + 1 : end;
  }

  /** Index after the comment that opens at `start`; the end of the text if it never closes or nests too deep. */
  #skipComment(start: number): number {
    const { commentDepthMax } = this.#limits;
    let depth = 0;
    for (let index = start; index < this.#text.length; index++) {
      const unit = this.#text.charCodeAt(index);
      if (unit === BACKSLASH) {
        index++;
      } else if (unit === OPEN && ++depth > commentDepthMax) {
        this.cut = "comments-too-deep";
        break;
      } else if (unit === CLOSE && --depth === 0) {
        return index + 1;
      }
    }
    return this.#text.length;
  }

  /** Reads the angle brackets that open at `start`, leaves out comments, and returns where they end. */
  #readAngle(start: number): number {
    const text = this.#text;
    let content = "";
    /** Start of the text that is not in `content` yet. */
    let from = start + 1;
    let index = from;
    let end = text.length;
    while (index < text.length) {
      const unit = text.charCodeAt(index);
      if (unit === GREATER) {
        end = index + 1;
        break;
      }
      if (unit === QUOTE) {
        index = this.#skipQuoted(index);
        continue;
      }
      if (unit === OPEN) content += text.slice(from, index);
      // In `<<x@y>` the last bracket counts.
      if (unit === LESS) content = "";
      index = unit === OPEN ? this.#skipComment(index) : index + 1;
      if (unit === OPEN || unit === LESS) from = index;
    }
    this.#hasAngle = true;
    this.#address ??= this.#try(content + text.slice(from, index));
    return end;
  }

  #try(text: string): string | null {
    this.tried++;
    return this.#wanted === "all" ? usable(text) : (usable(text) ?? written(text));
  }

  /** The whole text, or its last word as in `John Doe john@example.com`, if that is an address. */
  #readBare(): string | null {
    const bare = this.#bare;
    if (!bare.includes("@")) return null;
    this.tried++;
    const address = usable(bare) ?? usable(lastWord(bare));
    if (address !== null || this.#wanted === "all") return address;
    // A quoted string alone is a name.
    return bare.trim().endsWith('"') && !this.#isUnclosed ? null : written(lastAddress(bare));
  }

  #open(): void {
    this.#bare = "";
    this.#hasAngle = false;
    this.#address = null;
  }

  #close(): void {
    const address = this.#hasAngle ? this.#address : this.#readBare();
    if (address !== null) this.mailboxes.push(address);
    this.#open();
  }
}

/** A single mailbox as nearly all senders write it: a plain or quoted name, and an address of plain characters. */
const PLAIN =
  /^(?:[^"(),:;<>@\\]*|"[^"\\]*" ?)<([\w.+-]{1,64}@[a-zA-Z0-9.-]{1,253})>$|^([\w.+-]{1,64}@[a-zA-Z0-9.-]{1,253})$/;

/**
 * The mailboxes of a field's unfolded text in canonical form (lower case, domain as A-labels). `"all"` gives every
 * mailbox that mail can be sent to, in order; `"first written"` gives the first as written, even if mail cannot be
 * sent to it. Mail cannot be sent to an address literal or to a domain without two labels. Names and comments are
 * left out. `"a@b.c", <c@d.e>` is `c@d.e`: quoted text is a name unless a domain follows it.
 */
export function readMailboxes(text: string, wanted: Wanted, limits: AddressLimits): MailboxList {
  const plain = PLAIN.exec(text);
  const address = plain === null ? null : (plain[1] ?? plain[2]!);
  if (address === null || parseAddrSpec(address) === null) return new Pass(text, wanted, limits);
  return { mailboxes: [address.toLowerCase()], tried: 1, cut: null };
}

/** All usable mailboxes of a field's unfolded text, as `readMailboxes` reads them. */
export function parseMailboxes(text: string, limits: AddressLimits = LIMITS): readonly string[] {
  return readMailboxes(text, "all", limits).mailboxes;
}
