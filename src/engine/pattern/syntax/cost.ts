/** What a pattern costs to compile and to run, computed from its tree, and the caps on it. */
import type { Problem } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";
import { CODE_POINT_MAX, type CodeRange, complement, mergeRanges } from "./class-tables.ts";
import { rangesOf } from "./code-sets.ts";
import { childrenOf, type PatternNode, type PatternTree } from "./pattern-tree.ts";

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

/** Units of work of finding groups: for each code unit, measured 90 to 270 ns, and for each way that is followed there, measured 10 to 25 ns. */
const FIND_FUEL = 30;
const FIND_FUEL_PER_WAY = 2;
/** So many groups, whose places are copied along every way, cost as much as finding without any. */
const GROUPS_PER_FACTOR = 8;

/** Units of work of making what finds the groups of a pattern of this cost. */
export function groupBuildFuel(cost: PatternCost): number {
  return 2 * buildFuel(cost);
}

/** Units of work of finding what `groups` groups hold in `units` code units, by a pattern that follows so many ways in all of them together. */
export function groupFuel(units: number, ways: number, groups: number): number {
  return Math.ceil(FIND_FUEL * units + FIND_FUEL_PER_WAY * ways * (1 + groups / GROUPS_PER_FACTOR));
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

type ClassNode = PatternNode & { readonly kind: "class" };

function classSteps({ ranges, unicode, negated }: ClassNode): number {
  const wide = negated || ranges.some(([, last]) => last > 0x7f);
  const base = wide ? WIDE_STEPS : 1;
  return base + Math.floor(ranges.length / RANGES_PER_STEP) + unicode.length * UNICODE_STEPS;
}

function fuelOfClass({ ranges, unicode, fold }: ClassNode): number {
  const folds = fold && (unicode.length > 0 || ranges.some(([, last]) => last > 0x7f));
  return RANGE_FUEL * ranges.length + UNICODE_FUEL * unicode.length + (folds ? FOLD_FUEL : 0);
}

/** Adds the small letters of capitals: this ignores case, and can only count too much. */
function ignoreCase(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const moved: CodeRange[] = [];
  for (const [first, last] of ranges) {
    const [capital, capitalEnd] = [Math.max(first, 65), Math.min(last, 90)];
    if (capital <= capitalEnd) moved.push([capital + 32, capitalEnd + 32]);
  }
  // Merged, so that no place counts twice on one character.
  return mergeRanges(moved.length === 0 ? ranges : [...ranges, ...moved]);
}

/** Code units of `times` texts of `units` units. */
export function unitsTimes(units: number, times: number): number {
  return units === 0 || times === 0 ? 0 : units * times;
}

/** Measures a part of a tree that is no deeper than `patternDepthMax`. */
export function measurePattern(root: PatternNode): PatternCost {
  let [steps, branches, classFuel] = [0, 0, 0];
  /** By code point: how many more (or fewer) places match it than match the one before. */
  const changes = new Map<number, number>();
  const standOn = (ranges: readonly CodeRange[], copies: number): void => {
    for (const [first, last] of ranges) {
      changes.set(first, (changes.get(first) ?? 0) + copies);
      changes.set(last + 1, (changes.get(last + 1) ?? 0) - copies);
    }
  };
  /** Adds `copies` of `node`; returns the code units of its longest match. */
  const add = (node: PatternNode, copies: number): number => {
    let inside = copies;
    let ways = 0;
    switch (node.kind) {
      case "empty":
      case "assertion":
        ways = 1;
        break;
      case "literal": {
        const { codePoint, fold } = node;
        steps += copies * (fold && codePoint > 0x7f ? 2 : 1);
        const small = codePoint >= 65 && codePoint <= 90 ? codePoint + 32 : codePoint;
        standOn([[small, small]], copies);
        return codePoint > 0xffff ? 2 : 1;
      }
      case "any":
        steps += copies * WIDE_STEPS;
        standOn(rangesOf(node), copies);
        return 2;
      case "class": {
        const { ranges, unicode, negated } = node;
        steps += copies * classSteps(node);
        classFuel += fuelOfClass(node);
        const listed = negated ? complement(ranges) : ranges;
        standOn(unicode.length > 0 ? EVERYTHING : ignoreCase(listed), copies);
        return 2;
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
    steps += copies * ways;
    branches += copies * ways;
    let units = 0;
    for (const child of childrenOf(node)) {
      const each = add(child, inside);
      units = node.kind === "alternate" ? Math.max(units, each) : units + each;
    }
    return node.kind === "repeat" ? unitsTimes(units, node.max) : units;
  };
  const unitsMax = add(root, 1);
  let [here, busiest, onNewlines] = [0, 0, 0];
  for (const point of [...changes.keys()].sort((a, b) => a - b)) {
    here += changes.get(point)!;
    busiest = Math.max(busiest, here);
    if (point <= 10) onNewlines = here;
  }
  const threads = busiest + branches;
  const [fuelPerUnit, crossesLines] = [fuelOf(threads), onNewlines > 0];
  return { steps, threads, unitsMax, crossesLines, fuelPerUnit, classFuel };
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
