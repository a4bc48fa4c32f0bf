/** The tree of a document as arrays of numbers, so that a node costs no object. */
import { ALL_KNOWN, KNOWN_ELEMENTS, known, type Traits } from "./elements.ts";
import type { StyledDisplay } from "./inline-style.ts";

/** The namespace of an element. `text` and `raw text` are not elements; references in `raw text` are not decoded. */
export type NodeKind = "html" | "svg" | "math" | "text" | "raw text";

const KINDS: readonly NodeKind[] = ["html", "svg", "math", "text", "raw text"];

/** No node. */
export const NONE = -1;

/** How an element looks, apart from its place. */
export interface Look {
  readonly display: StyledDisplay | null;
  readonly visibility: "inherit" | "visible" | "hidden";
  readonly isOutOfFlow: boolean;
  readonly hidesContent: boolean;
  /** The attribute `hidden`: it hides unless a style sets the display. */
  readonly isHidden: boolean;
  readonly isOpen: boolean;
}

export const PLAIN_LOOK: Look = {
  display: null,
  visibility: "inherit",
  isOutOfFlow: false,
  hidesContent: false,
  isHidden: false,
  isOpen: false,
};

/** The traits of a text node. */
const TEXT: Traits = known("span");

/**
 * Fields of a node: its neighbours, its range in the HTML, its kind, its index in the stack of open elements, the id
 * of its element, and its look.
 */
const [PARENT, FIRST, LAST, NEXT, PREVIOUS, START, END, KIND, OPEN_AT, ELEMENT, LOOK] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
] as const;
const FIELDS = 11;

/** Nodes of the arrays shared by all trees that fit in them, which are those of nearly all mail. */
const SHARED_NODES = 8_192;
const shared = new Int32Array(SHARED_NODES * FIELDS);

/** One tree at a time uses the shared arrays: make a new tree only when the one before is done. */
export class Tree {
  #nodes = shared;
  readonly #others: Traits[] = [];
  readonly #looks: Look[] = [PLAIN_LOOK];
  count = 0;

  #grow(): void {
    const nodes = new Int32Array(this.#nodes.length * 4);
    nodes.set(this.#nodes);
    this.#nodes = nodes;
  }

  /** Makes a node without a place in the tree; `kind` is an index of `KINDS`. */
  #make(kind: number, traits: Traits, look: Look, start: number, end: number): number {
    const node = this.count++;
    const at = node * FIELDS;
    if (at + FIELDS > this.#nodes.length) this.#grow();
    const nodes = this.#nodes;
    nodes[at + PARENT] = NONE;
    nodes[at + FIRST] = NONE;
    nodes[at + LAST] = NONE;
    nodes[at + NEXT] = NONE;
    nodes[at + PREVIOUS] = NONE;
    nodes[at + START] = start;
    nodes[at + END] = end;
    nodes[at + KIND] = kind;
    nodes[at + OPEN_AT] = NONE;
    nodes[at + ELEMENT] = traits.id;
    nodes[at + LOOK] = look === PLAIN_LOOK ? 0 : this.#looks.push(look) - 1;
    if (traits.id >= KNOWN_ELEMENTS) this.#others[traits.id - KNOWN_ELEMENTS] = traits;
    return node;
  }

  /** Makes an element without a place in the tree; its attributes are at `[start, end)` of the HTML. */
  make(
    kind: "html" | "svg" | "math",
    traits: Traits,
    look: Look,
    start: number,
    end: number,
  ): number {
    return this.#make(KINDS.indexOf(kind), traits, look, start, end);
  }

  text(kind: "text" | "raw text", start: number, end: number): number {
    return this.#make(KINDS.indexOf(kind), TEXT, PLAIN_LOOK, start, end);
  }

  /** Makes another element like this one, empty. */
  clone(node: number): number {
    const kind = this.#nodes[node * FIELDS + KIND]!;
    return this.#make(kind, this.traits(node), this.look(node), this.start(node), this.end(node));
  }

  kind(node: number): NodeKind {
    return KINDS[this.#nodes[node * FIELDS + KIND]!]!;
  }

  isHtml(node: number): boolean {
    return this.#nodes[node * FIELDS + KIND] === 0;
  }

  isElement(node: number): boolean {
    return this.#nodes[node * FIELDS + KIND]! < 3;
  }

  traits(node: number): Traits {
    const id = this.#nodes[node * FIELDS + ELEMENT]!;
    return ALL_KNOWN[id] ?? this.#others[id - KNOWN_ELEMENTS]!;
  }

  look(node: number): Look {
    return this.#looks[this.#nodes[node * FIELDS + LOOK]!]!;
  }

  setLook(node: number, look: Look): void {
    this.#nodes[node * FIELDS + LOOK] = this.#looks.push(look) - 1;
  }

  start(node: number): number {
    return this.#nodes[node * FIELDS + START]!;
  }

  end(node: number): number {
    return this.#nodes[node * FIELDS + END]!;
  }

  parent(node: number): number {
    return this.#nodes[node * FIELDS + PARENT]!;
  }

  first(node: number): number {
    return this.#nodes[node * FIELDS + FIRST]!;
  }

  next(node: number): number {
    return this.#nodes[node * FIELDS + NEXT]!;
  }

  /** Index of the node in the stack of open elements; `NONE` if it is not open. */
  openAt(node: number): number {
    return this.#nodes[node * FIELDS + OPEN_AT]!;
  }

  setOpenAt(node: number, place: number): void {
    this.#nodes[node * FIELDS + OPEN_AT] = place;
  }

  /** Puts a node without a place before `before`, or last if that is `NONE`. */
  insert(node: number, parent: number, before: number): void {
    const nodes = this.#nodes;
    const previous = nodes[before === NONE ? parent * FIELDS + LAST : before * FIELDS + PREVIOUS]!;
    nodes[node * FIELDS + PARENT] = parent;
    nodes[node * FIELDS + PREVIOUS] = previous;
    nodes[node * FIELDS + NEXT] = before;
    if (previous === NONE) nodes[parent * FIELDS + FIRST] = node;
    else nodes[previous * FIELDS + NEXT] = node;
    if (before === NONE) nodes[parent * FIELDS + LAST] = node;
    else nodes[before * FIELDS + PREVIOUS] = node;
  }

  /** Removes a node from its place. */
  remove(node: number): void {
    const nodes = this.#nodes;
    const at = node * FIELDS;
    const parent = nodes[at + PARENT]!;
    const previous = nodes[at + PREVIOUS]!;
    const next = nodes[at + NEXT]!;
    if (parent === NONE) return;
    if (previous === NONE) nodes[parent * FIELDS + FIRST] = next;
    else nodes[previous * FIELDS + NEXT] = next;
    if (next === NONE) nodes[parent * FIELDS + LAST] = previous;
    else nodes[next * FIELDS + PREVIOUS] = previous;
    nodes[at + PARENT] = NONE;
    nodes[at + PREVIOUS] = NONE;
    nodes[at + NEXT] = NONE;
  }

  /** Moves all children of `from` to `to`, which has none, and returns their number. */
  moveChildren(from: number, to: number): number {
    const nodes = this.#nodes;
    let count = 0;
    for (let node = this.first(from); node !== NONE; node = this.next(node)) {
      nodes[node * FIELDS + PARENT] = to;
      count++;
    }
    nodes[to * FIELDS + FIRST] = nodes[from * FIELDS + FIRST]!;
    nodes[to * FIELDS + LAST] = nodes[from * FIELDS + LAST]!;
    nodes[from * FIELDS + FIRST] = NONE;
    nodes[from * FIELDS + LAST] = NONE;
    return count;
  }
}
