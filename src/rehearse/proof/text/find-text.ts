/** Finds the shortest text that contains some patterns and not others, or proves that there is none. */
import { ANY_CHAR, hasChar } from "./char-set.ts";
import { FOUND, HOPELESS, type TextAutomaton, TooManyStates } from "./text-automaton.ts";

/** One pattern, and whether the text must contain it. */
export interface Demand {
  readonly automaton: TextAutomaton;
  readonly found: boolean;
}

/** Remaining budget, in states to look at; all searches of one question share it. */
export interface Meter {
  left: number;
}

export type FoundText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly why: string };

/** Steps of automata after which a search yields the thread: well under a millisecond. */
const TURN_STEPS = 512;

export const OUT_OF_BUDGET = "the search needs more states than its budget allows";
const AUTOMATON_TOO_LARGE = "a pattern has too many states";

/** One character of each kind that the automata distinguish; those of `nice` come first, in its order. */
function alphabetOf(automata: readonly TextAutomaton[], nice: string): readonly number[] {
  const seen = new Set<string>();
  const chars: number[] = [];
  const add = (char: number): void => {
    if (!hasChar(ANY_CHAR, char)) return;
    const key = automata.map((automaton) => automaton.kindOf(char)).join();
    if (seen.has(key)) return;
    seen.add(key);
    chars.push(char);
  };
  for (const char of nice) add(char.codePointAt(0)!);
  // A range also begins just after the surrogates.
  const starts = new Set([0, 0xe000, ...automata.flatMap(({ boundaries }) => boundaries)]);
  for (const start of [...starts].sort((a, b) => a - b)) add(start);
  return chars;
}

/** Texts found so far, each stored as its predecessor and a character. */
class TextQueue {
  readonly #numbers = new Map<string, number>();
  readonly #states: (readonly number[])[] = [];
  readonly #before: number[] = [];
  readonly #chars: number[] = [];

  add(states: readonly number[], before: number, char: number): number | null {
    const key = states.join();
    if (this.#numbers.has(key)) return null;
    this.#numbers.set(key, this.#states.length);
    this.#before.push(before);
    this.#chars.push(char);
    return this.#states.push(states) - 1;
  }

  statesAt(number: number): readonly number[] | undefined {
    return this.#states[number];
  }

  textTo(number: number): string {
    const chars: number[] = [];
    for (let at = number; at > 0; at = this.#before[at]!) chars.push(this.#chars[at]!);
    return chars
      .reverse()
      .map((char) => String.fromCodePoint(char))
      .join("");
  }
}

/** Whether some continuation of this text may meet the demands. */
function isOpen(states: readonly number[], demands: readonly Demand[]): boolean {
  return states.every((state, index) => state !== (demands[index]!.found ? HOPELESS : FOUND));
}

function isMet(states: readonly number[], demands: readonly Demand[]): boolean {
  return demands.every(
    ({ automaton, found }, index) => automaton.endsFound(states[index]!) === found,
  );
}

/**
 * Tries shorter texts before longer ones. Yields regularly. Each state looked at costs as many units of the meter
 * as there are automata.
 */
export function* findText(
  demands: readonly Demand[],
  nice: string,
  meter: Meter,
): Generator<void, FoundText> {
  try {
    const alphabet = alphabetOf(
      demands.map(({ automaton }) => automaton),
      nice,
    );
    const queue = new TextQueue();
    const start = demands.map(({ automaton }) => automaton.start);
    if (!isOpen(start, demands)) return { kind: "none" };
    queue.add(start, -1, -1);
    let untilTurn = TURN_STEPS;
    for (let at = 0; ; at++) {
      const states = queue.statesAt(at);
      if (states === undefined) return { kind: "none" };
      meter.left -= 1 + (alphabet.length * demands.length) / 32;
      if (meter.left < 0) return { kind: "unknown", why: OUT_OF_BUDGET };
      if (isMet(states, demands)) return { kind: "text", text: queue.textTo(at) };
      for (const char of alphabet) {
        const next = states.map((state, index) => demands[index]!.automaton.next(state, char));
        if (isOpen(next, demands)) queue.add(next, at, char);
        untilTurn -= demands.length;
        if (untilTurn > 0) continue;
        untilTurn = TURN_STEPS;
        yield;
      }
    }
  } catch (error) {
    if (error instanceof TooManyStates) return { kind: "unknown", why: AUTOMATON_TOO_LARGE };
    throw error;
  }
}
