/** One pattern's own automaton: whether it occurs in a text, or in a part of one. */
import { LazyAutomaton } from "./lazy-automaton.ts";
import type { PatternTree } from "./pattern-tree.ts";
import { writeProgram } from "./set-program.ts";

export class PatternSearch {
  readonly #automaton: LazyAutomaton;

  constructor(automaton: LazyAutomaton) {
    this.#automaton = automaton;
  }

  /**
   * Whether the pattern has a match within the units from `from` to `to` of `text`, which is well-formed, and cuts no
   * surrogate pair. Assertions see what lies around; if it is true, the pattern has a match in the text.
   */
  occurs(text: string, from?: number, to?: number): boolean {
    return this.#automaton.match(text, from, to)!.length > 0;
  }
}

/** Undefined for a pattern that only an engine's tables can tell. */
export function createPatternSearch(tree: PatternTree): PatternSearch | undefined {
  const { program, patterns } = writeProgram([tree]);
  return patterns.length === 0 ? undefined : new PatternSearch(new LazyAutomaton(program));
}

/**
 * Tells where in a text a match ends, or one unit before, so that none ends earlier; `null` if there is none;
 * undefined if it has more states than are worth keeping: an engine finds as soon.
 */
export function createEndSearch(
  tree: PatternTree,
): ((text: string) => number | null | undefined) | undefined {
  const { program, patterns } = writeProgram([tree]);
  if (patterns.length === 0) return undefined;
  const automaton = new LazyAutomaton(program, "stop");
  return (text) => {
    const found = automaton.match(text);
    if (found === undefined) return undefined;
    return found.length > 0 ? automaton.foundAt : null;
  };
}
