/**
 * A `forward`: the comma-separated destinations of an alias or a rule, read once and filled per message
 * with captures (`$1`…`$9`) and the recipient's subaddress detail.
 */
import type { Problem, Span } from "../../base/diagnostic.ts";
import type { Guard } from "../../base/guard.ts";
import { LIMITS } from "../../base/limits.ts";
import { quote } from "../../base/quote.ts";
import {
  canonicalDestination,
  canonicalDomain,
  isWebhook,
  parseAddrSpec,
  parseUrl,
  splitAddress,
} from "../facts/address.ts";
import { destinationHint } from "./destination-hint.ts";
import type { Destination } from "./resolution.ts";

// ASSUMPTION(captures): `$1`…`$9` of a forward are filled from the groups of a pattern alias, an alias rule's pattern or a regex rule
/** What a match contributes to the destinations. */
export interface MatchParts {
  /** `captures[0]` fills `$1`; a group that took no part fills in nothing. */
  readonly captures?: readonly (string | undefined)[];
  /** The recipient's detail, if an alias matched without it: `x` of `contact+x`. */
  readonly detail?: string;
}

type FilledForward =
  | { readonly destinations: readonly Destination[] }
  | { readonly failure: string };

/** A checked `forward`. No template means: accept and discard (the word `null`). */
export interface Forward {
  readonly templates: readonly Destination[];
  readonly usesCaptures: boolean;
  /** The destinations of a match that contributes nothing. */
  readonly plain: readonly Destination[];
  readonly ownDomain: string;
}

/** Mail hosts that deliver `user+detail` to `user`. */
const DETAIL_HOSTS: ReadonlySet<string> = new Set([
  "gmail.com",
  "hey.com",
  "protonmail.com",
  "icloud.com",
  "fastmail.com",
  "outlook.com",
  "runbox.com",
  "yandex.com",
  "yandex.ru",
  "mailfence.com",
]);

const CAPTURE = /\$([1-9])/g;

/** Why a text is no destination. */
type NoDestination = Omit<Problem, "span">;

const invalid = (message: string): NoDestination => ({ code: "destination/invalid", message });

/**
 * Reads one destination whose captures, if any, have been replaced by text that is allowed there; messages show `written`.
 * The author chooses its kind: captured text is read as what the template is, whatever it starts with.
 */
