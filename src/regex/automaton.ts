/** An Aho–Corasick automaton over folded code units: linear in the text whatever stands in it. */
import { caseFolds } from "./case-orbits.ts";

/** Edges lie in a hash table, so that memory grows with the literals alone, not with their letters. */
export interface Automaton {
  /** State times 65,536 plus unit, as two numbers: `keys[2 * slot]` is the state plus one, or 0 if free. */
  readonly keys: Int32Array;
  readonly targets: Int32Array;
  readonly fails: Int32Array;
  /** The literal that ends in a state plus one, or 0; others with the same units follow in `sameText`. */
  readonly ends: Int32Array;
  readonly sameText: Int32Array;
  /** The nearest state on the chain of fails in which a literal ends, or 0. */
  readonly nextEnds: Int32Array;
}

function slotOf(automaton: Automaton, state: number, unit: number): number {
  const { keys, targets } = automaton;
  const mask = targets.length - 1;
  let slot = (Math.imul(state, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 0;
  slot = (slot ^ (slot >>> 15)) & mask;
  while (keys[2 * slot] !== 0 && (keys[2 * slot] !== state + 1 || keys[2 * slot + 1] !== unit)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

/** The state after `unit`; 0 is the start. */
function step(automaton: Automaton, from: number, unit: number): number {
  for (let state = from; ; state = automaton.fails[state]!) {
    const target = automaton.targets[slotOf(automaton, state, unit)]!;
    if (target !== 0 || state === 0) return target;
  }
}

export function buildAutomaton(texts: readonly string[]): Automaton {
  const folds = caseFolds();
  const statesMax = 1 + texts.reduce((units, text) => units + text.length, 0);
  const slots = 1 << Math.ceil(Math.log2(statesMax * 2));
  const automaton: Automaton = {
    keys: new Int32Array(2 * slots),
    targets: new Int32Array(slots),
    fails: new Int32Array(statesMax),
    ends: new Int32Array(statesMax),
    sameText: new Int32Array(texts.length),
    nextEnds: new Int32Array(statesMax),
  };
  const parents: number[] = [0];
  const units: number[] = [0];
  const depths: number[] = [0];
  for (const [literal, text] of texts.entries()) {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = folds[text.charCodeAt(at)]!;
      const slot = slotOf(automaton, state, unit);
      if (automaton.targets[slot] === 0) {
        automaton.keys.set([state + 1, unit], 2 * slot);
        automaton.targets[slot] = parents.length;
        parents.push(state);
        units.push(unit);
        depths.push(at + 1);
      }
      state = automaton.targets[slot]!;
    }
    automaton.sameText[literal] = automaton.ends[state]!;
    automaton.ends[state] = literal + 1;
  }
  const inDepth = Array.from(parents.keys()).sort((a, b) => depths[a]! - depths[b]!);
  for (const state of inDepth.slice(1)) {
    const parent = parents[state]!;
    const fail = parent === 0 ? 0 : step(automaton, automaton.fails[parent]!, units[state]!);
    automaton.fails[state] = fail;
    automaton.nextEnds[state] = automaton.ends[fail] !== 0 ? fail : automaton.nextEnds[fail]!;
  }
  return automaton;
}

/**
 * Calls `onEnd` with each literal, and the offset after it, that ends behind `from`; `"drop"` means that the
 * literals which end in this state are wanted no more, `"stop"` that none are.
 */
export function runAutomaton(
  automaton: Automaton,
  text: string,
  from: number,
  onEnd: (literal: number, end: number) => "drop" | "stop" | undefined,
): "stop" | undefined {
  const folds = caseFolds();
  /** Shortcuts past states that were dropped, so that they are not walked again for each unit. */
  let shortcuts: Int32Array | undefined;
  const live = (state: number): number => {
    let found = state;
    while (shortcuts !== undefined && found !== 0 && shortcuts[found] !== 0)
      found = shortcuts[found]! - 1;
    return found;
  };
  let state = 0;
  for (let at = from; at < text.length; at++) {
    state = step(automaton, state, folds[text.charCodeAt(at)]!);
    let ending = automaton.ends[state] !== 0 ? state : automaton.nextEnds[state]!;
    for (ending = live(ending); ending !== 0; ending = live(automaton.nextEnds[ending]!)) {
      let dropped = true;
      for (let literal = automaton.ends[ending]!; literal !== 0; ) {
        const wish = onEnd(literal - 1, at + 1);
        if (wish === "stop") return "stop";
        if (wish === undefined) dropped = false;
        literal = automaton.sameText[literal - 1]!;
      }
      if (dropped) {
        shortcuts ??= new Int32Array(automaton.fails.length);
        shortcuts[ending] = automaton.nextEnds[ending]! + 1;
      }
    }
  }
  return undefined;
}
