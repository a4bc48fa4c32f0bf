/** The tree of a document as arrays of numbers, so that a node costs no object. */
import { ALL_KNOWN, KNOWN_ELEMENTS, known, type Traits } from "./elements.ts";
import type { StyledDisplay } from "./inline-style.ts";

/** The namespace of an element. Texts are not elements; references in a raw text are not decoded. */
export enum NodeKind {
  HTML,
  SVG,
  MATH,
  TEXT,
  RAW_TEXT,
}

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

/** Fields of a node. */
enum Field {
  PARENT,
  FIRST,
  LAST,
  NEXT,
  PREVIOUS,
  /** Its range in the HTML: of an element, that of its attributes. */
  START,
  END,
  KIND,
  /** Its index in the stack of open elements. */
  OPEN_AT,
  /** The id of its element. */
  ELEMENT,
  LOOK,
  COUNT,
}

/** Nodes of the arrays shared by all trees that fit in them, which are those of nearly all mail. */
const SHARED_NODES = 8_192;
const shared = new Int32Array(SHARED_NODES * Field.COUNT);

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

  /** Makes a node without a place in the tree; the attributes of an element are at `[start, end)` of the HTML. */
  make(kind: NodeKind, traits: Traits, look: Look, start: number, end: number): number {
    const node = this.count++;
    const at = node * Field.COUNT;
    if (at + Field.COUNT > this.#nodes.length) this.#grow();
    const nodes = this.#nodes;
    nodes[at + Field.PARENT] = NONE;
    nodes[at + Field.FIRST] = NONE;
    nodes[at + Field.LAST] = NONE;
    nodes[at + Field.NEXT] = NONE;
    nodes[at + Field.PREVIOUS] = NONE;
    nodes[at + Field.START] = start;
    nodes[at + Field.END] = end;
    nodes[at + Field.KIND] = kind;
    nodes[at + Field.OPEN_AT] = NONE;
    nodes[at + Field.ELEMENT] = traits.id;
    nodes[at + Field.LOOK] = look === PLAIN_LOOK ? 0 : this.#looks.push(look) - 1;
    if (traits.id >= KNOWN_ELEMENTS) this.#others[traits.id - KNOWN_ELEMENTS] = traits;
    return node;
  }

  text(kind: NodeKind, start: number, end: number): number {
    return this.make(kind, TEXT, PLAIN_LOOK, start, end);
  }

  /** Makes another element like this one, empty. */
  clone(node: number): number {
    const [kind, traits, look] = [this.kind(node), this.traits(node), this.look(node)];
    return this.make(kind, traits, look, this.start(node), this.end(node));
  }

  kind(node: number): NodeKind {
    return this.#nodes[node * Field.COUNT + Field.KIND]!;
  }

  isHtml(node: number): boolean {
    return this.#nodes[node * Field.COUNT + Field.KIND] === NodeKind.HTML;
  }

  isElement(node: number): boolean {
    return this.#nodes[node * Field.COUNT + Field.KIND]! < NodeKind.TEXT;
  }

  traits(node: number): Traits {
    const id = this.#nodes[node * Field.COUNT + Field.ELEMENT]!;
    return ALL_KNOWN[id] ?? this.#others[id - KNOWN_ELEMENTS]!;
  }

  look(node: number): Look {
    return this.#looks[this.#nodes[node * Field.COUNT + Field.LOOK]!]!;
  }

  setLook(node: number, look: Look): void {
    this.#nodes[node * Field.COUNT + Field.LOOK] = this.#looks.push(look) - 1;
  }

  start(node: number): number {
    return this.#nodes[node * Field.COUNT + Field.START]!;
  }

  end(node: number): number {
    return this.#nodes[node * Field.COUNT + Field.END]!;
  }

  parent(node: number): number {
    return this.#nodes[node * Field.COUNT + Field.PARENT]!;
  }

  first(node: number): number {
    return this.#nodes[node * Field.COUNT + Field.FIRST]!;
  }

  next(node: number): number {
    return this.#nodes[node * Field.COUNT + Field.NEXT]!;
  }

  /** Index of the node in the stack of open elements; `NONE` if it is not open. */
  openAt(node: number): number {
    return this.#nodes[node * Field.COUNT + Field.OPEN_AT]!;
  }

  setOpenAt(node: number, place: number): void {
    this.#nodes[node * Field.COUNT + Field.OPEN_AT] = place;
  }

  /** Puts a node without a place before `before`, or last if that is `NONE`. */
  insert(node: number, parent: number, before: number): void {
    const nodes = this.#nodes;
    const previous =
      nodes[
        before === NONE ? parent * Field.COUNT + Field.LAST : before * Field.COUNT + Field.PREVIOUS
      ]!;
    nodes[node * Field.COUNT + Field.PARENT] = parent;
    nodes[node * Field.COUNT + Field.PREVIOUS] = previous;
    nodes[node * Field.COUNT + Field.NEXT] = before;
    if (previous === NONE) nodes[parent * Field.COUNT + Field.FIRST] = node;
    else nodes[previous * Field.COUNT + Field.NEXT] = node;
    if (before === NONE) nodes[parent * Field.COUNT + Field.LAST] = node;
    else nodes[before * Field.COUNT + Field.PREVIOUS] = node;
  }

  /** Removes a node from its place. */
  remove(node: number): void {
    const nodes = this.#nodes;
    const at = node * Field.COUNT;
    const parent = nodes[at + Field.PARENT]!;
    const previous = nodes[at + Field.PREVIOUS]!;
    const next = nodes[at + Field.NEXT]!;
    if (parent === NONE) return;
    if (previous === NONE) nodes[parent * Field.COUNT + Field.FIRST] = next;
    else nodes[previous * Field.COUNT + Field.NEXT] = next;
    if (next === NONE) nodes[parent * Field.COUNT + Field.LAST] = previous;
    else nodes[next * Field.COUNT + Field.PREVIOUS] = previous;
    nodes[at + Field.PARENT] = NONE;
    nodes[at + Field.PREVIOUS] = NONE;
    nodes[at + Field.NEXT] = NONE;
  }

  /** Moves all children of `from` to `to`, which has none, and returns their number. */
  moveChildren(from: number, to: number): number {
    const nodes = this.#nodes;
    let count = 0;
    for (let node = this.first(from); node !== NONE; node = this.next(node)) {
      nodes[node * Field.COUNT + Field.PARENT] = to;
      count++;
    }
    nodes[to * Field.COUNT + Field.FIRST] = nodes[from * Field.COUNT + Field.FIRST]!;
    nodes[to * Field.COUNT + Field.LAST] = nodes[from * Field.COUNT + Field.LAST]!;
    nodes[from * Field.COUNT + Field.FIRST] = NONE;
    nodes[from * Field.COUNT + Field.LAST] = NONE;
    return count;
  }
}
