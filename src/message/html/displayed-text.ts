/**
 * The text of HTML that a reader sees. Builds the tree as a browser does, and applies the styles that hide or show
 * text.
 */
import type { Display } from "./elements.ts";
import { type LineState, Lines } from "./lines.ts";
import { NONE, type Tree } from "./tree.ts";
import { parseDocument } from "./tree-builder.ts";

/** How an open element affects its content. */
interface Frame {
  display: Display;
  isVisible: boolean;
  keepsWhiteSpace: boolean;
  /** Whether text counts: not inside `select`, SVG or MathML, except in some of their elements. */
  holdsText: boolean;
  isInSelect: boolean;
  isOption: boolean;
  /** Whether a cell or row was read, after which another may follow. */
  hasCell: boolean;
  hasRow: boolean;
  /** Whether it breaks the line at its end. */
  breaks: boolean;
  /** Whether it is a block that shows nothing. */
  isUnseenBlock: boolean;
  box: { readonly length: number; readonly line: LineState } | null;
}

const BLOCKS: ReadonlySet<Display> = new Set(["block", "table", "flex"]);
/** Displays of boxes that are laid out in a line and that drop blanks at the ends of their own lines. */
const BOXES: ReadonlySet<Display> = new Set([
  "inline block",
  "inline flex",
  "inline table",
  "row",
  "row group",
  "cell",
]);
/** The display that floating, positioning or a flex container changes another display into. */
const BLOCKIFIED: Readonly<Partial<Record<Display, Display>>> = {
  inline: "block",
  "inline block": "block",
  "inline flex": "flex",
  "inline table": "table",
  "row group": "block",
  row: "block",
  cell: "block",
};
/** Inside ruby text, boxes stay in the line. */
const INLINIFIED: Readonly<Partial<Record<Display, Display>>> = {
  block: "inline block",
  flex: "inline flex",
  table: "inline table",
};
/** Elements of SVG and MathML whose text is displayed; other elements of them display none. */
const TEXT_HOLDERS = new Set("text foreignobject mi mo mn ms mtext".split(" "));
const SVG: Readonly<Record<string, Display>> = {
  svg: "foreign",
  text: "block",
  foreignobject: "block",
  ...Object.fromEntries(
    "title desc style script defs symbol clippath mask metadata marker pattern lineargradient radialgradient"
      .split(" ")
      .map((name) => [name, "none"] as const),
  ),
};
const MATH: Readonly<Record<string, Display>> = {
  math: "foreign",
  mi: "block",
  mo: "block",
  mn: "block",
  ms: "block",
  mtext: "block",
  annotation: "none",
  "annotation-xml": "none",
};

const ROOT: Frame = {
  display: "block",
  isVisible: true,
  keepsWhiteSpace: false,
  holdsText: true,
  isInSelect: false,
  isOption: false,
  hasCell: false,
  hasRow: false,
  breaks: false,
  isUnseenBlock: false,
  box: null,
};

/** The display in the browser's own stylesheet. */
function defaultDisplay(tree: Tree, node: number): Display {
  const { name, display } = tree.traits(node);
  const kind = tree.kind(node);
  const look = tree.look(node);
  if (kind === "svg") return SVG[name] ?? "inline";
  if (kind === "math") return MATH[name] ?? "inline";
  const isHidden = look.isHidden && name !== "marquee";
  if (isHidden || (name === "dialog" && !look.isOpen)) return "none";
  return display;
}

function displayOf(tree: Tree, node: number, around: Frame): Display {
  const look = tree.look(node);
  const traits = tree.traits(node);
  const isHtml = tree.isHtml(node);
  if (isHtml && traits.isNeverShown) return "none";
  const usual = defaultDisplay(tree, node);
  const styled = look.display;
  const display: Display =
    styled === null || styled === "default"
      ? usual
      : styled === "inherit"
        ? around.display
        : styled;
  const isBlockified =
    look.isOutOfFlow ||
    (isHtml && traits.isAlwaysBlock) ||
    around.display === "flex" ||
    around.display === "inline flex";
  if (isBlockified) return BLOCKIFIED[display] ?? display;
  return around.display === "ruby" ? (INLINIFIED[display] ?? display) : display;
}

class Walk {
  readonly #html: string;
  readonly #tree: Tree;
  readonly #lines: Lines;
  readonly #frames: Frame[] = [{ ...ROOT }];
  #depth = 0;

  constructor(html: string, root: number, tree: Tree) {
    this.#html = html;
    this.#tree = tree;
    this.#lines = new Lines(html.length);
    let node = tree.first(root);
    if (displayOf(tree, root, ROOT) === "none") return;
    this.#frames[0]!.isVisible = tree.look(root).visibility !== "hidden";
    while (node !== NONE) {
      const child = this.#enter(node) ? tree.first(node) : NONE;
      if (child !== NONE) {
        node = child;
        continue;
      }
      node = this.#after(node, root);
    }
  }

  get text(): string {
    return this.#lines.text;
  }

  /** The node after one that was read. Ends elements on the way. */
  #after(from: number, root: number): number {
    let node = from;
    // Only elements that were entered have a frame.
    if (this.#entered === node) this.#leave();
    while (this.#tree.next(node) === NONE) {
      node = this.#tree.parent(node);
      if (node === root || node === NONE) return NONE;
      this.#leave();
    }
    return this.#tree.next(node);
  }

