/** The patterns that an expression computes for `matches`, compiled. What all expressions keep counts towards the bound of all automata. */
import { LIMITS } from "../../../base/limits.ts";
import { type CompiledPattern, compilePattern } from "../../pattern/engines/compile-pattern.ts";
import type { PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import { type AutomatonKeeper, automatonStore } from "../../pattern/search/automaton-store.ts";
import { CelError } from "../values/value.ts";

/** Octets of a compiled pattern, and for each unit of its source: measured 1,500 in all with 7 units, 50 to 133 a unit with 200 and more. */
const PATTERN_BYTES = 1_000;
const PATTERN_BYTES_PER_UNIT = 130;

/** Keeps those that were computed last. This changes no answer, and no fuel. */
export class ComputedPatterns implements AutomatonKeeper {
  countedBytes = -1;
  wasUsed = false;
  readonly #kept = new Map<string, CompiledPattern | CelError>();
  #units = 0;

  constructor(private readonly engine: PatternEngine | null) {}

  get bytes(): number {
    return PATTERN_BYTES * this.#kept.size + PATTERN_BYTES_PER_UNIT * this.#units;
  }

  drop(): void {
    this.#kept.clear();
    this.#units = 0;
  }

  /** The pattern of a source, or what is wrong with it. */
  get(source: string): CompiledPattern | CelError {
    const pattern = this.#kept.get(source) ?? this.#compile(source);
    automatonStore.use(this);
    return pattern;
  }

  #compile(source: string): CompiledPattern | CelError {
    const result = compilePattern(source, this.engine);
    const pattern = result.ok
      ? result.pattern
      : new CelError(`not a pattern: ${result.problem.message}`);
    if (this.#kept.size >= LIMITS.celPatternsKeptMax) {
      const oldest = this.#kept.keys().next().value!;
      this.#kept.delete(oldest);
      this.#units -= oldest.length;
    }
    this.#kept.set(source, pattern);
    this.#units += source.length;
    return pattern;
  }
}
