/** Many patterns run over a text together, for those that no literal gives away. */
import { RE2Set } from "re2js";
import { LazyAutomaton } from "./lazy-automaton.ts";
import type { Pattern } from "./pattern-engine.ts";
import type { PatternTree } from "./pattern-tree.ts";
import { readPattern } from "./re2-syntax.ts";
import { writeProgram } from "./set-program.ts";

export interface PatternSet {
  readonly size: number;
  /** Indexes, in order, of the patterns that occur anywhere in `text`. */
  match(text: string): readonly number[];
}

/** Patterns of one automaton: more of them rarely share states. */
const AUTOMATON_PATTERNS = 128;
/** Patterns of one set of re2js, which falls off a cliff beyond. */
const RE2_SET_PATTERNS = 64;

/** Code units of a text on which patterns are tried alone, to see which of them crowd a set. */
const SAMPLE_UNITS = 16_384;
/** States of a pattern that crowds: others stay below with any text. */
const CROWDING_STATES = 64;

/** Some of a set's patterns, run together; tells their indexes in the whole set. */
type Part = (text: string) => readonly number[];

interface Member {
  readonly index: number;
  readonly tree: PatternTree;
}

function* chunksOf<T>(list: readonly T[], length: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += length) yield list.slice(from, from + length);
}

/** Sets apart the members that have many states on their own; if that sets none apart, the halves. */
function split(members: readonly Member[], text: string): Part[] {
  const sample = text.slice(0, SAMPLE_UNITS).toWellFormed();
  const calm: Member[] = [];
  const crowding: Member[] = [];
  for (const member of members) {
    const automaton = new LazyAutomaton(writeProgram([member.tree]).program);
    automaton.match(sample);
    (automaton.stateCount > CROWDING_STATES ? crowding : calm).push(member);
  }
  const half = Math.ceil(members.length / 2);
  const groups =
    crowding.length === 0
      ? [members.slice(0, half), members.slice(half)]
      : [calm, ...crowding.map((member) => [member])];
  return groups.flatMap((group) => createAutomaton(group).parts);
}

/** An automaton for as many of `members` as can be in one; the others are left. */
function createAutomaton(members: readonly Member[]): {
  readonly parts: readonly Part[];
  readonly left: readonly Member[];
} {
  const { program, patterns } = writeProgram(members.map(({ tree }) => tree));
  if (patterns.length === 0) return { parts: [], left: members };
  const taken = patterns.map((pattern) => members[pattern]!);
  const left = members.filter((member) => !taken.includes(member));
  let automaton: LazyAutomaton | undefined = new LazyAutomaton(program);
  let parts: readonly Part[] = [];
  const part: Part = (text) => {
    const found = automaton?.match(text);
    if (found !== undefined) return taken.flatMap(({ index }, nth) => (found[nth] ? index : []));
    if (automaton !== undefined) parts = split(taken, text);
    automaton = undefined;
    return parts.flatMap((one) => one(text));
  };
  return { parts: [part], left };
}

function createRe2Set(sources: readonly string[], members: readonly Member[]): Part {
  const set = new RE2Set();
  for (const { index } of members) set.add(sources[index]!);
  return (text) => set.match(text).map((nth) => members[nth]!.index);
}

/** `patterns` have been compiled before: their sources are of the dialect and within the caps. */
export function createPatternSet(patterns: readonly Pick<Pattern, "source">[]): PatternSet {
  const sources = patterns.map(({ source }) => source);
  let members = sources.map((source, index): Member => {
    const read = readPattern(source);
    if (!read.ok) throw new Error(`not a compiled pattern: \`${source}\``);
    return { index, tree: read.tree };
  });
  const parts: Part[] = [];
  // What did not fit beside others may fit without them; the rest is for the engine's own sets.
  for (let round = 0; round < 2; round++) {
    const tried = [...chunksOf(members, AUTOMATON_PATTERNS)].map(createAutomaton);
    parts.push(...tried.flatMap((one) => one.parts));
    members = tried.flatMap(({ left }) => left);
  }
  for (const chunk of chunksOf(members, RE2_SET_PATTERNS)) parts.push(createRe2Set(sources, chunk));
  return {
    size: patterns.length,
    match(given) {
      const text = given.isWellFormed() ? given : given.toWellFormed();
      return parts.flatMap((part) => part(text)).sort((a, b) => a - b);
    },
  };
}
