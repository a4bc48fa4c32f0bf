/** A lazily built deterministic automaton that decides whether a text contains a match of a pattern. */
import { WORD_RANGES } from "../../../engine/pattern/syntax/class-tables.ts";
import { type CharSet, charSet, hasChar } from "./char-set.ts";
import type { TextProgram } from "./text-program.ts";

/** States in which the result no longer depends on the rest of the text: found, and never to be found. */
export const FOUND = 1;
export const HOPELESS = 0;

/** Most states of one automaton; beyond this the question stays open. */
const STATES_MAX = 20_000;

/** Thrown when an automaton has too many states. The caller then reports `unknown`. */
export class TooManyStates extends Error {}

/** What is before or after a position in the text. */
type Neighbour = "edge" | "newline" | "word" | "other";

interface State {
  /** Steps that take a character or look around, in order. */
  readonly steps: readonly number[];
  readonly before: Neighbour;
  /** The next states, by kind of character. */
  readonly nexts: number[];
  found: boolean | undefined;
}

const WORD = charSet(WORD_RANGES);
const NEWLINE: CharSet = [[10, 10]];

export class TextAutomaton {
  readonly #program: TextProgram;
  readonly #states: State[] = [];
  readonly #numbers = new Map<string, number>();
  /**
   * Characters at which membership in one of the sets changes, in order; and the kind of the characters from each one
   * on.
   */
  readonly boundaries: readonly number[];
  readonly #kinds: readonly number[];
  readonly start: number;

  constructor(program: TextProgram) {
    this.#program = program;
    const sets = [
      ...program.sets,
      ...(program.looksAtWords ? [WORD] : []),
      ...(program.looksAtLines ? [NEWLINE] : []),
    ];
    this.boundaries = boundariesOf(sets);
    this.#kinds = kindsOf(sets, this.boundaries);
    const end: State = { steps: [], before: "other", nexts: [], found: undefined };
    this.#states.push({ ...end, found: false }, { ...end, found: true });
    this.start = this.#stateOf([program.start], "edge");
  }

  /** The automaton does not distinguish characters of one kind. */
  kindOf(char: number): number {
    let [low, high] = [0, this.boundaries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.boundaries[middle]! <= char) low = middle + 1;
      else high = middle;
    }
    return this.#kinds[low]!;
  }

  #neighbour(char: number): Neighbour {
    const { looksAtWords, looksAtLines } = this.#program;
    if (looksAtLines && char === 10) return "newline";
    return looksAtWords && hasChar(WORD, char) ? "word" : "other";
  }

  /** The state of these steps, after following branches. */
  #stateOf(from: readonly number[], before: Neighbour): number {
    const { steps } = this.#program;
    const kept = new Set<number>();
    const seen = new Set<number>();
    const open = [...from];
    let looks = false;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const step = steps[at]!;
      if (step.kind === "end") return FOUND;
      if (step.kind === "branch") open.push(step.next, step.other);
      else kept.add(at);
      looks ||= step.kind === "assert";
    }
    if (kept.size === 0) return HOPELESS;
    const ordered = [...kept].sort((a, b) => a - b);
    // The character before matters only to a step that looks at it.
    const seenBefore = looks ? before : "other";
    const key = `${seenBefore} ${ordered.join(" ")}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#states.length >= STATES_MAX) throw new TooManyStates();
    this.#numbers.set(key, this.#states.length);
    const state = { steps: ordered, before: seenBefore, nexts: [], found: undefined };
    return this.#states.push(state) - 1;
  }

  /** The steps that take a character, given what follows; `null` if the pattern matches here. */
  #lookAround({ steps: from, before }: State, after: Neighbour): readonly number[] | null {
    const { steps } = this.#program;
    const taking: number[] = [];
    const seen = new Set<number>();
    const open = [...from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const step = steps[at]!;
      if (step.kind === "end") return null;
      if (step.kind === "take") taking.push(at);
      if (step.kind === "branch") open.push(step.next, step.other);
      if (step.kind === "assert" && holds(step.assertion, before, after)) open.push(step.next);
    }
    return taking;
  }

  next(number: number, char: number): number {
    if (number === FOUND || number === HOPELESS) return number;
    const state = this.#states[number]!;
    const kind = this.kindOf(char);
    const known = state.nexts[kind];
    if (known !== undefined) return known;
    const after = this.#neighbour(char);
    const taking = this.#lookAround(state, after);
    const next = taking === null ? FOUND : this.#afterTaking(taking, char, after);
    state.nexts[kind] = next;
    return next;
  }

  #afterTaking(taking: readonly number[], char: number, taken: Neighbour): number {
    const { steps, start, sets, isAnchored } = this.#program;
    const reached = taking.flatMap((at) => {
      const step = steps[at]!;
      return step.kind === "take" && hasChar(sets[step.set]!, char) ? [step.next] : [];
    });
    return this.#stateOf(isAnchored ? reached : [...reached, start], taken);
  }

  /** Whether a text that ends here contains the pattern. The suffix is read too. */
  endsFound(number: number): boolean {
    if (number === FOUND || number === HOPELESS) return number === FOUND;
    const state = this.#states[number]!;
    if (state.found === undefined) {
      let at = number;
      for (const char of this.#program.suffix) at = this.next(at, char.codePointAt(0)!);
      state.found =
        at === FOUND || (at !== HOPELESS && this.#lookAround(this.#states[at]!, "edge") === null);
    }
    return state.found;
  }

  /** Whether `text` (with the suffix) contains the pattern. */
  finds(text: string): boolean {
    let at = this.start;
    for (const char of text) at = this.next(at, char.codePointAt(0)!);
    return this.endsFound(at);
  }
}

function holds(assertion: string, before: Neighbour, after: Neighbour): boolean {
  switch (assertion) {
    case "begin-text":
      return before === "edge";
    case "end-text":
      return after === "edge";
    case "begin-line":
      return before === "edge" || before === "newline";
    case "end-line":
      return after === "edge" || after === "newline";
    case "word-boundary":
      return (before === "word") !== (after === "word");
    default:
      return (before === "word") === (after === "word");
  }
}

function boundariesOf(sets: readonly CharSet[]): readonly number[] {
  const boundaries = new Set<number>();
  for (const set of sets) {
    for (const [first, last] of set) {
      boundaries.add(first);
      boundaries.add(last + 1);
    }
  }
  return [...boundaries].sort((a, b) => a - b);
}

/** The kind of the characters before the first boundary, and from each boundary on. */
function kindsOf(sets: readonly CharSet[], boundaries: readonly number[]): readonly number[] {
  const numbers = new Map<string, number>();
  return [-1, ...boundaries].map((char) => {
    const signature = sets.map((set) => (hasChar(set, char) ? "1" : "0")).join("");
    const known = numbers.get(signature);
    if (known !== undefined) return known;
    numbers.set(signature, numbers.size);
    return numbers.size - 1;
  });
}
