/** Many patterns run over a text together, as automata. */
import { RE2JS, RE2Set } from "re2js";
import { LazyAutomaton } from "./lazy-automaton.ts";
import type { Member, SetPart } from "./set-part.ts";
import { type SetProgram, writeProgram } from "./set-program.ts";

/** Patterns of one automaton: more of them rarely share states. */
const AUTOMATON_PATTERNS = 128;
/** Patterns of one set of re2js, which falls off a cliff beyond. */
const RE2_SET_PATTERNS = 64;

/** Code units of a text on which patterns are tried alone, to see which of them crowd a set. */
const SAMPLE_UNITS = 16_384;
/** States of a pattern that crowds: others stay below with any text. */
const CROWDING_STATES = 64;

function* chunksOf<T>(list: readonly T[], length: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += length) yield list.slice(from, from + length);
}

/** Sets apart the members that have many states on their own; if that sets none apart, the halves. */
function split(members: readonly Member[], text: string): SetPart[] {
  const sample = text.slice(0, SAMPLE_UNITS).toWellFormed();
  const calm: Member[] = [];
  const crowding: Member[] = [];
  for (const member of members) {
    const automaton = new LazyAutomaton(writeProgram([member.tree]).program);
    automaton.match(sample);
    (automaton.hasMoreStates(CROWDING_STATES) ? crowding : calm).push(member);
  }
  const half = Math.ceil(members.length / 2);
  const groups =
    crowding.length === 0
      ? [members.slice(0, half), members.slice(half)]
      : [calm, ...crowding.map((member) => [member])];
  return groups.flatMap((group) => createAutomaton(group).parts);
}

/** One pattern by itself: once it has more states than are worth keeping, the engine follows its places sooner. */
function createAlone({ index, source }: Member, program: SetProgram): SetPart {
  let automaton: LazyAutomaton | undefined = new LazyAutomaton(program, "stop");
  let compiled: RE2JS | undefined;
  return (text) => {
    const found = automaton?.match(text);
    if (found !== undefined) return found.length > 0 ? [index] : [];
    automaton = undefined;
    compiled ??= RE2JS.compile(source);
    return compiled.test(text) ? [index] : [];
  };
}

/** An automaton for as many of `members` as can be in one; the others are left. */
function createAutomaton(members: readonly Member[]): {
  readonly parts: readonly SetPart[];
  readonly left: readonly Member[];
} {
  const { program, patterns } = writeProgram(members.map(({ tree }) => tree));
  if (patterns.length === 0) return { parts: [], left: members };
  const taken = patterns.map((pattern) => members[pattern]!);
  const left = members.filter((member) => !taken.includes(member));
  if (taken.length === 1) return { parts: [createAlone(taken[0]!, program)], left };
  let automaton: LazyAutomaton | undefined = new LazyAutomaton(program);
  let parts: readonly SetPart[] = [];
  const part: SetPart = (text) => {
    const found = automaton?.match(text);
    if (found !== undefined) return found.map((nth) => taken[nth]!.index);
    if (automaton !== undefined) parts = split(taken, text);
    automaton = undefined;
    return parts.flatMap((one) => one(text));
  };
  return { parts: [part], left };
}

function createRe2Set(members: readonly Member[]): SetPart {
  const set = new RE2Set();
  for (const { source } of members) set.add(source);
  return (text) => set.match(text).map((nth) => members[nth]!.index);
}

/** Runs automata for as many of `members` as fit together, and the engine's own sets for the rest. */
export function createAutomata(members: readonly Member[]): SetPart {
  const parts: SetPart[] = [];
  let left = members;
  // What did not fit beside others may fit without them.
  for (let round = 0; round < 2; round++) {
    const tried = [...chunksOf(left, AUTOMATON_PATTERNS)].map(createAutomaton);
    parts.push(...tried.flatMap((one) => one.parts));
    left = tried.flatMap((one) => one.left);
  }
  for (const chunk of chunksOf(left, RE2_SET_PATTERNS)) parts.push(createRe2Set(chunk));
  return (text) => parts.flatMap((part) => part(text));
}
