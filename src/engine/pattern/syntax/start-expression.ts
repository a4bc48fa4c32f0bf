/** What every match of a pattern starts with, as a regular expression that the host finds at its own speed. */
import type { CodeRange } from "./class-tables.ts";
import { rangesOf } from "./code-sets.ts";
import type { PatternNode, PatternTree } from "./pattern-tree.ts";

type Sets = (readonly CodeRange[])[];

/** Sets in the expression, at most: more of them would rule out little more. */
const SETS_MAX = 4;
/** Code points of a set that is worth looking for, at most. */
const MEMBERS_MAX = 128;
const PAIRS_START = 0xd800;

/** Whether a set is rare enough to be worth looking for, and its members have one unit each, for which nothing else stands. */
function isNarrow(ranges: readonly CodeRange[]): boolean {
  const count = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return count > 0 && count <= MEMBERS_MAX && ranges.every(([, last]) => last < PAIRS_START);
}

/** Adds what matches of `node` start with; false if nothing can be added after that. */
function addStart(node: PatternNode, sets: Sets): boolean {
  if (sets.length >= SETS_MAX) return false;
  switch (node.kind) {
    case "empty":
    case "assertion":
      return true;
    case "group":
      return addStart(node.body, sets);
    case "concat":
      return node.parts.every((part) => addStart(part, sets));
    case "alternate":
      return false;
    case "repeat": {
      for (let time = 0; time < node.min; time++) {
        if (!addStart(node.body, sets)) return false;
      }
      return node.min === node.max;
    }
    default: {
      const ranges = rangesOf(node);
      if (!isNarrow(ranges)) return false;
      sets.push(ranges);
      return true;
    }
  }
}

const escaped = (codePoint: number): string => `\\u${codePoint.toString(16).padStart(4, "0")}`;

/**
 * Finds where matches of `tree` may start; `null` if too little is known. The expression has a fixed length and
 * chooses only among single units, so that the host's engine is linear in the text.
 */
export function startExpression({ root }: PatternTree): RegExp | null {
  const sets: Sets = [];
  addStart(root, sets);
  if (sets.length === 0) return null;
  const classes = sets.map((ranges) => {
    const members = ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`);
    return `[${members.join("")}]`;
  });
  return new RegExp(classes.join(""), "g");
}
