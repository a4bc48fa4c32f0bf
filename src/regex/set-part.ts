/** A part of a pattern set: some of its patterns, which are found in the same way. */
import type { PatternTree } from "./pattern-tree.ts";

/** A pattern, and its place in the whole set. */
export interface Member {
  readonly index: number;
  readonly source: string;
  readonly tree: PatternTree;
}

/** Tells which of its patterns occur in a well-formed text, by their places in the whole set, in no order. */
export type SetPart = (text: string) => readonly number[];
