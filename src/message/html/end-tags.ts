/** What end tags do in a body (HTML §13.2.6.4.7), and in a table. */
import { known, type Traits } from "./elements.ts";
import { ElementScope } from "./open-elements.ts";
import { StartTags } from "./start-tags.ts";
import { NONE, NodeKind, PLAIN_LOOK } from "./tree.ts";

const [P, LI, BR, FORM, TEMPLATE] = [
  known("p"),
  known("li"),
  known("br"),
  known("form"),
  known("template"),
];
const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"].map(known);

export class EndTags extends StartTags {
  endInBody(traits: Traits): void {
    const { open, formatting } = this;
    switch (traits.end) {
      case "any":
        this.endAny(traits);
        return;
      case "block":
        this.close(traits, open.hasInScope(traits));
        return;
      case "formatting":
        formatting.adopt(traits);
        return;
      case "p":
        if (!open.hasInScope(P, ElementScope.BUTTON)) this.insertImplied(P);
        this.closeP();
        return;
      case "list item":
        if (!open.hasInScope(LI, ElementScope.LIST)) return;
        open.endImplied(LI);
        open.popThrough(LI);
        return;
      case "description":
        if (!open.hasInScope(traits)) return;
        open.endImplied(traits);
        open.popThrough(traits);
        return;
      case "heading":
        this.endHeading();
        return;
      case "form":
        this.endForm();
        return;
      case "marked":
        if (this.close(traits, open.hasInScope(traits))) formatting.clearToMarker();
        return;
      case "br":
        formatting.reconstruct();
        this.makeBreak();
        return;
      case "template":
        if (open.topOf(TEMPLATE) < 0) return;
        open.popThrough(TEMPLATE);
        formatting.clearToMarker();
        return;
      case "table part":
        this.endTablePart(traits);
        return;
      default:
    }
  }

  makeBreak(): void {
    const node = this.tree.make(NodeKind.HTML, BR, PLAIN_LOOK, 0, 0);
    this.place(node, this.open.current);
  }

  endHeading(): void {
    const { open } = this;
    const within = HEADINGS.filter((heading) => open.hasInScope(heading));
    if (within.length === 0) return;
    open.endImplied(null);
    open.popTo(Math.max(...within.map((heading) => open.topOf(heading))));
  }

  endForm(): void {
    const { open } = this;
    if (open.topOf(TEMPLATE) >= 0) {
      this.close(FORM, open.hasInScope(FORM));
      return;
    }
    const form = this.form;
    this.form = NONE;
    if (form === NONE || open.placeOf(form) < 0 || !open.hasInScope(FORM)) return;
    open.endImplied(null);
    open.replace(form, NONE);
  }

  endTablePart(traits: Traits): void {
    const { open, formatting } = this;
    if (!open.hasInScope(traits, ElementScope.TABLE)) return;
    if (traits.mode === "cell" || traits.mode === "caption") {
      open.endImplied(null);
      open.popThrough(traits);
      formatting.clearToMarker();
      return;
    }
    // A tag that ends a row or a table first ends the open cell or caption in it.
    this.closeCell();
    open.popThrough(traits);
  }
}
