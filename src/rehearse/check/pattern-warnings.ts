/** Warnings about one pattern and the texts it is searched in. */
import type { Span } from "../../base/diagnostic.ts";
import { LIMITS } from "../../base/limits.ts";
import { measurePattern } from "../../engine/pattern/syntax/cost.ts";
import { readPattern } from "../../engine/pattern/syntax/re2-syntax.ts";
import { citedAddress } from "./cited-address.ts";
import {
  bareDots,
  isInEveryText,
  isWholeWithoutAt,
  neededCapital,
  takesAnyLine,
} from "./pattern-properties.ts";

export const WARNING_CODES = [
  "domain/no-entries",
  "config/unknown-field",
  "rule/rank-tie",
  "rule/unreachable",
  "rule/contradiction",
  "fallback/unreachable",
  "alias/unreachable",
  "destination/duplicate",
  "pattern/capital-letters",
  "pattern/unescaped-dot",
  "pattern/no-address",
  "pattern/slashes",
  "pattern/matches-everything",
  "pattern/costly",
  "cel/capital-letters",
  "cel/no-address",
] as const;
/** What kind of problem a warning reports, as `area/problem`. */
export type WarningCode = (typeof WARNING_CODES)[number];

/** A certain mistake in one text. */
export interface Finding {
  readonly code: WarningCode;
  readonly message: string;
  readonly span?: Span;
}

/** From here on a pattern is reported as expensive: half of the limit. */
const COSTLY_THREADS = LIMITS.patternThreadsMax / 2;

/**
 * `addresses`: only in addresses, which are in lower case; `lines`: in texts without line breaks; `texts`: in any
 * text; `local-part`: matched against the whole local part of an address.
 */
export type Searched = "addresses" | "lines" | "texts" | "local-part";

/** Whether the pattern matches every text that it is searched in. */
function takesEverything(regex: string, searched: Searched): boolean {
  const read = readPattern(regex);
  if (!read.ok) return false;
  const { root } = read.tree;
  if (searched === "local-part") return takesAnyLine(root);
  return isInEveryText(root) || (searched !== "texts" && takesAnyLine(root));
}

/** Findings on a pattern that is searched in addresses, perhaps among other texts: `^sales$` matches no whole address. */
export function wholeAddressFindings(regex: string): readonly Finding[] {
  const read = readPattern(regex);
  if (!read.ok || !isWholeWithoutAt(read.tree.root)) return [];
  const message = `matches no address, because each has an \`@\`: write \`${regex.slice(0, -1)}@\``;
  return [{ code: "pattern/no-address", message, span: read.tree.root.span }];
}

/**
 * A pattern in slashes, as other languages write it: `/sales/i`. In a body, slashes without flags may be those of a
 * path.
 */
function slashFindings(regex: string, searched: Searched): readonly Finding[] {
  const [, inner, flags] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(regex) ?? [];
  if (inner === undefined || (flags === "" && searched === "texts")) return [];
  const message = `also looks for the slashes: write \`${flags?.includes("i") ? "(?i)" : ""}${inner}\``;
  return [{ code: "pattern/slashes", message, span: { start: 0, end: regex.length } }];
}

/** `domain` is that of the recipients, if the pattern is searched only in their addresses. */
export function patternFindings(
  regex: string,
  searched: Searched,
  domain: string | null = null,
): readonly Finding[] {
  const read = readPattern(regex);
  if (!read.ok) return [];
  const { root } = read.tree;
  const findings: Finding[] = [];
  const isAddress = searched === "addresses" || searched === "local-part";
  const scope = searched === "local-part" ? searched : "address";
  const capital = isAddress ? neededCapital(root) : null;
  if (capital !== null) {
    const letter = regex.slice(capital.start, capital.end);
    const message = `never matches: addresses are compared in lower case, and this needs \`${letter}\`: write it in lower case, or begin with \`(?i)\``;
    findings.push({ code: "pattern/capital-letters", message, span: capital });
  }
  for (const span of isAddress && capital === null ? bareDots(root) : []) {
    const cited = citedAddress(regex, span, scope, domain);
    if (cited === null) continue;
    const message = `\`.\` matches any character, so \`${cited}\` matches too: write \`\\.\` for a dot`;
    findings.push({ code: "pattern/unescaped-dot", message, span });
  }
  if (searched === "addresses") findings.push(...wholeAddressFindings(regex));
  findings.push(...slashFindings(regex, searched));
  if (takesEverything(regex, searched)) {
    const what = searched === "local-part" ? "address" : "text";
    const message = `matches every ${what}: say what it should look for`;
    findings.push({ code: "pattern/matches-everything", message, span: root.span });
  }
  const { threads } = measurePattern(root);
  if (threads >= COSTLY_THREADS) {
    const message = `can be at ${threads} places at once (${LIMITS.patternThreadsMax} are allowed), and each costs time on every character: lower its counts`;
    findings.push({ code: "pattern/costly", message, span: root.span });
  }
  return findings;
}
