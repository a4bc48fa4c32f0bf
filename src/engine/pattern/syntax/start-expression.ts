/** What every match of a pattern starts with, as a regular expression that the host finds at its own speed. */
import { CODE_POINT_MAX, type CodeRange } from "./class-tables.ts";
import { rangesOf } from "./code-sets.ts";
import { unitBits } from "./literal-rarity.ts";
import { bare, type PatternNode, type PatternTree } from "./pattern-tree.ts";

/** What the host does at one place of a text, at most, whatever the text is: a letter is a step, another set takes two. */
const STEPS_MAX = 28;
const SET_STEPS = 2;
/** Ranges of a set that is worth writing down. */
const RANGES_MAX = 32;
/** Of a set that repeats without a small bound, the host reads so many members or what comes after fewer. */
const RUN_UNITS = 4;
/** The bits that the long run must tell. */
const RUN_BITS_MIN = 4;
/** Characters that texts are mostly made of: a piece of fewer tells more. */
const COMMON = 64;
/** Units from the start of a match that the host considers when it leaps over places. */
const LEAP_UNITS = 8;

/** The part of the characters in ASCII, and of those beyond it. */
export interface Share {
  readonly ascii: number;
  readonly far: number;
}

/** A set of characters by the units that they are made of. A lone surrogate counts as U+FFFD. */
interface UnitSet {
  readonly ranges: readonly CodeRange[];
  readonly source: string;
  /** Units of a character, at most. */
  readonly units: 1 | 2;
  /** What finding a member rules out. */
  readonly bits: number;
  readonly isLetter: boolean;
  readonly steps: number;
  readonly share: Share;
}

/** A letter has so many cases at most. */
const CASES_MAX = 3;

const SURROGATES: CodeRange = [0xd800, 0xdfff];
/** What texts may have surrogates for. */
const BY_SURROGATES: readonly CodeRange[] = [
  SURROGATES,
  [0xfffd, 0xfffd],
  [0x10000, CODE_POINT_MAX],
];

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;

const areApart = (some: readonly CodeRange[], others: readonly CodeRange[]): boolean =>
  some.every(([first, last]) => others.every(([from, to]) => last < from || to < first));

/** Of the characters of mail, the part within `ranges`. Beyond ASCII each counts as one of those that a text is made of. */
function shareOf(ranges: readonly CodeRange[]): Share {
  let [ascii, far] = [0, 0];
  for (const [first, last] of ranges) {
    for (let unit = first; unit <= last && unit < 0x80; unit++) ascii += 2 ** -unitBits(unit);
    far += Math.max(0, last - Math.max(first, 0x80) + 1) / COMMON;
  }
  return { ascii, far: Math.min(1, far) };
}

const rarer = (one: Share, other: Share): Share => ({
  ascii: Math.min(one.ascii, other.ascii),
  far: Math.min(one.far, other.far),
});

const either = (one: Share, other: Share): Share => ({
  ascii: Math.min(1, one.ascii + other.ascii),
  far: Math.min(1, one.far + other.far),
});

