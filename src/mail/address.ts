/** Addresses and domain names as routing compares them: lower case, domains as A-labels (RFC 5321 §4.1.2, RFC 5891). */
import { LIMITS } from "../base/limits.ts";

/** A local part and a domain, both as given. */
export interface AddrSpec {
  readonly localPart: string;
  readonly domain: string;
}

const encoder = new TextEncoder();

function octets(text: string): number {
  return encoder.encode(text).length;
}

/** Splits at the last `@`; without one, all is local part and the domain is `""`. */
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
 * The domain in lower case with U-labels as A-labels; a domain that has no A-label form comes back
 * only lower-cased. Total.
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

/** The address as rules see it and aliases compare it: lower case, domain as A-labels. Total. */
export function canonicalAddress(address: string): string {
  const { localPart, domain } = splitAddress(address);
  if (domain === "") return address.toLowerCase();
  return `${localPart.toLowerCase()}@${canonicalDomain(domain)}`;
}

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Whether a name (any case, U-labels welcome) can be a mail domain: two labels or more, RFC 1035 lengths. */
export function isDomainName(name: string): boolean {
  if (name.length > LIMITS.domainOctetsMax) return false;
  const ascii = canonicalDomain(name);
  if (ascii.length > LIMITS.domainOctetsMax) return false;
  const labels = ascii.split(".");
  return labels.length > 1 && labels.every((label) => LABEL.test(label));
}

const DOT_ATOM =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+)*$/iu;
const QUOTED = /^"(?:[^"\\\u0000-\u001f\u007f]|\\[\u0020-\u007e])*"$/u;

/** Reads an addr-spec (dot-atom or quoted local part, SMTPUTF8 allowed, no address literal); `null` if it is none. */
export function parseAddrSpec(text: string): AddrSpec | null {
  const { localPart, domain } = splitAddress(text);
  if (localPart === "" || !isDomainName(domain)) return null;
  const max = LIMITS.localPartOctetsMax;
  // A code unit makes three octets at most.
  if (localPart.length > max || (localPart.length * 3 > max && octets(localPart) > max))
    return null;
  return DOT_ATOM.test(localPart) || QUOTED.test(localPart) ? { localPart, domain } : null;
}
