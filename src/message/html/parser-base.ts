/** What all rules of the parser use: where nodes are put, and how elements begin and end. */
import { Unit } from "../text/code-units.ts";
import { Elements, type InsertionMode, known, type Traits } from "./elements.ts";
import { type Builder, FormattingElements } from "./formatting.ts";
import { inlineStyle, NO_STYLE } from "./inline-style.ts";
import { ElementScope, OpenElements } from "./open-elements.ts";
import { decodeReferences, meaning, referenceEnd } from "./references.ts";
import { isWhiteSpace, Tokens } from "./tokens.ts";
import { type Look, NONE, NodeKind, PLAIN_LOOK, Tree } from "./tree.ts";

/**
 * Copies and moves of elements that every document may make, in addition to those its length pays for: one for 64 code
 * units. Of 6,046 real messages the most is 107.
 */
const EXTRA_STEPS = 1_024;

/** Styles of one document to remember, so that each is read once. */
const STYLES_MAX = 256;

const [HTML, BODY, P, TEMPLATE] = [known("html"), known("body"), known("p"), known("template")];
const [TABLE, TD, TH, CAPTION] = [known("table"), known("td"), known("th"), known("caption")];

/** Whether text in this mode is put before the table that contains it; likewise in the element that causes the mode. */
export function isOfTable(mode: InsertionMode | undefined): boolean {
  return mode === "table" || mode === "table body" || mode === "row";
}

export class ParserBase implements Builder {
  readonly html: string;
  readonly tree: Tree = new Tree();
  readonly open: OpenElements;
  readonly formatting: FormattingElements;
  readonly tokens: Tokens;
  readonly elements: Elements = new Elements();
  readonly root: number;
  readonly body: number;
  form: number = NONE;
  /** Text read before the body is never displayed. `head` lasts until its end tag. */
  stage: "head" | "after head" | "body" = "head";
  isFostering: boolean = false;
  steps: number;
  readonly #styles = new Map<string, Look>();
  /** The roots that have a style already; the style of a later tag does not count. */
  readonly styled: Set<number> = new Set();

  constructor(html: string) {
    this.html = html;
    this.tokens = new Tokens(html);
    this.open = new OpenElements(this.tree);
    this.formatting = new FormattingElements(this);
    this.steps = EXTRA_STEPS + (html.length >> 6);
    this.root = this.tree.make(NodeKind.HTML, HTML, PLAIN_LOOK, 0, 0);
    this.body = this.tree.make(NodeKind.HTML, BODY, PLAIN_LOOK, 0, 0);
    this.tree.insert(this.body, this.root, NONE);
    this.open.push(this.root);
    this.open.push(this.body);
  }

  pay(steps: number): boolean {
    this.steps -= steps;
    return this.steps >= 0;
  }

  place(node: number, parent: number): void {
    const { tree, open } = this;
    const isFostered = this.isFostering && tree.isHtml(parent);
    if (!isFostered || !isOfTable(tree.traits(parent).mode)) {
      tree.insert(node, parent, NONE);
      return;
    }
    const table = open.topOf(TABLE);
    const template = open.topOf(TEMPLATE);
    if (template > table) {
      tree.insert(node, open.at(template), NONE);
      return;
    }
    const at = open.at(table);
    const around = tree.parent(at);
    if (around === NONE) tree.insert(node, open.at(table - 1), NONE);
    else tree.insert(node, around, at);
  }

  look(): Look {
    const { html, tokens } = this;
    const { isHidden, isOpen, styleStart } = tokens;
    if (styleStart < 0 && !isHidden && !isOpen) return PLAIN_LOOK;
    const { isFindable, styleEnd } = tokens;
    const style = styleStart < 0 ? PLAIN_LOOK : this.#styleOf(html.slice(styleStart, styleEnd));
    if (!isHidden && !isOpen) return style;
    const hidesContent = style.hidesContent || isFindable;
    return { ...style, isHidden: isHidden && !isFindable, hidesContent, isOpen };
  }

  /** Mail repeats the same few styles. */
  #styleOf(text: string): Look {
    const found = this.#styles.get(text);
    if (found !== undefined) return found;
    const style = inlineStyle(text, decodeReferences);
    const look = style === NO_STYLE ? PLAIN_LOOK : { ...PLAIN_LOOK, ...style };
    if (this.#styles.size < STYLES_MAX) this.#styles.set(text, look);
    return look;
  }

