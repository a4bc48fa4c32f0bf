/**
 * The text of HTML that a reader sees. Builds the tree as a browser does, and applies the styles that hide or show
 * text.
 */
import type { Display, Traits } from "./elements.ts";
import { type LineState, Lines, Style } from "./lines.ts";
import { type Look, NONE, NodeKind, type Tree } from "./tree.ts";
import { type Document, parseDocument } from "./tree-builder.ts";

/** How an open element affects its content. */
interface ElementFrame {
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

function isBlockDisplay(display: Display): boolean {
  return display === "block" || display === "table" || display === "flex";
}

/** Whether it makes a box that is laid out in a line and that drops blanks at the ends of its own lines. */
function isBoxDisplay(display: Display): boolean {
  return (
    display === "inline block" ||
    display === "inline flex" ||
    display === "inline table" ||
    display === "row" ||
    display === "row group" ||
    display === "cell"
  );
}

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

const ROOT: ElementFrame = {
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
function defaultDisplay(kind: NodeKind, { name, display }: Traits, look: Look): Display {
  if (kind === NodeKind.SVG) return SVG[name] ?? "inline";
  if (kind === NodeKind.MATH) return MATH[name] ?? "inline";
  const isHidden = look.isHidden && name !== "marquee";
  if (isHidden || (name === "dialog" && !look.isOpen)) return "none";
  return display;
}

function displayOf(kind: NodeKind, traits: Traits, look: Look, around: ElementFrame): Display {
  const isHtml = kind === NodeKind.HTML;
  if (isHtml && traits.isNeverShown) return "none";
  const usual = defaultDisplay(kind, traits, look);
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

/** Frames by depth, shared by all walks, one at a time. */
const frames: ElementFrame[] = [];

function frameAt(depth: number): ElementFrame {
  frames[depth] ??= { ...ROOT };
  return frames[depth];
}

class Walk {
  readonly #tree: Tree;
  readonly #lines: Lines;
  #depth = 0;

  constructor(html: string, { tree, root, units }: Document) {
    this.#tree = tree;
    this.#lines = new Lines(html, units);
    const look = tree.look(root);
    if (displayOf(NodeKind.HTML, tree.traits(root), look, ROOT) === "none") return;
    frames[0] = { ...ROOT, isVisible: look.visibility !== "hidden" };
    let node = tree.first(root);
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
    const tree = this.#tree;
    const around = frames[this.#depth]!;
    const kind = tree.kind(node);
    if (kind >= NodeKind.TEXT) {
      if (around.holdsText && around.isVisible) this.#write(node, kind, around);
      return false;
    }
    const traits = tree.traits(node);
    const look = tree.look(node);
    let display = displayOf(kind, traits, look, around);
    if (around.isOption) {
      display = "contents";
    } else if (around.isInSelect) {
      const { start } = traits;
      display = start === "option" || start === "option group" ? "block" : "contents";
    } else if (display === "none" || display === "column") {
      return false;
    }
    this.#entered = this.#begin(kind, traits, look, display, around) ? node : NONE;
    return this.#entered === node;
  }

  #write(node: number, kind: NodeKind, around: ElementFrame): void {
    const tree = this.#tree;
    let style = around.keepsWhiteSpace ? Style.KEEPS_WHITE_SPACE : Style.PLAIN;
    if (kind === NodeKind.RAW_TEXT) style |= Style.KEEPS_REFERENCES | Style.SHOWS_NUL;
    else if (!tree.isHtml(tree.parent(node))) style |= Style.SHOWS_NUL;
    this.#lines.write(tree.start(node), tree.end(node), style);
  }

  /** Begins an element; `false` if it has no content. */
  #begin(
    kind: NodeKind,
    traits: Traits,
    look: Look,
    display: Display,
    around: ElementFrame,
  ): boolean {
    const lines = this.#lines;
    const isVisible =
      look.visibility === "inherit" ? around.isVisible : look.visibility === "visible";
    const isHtml = kind === NodeKind.HTML;
    const isBlock =
      isBlockDisplay(display) || (traits.name === "p" && isHtml && display !== "contents");
    const isSelect = traits.display === "select" && isHtml;
    const isOption = isHtml && traits.start === "option";
    if (isHtml && (traits.name === "br" || traits.name === "wbr")) {
      if (traits.name === "wbr") lines.joinAcrossLineEnd();
      else if (isVisible && display !== "contents") lines.break();
      else lines.join();
      return false;
    }
    this.#depth++;
    const frame = frameAt(this.#depth);
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
    else if (isBoxDisplay(display)) this.#beginBox(frame, display, around, isVisible);
    if (display !== "cell" && display !== "contents") around.hasCell = false;
    return true;
  }

  /** Separates a cell from the cell before by a blank, and a row from the row before by a line break. */
  #beginBox(frame: ElementFrame, display: Display, around: ElementFrame, isVisible: boolean): void {
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
  #tableFrame(): ElementFrame {
    let depth = this.#depth - 1;
    while (depth > 0 && frames[depth]!.display === "row group") depth--;
    return frames[depth]!;
  }

  #leave(): void {
    const frame = frames[this.#depth]!;
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
  return new Walk(html, parseDocument(html)).text;
}
