/** A pattern engine whose patterns share a bounded store of compiled ones: a compiled pattern takes some 10 KB. */
import type { Pattern, PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import { BoundedCache } from "../config/pieces.ts";

export interface PatternPool {
  readonly engine: PatternEngine;
  readonly patterns: BoundedCache<Pattern>;
}

/** Patterns stay valid when they are dropped from the store: they are compiled again when next asked for a match. */
export function createPatternPool(engine: PatternEngine, patternsMax: number): PatternPool {
  const patterns = new BoundedCache<Pattern>(patternsMax);
  const ready = (source: string): Pattern =>
    patterns.get(source, () => {
      const result = engine.compile(source);
      if (!result.ok) throw new Error(`${engine.name} refuses \`${source}\`, which it took before`);
      return result.pattern;
    });
  const pooled: PatternEngine = {
    ...engine,
    compile(source) {
      const result = engine.compile(source);
      if (!result.ok) return result;
      const { groupCount } = result.pattern;
      const pattern: Pattern = {
        source,
        groupCount,
        find: (text, part) => ready(source).find(text, part),
      };
      return { ok: true, pattern };
    },
  };
  return { engine: pooled, patterns };
}
