/**
 * The Sender Rewriting Scheme: a forwarder's envelope sender that passes SPF at the destination and leads bounces back
 * (Mengwong's SRS0 for a first forwarder, SRS1 for later ones).
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { LIMITS } from "../../base/limits.ts";
import { canonicalDomain, splitAddress } from "../../engine/facts/address.ts";

const DAY_MS = 86_400_000;
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
/** Letters of the hash: 40 bits, and one connection can try about twenty guesses. */
const HASH_UNITS = 8;
/** Two letters of a day count repeat after this many days. */
const STAMP_DAYS = 1_024;

/** The hash is made from lower case, because hosts on the way may change the case. */
function hashOf(secret: string, text: string): string {
  const digest = createHmac("sha256", secret).update(`srs ${text.toLowerCase()}`).digest();
  let letters = "";
  for (let at = 0; at < HASH_UNITS; at++) letters += BASE32[digest[at]! & 31];
  return letters;
}

function isHash(secret: string, text: string, hash: string): boolean {
  const [wanted, given] = [hashOf(secret, text), hash.toLowerCase()].map((each) =>
    Buffer.from(each),
  );
  return wanted!.length === given!.length && timingSafeEqual(wanted!, given!);
}

const dayOf = (nowMs: number): number => Math.floor(nowMs / DAY_MS);

function stampOf(nowMs: number): string {
  const day = ((dayOf(nowMs) % STAMP_DAYS) + STAMP_DAYS) % STAMP_DAYS;
  return `${BASE32[day >> 5]}${BASE32[day & 31]}`;
}

/** Days since the stamp was made, assuming that it was made in the last `STAMP_DAYS`. */
function stampAge(stamp: string, nowMs: number): number {
  const [high, low] = [...stamp.toLowerCase()].map((letter) => BASE32.indexOf(letter));
  const age = dayOf(nowMs) - (high! * 32 + low!);
  return ((age % STAMP_DAYS) + STAMP_DAYS) % STAMP_DAYS;
}

const SRS0 = /^srs0([=+-].+)$/is;
const SRS1 = /^srs1[=+-][^=]*=([^=]+)=([=+-].+)$/is;

/**
 * The envelope sender with which `domain` forwards mail of `sender`. The null sender, senders at the domain itself, and
 * anything that is not a plain address stay as they are.
 */
export function srsForward(secret: string, nowMs: number, sender: string, domain: string): string {
  const { localPart, domain: host } = splitAddress(sender);
  const isPlain = localPart !== "" && host !== "" && !/["\s]/.test(localPart);
  if (!isPlain || canonicalDomain(host) === domain) return sender;
  const later = SRS1.exec(localPart);
  const first = later === null ? SRS0.exec(localPart) : null;
  if (later !== null || first !== null) {
    const rest = later === null ? `${host}=${first![1]}` : `${later[1]}=${later[2]}`;
    return `SRS1=${hashOf(secret, rest)}=${rest}@${domain}`;
  }
  const rest = `${stampOf(nowMs)}=${host}=${localPart}`;
  return `SRS0=${hashOf(secret, rest)}=${rest}@${domain}`;
}

export type Reversed =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly reason: string };

/** The sender to whom mail for a rewritten local part returns; `null` if the local part is not a rewritten one. */
export function srsReverse(secret: string, nowMs: number, localPart: string): Reversed | null {
  const match = /^srs([01])[=+-]([^=]*)=(.+)$/is.exec(localPart);
  if (match === null) return null;
  const [, kind, hash, rest] = match;
  if (!isHash(secret, rest!, hash!))
    return { ok: false, reason: "not a return path of this service" };
  if (kind === "1") {
    const [, host, user] = /^([^=]+)=([=+-].+)$/s.exec(rest!) ?? [];
    if (user === undefined) return { ok: false, reason: "not a return path of this service" };
    return { ok: true, address: `SRS0${user}@${host}` };
  }
  const [, stamp, host, user] = /^([a-z2-7]{2})=([^=]+)=(.+)$/is.exec(rest!) ?? [];
  if (user === undefined) return { ok: false, reason: "not a return path of this service" };
  if (stampAge(stamp!, nowMs) > LIMITS.srsDaysMax) {
    return { ok: false, reason: "this return path is too old" };
  }
  return { ok: true, address: `${user}@${host}` };
}
