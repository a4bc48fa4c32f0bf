/** The default pattern engine: re2js, a port of RE2 that runs wherever JavaScript runs. */
import { RE2JS, RE2JSException } from "re2js";
import type { Span } from "../base/diagnostic.ts";
import { LIMITS } from "../base/limits.ts";
import { measurePattern, type PatternCost } from "./cost.ts";
import type { PatternEngine, PatternMatch, PatternResult } from "./pattern-engine.ts";
import { createEndSearch } from "./pattern-search.ts";
import type { PatternTree } from "./pattern-tree.ts";
import { readPattern } from "./re2-syntax.ts";

/**
 * Code units in which matches may start, per window. Testing runs a cached automaton, 5 ns per character;
 * finding follows every place of the pattern, up to 1.5 µs, so it is done only where a match must be. Larger
 * windows find more slowly, smaller ones rebuild too often an automaton that outgrows its cache: of 16 Ki
 * units, `a.{90}[cd]` took 5 s on 1 MiB of `a` and `b`, and takes 1.1 s of these.
 */
const WINDOW_UNITS = 262_144;

/** Texts in which an automaton of our own finds the place of the match first, as making one takes 0.1 ms. */
const NARROWED_UNITS_MIN = 1_024;

type Reach = Pick<PatternCost, "unitsMax" | "crossesLines">;

const UNKNOWN_REACH: Reach = { unitsMax: Number.POSITIVE_INFINITY, crossesLines: true };

/** Undefined for a source that is not ours to read. */
function readTree(source: string): PatternTree | undefined {
  const read = readPattern(source);
  // One deeper than the cap, as matching whole wraps the source in a group.
  return read.ok && read.tree.depth <= LIMITS.patternDepthMax + 1 ? read.tree : undefined;
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

/** Where starts of the window that opens at `from` end, and how far text is needed to match from any of them. */
function windowAt(
  text: string,
  from: number,
  windowUnits: number,
  reach: Reach,
): { until: number; needed: number } {
  let until = from + windowUnits;
  if (Number.isFinite(reach.unitsMax)) {
    if (isLowSurrogate(text, until)) until++;
    // One character more, for an assertion that looks at it.
    return { until, needed: until + reach.unitsMax + 1 };
  }
  const lineEnd = reach.crossesLines ? -1 : text.indexOf("\n", until);
  until = lineEnd < 0 ? text.length : lineEnd + 1;
  return { until, needed: until };
}

/** Finds in `text`, of which only starts from `context` count; `shift` is where it stands in the whole text. */
function findIn(
  compiled: RE2JS,
  text: string,
  context: number,
  shift: number,
): PatternMatch | null {
  if (!compiled.test(text)) return null;
  const matcher = compiled.matcher(text);
  if (!matcher.find(context)) return null;
  const groups: (string | undefined)[] = [];
  for (let group = 0; group <= compiled.groupCount(); group++) {
    groups.push(matcher.group(group) ?? undefined);
  }
  return { start: matcher.start(0) + shift, end: matcher.end(0) + shift, groups };
}

/**
 * Searches window by window. A window holds every match that starts in it, and one character on either
 * side, so a match that starts in it is the same in the whole text; one that starts after it may not be.
 */
function findLeftmost(
  compiled: RE2JS,
  text: string,
  windowUnits: number,
  reach: Reach,
): PatternMatch | null {
  for (let from = 0; ; ) {
    const { until, needed } = windowAt(text, from, windowUnits, reach);
    const shift = Math.max(0, from - 1);
    const found = findIn(compiled, text.slice(shift, needed), from - shift, shift);
    if (until >= text.length || (found !== null && found.start < until)) return found;
    from = until;
  }
}

/**
 * The part of `text` in which the leftmost match lies, when `at` or the place after it is where the first match ends
 * that ends. The leftmost one ends no earlier, and starts no later; so it lies in the same line, or within its reach.
 */
function partAround(text: string, at: number, { unitsMax, crossesLines }: Reach): Span {
  if (Number.isFinite(unitsMax)) {
    const start = Math.max(0, at - unitsMax);
    return { start: isLowSurrogate(text, start) ? start - 1 : start, end: at + 1 + unitsMax };
  }
  if (crossesLines) return { start: 0, end: text.length };
  const end = text.indexOf("\n", at + 1);
  return {
    start: at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1,
    end: end < 0 ? text.length : end,
  };
}

type EndSearch = NonNullable<ReturnType<typeof createEndSearch>>;

/** Null for a pattern that cannot have one, or whose match an end does not place. */
function endSearchOf(source: string, { unitsMax, crossesLines }: Reach): EndSearch | null {
  const tree = crossesLines && !Number.isFinite(unitsMax) ? undefined : readTree(source);
  return (tree === undefined ? undefined : createEndSearch(tree)) ?? null;
}

/** Finds in the part that the automaton tells of, and window by window where it does not. */
function createFind(
  compiled: RE2JS,
  source: string,
  windowUnits: number,
): (text: string) => PatternMatch | null {
  const tree = readTree(source);
  const reach = tree === undefined ? UNKNOWN_REACH : measurePattern(tree.root);
  const narrowedMin = Math.min(windowUnits, NARROWED_UNITS_MIN);
  let search: EndSearch | null | undefined;
  return (text) => {
    if (search === undefined && text.length >= narrowedMin) search = endSearchOf(source, reach);
    if (!search || text.length < narrowedMin)
      return findLeftmost(compiled, text, windowUnits, reach);
    const at = search(text);
    if (at === null) return null;
    if (at === undefined) {
      search = null;
      return findLeftmost(compiled, text, windowUnits, reach);
    }
    const { start, end } = partAround(text, at, reach);
    const shift = Math.max(0, start - 1);
    return findIn(compiled, text.slice(shift, end + 1), start - shift, shift);
  };
}

function compile(source: string, windowUnits: number): PatternResult {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace("error parsing regexp: ", "");
    const message = `${reason}: mend the pattern`;
    return {
      ok: false,
      problem: { code: "pattern/syntax", message, span: { start: 0, end: source.length } },
    };
  }
  const find = createFind(compiled, source, windowUnits);
  const pattern = {
    source,
    groupCount: compiled.groupCount(),
    test: (text: string) => compiled.test(text.toWellFormed()),
    find: (text: string) => find(text.toWellFormed()),
  };
  return { ok: true, pattern };
}

/** An engine that finds in windows of `windowUnits` code units; tests make them small. */
export function createRe2jsEngine(windowUnits: number = WINDOW_UNITS): PatternEngine {
  return { name: "re2js", refusesNothing: true, compile: (source) => compile(source, windowUnits) };
}

export const re2jsEngine: PatternEngine = createRe2jsEngine();
