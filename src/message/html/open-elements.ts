/** The stack of open elements (HTML §13.2.4.2). It answers each question of scope without a walk. */
import { type InsertionMode, KNOWN_ELEMENTS, type Traits } from "./elements.ts";
import { NONE, type Tree } from "./tree.ts";

/** Elements open at once: the depth to which Chromium builds a tree. Elements inside the last are not kept open. */
const OPEN_MAX = 512;

export type ElementScope = "default" | "button" | "list" | "table";

/** Elements of MathML and SVG that are special and limit a scope. */
const FOREIGN_SCOPE = new Set(
  "mi mo mn ms mtext annotation-xml foreignobject desc title".split(" "),
);

/** Whether an element outside HTML is special to the parser. */
export function isSpecialForeign(traits: Traits): boolean {
  return FOREIGN_SCOPE.has(traits.name);
}

/**
 * Fields of a stack entry, each for the stack up to it: its node; the entry of the same element below it; the topmost
 * entry that limits each scope; the topmost special entry; the topmost entry that ends the search for a list item.
 */
const [NODE, BELOW, SCOPE, BUTTON, LIST, TABLE, SPECIAL, ITEM] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const FIELDS = 8;
const FIELD_OF: Readonly<Record<ElementScope, number>> = {
  default: SCOPE,
  button: BUTTON,
  list: LIST,
  table: TABLE,
};

/** Shared by all stacks, one at a time: make a new stack only when the one before is done. */
const entries = new Int32Array((OPEN_MAX + 1) * FIELDS);
/** For each known element, the index of its topmost entry plus 1; 0 if it has none. */
const tops = new Int32Array(KNOWN_ELEMENTS);

export class OpenElements {
  readonly #tree: Tree;
  readonly #entries = entries;
  /** `null` for SVG and MathML, which questions about HTML elements never match. */
  readonly #traits: (Traits | null)[] = [];
  readonly #modes: InsertionMode[] = [];
  readonly #otherTops: number[] = [];
  depth = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
    tops.fill(0);
  }

  get isFull(): boolean {
    return this.depth >= OPEN_MAX;
  }

  /** The node that was opened last. */
  get current(): number {
    return this.#entries[(this.depth - 1) * FIELDS + NODE]!;
  }

  get mode(): InsertionMode {
    return this.#modes[this.depth - 1]!;
  }

  at(place: number): number {
    return this.#entries[place * FIELDS + NODE]!;
  }

  placeOf(node: number): number {
    return this.#tree.openAt(node);
  }

  /** Whether the element opened last is this one. */
  currentIs(traits: Traits): boolean {
    return this.#traits[this.depth - 1] === traits;
  }

  get currentTraits(): Traits | null {
    return this.#traits[this.depth - 1] ?? null;
  }

  topOf({ id }: Traits): number {
    return (id < KNOWN_ELEMENTS ? tops[id]! : (this.#otherTops[id - KNOWN_ELEMENTS] ?? 0)) - 1;
  }

  #setTop({ id }: Traits, place: number): void {
    if (id < KNOWN_ELEMENTS) tops[id] = place + 1;
    else this.#otherTops[id - KNOWN_ELEMENTS] = place + 1;
  }

  push(node: number): void {
    const tree = this.#tree;
    const isHtml = tree.isHtml(node);
    const traits = tree.traits(node);
    const place = this.depth++;
    const all = this.#entries;
    const at = place * FIELDS;
    const under = at - FIELDS;
    const bounds = isHtml ? traits.isScope : isSpecialForeign(traits);
    const isSpecial = isHtml ? traits.isSpecial : bounds;
    const first = place === 0;
    all[at + NODE] = node;
    all[at + BELOW] = isHtml ? this.topOf(traits) : -1;
    all[at + SCOPE] = bounds || first ? place : all[under + SCOPE]!;
    all[at + BUTTON] =
      bounds || first || (isHtml && traits.isButtonScope) ? place : all[under + BUTTON]!;
    all[at + LIST] = bounds || first || (isHtml && traits.isListScope) ? place : all[under + LIST]!;
    all[at + TABLE] = first || (isHtml && traits.isTableScope) ? place : all[under + TABLE]!;
    all[at + SPECIAL] = isSpecial || first ? place : all[under + SPECIAL]!;
    const isItemBound = isHtml ? traits.isItemBound : bounds;
    all[at + ITEM] = isItemBound || first ? place : all[under + ITEM]!;
    this.#traits[place] = isHtml ? traits : null;
    const mode = isHtml ? traits.mode : "";
    this.#modes[place] = mode === "" ? this.#modes[place - 1]! : mode;
    if (isHtml) this.#setTop(traits, place);
    tree.setOpenAt(node, place);
  }

  pop(): void {
    const place = --this.depth;
    const traits = this.#traits[place];
    if (traits) this.#setTop(traits, this.#entries[place * FIELDS + BELOW]!);
    this.#tree.setOpenAt(this.#entries[place * FIELDS + NODE]!, NONE);
  }

  popTo(depth: number): void {
    while (this.depth > depth) this.pop();
  }

  /** The nodes from an index on. */
  #from(place: number): number[] {
    const nodes: number[] = [];
    for (let each = place; each < this.depth; each++) nodes.push(this.at(each));
    return nodes;
  }

  /** Removes a node, or puts `instead` in its place. The nodes above it are pushed again. */
  replace(node: number, instead: number): void {
    const place = this.placeOf(node);
    if (place < 0) return;
    const above = this.#from(place + 1);
    this.popTo(place);
    if (instead !== NONE) this.push(instead);
    for (const each of above) this.push(each);
  }

  /** Puts `node` right above `under`. */
  insertAbove(node: number, under: number): void {
    const place = this.placeOf(under);
    const above = this.#from(place + 1);
    this.popTo(place + 1);
    this.push(node);
    for (const each of above) this.push(each);
  }

  hasInScope(traits: Traits, scope: ElementScope = "default"): boolean {
    const top = this.topOf(traits);
    return top >= 0 && top >= this.#entries[(this.depth - 1) * FIELDS + FIELD_OF[scope]]!;
  }

  /** Whether a special element is above the topmost of this one, so that an end tag's search stops before it. */
  isBehindSpecial(traits: Traits): boolean {
    return this.topOf(traits) < this.#entries[(this.depth - 1) * FIELDS + SPECIAL]!;
  }

  /** The same for the search for a list item, which address, div and p do not end. */
  isBehindItemBound(traits: Traits): boolean {
    return this.topOf(traits) < this.#entries[(this.depth - 1) * FIELDS + ITEM]!;
  }

  /** Ends the elements that an end tag implies, except `except` (HTML §13.2.6.3). */
  endImplied(except: Traits | null): void {
    for (;;) {
      const traits = this.currentTraits;
      if (traits === null || !traits.isEndImplied || traits === except) return;
      this.pop();
    }
  }

  /** Ends all elements down to the topmost of this one, and that too. */
  popThrough(traits: Traits): void {
    const top = this.topOf(traits);
    if (top >= 0) this.popTo(top);
  }
}
