/** What every match of a pattern starts with, as a regular expression that the host finds at its own speed. */
import { rangesOf } from "./code-sets.ts";
import type { PatternNode, PatternTree } from "./pattern-tree.ts";

/** Pieces in the expression, at most: more of them would rule out little more. */
const PIECES_MAX = 4;
/** Code points of a set that is worth looking for, at most. */
const MEMBERS_MAX = 128;
/** So often a character may be repeated, that the host has few ways to try. */
const REPEATED_MAX = 4;
/** Characters that texts are mostly made of, and the bits that the pieces must tell of them for the expression to be worth it. */
const COMMON = 64;
const BITS_MIN = 4;
const PAIRS_START = 0xd800;

interface Draft {
  readonly pieces: string[];
  bits: number;
}

const escaped = (codePoint: number): string => `\\u${codePoint.toString(16).padStart(4, "0")}`;

/** Adds a character `min` to `max` times; false if it is no character, or one that is found too often or has two units. */
function addCharacter(node: PatternNode, draft: Draft, min: number, max: number): boolean {
  const ranges = rangesOf(node);
  const count = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (count === 0 || count > MEMBERS_MAX) return false;
  // A lone surrogate counts as U+FFFD, which is beyond the start of the pairs too.
  if (ranges.some(([, last]) => last >= PAIRS_START)) return false;
  const members = ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`);
  draft.pieces.push(`[${members.join("")}]${min === 1 && max === 1 ? "" : `{${min},${max}}`}`);
  draft.bits += min * Math.max(0, Math.log2(COMMON / count));
  return true;
}

/** Adds what matches of `node` start with; false if nothing can be added after that. */
function addStart(node: PatternNode, draft: Draft): boolean {
  if (draft.pieces.length >= PIECES_MAX) return false;
  switch (node.kind) {
    case "empty":
    case "assertion":
      return true;
    case "group":
      return addStart(node.body, draft);
    case "concat":
      return node.parts.every((part) => addStart(part, draft));
    case "alternate":
      return false;
    case "repeat": {
      const { body, min, max } = node;
      const isWhole = max <= REPEATED_MAX;
      const [from, to] = [Math.min(min, REPEATED_MAX), isWhole ? max : Math.min(min, REPEATED_MAX)];
      return to > 0 && addCharacter(body, draft, from, to) && isWhole;
    }
    default:
      return addCharacter(node, draft, 1, 1);
  }
}

/**
 * Finds where matches of `tree` may start; `null` if too little is known. The expression chooses only among single units,
 * a few of each at most, so that the host's engine is linear in the text.
 */
export function startExpression({ root }: PatternTree): RegExp | null {
  const draft: Draft = { pieces: [], bits: 0 };
  addStart(root, draft);
  return draft.bits < BITS_MIN ? null : new RegExp(draft.pieces.join(""), "g");
}