  /** The element entered last, if nothing was read since. */
  #entered = NONE;

  /** Reads a text or begins an element. Returns whether to read the node's content. */
  #enter(node: number): boolean {
    this.#entered = NONE;
    const around = this.#frames[this.#depth]!;
    if (!this.#tree.isElement(node)) {
      this.#write(node, around);
      return false;
    }
    const display = displayOf(this.#tree, node, around);
    if (around.isOption) return this.#begin(node, "contents", around);
    if (around.isInSelect) {
      const { start } = this.#tree.traits(node);
      const isPart = start === "option" || start === "option group";
      return this.#begin(node, isPart ? "block" : "contents", around);
    }
    if (display === "none" || display === "column") return false;
    return this.#begin(node, display, around);
  }

  #write(node: number, around: Frame): void {
    if (!around.holdsText || !around.isVisible) return;
    const tree = this.#tree;
    const isRaw = tree.kind(node) === "raw text";
    const parent = tree.parent(node);
    this.#lines.write(this.#html, tree.start(node), tree.end(node), {
      whiteSpace: around.keepsWhiteSpace ? "keep" : "collapse",
      references: isRaw ? "keep" : "decode",
      nul: isRaw || !tree.isHtml(parent) ? "replace" : "drop",
    });
  }

  #begin(node: number, display: Display, around: Frame): boolean {
    const tree = this.#tree;
    const traits = tree.traits(node);
    const look = tree.look(node);
    const lines = this.#lines;
    const isVisible =
      look.visibility === "inherit" ? around.isVisible : look.visibility === "visible";
    const isHtml = tree.isHtml(node);
    const isBlock =
      BLOCKS.has(display) || (traits.name === "p" && isHtml && display !== "contents");
    const isSelect = traits.display === "select" && isHtml;
    const isOption = isHtml && traits.start === "option";
    if (isHtml && (traits.name === "br" || traits.name === "wbr")) {
      if (traits.name === "wbr") lines.joinAcrossLineEnd();
      else if (isVisible && display !== "contents") lines.break();
      else lines.join();
      return false;
    }
    this.#depth++;
    const frame = this.#frame();
    frame.display = display === "contents" ? around.display : display;
    frame.isVisible = isVisible || around.isInSelect || around.isOption;
    frame.keepsWhiteSpace = around.keepsWhiteSpace || traits.keepsWhiteSpace;
    frame.isInSelect = isSelect || around.isInSelect;
    frame.isOption = isOption || around.isOption;
    const holdsNone = isSelect || display === "foreign" || (!isHtml && traits.name === "svg");
    const holdsOwn = isOption || (!isHtml && TEXT_HOLDERS.has(traits.name));
    frame.holdsText = !holdsNone && (holdsOwn || around.holdsText);
    if (look.hidesContent && display !== "inline" && display !== "contents") {
      frame.holdsText = false;
    }
    frame.hasCell = false;
    frame.hasRow = false;
    frame.breaks = isBlock && isVisible;
    frame.isUnseenBlock = isBlock && !isVisible;
    frame.box = null;
    if (frame.breaks) lines.break();
    else if (isBlock) lines.join();
    else if (BOXES.has(display)) this.#beginBox(frame, display, around, isVisible);
    if (display !== "cell" && display !== "contents") around.hasCell = false;
    this.#entered = node;
    return true;
  }

  #frame(): Frame {
    const found = this.#frames[this.#depth];
    if (found !== undefined) return found;
    const made = { ...ROOT };
    this.#frames.push(made);
    return made;
  }

  /** Separates a cell from the cell before by a blank, and a row from the row before by a line break. */
  #beginBox(frame: Frame, display: Display, around: Frame, isVisible: boolean): void {
    if (display === "cell") {
      if (around.hasCell && isVisible) this.#lines.blank();
      around.hasCell = true;
    } else if (display === "row") {
      const table = this.#tableFrame();
      if (table.hasRow && isVisible) this.#lines.break();
      table.hasRow = true;
    }
    frame.box = this.#lines.openBox();
  }

  /** The frame of the table that contains the row just begun. */
  #tableFrame(): Frame {
    let depth = this.#depth - 1;
    while (depth > 0 && this.#frames[depth]!.display === "row group") depth--;
    return this.#frames[depth]!;
  }

  #leave(): void {
    const frame = this.#frames[this.#depth]!;
    this.#depth--;
    this.#entered = NONE;
    if (frame.box !== null) this.#lines.closeBox(frame.box);
    else if (frame.breaks) this.#lines.break();
    else if (frame.isUnseenBlock) this.#lines.join();
  }
}

/**
 * The text that HTML displays, in document order. Block elements break lines, and white space collapses outside
 * `pre`. Links and images give only the text inside them; hidden elements give none. Linear, for any nesting. Total.
 */
// ASSUMPTION(html-text): the text of HTML is what it displays; addresses of links and images are no part of it.
export function htmlToText(html: string): string {
  const { tree, root } = parseDocument(html);
  return new Walk(html, root, tree).text;
}
