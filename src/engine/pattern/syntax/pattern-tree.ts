/** The syntax tree of a pattern in the RE2 dialect. */
import type { Problem, Span } from "../../../base/diagnostic.ts";
import type { CodeRange } from "./class-tables.ts";

/** `\p{Greek}` or, excluded, `\P{Greek}`; engines of different age may differ on its newest members. */
export interface UnicodeClass {
  readonly name: string;
  readonly polarity: "included" | "excluded";
}

/** What a class lists: plain ranges (Perl's and POSIX's names spelled out) and Unicode classes. */
export interface ClassMembers {
  readonly ranges: readonly CodeRange[];
  readonly unicode: readonly UnicodeClass[];
}

export type AssertionKind =
  | "begin-text"
  | "end-text"
  | "begin-line"
  | "end-line"
  | "word-boundary"
  | "not-word-boundary";

/** Spans refer to the source; a literal is one code point; `fold` means either case (simple folding). */
export type PatternNode = { readonly span: Span } & (
  | { readonly kind: "empty" }
  | { readonly kind: "literal"; readonly codePoint: number; readonly fold: boolean }
  | ({ readonly kind: "class"; readonly negated: boolean; readonly fold: boolean } & ClassMembers)
  | { readonly kind: "any"; readonly newline: "included" | "excluded" }
  | { readonly kind: "assertion"; readonly assertion: AssertionKind }
  | { readonly kind: "concat"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "alternate"; readonly branches: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly body: PatternNode;
      readonly min: number;
      /** `Infinity` for an open end. */
      readonly max: number;
      readonly greed: "greedy" | "lazy";
    }
  | {
      readonly kind: "group";
      readonly body: PatternNode;
      /** 1 for the first capturing group; undefined for `(?:…)`. */
      readonly capture: number | undefined;
    }
);

export interface PatternTree {
  readonly source: string;
  readonly root: PatternNode;
  /** Where each capturing group opens, in order; the n-th entry is group n + 1. */
  readonly captureStarts: readonly number[];
  /** Groups within groups at the deepest place. */
  readonly depth: number;
  /** Where the first of the deepest groups opens. */
  readonly deepestAt: number;
}

export type ReadResult =
  | { readonly ok: true; readonly tree: PatternTree }
  | { readonly ok: false; readonly problem: Problem };

/** The direct children, in the order of the source. */
export function childrenOf(node: PatternNode): readonly PatternNode[] {
  if (node.kind === "concat") return node.parts;
  if (node.kind === "alternate") return node.branches;
  return node.kind === "repeat" || node.kind === "group" ? [node.body] : [];
}

/** The node without the groups around it. */
export function bare(node: PatternNode): PatternNode {
  return node.kind === "group" ? bare(node.body) : node;
}

/** Whether a node can match the empty text. */
export function canBeEmpty(node: PatternNode): boolean {
  if (node.kind === "repeat" && node.min === 0) return true;
  const children = childrenOf(node);
  if (children.length === 0) return node.kind === "empty" || node.kind === "assertion";
  return node.kind === "alternate" ? children.some(canBeEmpty) : children.every(canBeEmpty);
}
