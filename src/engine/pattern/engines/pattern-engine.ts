/** The seam behind which linear-time pattern engines are exchanged. */
import type { Problem, Span } from "../../../base/diagnostic.ts";

/** A match: where, and what each group captured (`groups[0]` is the whole; `undefined` took no part). */
export interface PatternMatch extends Span {
  readonly groups: readonly (string | undefined)[];
}

/** What an engine compiles. Every call is linear in the length of the text. */
export interface Pattern {
  readonly source: string;
  /** Capturing groups, the whole match not counted. */
  readonly groupCount: number;
  /**
   * The leftmost-first match anywhere in `text`, spans in UTF-16 code units; `null` if none. `part`: where it is known
   * to lie, in a text that is well-formed.
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
  /** Set where it refuses nothing that the reader accepts within the caps: compiling can then wait until a match is asked for. */
  readonly refusesNothing?: true;
  /** Compiles a source that already kept to the caps; refuses with the engine's reason. Never throws. */
  compile(source: string): PatternResult;
}
