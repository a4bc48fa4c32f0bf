/** Many patterns as one program of steps, each of which takes a character, looks around, branches, ends, or notes a place. */
import { LIMITS } from "../../../base/limits.ts";
import { type CodeRange, WORD_RANGES } from "../syntax/class-tables.ts";
import { type CodeClasses, splitCodes } from "../syntax/code-classes.ts";
import { rangesOf } from "../syntax/code-sets.ts";
import {
  type AssertionKind,
  canBeEmpty,
  type PatternNode,
  type PatternTree,
} from "../syntax/pattern-tree.ts";

export const BRANCH = 0;
export const TAKE = 1;
export const ASSERT = 2;
export const END = 3;
export const SAVE = 4;

/** Assertions by their number in an `ASSERT` step. */
export const ASSERTIONS: readonly AssertionKind[] = [
  "begin-text",
  "end-text",
  "begin-line",
  "end-line",
  "word-boundary",
  "not-word-boundary",
];

/** Steps are numbered; no path leads to step 0. */
export interface StepList {
  readonly kinds: ArrayLike<number>;
  /** `BRANCH`: the preferred way on; `TAKE`: the set; `ASSERT`: the assertion; `END`: the pattern; `SAVE`: the place's number. */
  readonly operands: ArrayLike<number>;
  /** `BRANCH`: the other way on; `TAKE`, `ASSERT` and `SAVE`: the next step. */
  readonly nexts: ArrayLike<number>;
  /** The first step of each pattern. */
  readonly starts: readonly number[];
}

export interface SetProgram extends StepList {
  readonly kinds: Uint8Array;
  readonly operands: Int32Array;
  readonly nexts: Int32Array;
  readonly classes: CodeClasses;
  /** By class: whether assertions take it for a word character, or for a line's end. */
  readonly isWord: Uint8Array;
  readonly isNewline: Uint8Array;
}

/** A leaf as it is written: leaves that are written alike match the same characters, and are written out once. */
function keyOf(leaf: PatternNode): string {
  switch (leaf.kind) {
    case "literal":
      return `${leaf.fold}${leaf.codePoint}`;
    case "any":
      return leaf.newline;
    case "class": {
      const unicode = leaf.unicode.map(({ name, polarity }) => `${polarity} ${name}`);
      return `${leaf.negated} ${leaf.fold} ${leaf.ranges.join(";")} ${unicode.join(";")}`;
    }
    default:
      return "";
  }
}

/** Thrown within this file when a program gets too long. */
class NotOfProgram extends Error {}

/** Writes steps from the end of a pattern to its start, so that each knows the next. */
class Writer {
  readonly kinds: number[] = [END];
  readonly operands: number[] = [-1];
  readonly nexts: number[] = [0];
  readonly sets: (readonly CodeRange[])[] = [];
  /** Ranges of all sets, and sets that hold more than single characters. */
  #ranges = 0;
  #wideSets = 0;
  /** Whether the places of groups are noted. */
  readonly saves: boolean;
  /** By key. */
  readonly #setNumbers = new Map<string, number>();
  /** Set numbers of a pattern's leaves, which a repetition writes many times. */
  readonly #setsOf = new Map<PatternNode, number>();

  constructor(saves: boolean) {
    this.saves = saves;
  }

  add(kind: number, operand: number, next: number): number {
    if (this.kinds.length >= LIMITS.setStepsMax) throw new NotOfProgram();
    this.kinds.push(kind);
    this.operands.push(operand);
    this.nexts.push(next);
    return this.kinds.length - 1;
  }

  setOf(leaf: PatternNode): number {
    const known = this.#setsOf.get(leaf);
    if (known !== undefined) return known;
    const key = keyOf(leaf);
    const number = this.#setNumbers.get(key) ?? this.addSet(rangesOf(leaf));
    this.#setNumbers.set(key, number);
    this.#setsOf.set(leaf, number);
    return number;
  }

  addSet(ranges: readonly CodeRange[]): number {
    this.#ranges += ranges.length;
    if (ranges.some(([first, last]) => first < last)) this.#wideSets++;
    return this.sets.push(ranges) - 1;
  }

  /** How often splitting the characters puts a stretch of them into a wide set, at most. */
  get splits(): number {
    return this.#wideSets * this.#ranges;
  }