  /** Makes the element of the current start tag and puts it in its place. */
  make(traits: Traits, kind: NodeKind = NodeKind.HTML): number {
    const { start, end } = this.tokens;
    const node = this.tree.make(kind, traits, this.look(), start, end);
    this.place(node, this.open.current);
    return node;
  }

  insert(traits: Traits): number {
    const node = this.make(traits);
    if (!this.open.isFull) this.open.push(node);
    return node;
  }

  insertVoid(traits: Traits): void {
    this.make(traits);
  }

  /** Inserts an element whose tag is missing. It is opened always: the tag that implied it is tried again inside it. */
  insertImplied(traits: Traits): void {
    const node = this.tree.make(NodeKind.HTML, traits, PLAIN_LOOK, 0, 0);
    this.place(node, this.open.current);
    this.open.push(node);
  }

  insertEmptyForm(traits: Traits): void {
    if (this.form === NONE && this.open.topOf(TEMPLATE) < 0) this.form = this.make(traits);
  }

  /** Inserts an element and all its text, and passes its end tag. */
  insertRaw(traits: Traits): void {
    const { tokens, tree } = this;
    const { name } = traits;
    const node = this.make(traits);
    tokens.raw(name);
    const { textStart, textEnd } = tokens;
    const kind = name === "title" || name === "textarea" ? NodeKind.TEXT : NodeKind.RAW_TEXT;
    if (textEnd > textStart) tree.insert(tree.text(kind, textStart, textEnd), node, NONE);
    tokens.next(false);
  }

  isBlank(start: number, end: number): boolean {
    const { units } = this.tokens;
    for (let at = start; at < end; ) {
      const unit = units[at]!;
      if (unit === Unit.AMPERSAND) {
        const next = referenceEnd(this.html, at);
        if (next === at || !meaning().every(isWhiteSpace)) return false;
        at = next;
        continue;
      }
      if (unit !== Unit.NUL && !isWhiteSpace(unit)) return false;
      at++;
    }
    return true;
  }

  closeP(): void {
    const { open } = this;
    if (!open.hasInScope(P, ElementScope.BUTTON)) return;
    open.endImplied(P);
    open.popThrough(P);
  }

  isIntegrationPoint(node: number): boolean {
    return this.isHtmlPoint(node) || this.isTextPoint(node);
  }

  isTextPoint(node: number): boolean {
    return (
      this.tree.kind(node) === NodeKind.MATH &&
      /^m[inos]$|^mtext$/.test(this.tree.traits(node).name)
    );
  }

  isHtmlPoint(node: number): boolean {
    const { name } = this.tree.traits(node);
    if (this.tree.kind(node) === NodeKind.SVG) return /^(?:foreignobject|desc|title)$/.test(name);
    return name === "annotation-xml" && this.tree.look(node).isOpen;
  }

  leaveForeign(): void {
    const { open, tree } = this;
    while (!tree.isHtml(open.current) && !this.isIntegrationPoint(open.current)) open.pop();
  }

  insertForeign(traits: Traits, kind: NodeKind): void {
    const { tokens, tree, html } = this;
    const node = this.make(traits, kind);
    if (kind === NodeKind.MATH && traits.name === "annotation-xml" && tokens.encodingStart >= 0) {
      const encoding = html.slice(tokens.encodingStart, tokens.encodingEnd).toLowerCase();
      // The attribute `open` means nothing on such an element. Here it marks that the element holds HTML.
      const isOpen = encoding === "text/html" || encoding === "application/xhtml+xml";
      tree.setLook(node, { ...tree.look(node), isOpen });
    }
    if (!tokens.isSelfClosing && !this.open.isFull) this.open.push(node);
  }

  close(traits: Traits, isOpen: boolean): boolean {
    if (!isOpen) return false;
    this.open.endImplied(null);
    this.open.popThrough(traits);
    return true;
  }

  endAny(traits: Traits): void {
    const { open } = this;
    if (open.topOf(traits) < 0 || open.isBehindSpecial(traits)) return;
    open.endImplied(traits);
    open.popThrough(traits);
  }

  /** Ends the open cell or caption, if there is one. */
  closeCell(): void {
    const { open, formatting } = this;
    const { mode } = open;
    if (mode !== "cell" && mode !== "caption") return;
    open.endImplied(null);
    open.popTo(mode === "cell" ? Math.max(open.topOf(TD), open.topOf(TH)) : open.topOf(CAPTION));
    formatting.clearToMarker();
  }
}
