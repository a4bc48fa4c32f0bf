/** The interface of linear-time pattern engines that find what groups hold in mailflow's place. */
import type { Problem, Span } from "../../../base/diagnostic.ts";

/** A match: its span, and what each group captured (`groups[0]` is the whole; `undefined`: it took no part). */
export interface PatternMatch extends Span {
  readonly groups: readonly (string | undefined)[];
}

/** What an engine compiles. Every call is linear in the length of the text. */
export interface Pattern {
  readonly source: string;
  /** Capturing groups, the whole match not counted. */
  readonly groupCount: number;
  /**
   * The leftmost-first match anywhere in `text`, spans in UTF-16 code units. `null` if the engine finds none, or cannot tell:
   * mailflow then searches by itself. `part`: the span in which the match is known to lie; then the text is well-formed.
   */
  find(text: string, part?: Span): PatternMatch | null;
}

/** A compiled pattern, or the diagnostic that says why there is none. */
export type PatternResult =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly problem: Problem };

/** An engine for RE2's dialect: case-sensitive unless `(?i)`, no look-around, no back-references. */
export interface PatternEngine {
  readonly name: string;
  /** Compiles a source that is within the caps; refuses with the engine's reason. Never throws. */
  compile(source: string): PatternResult;
}
