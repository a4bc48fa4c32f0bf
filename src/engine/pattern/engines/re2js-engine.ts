/** The default pattern engine: re2js, a port of RE2 that runs wherever JavaScript runs. */
import { RE2JS, RE2JSException } from "re2js";
import type { Span } from "../../../base/diagnostic.ts";
import type { PatternEngine, PatternMatch, PatternResult } from "./pattern-engine.ts";

/** After a text of more code units the engine's own automaton is dropped: it may keep 8 MB. */
const KEPT_UNITS_MAX = 1_024;

/** Finds within a part of `text`. The engine gets one more character on either side, for assertions. */
function findIn(compiled: RE2JS, text: string, { start, end }: Span): PatternMatch | null {
  const isLow = start > 1 && (text.charCodeAt(start - 1) & 0xfc00) === 0xdc00;
  const shift = Math.max(0, start - (isLow ? 2 : 1));
  const isHigh = (text.charCodeAt(end) & 0xfc00) === 0xd800;
  const matcher = compiled.matcher(text.slice(shift, end + (isHigh ? 2 : 1)));
  if (!matcher.find(start - shift)) return null;
  const groups: (string | undefined)[] = [];
  for (let group = 0; group <= compiled.groupCount(); group++) {
    groups.push(matcher.group(group) ?? undefined);
  }
  return { start: matcher.start(0) + shift, end: matcher.end(0) + shift, groups };
}

/** Drops what the engine kept from a text. */
function forget(compiled: RE2JS): void {
  const expression = compiled.re2() as { lazyDFA: unknown };
  expression.lazyDFA = null;
  compiled.reset();
}

function compile(source: string): PatternResult {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace("error parsing regexp: ", "");
    const message = `${reason}: correct the pattern`;
    return {
      ok: false,
      problem: { code: "pattern/syntax", message, span: { start: 0, end: source.length } },
    };
  }
  const pattern = {
    source,
    groupCount: compiled.groupCount(),
    find(given: string, part?: Span): PatternMatch | null {
      const text = given.isWellFormed() ? given : given.toWellFormed();
      const searched = part ?? { start: 0, end: text.length };
      const found = findIn(compiled, text, searched);
      if (searched.end - searched.start > KEPT_UNITS_MAX) forget(compiled);
      return found;
    },
  };
  return { ok: true, pattern };
}

/** The default engine: pure JavaScript, the same in Node and in a browser. */
export const re2jsEngine: PatternEngine = { name: "re2js", refusesNothing: true, compile };