/** `null` if `node` is not a set of characters, or one of too many ranges. */
function unitSetOf(node: PatternNode): UnitSet | null {
  const given = rangesOf(node);
  if (given.length === 0 || given.length > RANGES_MAX) return null;
  const ranges = given.flatMap(([first, last]): CodeRange[] =>
    first > 0xffff ? [] : [[first, Math.min(last, 0xffff)]],
  );
  const isWide = given.some(([, last]) => last > 0xffff);
  if (!areApart(given, BY_SURROGATES)) ranges.push(SURROGATES);
  const count = given.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const members = ranges.map(([first, last]) =>
    first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`,
  );
  return {
    ranges,
    source: count === 1 && !isWide && ranges.length === 1 ? members[0]! : `[${members.join("")}]`,
    units: isWide ? 2 : 1,
    bits: Math.max(0, Math.log2(COMMON / count)),
    isLetter: count <= CASES_MAX,
    steps: (isWide ? 2 : 1) * (count <= CASES_MAX ? 1 : SET_STEPS),
    share: shareOf(given),
  };
}

const countOf = (min: number, max: number): string => {
  if (min === max) return min === 1 ? "" : `{${min}}`;
  return `{${min},${max}}`;
};

/** An expression that grows by what comes next. Nothing may be added after a part that was left out. */
class ExpressionDraft {
  #source = "";
  #ends = "";
  /** Whether all of it is plain text, or text in either case. */
  #isText = true;
  #opensAtBoundary = false;
  steps = 0;
  /** The share of the rarest set among those at a fixed distance from the start. */
  rarest: Share = { ascii: 1, far: 1 };
  /** That distance for what comes next; `Infinity` if it varies. */
  #distance = 0;
  /** In how many ways the host can come to the end, at most. */
  ways = 1;
  /** What it begins with; `null` if that is not known. */
  first: readonly CodeRange[] | null = null;
  /** The set that comes last, if it repeats, and in how many ways. */
  #repeated: { readonly set: UnitSet; readonly ways: number } | null = null;

  get source(): string {
    return this.#source + this.#ends;
  }

  get waysAtEnd(): number {
    return this.ways * (this.#repeated?.ways ?? 1);
  }

  /** Adds the start of `node`; false if only a part of it. */
  add(node: PatternNode): boolean {
    switch (node.kind) {
      case "empty":
        return true;
      case "assertion":
        // Beside plain text, it would keep the host from leaping to the next place of the text.
        if (node.assertion === "word-boundary") {
          if (this.steps === 0) this.#opensAtBoundary = true;
          else if (!this.#isText) this.#source += "\\b";
        }
        return true;
      case "group":
        return this.add(node.body);
      case "concat":
        return node.parts.every((part) => this.add(part));
      case "alternate":
        return this.#addBranches(node.branches);
      case "repeat":
        return this.#addRepeat(bare(node.body), node.min, node.max);
      default: {
        const set = unitSetOf(node);
        return set !== null && this.#addSet(set, 1, 1);
      }
    }
  }

  /** Pays for `added` steps on `ranges`, or on anything; false if they are too many. */
  #pay(added: number, ranges: readonly CodeRange[] | null): boolean {
    const last = this.#repeated;
    let { steps, ways } = this;
    if (last !== null) {
      const isApart = ranges !== null && areApart(ranges, last.set.ranges);
      // What comes after a set of other members can follow it in one way only.
      if (isApart) steps += ways * (last.ways - 1);
      else ways *= last.ways;
    }
    steps += ways * added;
    if (steps > STEPS_MAX) return false;
    this.steps = steps;
    this.ways = ways;
    this.#repeated = null;
    return true;
  }

  #addSet(set: UnitSet, min: number, max: number): boolean {
    const units = set.units * max;
    if (this.steps === 0 && min > 0) this.first = set.ranges;
    if (!this.#pay(set.steps * max, set.ranges)) return false;
    this.#isText &&= set.isLetter && max === 1;
    if (this.#opensAtBoundary && !this.#isText) this.#source += "\\b";
    this.#opensAtBoundary = false;
    this.#source += `${set.source}${countOf(min, units)}`;
    if (min > 0 && this.#distance < LEAP_UNITS) this.rarest = rarer(this.rarest, set.share);
    this.#distance += units > min ? Number.POSITIVE_INFINITY : units;
    if (units > min) this.#repeated = { set, ways: units - min + 1 };
    return true;
  }

  #addRepeat(body: PatternNode, min: number, max: number): boolean {
    const set = unitSetOf(body);
    if (set === null) {
      for (let nth = 0; nth < min; nth++) if (!this.add(body)) return false;
      return min === max;
    }
    const fits = Math.floor((STEPS_MAX - this.steps) / (this.ways * set.steps));
    if (max <= fits && this.#addSet(set, min, max)) return true;
    const rest = Math.min(RUN_UNITS, fits - min);
    const runBits = (min + rest) * set.bits;
    // What comes before may end in several ways: then fewer are compared.
    if (max <= fits || min >= RUN_UNITS || rest < RUN_UNITS || runBits < RUN_BITS_MIN) {
      const count = Math.min(min, fits);
      if (count > 0) this.#addSet(set, count, count);
      return false;
    }
    // A long run, or what comes after a short one.
    const run = set.units * (min + rest);
    this.#source += `(?:${set.source}${countOf(min + rest, run)}|`;
    this.#ends = `)${this.#ends}`;
    return this.#addSet(set, min, min + rest - 1);
  }

  #addBranches(branches: readonly PatternNode[]): boolean {
    const drafts = branches.map(() => new ExpressionDraft());
    const areWhole = drafts.map((draft, nth) => draft.add(branches[nth]!));
    const firsts = drafts.map(({ first }) => first);
    const isChoice = firsts.every(
      (first, nth) =>
        first !== null && firsts.every((other, at) => at >= nth || areApart(first, other!)),
    );
    // If no two begin alike, the host goes into one of them.
    const sum = (counts: readonly number[]): number =>
      isChoice ? Math.max(...counts) : counts.reduce((all, count) => all + count, 0);
    const steps = drafts.length - 1 + sum(drafts.map((draft) => draft.steps));
    if (this.steps === 0) this.first = isChoice ? firsts.flatMap((first) => first!) : null;
    if (!this.#pay(steps, null)) return false;
    const rarest = drafts.map((draft) => draft.rarest).reduce(either);
    if (this.#distance < LEAP_UNITS) this.rarest = rarer(this.rarest, rarest);
    this.#distance = Number.POSITIVE_INFINITY;
    this.#isText = false;
    this.#opensAtBoundary = false;
    this.ways *= sum(drafts.map(({ waysAtEnd }) => waysAtEnd));
    this.#source += `(?:${drafts.map(({ source }) => source).join("|")})`;
    // After a long run nothing may be added, but its branch has ended.
    return drafts.every((draft, nth) => areWhole[nth]! && draft.#ends === "");
  }
}

export interface StartExpression {
  readonly expression: RegExp;
  /** Of the characters of mail, those that the host cannot leap over. */
  readonly share: Share;
}

/**
 * Finds where matches of `tree` may start; `null` if nothing is known. The host compares a few units at each
 * place, so that its search is linear in the text. What it finds may begin inside a surrogate pair.
 */
export function startExpression({ root }: PatternTree): StartExpression | null {
  const draft = new ExpressionDraft();
  draft.add(root);
  const { rarest: share, source } = draft;
  return source === "" ? null : { expression: new RegExp(source, "g"), share };
}
