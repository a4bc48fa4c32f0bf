/** The default pattern engine: re2js, a port of RE2 that runs wherever JavaScript runs. */
import { RE2JS, RE2JSException } from "re2js";
import type { Pattern, PatternEngine, PatternMatch, PatternResult } from "./pattern-engine.ts";

function findIn(compiled: RE2JS, text: string): PatternMatch | null {
  // Finding costs far more than testing, and most patterns miss most texts.
  if (!compiled.test(text)) return null;
  const matcher = compiled.matcher(text);
  if (!matcher.find()) return null;
  const groups: (string | undefined)[] = [];
  for (let group = 0; group <= compiled.groupCount(); group++) {
    groups.push(matcher.group(group) ?? undefined);
  }
  return { start: matcher.start(0), end: matcher.end(0), groups };
}

function compile(source: string): PatternResult {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (error) {
    const reason = error instanceof RE2JSException ? error.message : "too large to compile";
    return { ok: false, problem: { code: "pattern/syntax", message: reason } };
  }
  const pattern: Pattern = {
    source,
    groupCount: compiled.groupCount(),
    test: (text) => compiled.test(text.toWellFormed()),
    find: (text) => findIn(compiled, text.toWellFormed()),
  };
  return { ok: true, pattern };
}

export const re2jsEngine: PatternEngine = { name: "re2js", compile };
