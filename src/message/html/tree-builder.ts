/** Builds the tree of a document as a browser does, scripts off, never in quirks mode (HTML §13.2.6). */
import { known, type Traits } from "./elements.ts";
import { EndTags } from "./end-tags.ts";
import { isOfTable } from "./parser-base.ts";
import { startInTable, type TableParser } from "./table-rules.ts";
import { NONE, NodeKind, type Tree } from "./tree.ts";

const [HTML, BODY, HEAD, P, BR] = [
  known("html"),
  known("body"),
  known("head"),
  known("p"),
  known("br"),
];
const [TEMPLATE, NOSCRIPT, FONT, COLGROUP] = [
  known("template"),
  known("noscript"),
  known("font"),
  known("colgroup"),
];
/** Elements that may come before the body. */
const OF_HEAD = new Set(
  "base basefont bgsound link meta noframes script style title template head".split(" ").map(known),
);

/** A document's tree, to be walked before another is parsed. */
export interface Document {
  readonly tree: Tree;
  readonly root: number;
  /** The code units of its HTML. */
  readonly units: Uint16Array;
}

class Parser extends EndTags implements TableParser {
  run(): this {
    while (this.tokens.next(!this.tree.isHtml(this.open.current))) this.pass();
    return this;
  }

  pass(): void {
    const { kind } = this.tokens;
    if (kind === "text") {
      this.text(this.tokens.textStart, this.tokens.textEnd);
      return;
    }
    const traits = this.tokens.known ?? this.elements.other(this.tokens.name);
    if (kind === "start") this.start(traits);
    else this.end(traits);
  }

  text(start: number, end: number): void {
    const { open, tree } = this;
    if (!tree.isHtml(open.current) && !this.isIntegrationPoint(open.current)) {
      tree.insert(tree.text(NodeKind.TEXT, start, end), open.current, NONE);
      return;
    }
    if (this.stage !== "body" && open.topOf(TEMPLATE) < 0) {
      if (this.isBlank(start, end)) return;
      this.stage = "body";
    }
    const { mode } = open;
    if (mode === "columns") {
      if (this.isBlank(start, end)) return;
      open.pop();
    }
    const isFostered =
      mode === "columns" || (isOfTable(mode) && isOfTable(open.currentTraits?.mode));
    if (isFostered && this.isBlank(start, end)) return;
    this.isFostering = isFostered;
    this.formatting.reconstruct();
    this.place(tree.text(NodeKind.TEXT, start, end), open.current);
    this.isFostering = false;
  }

  start(traits: Traits): void {
    if (this.startForeign(traits)) return;
    if (this.stage !== "body" && this.open.topOf(TEMPLATE) < 0 && this.startOfHead(traits)) return;
    if (startInTable(this, traits)) return;
    this.isFostering = isOfTable(this.open.mode);
    this.startInBody(traits);
    this.isFostering = false;
  }

  /** Handles a start tag before the body; `false` if it begins the body. */
  startOfHead(traits: Traits): boolean {
    if (traits === HTML || traits === HEAD) return traits === HEAD;
    if (traits === NOSCRIPT && this.stage === "head") return true;
    if (!OF_HEAD.has(traits)) {
      this.stage = "body";
      return false;
    }
    if (traits.start === "template") return false;
    if (traits.start === "raw") {
      this.tokens.raw(traits.name);
      this.tokens.next(false);
    }
    return true;
  }

  /** Handles a start tag by the rules of foreign content (HTML §13.2.6.5); `false` if they do not apply. */
  startForeign(traits: Traits): boolean {
    const { open, tree, tokens } = this;
    const node = open.current;
    if (tree.isHtml(node) || this.isHtmlPoint(node)) return false;
    const { name } = traits;
    if (this.isTextPoint(node) && name !== "mglyph" && name !== "malignmark") return false;
    const kind = tree.kind(node);
    if (kind === NodeKind.MATH && tree.traits(node).name === "annotation-xml" && name === "svg") {
      return false;
    }
    if (traits.leavesForeign || (traits === FONT && tokens.hasFontLook)) {
      this.leaveForeign();
      this.start(traits);
      return true;
    }
    this.insertForeign(traits, kind);
    return true;
  }

  /** Handles an end tag inside SVG or MathML; `false` if the rules of HTML apply. */
  endForeign(traits: Traits): boolean {
    const { open, tree } = this;
    if (tree.isHtml(open.current)) return false;
    if (traits === P || traits === BR) {
      this.leaveForeign();
      return false;
    }
    for (let place = open.depth - 1; place > 0; place--) {
      const node = open.at(place);
      if (tree.isHtml(node)) return false;
      if (tree.traits(node).name === traits.name) {
        open.popTo(place);
        return true;
      }
    }
    return true;
  }

  end(traits: Traits): void {
    if (this.endForeign(traits)) return;
    if (this.stage !== "body" && this.open.topOf(TEMPLATE) < 0) {
      if (traits === HEAD) this.stage = "after head";
      if (traits !== BR && traits !== BODY && traits !== HTML) return;
      this.stage = "body";
    }
    if (this.open.mode === "columns" && traits.end !== "ignored" && traits !== TEMPLATE) {
      this.open.popThrough(COLGROUP);
    }
    this.isFostering = isOfTable(this.open.mode);
    this.endInBody(traits);
    this.isFostering = false;
  }
}

/**
 * The tree of a document. Any text gives a tree. It has at most a fixed number of nodes more than the text has code
 * units.
 */
export function parseDocument(html: string): Document {
  const { tree, root, tokens } = new Parser(html).run();
  return { tree, root, units: tokens.units };
}