function readDestination(
  kind: Destination["kind"],
  text: string,
  ownDomain: string,
  written = text,
): Destination | NoDestination {
  if (kind === "webhook") {
    if (text.length > LIMITS.webhookUnitsMax) {
      return invalid(`webhook is longer than ${LIMITS.webhookUnitsMax} characters: shorten it`);
    }
    // A URL parser drops control characters and repairs blanks and slashes; an author's typing error is not repaired.
    const isPlain = /^https?:\/\/[^/\\?#]/i.test(text) && !/[\s\u0000-\u001f]/.test(text);
    if (!isPlain || parseUrl(text) === null) {
      return invalid(`${quote(written)} is not a URL: write it as \`https://host/path\``);
    }
    return { kind, url: text };
  }
  const parsed = parseAddrSpec(text);
  if (parsed === null) return invalid(`${quote(written)} ${destinationHint(written)}`);
  const domain = canonicalDomain(parsed.domain);
  if (domain === ownDomain) {
    const message = `${quote(written)} is at this domain, which would send the message round in a loop: name a mailbox elsewhere`;
    return { code: "destination/own-domain", message };
  }
  // ASSUMPTION(destination-spelling): the local part goes out as the author wrote it, without needless quotes, the domain in lower case as A-labels
  return { kind, address: `${parsed.localPart}@${domain}` };
}

function textOf(destination: Destination): string {
  return destination.kind === "mailbox" ? destination.address : destination.url;
}

// ASSUMPTION(destination-duplicates): the same mailbox in any case, or the same URL, is sent to once, at its first place
function withoutDuplicates(destinations: readonly Destination[]): readonly Destination[] {
  if (destinations.length < 2) return destinations;
  const seen = new Set<string>();
  return destinations.filter((destination) => {
    const key = canonicalDestination(textOf(destination));
    return !seen.has(key) && seen.add(key);
  });
}

/** Items between commas, trimmed, with their spans. */
function splitList(source: string): { text: string; span: Span }[] {
  let offset = 0;
  return source.split(",").map((item) => {
    const text = item.trim();
    const end = Math.min(source.length, offset + item.trimEnd().length + (text === "" ? 1 : 0));
    offset += item.length + 1;
    return { text, span: { start: end - Math.max(1, text.length), end } };
  });
}

/** What a URL says before its path; `null` if the text is not a URL. */
function authorityOf(text: string): string | null {
  const url = parseUrl(text);
  if (url === null) return null;
  const { username, password, origin } = url;
  return `${username}:${password}@${origin}`;
}

/** A digit, a letter and a mark: where a URL parser takes all for the same, the text at that place does not choose the host. */
const FILLERS = ["0", "a", "_"] as const;

/** Why a capture is not allowed where the template has it, or `null`. */
function captureProblem(text: string, groupCount: number): NoDestination | null {
  for (const [written, digit] of text.matchAll(CAPTURE)) {
    if (Number(digit) <= groupCount) continue;
    const message =
      groupCount === 0
        ? `${quote(written)} has no group to be filled from: only a pattern with groups, \`(…)\`, captures`
        : `${quote(written)} names a group that the pattern does not have: it has ${groupCount}`;
    return { code: "destination/unknown-capture", message };
  }
  // What the sender of a message writes must not choose the host that is called.
  if (!isWebhook(text) || text.search(CAPTURE) < 0) return null;
  const authorities = FILLERS.map((filler) => authorityOf(text.replace(CAPTURE, filler)));
  if (authorities.every((each) => each === authorities[0])) return null;
  const host = `the host of ${quote(text)}`;
  return invalid(`a capture cannot be in ${host}: put it in the path or the query`);
}

/** Reads one of several destinations, or one that is not the word `null`. */
function readTemplate(
  text: string,
  groupCount: number,
  ownDomain: string,
): Destination | NoDestination {
  if (text === "") return invalid("empty destination: remove the comma");
  if (text.toLowerCase() === "null") {
    const message = "`null` discards the message and cannot be combined with other destinations";
    return { code: "destination/null-not-alone", message };
  }
  const refused = captureProblem(text, groupCount);
  if (refused !== null) return refused;
  const kind = isWebhook(text) ? "webhook" : "mailbox";
  const read = readDestination(kind, text.replace(CAPTURE, "_"), ownDomain, text);
  if ("code" in read || text.search(CAPTURE) < 0) return read;
  return read.kind === "webhook" ? { ...read, url: text } : { ...read, address: text };
}

/**
 * Reads a `forward` and reports every bad destination with its span. `groupCount` is how many captures the
 * alias or rule provides, `ownDomain` the canonical domain it belongs to; `null` if anything was reported.
 */
export function compileForward(
  source: string,
  groupCount: number,
  ownDomain: string,
  report: (problem: Problem) => void,
): Forward | null {
  const items = splitList(source);
  if (items.length > LIMITS.destinationsMax) {
    const message = `${items.length} destinations: at most ${LIMITS.destinationsMax} can be in one forward`;
    report({ code: "config/too-many", message });
    return null;
  }
  const templates: Destination[] = [];
  const discards = items.length === 1 && items[0]!.text.toLowerCase() === "null";
  for (const { text, span } of discards ? [] : items) {
    const read = readTemplate(text, groupCount, ownDomain);
    if ("code" in read) report({ ...read, span });
    else templates.push(read);
  }
  if (!discards && templates.length < items.length) return null;
  return {
    templates: Object.freeze(templates),
    usesCaptures: source.search(CAPTURE) >= 0,
    plain: Object.freeze(withoutDuplicates(templates)),
    ownDomain,
  };
}

/** `user@host` → `user+detail@host`, for hosts known to accept it. */
function addDetail(destination: Destination, detail: string): Destination {
  if (destination.kind === "webhook") return destination;
  const { localPart, domain } = splitAddress(destination.address);
  // ASSUMPTION(detail-kept): a destination with a detail of its own keeps that one
  if (!DETAIL_HOSTS.has(domain) || localPart.includes("+")) return destination;
  const address = `${localPart}+${detail}@${domain}`;
  return parseAddrSpec(address) === null ? destination : { kind: "mailbox", address };
}

/** Units of work of reading a filled template as an address or a URL, and of handling each unit of it. */
const FILL_FUEL = 200;
const FILL_FUEL_PER_UNIT = 4;

const FILLED_UNITS_MAX: Readonly<Record<Destination["kind"], number>> = {
  mailbox: LIMITS.localPartOctetsMax + LIMITS.domainOctetsMax + 1,
  webhook: LIMITS.webhookUnitsMax,
};

/** A template in pieces: what the author wrote, and between two of these what was captured. */
function fillPieces(text: string, captures: MatchParts["captures"]): readonly string[] {
  const filled = (piece: string): string => (captures?.[Number(piece) - 1] ?? "").toWellFormed();
  return text.split(CAPTURE).map((piece, nth) => (nth % 2 === 0 ? piece : filled(piece)));
}

function joinPieces(pieces: readonly string[], { kind }: Destination): string {
  if (kind === "mailbox") return pieces.join("");
  return pieces.map((piece, nth) => (nth % 2 === 0 ? piece : encodeURIComponent(piece))).join("");
}

/** Segments of a URL's path that a parser takes for steps, in any spelling (WHATWG URL, "single-dot" and "double-dot"). */
function dotSegments(url: string): number {
  const [path = ""] = url.split(/[?#]/, 1);
  return path.split(/[/\\]/).filter((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)).length;
}

/** Why the filled text lies elsewhere than its author wrote, or `null`: a capture stays in its segment of a path, or its side of the `@`. */
function strayFailure(
  { kind }: Destination,
  text: string,
  filled: string,
  captures: MatchParts["captures"],
): string | null {
  if (kind === "webhook") {
    if (dotSegments(filled) <= dotSegments(text)) return null;
    return `${quote(filled)} would lead to another path: captured dots cannot be a segment`;
  }
  const domain = fillPieces(splitAddress(text).domain, captures).join("");
  if (splitAddress(filled).domain === domain) return null;
  return `${quote(filled)} would be at another domain: a captured \`@\` cannot be in one`;
}

// ASSUMPTION(capture-no-destination): captured text that makes no destination, or one at the own domain, fails the rule or alias
/** The destinations of one match; fails if captured text does not make a destination. Never throws. */
export function fillForward(
  forward: Forward,
  { captures, detail }: MatchParts,
  guard: Guard,
): FilledForward {
  const fills = forward.usesCaptures;
  if (!fills && detail === undefined) return { destinations: forward.plain };
  const destinations: Destination[] = [];
  for (const template of forward.templates) {
    const text = textOf(template);
    const pieces = fills ? fillPieces(text, captures) : [text, detail!];
    // The least length: captures in a URL are encoded, which can make them longer.
    const units = pieces.reduce((sum, { length }) => sum + length, 0);
    if (fills && units > FILLED_UNITS_MAX[template.kind]) {
      return { failure: `${quote(text)} is too long with what was captured` };
    }
    const isPaid = guard.take(FILL_FUEL + FILL_FUEL_PER_UNIT * units);
    if (!isPaid) return { failure: "the budget of the message is spent" };
    let destination = template;
    if (fills) {
      const filled = joinPieces(pieces, template);
      const stray = strayFailure(template, text, filled, captures);
      if (stray !== null) return { failure: stray };
      const read = readDestination(template.kind, filled, forward.ownDomain);
      if ("code" in read) return { failure: read.message };
      destination = read;
    }
    if (detail !== undefined && detail !== "") destination = addDetail(destination, detail);
    destinations.push(destination);
  }
  return { destinations: withoutDuplicates(destinations) };
}
