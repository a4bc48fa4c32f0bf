/** What a pattern costs to compile and to run, computed from its tree, and the caps on it. */
import type { Problem } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";
import { CODE_POINT_MAX, type CodeRange, complement, mergeRanges } from "./class-tables.ts";
import {
  type ClassMembers,
  childrenOf,
  type PatternNode,
  type PatternTree,
  unitsMaxOf,
} from "./pattern-tree.ts";

export interface PatternCost {
  /** Size of the expanded program, in literals. */
  readonly steps: number;
  /** Places of the expanded pattern that can be active at one character: they bound the time per character. */
  readonly threads: number;
  /** Code units of the longest match; `Infinity` if it has no bound. */
  readonly unitsMax: number;
  /** Whether a match can contain a line feed. */
  readonly crossesLines: boolean;
  /** Units of work of searching one code unit, at most, without the states that an automaton makes. */
  readonly fuelPerUnit: number;
  /** Units of work of writing out its classes. */
  readonly classFuel: number;
}

/** Finding a match with its groups costs this many times as much as testing for one: measured 180 ns a code unit for simple patterns. */
const FIND_FACTOR = 12;
/** So many groups, whose places are copied along every way, cost as much as finding without any. */
const GROUPS_PER_FACTOR = 8;

/** Units of work of finding what `groups` groups hold in `units` code units, and of making what finds it. */
export function groupFuel(cost: PatternCost, units: number, groups: number): number {
  const perUnit = FIND_FACTOR * (cost.fuelPerUnit + 1) * (1 + groups / GROUPS_PER_FACTOR);
  return 2 * buildFuel(cost) + Math.ceil(perUnit * (units + 1));
}

/** Units of work of making an automaton, and for each step of its pattern: measured 0.1 to 0.2 ms, 4 ms at most. */
const BUILD_FUEL = 5_000;
const BUILD_FUEL_PER_STEP = 20;

/** Units of work of making the automaton of a pattern of this cost. */
export function buildFuel({ steps, classFuel }: Pick<PatternCost, "steps" | "classFuel">): number {
  return BUILD_FUEL + BUILD_FUEL_PER_STEP * steps + classFuel;
}

/**
 * Units of work of writing out a class, once for all its copies: for each range, for each of Unicode's classes, and where case does
 * not count for all letters beyond ASCII. Measured 2 µs, 50 to 100 µs, and 60 µs.
 */
const RANGE_FUEL = 100;
const UNICODE_FUEL = 5_000;
const FOLD_FUEL = 4_000;

/** Units per character of every pattern; measured 5 to 80 ns per character. */
const SIMPLE_FUEL = 2;

/**
 * Up to so many places that are active at one character, an automaton follows them as one state. If there are more,
 * as in `a.{90}b`, it must follow them one by one: measured up to 25 ns for each.
 */
const THREADS_AT_ONCE_MAX = 8;
const THREADS_PER_FUEL = 2;

function fuelOf(threads: number): number {
  if (threads <= THREADS_AT_ONCE_MAX) return SIMPLE_FUEL;
  return SIMPLE_FUEL + Math.ceil(threads / THREADS_PER_FUEL);
}

/**
 * Weights in steps. Measured on re2-wasm, where each becomes ranges of UTF-8 bytes: a literal compiles in
 * 6 µs, `[^x]` in 60 µs, `\p{Greek}` in 1 ms, `\pL` in 12 ms, and 100 of `\pL` exhaust the heap. At these
 * weights the most expensive pattern compiles in 150 ms, with an eighth of the heap.
 */
const WIDE_STEPS = 4;
const UNICODE_STEPS = 40;
/** Ranges of a class that cost one step. */
const RANGES_PER_STEP = 4;

const EVERYTHING: readonly CodeRange[] = [[0, CODE_POINT_MAX]];

interface CostTally {
  steps: number;
  branches: number;
  crossesLines: boolean;
  classFuel: number;
  /** By code point: how many more (or fewer) places match it than match the one before. */
  readonly changes: Map<number, number>;
}

/** Adds the small letters of capitals: this ignores case, and can only count too much. */
function ignoreCase(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const moved: CodeRange[] = [];
  for (const [first, last] of ranges) {
    const [capital, capitalEnd] = [Math.max(first, 65), Math.min(last, 90)];
    if (capital <= capitalEnd) moved.push([capital + 32, capitalEnd + 32]);
  }
  return moved.length === 0 ? ranges : [...ranges, ...moved];
}

