/** Finds which of many patterns occur in a text, all in one search. */
import type { Guard } from "../../../base/guard.ts";
import { buildFuel, measurePattern } from "../syntax/cost.ts";
import type { PatternTree } from "../syntax/pattern-tree.ts";
import { type AutomatonKeeper, automatonStore } from "./automaton-store.ts";
import { LazyAutomaton, searchFuel } from "./lazy-automaton.ts";
import { PatternSearch } from "./pattern-search.ts";
import { writeProgram } from "./set-program.ts";

export interface PatternSet {
  readonly size: number;
  /** Whether one automaton runs all patterns, and makes few new states; true before the first run. */
  readonly isSettled: boolean;
  /**
   * Indexes, in no order, of the patterns that occur anywhere in `text`; a lone surrogate counts as U+FFFD. The guard pays for the
   * work; once it has refused, the answer has no meaning. The search may end with a pattern for which `endsSearch`.
   */
  match(text: string, guard?: Guard, endsSearch?: EndsSearch): readonly number[];
}

/** Whether nothing else needs to be found once a pattern is. */
export type EndsSearch = (pattern: number) => boolean;

/** A pattern, and its place in the whole set. */
interface Member {
  readonly index: number;
  readonly tree: PatternTree;
}

/** Finds some of the patterns. */
interface SetPart {
  match(text: string, guard: Guard | null, endsSearch?: EndsSearch): readonly number[];
  readonly isSettled: boolean;
}

/** Patterns of one automaton: more of them rarely share states. */
const AUTOMATON_PATTERNS = 128;

/** Units of work of making an automaton, for each of its patterns: measured 50 µs. */
const BUILD_FUEL_EACH = 1_000;

/** Units of work of making automata for all members: less than making one for each. Paid also where they are made already, so that equal messages cost the same. */
function makingFuel(members: readonly Member[]): number {
  let [steps, classFuel] = [0, 0];
  for (const { tree } of members) {
    const cost = measurePattern(tree.root);
    steps += cost.steps;
    classFuel += cost.classFuel;
  }
  return buildFuel({ steps, classFuel }) + members.length * BUILD_FUEL_EACH;
}

function createAlone({ index, tree }: Member): SetPart {
  const search = new PatternSearch(tree, null);
  const cost = measurePattern(tree.root);
  const match: SetPart["match"] = (text, guard) => {
    const fuel = buildFuel(cost) + searchFuel(text.length, cost.threads);
    if (guard !== null && !guard.take(fuel)) return [];
    return search.endIn(text, null, guard) === null ? [] : [index];
  };
  return { match, isSettled: true };
}

/** Makes automata for each half of the members; none if the budget does not cover them. */
function split(members: readonly Member[], guard: Guard | null): readonly SetPart[] {
  if (guard !== null && !guard.take(makingFuel(members))) return [];
  const half = Math.ceil(members.length / 2);
  return [...createParts(members.slice(0, half)), ...createParts(members.slice(half))];
}

/** Units that a settled set reads for each new transition. Making one takes as long as reading 1,000 units and more. */
const UNITS_PER_TRANSITION = 256;
/** Transitions that any set may make first: log lines took 700 in their first 12,000 units. */
const FIRST_TRANSITIONS = 8_192;

/** One automaton for all members; several replace it once a text needs too many states. */
class Together implements AutomatonKeeper, SetPart {
  countedBytes = -1;
  wasUsed = false;
  readonly #members: readonly Member[];
  readonly #automaton: LazyAutomaton;
  #parts: readonly SetPart[] | undefined;
  #unitsRead = 0;

  constructor(members: readonly Member[], automaton: LazyAutomaton) {
    this.#members = members;
    this.#automaton = automaton;
  }

  get bytes(): number {
    return this.#automaton.bytes;
  }

  drop(): void {
    this.#automaton.empty();
  }

  get isSettled(): boolean {
    const most = FIRST_TRANSITIONS + this.#unitsRead / UNITS_PER_TRANSITION;
    return this.#parts === undefined && this.#automaton.transitionsMade <= most;
  }

  match(text: string, guard: Guard | null, endsSearch?: EndsSearch): readonly number[] {
    if (guard !== null && !guard.take(searchFuel(text.length, this.#members.length))) return [];
    if (this.#parts === undefined) {
      const automaton = this.#automaton;
      const ends = endsSearch && ((nth: number) => endsSearch(this.#members[nth]!.index));
      const found = automaton.match(text, 0, text.length, guard, ends);
      automatonStore.use(this);
      this.#unitsRead += automaton.endedAt;
      if (found !== undefined) return found.map((nth) => this.#members[nth]!.index);
      if (guard?.isSpent === true) return [];
      const parts = split(this.#members, guard);
      if (parts.length === 0) return [];
      this.#parts = parts;
      this.#automaton.empty();
    }
    return matchParts(this.#parts, text, guard, endsSearch);
  }
}

function matchParts(
  parts: readonly SetPart[],
  text: string,
  guard: Guard | null,
  endsSearch?: EndsSearch,
): readonly number[] {
  const found: number[] = [];
  for (const part of parts) {
    found.push(...part.match(text, guard, endsSearch));
    if (endsSearch !== undefined && found.some(endsSearch)) break;
  }
  return found;
}

/** Makes automata, each for as many members as fit together. */
function createParts(members: readonly Member[]): SetPart[] {
  const parts: SetPart[] = [];
  for (let left = members; left.length > 0; ) {
    const tried = left.slice(0, AUTOMATON_PATTERNS);
    const { program, patterns } = writeProgram(tried.map(({ tree }) => tree));
    const taken = new Set(patterns.map((pattern) => tried[pattern]!));
    if (taken.size === 1) parts.push(createAlone(tried[patterns[0]!]!));
    else parts.push(new Together([...taken], new LazyAutomaton(program())));
    left = left.filter((member) => !taken.has(member));
  }
  return parts;
}

/** `trees` are within the caps on patterns. The automata are made once a text has paid for them. */
export function createPatternSet(trees: readonly PatternTree[]): PatternSet {
  const members = trees.map((tree, index) => ({ index, tree }));
  const fuel = makingFuel(members);
  let parts: readonly SetPart[] | undefined;
  return {
    size: trees.length,
    get isSettled() {
      return parts === undefined || (parts.length === 1 && parts[0]!.isSettled);
    },
    match(text, guard, endsSearch) {
      if (guard?.take(fuel) === false) return [];
      parts ??= createParts(members);
      return matchParts(parts, text, guard ?? null, endsSearch);
    },
  };
}
