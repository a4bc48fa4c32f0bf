/** A pattern as a program of steps over characters: each step takes a character, looks around, branches or ends. */

import { rangesOf } from "../../../engine/pattern/syntax/code-sets.ts";
import type { AssertionKind, PatternNode } from "../../../engine/pattern/syntax/pattern-tree.ts";
import { readPattern } from "../../../engine/pattern/syntax/re2-syntax.ts";
import { type CharSet, charSet, hasChar, uniteChars, withoutChars } from "./char-set.ts";

export type TextStep =
  | { readonly kind: "take"; readonly set: number; readonly next: number }
  | { readonly kind: "branch"; readonly next: number; readonly other: number }
  | { readonly kind: "assert"; readonly assertion: AssertionKind; readonly next: number }
  | { readonly kind: "end" };

/** The case of a text's ASCII letters is changed before the search: `subject.lowerAscii()`. */
export type CaseChange = "lower" | "upper";

/** A pattern to search for, and how the text is changed and extended before. */
export interface TextPattern {
  /** Identifies the pattern: patterns with the same key are equal. */
  readonly key: string;
  readonly root: PatternNode;
  /** The first is applied first. */
  readonly changes: readonly CaseChange[];
  /** Text appended before the search: a pattern on a recipient is searched in the local part, `@` and the domain. */
  readonly suffix: string;
}

export interface TextProgram {
  readonly steps: readonly TextStep[];
  readonly start: number;
  readonly sets: readonly CharSet[];
  readonly looksAtWords: boolean;
  readonly looksAtLines: boolean;
  /** Whether a match can start only at the start of the text. */
  readonly isAnchored: boolean;
  readonly suffix: string;
}

/** Most steps of one program: five times those that a pattern of the engine can have. */
const STEPS_MAX = 3_000;

const span = { start: 0, end: 0 };

/** A node that matches exactly this text. */
export function literalNode(text: string): PatternNode {
  const parts = Array.from(
    text,
    (char): PatternNode => ({
      kind: "literal",
      span,
      codePoint: char.codePointAt(0)!,
      fold: false,
    }),
  );
  return { kind: "concat", span, parts };
}

function edge(assertion: "begin-text" | "end-text"): PatternNode {
  return { kind: "assertion", span, assertion };
}

/** `node`, bound to the start of the text, to its end, or both. */
export function anchored(node: PatternNode, at: "begin" | "end" | "both"): PatternNode {
  const parts: PatternNode[] = [node];
  if (at !== "end") parts.unshift(edge("begin-text"));
  if (at !== "begin") parts.push(edge("end-text"));
  return { kind: "concat", span, parts };
}

/** Any text of `min` to `max` characters of `chars`. */
export function charsNode(chars: CharSet, min: number, max: number): PatternNode {
  const body: PatternNode = {
    kind: "class",
    span,
    ranges: chars,
    unicode: [],
    negated: false,
    fold: false,
  };
  return { kind: "repeat", span, body, min, max, greed: "greedy" };
}

/** The tree of a pattern that the engine accepts. */
export function sourceNode(source: string): PatternNode | null {
  const read = readPattern(source);
  return read.ok ? read.tree.root : null;
}

const CAPITALS: CharSet = [[65, 90]];
const SMALL: CharSet = [[97, 122]];

function shifted(set: CharSet, within: CharSet, by: number): CharSet {
  const [first, last] = within[0]!;
  const chars: [number, number][] = [];
  for (let char = first; char <= last; char++)
    if (hasChar(set, char)) chars.push([char + by, char + by]);
  return charSet(chars);
}

/** The characters that the change turns into members of `set`. */
function before(set: CharSet, change: CaseChange): CharSet {
  const [from, to, by] = change === "lower" ? [CAPITALS, SMALL, -32] : [SMALL, CAPITALS, 32];
  return uniteChars(withoutChars(set, from), shifted(set, to, by));
}

class TooLong extends Error {}

class Writer {
  readonly steps: TextStep[] = [{ kind: "end" }];
  readonly sets: CharSet[] = [];
  readonly #setNumbers = new Map<string, number>();
  /** A repetition writes its leaves many times. */
  readonly #ofLeaf = new Map<PatternNode, number>();
  readonly #changes: readonly CaseChange[];

  constructor(changes: readonly CaseChange[]) {
    this.#changes = changes;
  }

  add(step: TextStep): number {
    if (this.steps.length >= STEPS_MAX) throw new TooLong();
    return this.steps.push(step) - 1;
  }

  /** The number of the set of characters that a literal, a class or `.` takes. */
  setOf(leaf: PatternNode): number {
    const known = this.#ofLeaf.get(leaf);
    if (known !== undefined) return known;
    const set = this.#changes.reduceRight(before, charSet(rangesOf(leaf)));
    const key = set.join(";");
    const number = this.#setNumbers.get(key) ?? this.sets.push(set) - 1;
    this.#setNumbers.set(key, number);
    this.#ofLeaf.set(leaf, number);
    return number;
  }
}

function writeRepeat(
  writer: Writer,
  { body, min, max }: Extract<PatternNode, { readonly kind: "repeat" }>,
  next: number,
): number {
  let first = next;
  if (max === Number.POSITIVE_INFINITY) {
    first = writer.add({ kind: "branch", next: 0, other: next });
    const inner = writeNode(writer, body, first);
    writer.steps[first] = { kind: "branch", next: inner, other: next };
  } else {
    for (let time = min; time < max; time++) {
      first = writer.add({ kind: "branch", next: writeNode(writer, body, first), other: next });
    }
  }
  for (let time = 0; time < min; time++) first = writeNode(writer, body, first);
  return first;
}

/** Writes the steps of `node`, followed by `next`, and returns the first. */
function writeNode(writer: Writer, node: PatternNode, next: number): number {
  switch (node.kind) {
    case "empty":
      return next;
    case "assertion":
      return writer.add({ kind: "assert", assertion: node.assertion, next });
    case "group":
      return writeNode(writer, node.body, next);
    case "concat":
      return node.parts.reduceRight((after, part) => writeNode(writer, part, after), next);
    case "alternate": {
      const ways = node.branches.map((branch) => writeNode(writer, branch, next));
      return ways.reduceRight((other, way) => writer.add({ kind: "branch", next: way, other }));
    }
    case "repeat":
      return writeRepeat(writer, node, next);
    default:
      return writer.add({ kind: "take", set: writer.setOf(node), next });
  }
}

/** Whether a path from `start` takes a character or ends without requiring the start of the text. */
function startsAnywhere(steps: readonly TextStep[], start: number): boolean {
  const seen = new Set<number>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const step = steps[at]!;
    if (step.kind === "take" || step.kind === "end") return true;
    if (step.kind === "branch") open.push(step.next, step.other);
    if (step.kind === "assert" && step.assertion !== "begin-text") open.push(step.next);
  }
  return false;
}

/** The program of a pattern, or `null` if it would be too long. */
export function writeProgram({ root, changes, suffix }: TextPattern): TextProgram | null {
  const writer = new Writer(changes);
  let start: number;
  try {
    start = writeNode(writer, root, 0);
  } catch (error) {
    if (error instanceof TooLong) return null;
    throw error;
  }
  const { steps, sets } = writer;
  const asks = (...kinds: readonly AssertionKind[]): boolean =>
    steps.some((step) => step.kind === "assert" && kinds.includes(step.assertion));
  return {
    steps,
    start,
    sets,
    looksAtWords: asks("word-boundary", "not-word-boundary"),
    looksAtLines: asks("begin-line", "end-line"),
    isAnchored: !startsAnywhere(steps, start),
    suffix,
  };
}