function standOn(tally: CostTally, ranges: readonly CodeRange[], copies: number): void {
  // Merged, so that no place counts twice on one character.
  for (const [first, last] of mergeRanges(ignoreCase(ranges))) {
    tally.changes.set(first, (tally.changes.get(first) ?? 0) + copies);
    tally.changes.set(last + 1, (tally.changes.get(last + 1) ?? 0) - copies);
    if (first <= 10 && last >= 10) tally.crossesLines = true;
  }
}

function classSteps({ ranges, unicode }: ClassMembers, negated: boolean): number {
  const wide = negated || ranges.some(([, last]) => last > 0x7f);
  const base = wide ? WIDE_STEPS : 1;
  return base + Math.floor(ranges.length / RANGES_PER_STEP) + unicode.length * UNICODE_STEPS;
}

function fuelOfClass({ ranges, unicode }: ClassMembers, fold: boolean): number {
  const folds = fold && (unicode.length > 0 || ranges.some(([, last]) => last > 0x7f));
  return RANGE_FUEL * ranges.length + UNICODE_FUEL * unicode.length + (folds ? FOLD_FUEL : 0);
}

/** Adds `copies` of `node` to the tally. */
function tallyNode(tally: CostTally, node: PatternNode, copies: number): void {
  let inside = copies;
  let ways = 0;
  switch (node.kind) {
    case "empty":
    case "assertion":
      ways = 1;
      break;
    case "literal":
      tally.steps += copies * (node.fold && node.codePoint > 0x7f ? 2 : 1);
      standOn(tally, [[node.codePoint, node.codePoint]], copies);
      break;
    case "any":
      tally.steps += copies * WIDE_STEPS;
      standOn(tally, node.newline === "included" ? EVERYTHING : complement([[10, 10]]), copies);
      break;
    case "class": {
      tally.steps += copies * classSteps(node, node.negated);
      tally.classFuel += fuelOfClass(node, node.fold);
      const listed = node.negated ? complement(node.ranges) : node.ranges;
      standOn(tally, node.unicode.length > 0 ? EVERYTHING : listed, copies);
      break;
    }
    case "alternate":
      ways = node.branches.length - 1;
      break;
    case "group":
      if (node.capture !== undefined) ways = 2;
      break;
    case "repeat": {
      const open = node.max === Number.POSITIVE_INFINITY;
      ways = open ? 1 : node.max - node.min;
      inside *= Math.max(1, open ? node.min : node.max);
    }
  }
  tally.steps += copies * ways;
  tally.branches += copies * ways;
  for (const child of childrenOf(node)) tallyNode(tally, child, inside);
}

/** Measures a part of a tree that is no deeper than `patternDepthMax`. */
export function measurePattern(root: PatternNode): PatternCost {
  const tally: CostTally = {
    steps: 0,
    branches: 0,
    crossesLines: false,
    classFuel: 0,
    changes: new Map(),
  };
  tallyNode(tally, root, 1);
  let busiest = 0;
  let here = 0;
  for (const [, change] of [...tally.changes].sort(([a], [b]) => a - b)) {
    here += change;
    busiest = Math.max(busiest, here);
  }
  const { steps, crossesLines, classFuel } = tally;
  const threads = busiest + tally.branches;
  const unitsMax = unitsMaxOf(root);
  return { steps, threads, unitsMax, crossesLines, fuelPerUnit: fuelOf(threads), classFuel };
}

function describeExcess({ steps, threads }: PatternCost): string | undefined {
  const advice = "shorten it, lower its counts, or write `*` for a large count";
  if (steps > LIMITS.patternStepsMax) {
    return `the pattern unfolds to ${steps} steps of at most ${LIMITS.patternStepsMax}: ${advice}`;
  }
  if (threads > LIMITS.patternThreadsMax) {
    return `the pattern can be at ${threads} places at once, of at most ${LIMITS.patternThreadsMax}: ${advice}`;
  }
  return undefined;
}

/** The first cap that a pattern of this cost breaks: depth, then cost; the span is the part that breaks it. */
export function checkCaps(tree: PatternTree, cost: PatternCost): Problem | undefined {
  if (tree.depth > LIMITS.patternDepthMax) {
    const message = `groups lie ${tree.depth} deep: nest them at most ${LIMITS.patternDepthMax} deep`;
    const span = { start: tree.deepestAt, end: tree.deepestAt + 1 };
    return { code: "pattern/too-deep", message, span };
  }
  const message = describeExcess(cost);
  if (message === undefined) return undefined;
  let part = tree.root;
  for (;;) {
    const child = childrenOf(part).find(
      (node) => describeExcess(measurePattern(node)) !== undefined,
    );
    if (child === undefined) return { code: "pattern/too-costly", message, span: part.span };
    part = child;
  }
}
