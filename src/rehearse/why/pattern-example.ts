/** The shortest texts that a pattern matches: what to write into a message so that a rule takes it. */
import { compilePattern } from "../../engine/pattern/engines/compile-pattern.ts";
import type { PatternNode } from "../../engine/pattern/syntax/pattern-tree.ts";
import { readPattern } from "../../engine/pattern/syntax/re2-syntax.ts";

/** Number of a group → the text it must capture; empty: any text. */
export type Captures = ReadonlyMap<number, string>;

/** A text, and whether other text may be before or after it. */
export interface Example {
  readonly text: string;
  readonly start: "free" | "bound";
  readonly end: "free" | "bound";
}

/** Alternatives to follow; each is one more text to try. */
const EXAMPLES_MAX = 4;
/** Most code units of an example; longer ones do not help. */
const EXAMPLE_UNITS_MAX = 200;
/** Characters to try for a class, the most readable first. */
const FRIENDLY = ["a", "1", "A", " ", "-", ".", "_", "@", "é", "見", "\n"];

const EMPTY: Example = { text: "", start: "free", end: "free" };

function inClass(source: string, character: string): boolean {
  const compiled = compilePattern(source, null, "whole");
  return compiled.ok && compiled.pattern.test(character);
}

function classExample(
  node: Extract<PatternNode, { kind: "class" }>,
  source: string,
): string | null {
  const written = source.slice(node.span.start, node.span.end);
  const friendly = FRIENDLY.find((character) => inClass(written, character));
  if (friendly !== undefined) return friendly;
  const first = node.negated ? undefined : node.ranges[0]?.[0];
  return first === undefined ? null : String.fromCodePoint(first);
}

function joined(a: Example, b: Example): Example | null {
  // A text bound to an end of the text allows no text on that side.
  if ((a.end === "bound" && b.text !== "") || (b.start === "bound" && a.text !== "")) return null;
  if (a.text.length + b.text.length > EXAMPLE_UNITS_MAX) return null;
  const start = a.start === "bound" || (a.text === "" && b.start === "bound") ? "bound" : "free";
  const end = b.end === "bound" || (b.text === "" && a.end === "bound") ? "bound" : "free";
  return { text: a.text + b.text, start, end };
}

function product(parts: readonly (readonly Example[])[]): readonly Example[] {
  return parts.reduce<readonly Example[]>(
    (heads, tails) =>
      heads
        .flatMap((head) => tails.flatMap((tail) => joined(head, tail) ?? []))
        .slice(0, EXAMPLES_MAX),
    [EMPTY],
  );
}

function examplesOfNode(node: PatternNode, source: string, captures: Captures): readonly Example[] {
  switch (node.kind) {
    case "empty":
      return [EMPTY];
    case "literal":
      return [{ ...EMPTY, text: String.fromCodePoint(node.codePoint) }];
    case "any":
      return [{ ...EMPTY, text: "a" }];
    case "class": {
      const text = classExample(node, source);
      return text === null ? [] : [{ ...EMPTY, text }];
    }
    case "assertion":
      if (node.assertion === "begin-text") return [{ ...EMPTY, start: "bound" }];
      if (node.assertion === "end-text") return [{ ...EMPTY, end: "bound" }];
      return [EMPTY];
    case "concat":
      return product(node.parts.map((part) => examplesOfNode(part, source, captures)));
    case "alternate":
      return node.branches
        .flatMap((branch) => examplesOfNode(branch, source, captures).slice(0, 1))
        .slice(0, EXAMPLES_MAX);
    case "group": {
      const wanted = node.capture === undefined ? undefined : captures.get(node.capture);
      if (wanted !== undefined) return [{ ...EMPTY, text: wanted }];
      return examplesOfNode(node.body, source, captures);
    }
    case "repeat": {
      const once = examplesOfNode(node.body, source, captures);
      return product(Array.from({ length: node.min }, () => once.slice(0, 1)));
    }
  }
}

/** Texts that the pattern most likely matches with these captures, shortest first. The caller checks each. */
export function examplesOf(regex: string, captures: Captures = new Map()): readonly Example[] {
  const read = readPattern(regex);
  if (!read.ok) return [];
  const examples = [...examplesOfNode(read.tree.root, regex, captures)];
  return examples.sort((a, b) => a.text.length - b.text.length);
}
