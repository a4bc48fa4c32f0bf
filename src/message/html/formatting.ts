/** Formatting elements that an end tag left open. They are opened again in what follows (HTML §13.2.4.3, §13.2.6.4.7). */
import type { Traits } from "./elements.ts";
import { isSpecialForeign, type OpenElements } from "./open-elements.ts";
import { NONE, type Tree } from "./tree.ts";

/** Formatting elements kept at once. Real mail has a dozen; each paragraph opens all of them again. */
const FORMATTING_MAX = 32;
/** Identical formatting elements to keep (`Noah's Ark clause`). */
const ALIKE_MAX = 3;
/** Turns of the adoption agency and of its inner loop, as in the standard. */
const [OUTER_TURNS_MAX, INNER_TURNS_MAX] = [8, 3];

/** Separates the formatting elements of a table cell from those around the cell. */
const MARKER = -2;

/** The parts of the parser that formatting elements use. */
export interface Builder {
  readonly tree: Tree;
  readonly open: OpenElements;
  readonly html: string;
  /** What is left of the budget for copies and moves; below 0 once it is spent. */
  readonly steps: number;
  /** Pays for copies and moves of elements. `false` once the budget is spent. */
  pay(steps: number): boolean;
  /** Puts a node where the parser would put the next one if `parent` were the current node. */
  place(node: number, parent: number): void;
  endAny(traits: Traits): void;
}

export class FormattingElements {
  readonly #list: number[] = [];
  readonly #builder: Builder;

  constructor(builder: Builder) {
    this.#builder = builder;
  }

  mark(): void {
    this.#list.push(MARKER);
  }

  clearToMarker(): void {
    while (this.#list.length > 0 && this.#list.pop() !== MARKER);
  }

  /** The topmost one of this element above the last marker; `NONE` if there is none. */
  find(traits: Traits): number {
    const { tree } = this.#builder;
    for (let index = this.#list.length - 1; index >= 0; index--) {
      const node = this.#list[index]!;
      if (node === MARKER) return NONE;
      if (tree.traits(node) === traits) return node;
    }
    return NONE;
  }

  forget(node: number): void {
    const list = this.#list;
    let index = list.length - 1;
    while (index >= 0 && list[index] !== node) index--;
    // Most end tags end the element listed last.
    if (index === list.length - 1) list.pop();
    else if (index >= 0) list.splice(index, 1);
  }

  push(node: number): void {
    const { tree } = this.#builder;
    let alike = 0;
    let first = 0;
    let count = 0;
    for (let index = this.#list.length - 1; index >= 0; index--) {
      const each = this.#list[index]!;
      if (each === MARKER) break;
      count++;
      first = index;
      if (tree.traits(each) !== tree.traits(node) || !this.#hasSameAttributes(each, node)) continue;
      if (++alike === ALIKE_MAX) {
        this.#list.splice(index, 1);
        break;
      }
    }
    if (alike < ALIKE_MAX && count >= FORMATTING_MAX) this.#list.splice(first, 1);
    this.#list.push(node);
  }

  /** Whether the attributes of two elements are written alike. */
  #hasSameAttributes(one: number, other: number): boolean {
    const { tree, html } = this.#builder;
    const start = tree.start(one);
    const from = tree.start(other);
    let length = tree.end(one) - start;
    if (length !== tree.end(other) - from) return false;
    // What differs is nearly always near the end.
    while (length > 0 && html.charCodeAt(start + length - 1) === html.charCodeAt(from + length - 1))
      length--;
    return length === 0;
  }

  /** Opens again the listed elements that are not open. */
  reconstruct(): void {
    const { tree, open, steps } = this.#builder;
    if (steps < 0) return;
    let index = this.#list.length;
    while (index > 0) {
      const node = this.#list[index - 1]!;
      if (node === MARKER || open.placeOf(node) >= 0) break;
      index--;
    }
    for (; index < this.#list.length; index++) {
      if (open.isFull || !this.#builder.pay(1)) return;
      const copy = tree.clone(this.#list[index]!);
      this.#builder.place(copy, open.current);
      open.push(copy);
      this.#list[index] = copy;
    }
  }

  /** The adoption agency: what an end tag of a formatting element does (HTML §13.2.6.4.7). */
  adopt(subject: Traits): void {
    const { tree, open } = this.#builder;
    if (open.currentIs(subject)) {
      // Most end tags end the element that was opened and listed last.
      const isLast = this.#list.at(-1) === open.current;
      if (isLast) this.#list.pop();
      if (isLast || !this.#list.includes(open.current)) {
        open.pop();
        return;
      }
    }
    for (let turn = 0; turn < OUTER_TURNS_MAX; turn++) {
      const element = this.find(subject);
      if (element === NONE) {
        this.#builder.endAny(subject);
        return;
      }
      const place = open.placeOf(element);
      if (place < 0) {
        this.forget(element);
        return;
      }
      if (!this.#isInScope(place)) return;
      let furthest = place + 1;
      while (furthest < open.depth && !this.#isSpecial(open.at(furthest))) furthest++;
      if (furthest === open.depth || !this.#builder.pay(open.depth - place)) {
        open.popTo(place);
        this.forget(element);
        return;
      }
      this.#moveOut(element, open.at(furthest), open.at(place - 1), tree);
    }
  }

  #isInScope(place: number): boolean {
    const { tree, open } = this.#builder;
    // Like `hasInScope`, but for one element among several of its name.
    for (let above = open.depth - 1; above > place; above--) {
      const node = open.at(above);
      if (tree.isHtml(node) ? tree.traits(node).isScope : this.#isSpecial(node)) return false;
    }
    return true;
  }

  #isSpecial(node: number): boolean {
    const { tree } = this.#builder;
    const traits = tree.traits(node);
    return tree.isHtml(node) ? traits.isSpecial : isSpecialForeign(traits);
  }

  /**
   * Steps 12 to 19: moves `furthest`, a block inside `element`, out of it, and puts a copy of `element` into the
   * block.
   */
  #moveOut(element: number, furthest: number, ancestor: number, tree: Tree): void {
    const { open } = this.#builder;
    let bookmark = this.#list.indexOf(element);
    let last = furthest;
    let place = open.placeOf(furthest);
    for (let turn = 1; ; turn++) {
      place--;
      let node = open.at(place);
      if (node === element) break;
      const listed = this.#list.indexOf(node);
      const isListed = listed >= 0 && turn <= INNER_TURNS_MAX;
      if (listed >= 0 && !isListed) {
        this.#list.splice(listed, 1);
        if (listed < bookmark) bookmark--;
      }
      if (!isListed) {
        open.replace(node, NONE);
        continue;
      }
      const copy = tree.clone(node);
      this.#list[listed] = copy;
      open.replace(node, copy);
      node = copy;
      if (last === furthest) bookmark = listed + 1;
      tree.remove(last);
      tree.insert(last, node, NONE);
      last = node;
    }
    tree.remove(last);
    this.#builder.place(last, ancestor);
    const copy = tree.clone(element);
    this.#builder.pay(tree.moveChildren(furthest, copy));
    tree.insert(copy, furthest, NONE);
    const from = this.#list.indexOf(element);
    this.#list.splice(from, 1);
    this.#list.splice(from < bookmark ? bookmark - 1 : bookmark, 0, copy);
    open.replace(element, NONE);
    open.insertAbove(copy, furthest);
  }
}
