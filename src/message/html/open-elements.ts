/** The stack of open elements (HTML §13.2.4.2). It answers each question of scope without a walk. */
import { type InsertionMode, KNOWN_ELEMENTS, type Traits } from "./elements.ts";
import { NONE, type Tree } from "./tree.ts";

/** Elements open at once: the depth to which Chromium builds a tree. Elements inside the last are not kept open. */
const OPEN_MAX = 512;
/** Elements that tags may imply beyond these: a `<td>` implies `<tbody>` and `<tr>`, and then a `</p>` an empty `<p>`. */
const IMPLIED_MAX = 3;

/** Elements of MathML and SVG that are special and limit a scope. */
const FOREIGN_SCOPE = new Set(
  "mi mo mn ms mtext annotation-xml foreignobject desc title".split(" "),
);

/** Whether an element outside HTML is special to the parser. */
export function isSpecialForeign(traits: Traits): boolean {
  return FOREIGN_SCOPE.has(traits.name);
}

/** What may limit the search for an open element (HTML §13.2.4.2). */
export enum ElementScope {
  DEFAULT,
  BUTTON,
  LIST,
  TABLE,
}

/** Fields of a stack entry, after the topmost entries up to it that limit the four scopes. */
enum Field {
  /** The topmost special entry up to it. */
  SPECIAL = 4,
  /** The topmost entry up to it that ends the search for a list item. */
  ITEM,
  NODE,
  /** The entry of the same element below it. */
  BELOW,
  COUNT,
}
/** The first fields, which an element has from the one below it unless it is special. */
const INHERITED = 6;

/** Shared by all stacks, one at a time: make a new stack only when the one before is done. */
const entries = new Int32Array((OPEN_MAX + IMPLIED_MAX) * Field.COUNT);
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
    return this.#entries[(this.depth - 1) * Field.COUNT + Field.NODE]!;
  }

  get mode(): InsertionMode {
    return this.#modes[this.depth - 1]!;
  }

  at(place: number): number {
    return this.#entries[place * Field.COUNT + Field.NODE]!;
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
    const at = place * Field.COUNT;
    const under = at - Field.COUNT;
    all[at + Field.NODE] = node;
    all[at + Field.BELOW] = isHtml ? this.topOf(traits) : -1;
    for (let field = 0; field < INHERITED; field++) {
      all[at + field] = place === 0 ? 0 : all[under + field]!;
    }
    if (isHtml ? traits.isSpecial : isSpecialForeign(traits)) this.#limit(place, traits, isHtml);
    this.#traits[place] = isHtml ? traits : null;
    const mode = isHtml ? traits.mode : "";
    this.#modes[place] = mode === "" ? this.#modes[place - 1]! : mode;
    if (isHtml) this.#setTop(traits, place);
    tree.setOpenAt(node, place);
  }

  /** Lets a special element limit what it limits. */
  #limit(place: number, traits: Traits, isHtml: boolean): void {
    const all = this.#entries;
    const at = place * Field.COUNT;
    all[at + Field.SPECIAL] = place;
    if (!isHtml || traits.isItemBound) all[at + Field.ITEM] = place;
    if (!isHtml || traits.isScope) all[at + ElementScope.DEFAULT] = place;
    if (!isHtml || traits.isButtonScope) all[at + ElementScope.BUTTON] = place;
    if (!isHtml || traits.isListScope) all[at + ElementScope.LIST] = place;
    if (isHtml && traits.isTableScope) all[at + ElementScope.TABLE] = place;
  }

  pop(): void {
    const place = --this.depth;
    const traits = this.#traits[place];
    if (traits) this.#setTop(traits, this.#entries[place * Field.COUNT + Field.BELOW]!);
    this.#tree.setOpenAt(this.#entries[place * Field.COUNT + Field.NODE]!, NONE);
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

  hasInScope(traits: Traits, scope: ElementScope = ElementScope.DEFAULT): boolean {
    const top = this.topOf(traits);
    return top >= 0 && top >= this.#entries[(this.depth - 1) * Field.COUNT + scope]!;
  }

  /** Whether a special element is above the topmost of this one, so that an end tag's search stops before it. */
  isBehindSpecial(traits: Traits): boolean {
    return this.topOf(traits) < this.#entries[(this.depth - 1) * Field.COUNT + Field.SPECIAL]!;
  }

  /** The same for the search for a list item, which address, div and p do not end. */
  isBehindItemBound(traits: Traits): boolean {
    return this.topOf(traits) < this.#entries[(this.depth - 1) * Field.COUNT + Field.ITEM]!;
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