  /** Removes the steps of a pattern that could not be finished. */
  cut(length: number): void {
    for (const list of [this.kinds, this.operands, this.nexts]) list.length = length;
  }
}

function writeBranches(writer: Writer, ways: readonly number[]): number {
  return ways.reduceRight(
    (others, way) => (others === 0 ? way : writer.add(BRANCH, way, others)),
    0,
  );
}

/** As RE2 writes them, so that groups hold the same: `x{2,}` as `xx+`, `x{1,3}` as `x(?:xx?)?`, `x*` as `(?:x+)?` if `x` can be empty. */
function writeRepeat(
  writer: Writer,
  { body, min, max, greed }: PatternNode & { readonly kind: "repeat" },
  next: number,
): number {
  const branch = (way: number, other: number): number =>
    greed === "greedy" ? writer.add(BRANCH, way, other) : writer.add(BRANCH, other, way);
  let first = next;
  let copies = min;
  if (max === Number.POSITIVE_INFINITY) {
    const loop = branch(0, next);
    const around = writeNode(writer, body, loop);
    (greed === "greedy" ? writer.operands : writer.nexts)[loop] = around;
    first = min > 0 ? around : canBeEmpty(body) ? branch(around, next) : loop;
    copies--;
  } else {
    for (let time = min; time < max; time++) first = branch(writeNode(writer, body, first), next);
  }
  for (let time = 0; time < copies; time++) first = writeNode(writer, body, first);
  return first;
}

/** Writes the steps of `node`, after which `next` comes; returns the first. */
function writeNode(writer: Writer, node: PatternNode, next: number): number {
  switch (node.kind) {
    case "empty":
      return next;
    case "assertion":
      return writer.add(ASSERT, ASSERTIONS.indexOf(node.assertion), next);
    case "group": {
      const { capture, body } = node;
      if (capture === undefined || !writer.saves) return writeNode(writer, body, next);
      const end = writer.add(SAVE, 2 * capture + 1, next);
      return writer.add(SAVE, 2 * capture, writeNode(writer, body, end));
    }
    case "concat":
      return node.parts.reduceRight((after, part) => writeNode(writer, part, after), next);
    case "alternate":
      return writeBranches(
        writer,
        node.branches.map((branch) => writeNode(writer, branch, next)),
      );
    case "repeat":
      return writeRepeat(writer, node, next);
    default:
      return writer.add(TAKE, writer.setOf(node), next);
  }
}

/** By class: 1 if the set holds it. */
function markClasses({ members, count }: CodeClasses, set: number): Uint8Array {
  return members.subarray(set * count, (set + 1) * count);
}

/**
 * Writes one program of as many `trees` as fit; those that do not fit in any program, or in this one, are left out.
 * `patterns` lists the trees that are in it, in order; the program numbers its patterns by this list. Its classes are split when it is
 * asked for. `steps` are its steps, and `sets` what they take, by number.
 */
export function writeProgram(
  trees: readonly PatternTree[],
  groups: "noted" | "ignored" = "ignored",
): {
  readonly patterns: readonly number[];
  readonly steps: StepList;
  readonly sets: readonly (readonly CodeRange[])[];
  program(): SetProgram;
} {
  const writer = new Writer(groups === "noted");
  const word = writer.addSet(WORD_RANGES);
  const newline = writer.addSet([[10, 10]]);
  const starts: number[] = [];
  const patterns: number[] = [];
  for (const [pattern, { root }] of trees.entries()) {
    const { length } = writer.kinds;
    if (writer.splits > LIMITS.setSplitsMax && patterns.length > 0) break;
    try {
      starts.push(writeNode(writer, root, writer.add(END, starts.length, 0)));
      patterns.push(pattern);
    } catch (error) {
      if (!(error instanceof NotOfProgram)) throw error;
      writer.cut(length);
    }
  }
  const program = (): SetProgram => {
    const classes = splitCodes(writer.sets);
    return {
      kinds: Uint8Array.from(writer.kinds),
      operands: Int32Array.from(writer.operands),
      nexts: Int32Array.from(writer.nexts),
      starts,
      classes,
      isWord: markClasses(classes, word),
      isNewline: markClasses(classes, newline),
    };
  };
  const { kinds, operands, nexts, sets } = writer;
  return { patterns, steps: { kinds, operands, nexts, starts }, sets, program };
}
