/** Many patterns as one program of steps, each of which takes a code unit, looks around, branches or ends. */
import { LIMITS } from "../base/limits.ts";
import type { CodeRange } from "./class-tables.ts";
import { PERL_CLASSES } from "./class-tables.ts";
import type { AssertionKind, PatternNode, PatternTree } from "./pattern-tree.ts";
import { splitUnits, type UnitClasses } from "./unit-classes.ts";
import { HIGH_SURROGATES, type UnitSequence, unitSequences } from "./unit-sets.ts";

export const BRANCH = 0;
export const TAKE = 1;
export const ASSERT = 2;
export const END = 3;

/** Assertions as they stand in an `ASSERT` step. */
export const ASSERTIONS: readonly AssertionKind[] = [
  "begin-text",
  "end-text",
  "begin-line",
  "end-line",
  "word-boundary",
  "not-word-boundary",
];

/** A program. Steps are numbered; step 0 is where no path leads. */
export interface SetProgram {
  readonly kinds: Uint8Array;
  /** `BRANCH`: the first way on; `TAKE`: the set; `ASSERT`: the assertion; `END`: the pattern. */
  readonly operands: Int32Array;
  /** `BRANCH`: the other way on; `TAKE` and `ASSERT`: the next step. */
  readonly nexts: Int32Array;
  /** Where each pattern starts. */
  readonly starts: readonly number[];
  readonly units: UnitClasses;
  /** By class: what stands on either side of an assertion, and where no match can start after. */
  readonly isWord: Uint8Array;
  readonly isNewline: Uint8Array;
  readonly isHigh: Uint8Array;
}

/** Thrown within this file when a pattern cannot be part of a program. */
class NotOfProgram extends Error {}

/** Writes steps from the end of a pattern to its start, so that each knows the next. */
class Writer {
  readonly kinds: number[] = [END];
  readonly operands: number[] = [-1];
  readonly nexts: number[] = [0];
  readonly sets: (readonly CodeRange[])[] = [];
  readonly #setNumbers = new Map<string, number>();

  add(kind: number, operand: number, next: number): number {
    if (this.kinds.length >= LIMITS.setStepsMax) throw new NotOfProgram();
    this.kinds.push(kind);
    this.operands.push(operand);
    this.nexts.push(next);
    return this.kinds.length - 1;
  }

  setNumber(ranges: readonly CodeRange[]): number {
    const key = ranges.join(";");
    const known = this.#setNumbers.get(key);
    if (known !== undefined) return known;
    this.#setNumbers.set(key, this.sets.length);
    return this.sets.push(ranges) - 1;
  }

  /** Forgets what a pattern wrote that could not be finished. */
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

function writeSequences(writer: Writer, sequences: readonly UnitSequence[], next: number): number {
  const ways = sequences.map((sequence) =>
    sequence.reduceRight((after, set) => writer.add(TAKE, writer.setNumber(set), after), next),
  );
  return writeBranches(writer, ways);
}

function writeRepeat(
  writer: Writer,
  { body, min, max }: PatternNode & { readonly kind: "repeat" },
  next: number,
): number {
  let first = next;
  if (max === Number.POSITIVE_INFINITY) {
    first = writer.add(BRANCH, 0, next);
    writer.operands[first] = writeNode(writer, body, first);
  } else {
    for (let time = min; time < max; time++) {
      first = writer.add(BRANCH, writeNode(writer, body, first), next);
    }
  }
  for (let time = 0; time < min; time++) first = writeNode(writer, body, first);
  return first;
}

/** Writes the steps of `node`, after which `next` comes; returns the first. */
function writeNode(writer: Writer, node: PatternNode, next: number): number {
  switch (node.kind) {
    case "empty":
      return next;
    case "assertion":
      return writer.add(ASSERT, ASSERTIONS.indexOf(node.assertion), next);
    case "group":
      return writeNode(writer, node.body, next);
    case "concat":
      return node.parts.reduceRight((after, part) => writeNode(writer, part, after), next);
    case "alternate":
      return writeBranches(
        writer,
        node.branches.map((branch) => writeNode(writer, branch, next)),
      );
    case "repeat":
      return writeRepeat(writer, node, next);
    default: {
      const sequences = unitSequences(node);
      if (sequences === undefined) throw new NotOfProgram();
      return writeSequences(writer, sequences, next);
    }
  }
}

/** The class of each unit of `ranges`, marked. */
function markClasses(units: UnitClasses, set: number): Uint8Array {
  return units.members.subarray(set * units.count, (set + 1) * units.count);
}

/**
 * Writes one program of `trees`, as many as fit: those that cannot be part of one, or of this one, are left out.
 * `patterns` tells which are in it, in order; the program's patterns are numbered by it.
 */
export function writeProgram(trees: readonly PatternTree[]): {
  readonly program: SetProgram;
  readonly patterns: readonly number[];
} {
  const writer = new Writer();
  const word = writer.setNumber(PERL_CLASSES.w!);
  const newline = writer.setNumber([[10, 10]]);
  const high = writer.setNumber([HIGH_SURROGATES]);
  const starts: number[] = [];
  const patterns: number[] = [];
  for (const [pattern, { root }] of trees.entries()) {
    const { length } = writer.kinds;
    try {
      starts.push(writeNode(writer, root, writer.add(END, starts.length, 0)));
      patterns.push(pattern);
    } catch (error) {
      if (!(error instanceof NotOfProgram)) throw error;
      writer.cut(length);
    }
  }
  const units = splitUnits(writer.sets);
  const program = {
    kinds: Uint8Array.from(writer.kinds),
    operands: Int32Array.from(writer.operands),
    nexts: Int32Array.from(writer.nexts),
    starts,
    units,
    isWord: markClasses(units, word),
    isNewline: markClasses(units, newline),
    isHigh: markClasses(units, high),
  };
  return { program, patterns };
}
