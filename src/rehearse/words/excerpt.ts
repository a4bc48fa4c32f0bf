/** Quotes long texts briefly, on one line. */
import type { Span } from "../../base/diagnostic.ts";

/** Code units to show: of a text, on either side of a match, and of the match. */
const HEAD_UNITS = 60;
const CONTEXT_UNITS = 24;
const MATCH_UNITS = 60;
/** Code units to show of patterns and expressions. */
const SOURCE_UNITS = 120;

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Widens `start` and `end` so that they split no surrogate pair. */
function whole(text: string, start: number, end: number): string {
  const from = isLowSurrogate(text, start) ? start - 1 : start;
  const to = isLowSurrogate(text, end) ? end + 1 : end;
  return text.slice(from, to);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}

/** The text on one line, cut at `units`. */
export function cut(text: string, units: number = HEAD_UNITS): string {
  // Runs of blanks shrink, so twice as many units fill the line in nearly all texts.
  const isWhole = text.length <= units * 2;
  const line = oneLine(whole(text, 0, Math.min(text.length, units * 2))).trim();
  if (isWhole && line.length <= units) return line;
  return `${whole(line, 0, Math.min(units, line.length)).trimEnd()}…`;
}

/** A pattern, an expression or a value from a rule, cut at 120 code units. */
export function cutSource(text: string): string {
  return cut(text, SOURCE_UNITS);
}

/** `"the text…"`. */
export function quoted(text: string): string {
  return `"${cut(text)}"`;
}

function cutMatch(text: string, start: number, end: number): string {
  if (end - start <= MATCH_UNITS) return oneLine(whole(text, start, end));
  return `${oneLine(whole(text, start, start + MATCH_UNITS))}…`;
}

/** The text before a match, the match, and the text after it. */
export interface MatchContext {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** The match with the text around it, cut on both sides. */
export function context(text: string, { start, end }: Span): MatchContext {
  const from = Math.max(0, start - CONTEXT_UNITS);
  const to = Math.min(text.length, end + CONTEXT_UNITS);
  const [before, after] = [oneLine(whole(text, from, start)), oneLine(whole(text, end, to))];
  return {
    before: from > 0 ? `…${before}` : before.trimStart(),
    match: cutMatch(text, start, end),
    after: to < text.length ? `${after}…` : after.trimEnd(),
  };
}

/** `, $1 = "2231", $2 = "x"`. */
export function captured(captures: readonly (string | undefined)[] | undefined): string {
  const groups = (captures ?? []).slice(0, 9);
  return groups
    .map((text, index) => `, $${index + 1} ${text === undefined ? "empty" : `= ${quoted(text)}`}`)
    .join("");
}
