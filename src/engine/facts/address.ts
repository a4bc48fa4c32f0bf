/** Addresses and domain names as routing compares them: lower case, plain local parts, domains as A-labels (RFC 5321 §4.1.2, RFC 5891). */
import { LIMITS } from "../../base/limits.ts";

/** A local part and a domain, both as given. */
export interface AddrSpec {
  readonly localPart: string;
  readonly domain: string;
}

const encoder = new TextEncoder();

function octets(text: string): number {
  return encoder.encode(text).length;
}

/** Splits at the last `@`; without one, all of it is the local part and the domain is `""`. */
export function splitAddress(address: string): AddrSpec {
  const at = address.lastIndexOf("@");
  if (at < 0) return { localPart: address, domain: "" };
  return { localPart: address.slice(0, at), domain: address.slice(at + 1) };
}

/** Whether every code unit is ASCII. */
function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}

/**
 * The domain in lower case with U-labels as A-labels; a domain that has no A-label form is
 * only lower-cased. Never throws.
 */
export function canonicalDomain(domain: string): string {
  const lower = domain.toLowerCase();
  if (isAscii(lower)) return lower;
  // The URL parser is the one IDNA implementation that every JavaScript host has. The added label keeps it
  // from reading the name as an IPv4 address.
  if (/[\s/?#\\@:%[\]]/.test(lower)) return lower;
  try {
    const { hostname } = new URL(`http://${lower}.x`);
    return hostname.endsWith(".x") ? hostname.slice(0, -2) : lower;
  } catch {
    return lower;
  }
}

const DOT_ATOM =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+)*$/iu;
const QUOTED = /^"(?:[^"\\\u0000-\u001f\u007f]|\\[\u0020-\u007e])*"$/u;

/** The local part without quotes and backslashes that it does not need: `"ok"` is `ok`, `"a\ b"` is `"a b"` (RFC 5321 §4.1.2). */
function plainLocalPart(localPart: string): string {
  if (!localPart.startsWith('"') || !QUOTED.test(localPart)) return localPart;
  const content = localPart.slice(1, -1).replace(/\\(.)/g, "$1");
  return DOT_ATOM.test(content) ? content : `"${content.replace(/["\\]/g, "\\$&")}"`;
}

/** Lower case, in which letters with marks are one character each where Unicode has it. */
// ASSUMPTION(address-marks): local parts and aliases are compared in NFC; a pattern stays as written, and is tried on NFC
export function foldLocalPart(localPart: string): string {
  const lower = localPart.toLowerCase();
  return isAscii(lower) ? lower : lower.normalize("NFC");
}

/** Characters that few canonical addresses have; nearly every address is canonical already. */
const NOT_CANONICAL = /[^\u0000-!#-@[-\u007f]/;

/** The address as rules see it and aliases compare it: lower case, plain local part in NFC, domain as A-labels. Never throws. */
export function canonicalAddress(address: string): string {
  if (!NOT_CANONICAL.test(address)) return address;
  const { localPart, domain } = splitAddress(address);
  if (domain === "") return foldLocalPart(address);
  return `${foldLocalPart(plainLocalPart(localPart))}@${canonicalDomain(domain)}`;
}

/** Whether a destination, as an author writes it, is a webhook; no mailbox starts so, because a `:` needs quotes. */
export function isWebhook(text: string): boolean {
  return /^https?:/i.test(text);
}

/** The URL, or `null`. On Node 20 and 22 `URL.canParse` refuses hosts such as `bücher.example` once it has run a few thousand times. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** A destination as it is compared: a mailbox in canonical form, a URL as it is. */
export function canonicalDestination(text: string): string {
  return isWebhook(text) ? text : canonicalAddress(text);
}

const [DASH, DOT, UNDERSCORE] = [45, 46, 95];
/** Octets of a label: RFC 1035 §2.3.4. */
const LABEL_OCTETS_MAX = 63;

function isLabelUnit(unit: number): boolean {
  const lower = unit | 32;
  if (lower >= 97 && lower <= 122) return true;
  return (unit >= 48 && unit <= 57) || unit === DASH || unit === UNDERSCORE;
}

/** Whether all labels, two or more, are made of letters, digits, `-` and `_`, have no `-` at their ends, and the last one is no number. */
function hasLabels(name: string): boolean {
  let labels = 0;
  let start = 0;
  for (let index = 0; index <= name.length; index++) {
    const unit = index < name.length ? name.charCodeAt(index) : DOT;
    if (unit !== DOT) {
      if (!isLabelUnit(unit)) return false;
      continue;
    }
    const isFit = index > start && index - start <= LABEL_OCTETS_MAX;
    if (!isFit || name.charCodeAt(start) === DASH || name.charCodeAt(index - 1) === DASH) {
      return false;
    }
    labels++;
    start = index + 1;
  }
  // RFC 3696 §2: so an IPv4 address is not a name.
  return labels > 1 && !/\.\d+$/.test(name);
}

/** Whether a name (any case, U-labels allowed) can be a mail domain: two labels or more, the last no number, RFC 1035 lengths. */
export function isDomainName(name: string): boolean {
  if (name.length > LIMITS.domainOctetsMax) return false;
  const ascii = isAscii(name) ? name : canonicalDomain(name);
  return ascii.length <= LIMITS.domainOctetsMax && hasLabels(ascii);
}

/**
 * Reads an addr-spec (dot-atom or quoted local part, SMTPUTF8 allowed, no address literal), its local part without needless
 * quotes; `null` if the text is not one.
 */
export function parseAddrSpec(text: string): AddrSpec | null {
  const { localPart, domain } = splitAddress(text);
  if (localPart === "" || !isDomainName(domain)) return null;
  const max = LIMITS.localPartOctetsMax;
  // A code unit makes three octets at most.
  if (localPart.length > max || (localPart.length * 3 > max && octets(localPart) > max))
    return null;
  if (DOT_ATOM.test(localPart)) return { localPart, domain };
  return QUOTED.test(localPart) ? { localPart: plainLocalPart(localPart), domain } : null;
}

/** The address as mail is sent to it: the local part keeps its case, since it may count elsewhere; the domain as A-labels. */
export function outgoingAddress(address: string): string {
  const { localPart, domain } = parseAddrSpec(address) ?? splitAddress(address);
  return `${localPart}@${canonicalDomain(domain)}`;
}
