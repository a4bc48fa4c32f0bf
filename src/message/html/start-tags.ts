/** What start tags do in a body (HTML §13.2.6.4.7). */
import { known, type Traits } from "./elements.ts";
import { ParserBase } from "./parser-base.ts";
import { NONE, NodeKind } from "./tree.ts";

const [BODY, LI, DD, DT, A] = [known("body"), known("li"), known("dd"), known("dt"), known("a")];
const [NOBR, BUTTON, TEMPLATE, MATH] = [
  known("nobr"),
  known("button"),
  known("template"),
  known("math"),
];
const [SELECT, OPTION, OPTGROUP, RUBY, RTC] = [
  known("select"),
  known("option"),
  known("optgroup"),
  known("ruby"),
  known("rtc"),
];

export class StartTags extends ParserBase {
  startInBody(traits: Traits): void {
    const { open, formatting } = this;
    switch (traits.start) {
      case "inline":
        formatting.reconstruct();
        this.insert(traits);
        return;
      case "block":
        this.closeP();
        this.insert(traits);
        return;
      case "heading":
        this.closeP();
        if (open.currentTraits?.start === "heading") open.pop();
        this.insert(traits);
        return;
      case "form":
        if (this.form !== NONE && open.topOf(TEMPLATE) < 0) return;
        this.closeP();
        if (open.topOf(TEMPLATE) < 0) this.form = this.insert(traits);
        else this.insert(traits);
        return;
      case "list item":
        this.endItem(LI);
        this.closeP();
        this.insert(traits);
        return;
      case "description":
        this.endItem(open.topOf(DD) > open.topOf(DT) ? DD : DT);
        this.closeP();
        this.insert(traits);
        return;
      case "formatting":
        formatting.reconstruct();
        formatting.push(this.insert(traits));
        return;
      case "table":
        this.closeP();
        this.insert(traits);
        return;
      case "void inline":
      case "input":
        this.startVoid(traits);
        return;
      case "void":
        this.insertVoid(traits);
        return;
      case "root":
        this.mergeRoot(traits);
        return;
      case "table part":
      case "frameset":
        return;
      default:
        this.startSeldom(traits);
    }
  }

  startSeldom(traits: Traits): void {
    const { open, formatting } = this;
    switch (traits.start) {
      case "plaintext":
        this.closeP();
        this.insert(traits);
        this.tokens.rest();
        this.tree.insert(
          this.tree.text(NodeKind.RAW_TEXT, this.tokens.textStart, this.tokens.textEnd),
          open.current,
          NONE,
        );
        return;
      case "button":
        if (open.hasInScope(BUTTON)) {
          open.endImplied(null);
          open.popThrough(BUTTON);
        }
        formatting.reconstruct();
        this.insert(traits);
        return;
      case "link":
      case "nobr":
        this.startLink(traits);
        return;
      case "marked":
        formatting.reconstruct();
        this.insert(traits);
        formatting.mark();
        return;
      case "raw":
        this.insertRaw(traits);
        return;
      case "raw block":
        this.closeP();
        formatting.reconstruct();
        this.insertRaw(traits);
        return;
      case "raw inline":
        this.insertRaw(traits);
        return;
      case "ruby":
      case "ruby text":
        if (open.hasInScope(RUBY)) open.endImplied(traits.start === "ruby" ? null : RTC);
        this.insert(traits);
        return;
      case "foreign":
        formatting.reconstruct();
        this.insertForeign(traits, traits === MATH ? NodeKind.MATH : NodeKind.SVG);
        return;
      case "template":
        this.insert(traits);
        formatting.mark();
        return;
      default:
        this.startOfSelect(traits);
    }
  }

  startOfSelect(traits: Traits): void {
    const { open, formatting } = this;
    const isWithin = open.hasInScope(SELECT);
    if (traits.start === "rule") {
      this.closeP();
      if (isWithin) open.endImplied(null);
      this.insertVoid(traits);
      return;
    }
    if (traits.start === "select") {
      if (isWithin) {
        open.popThrough(SELECT);
        return;
      }
    } else if (isWithin) {
      open.endImplied(traits.start === "option" ? OPTGROUP : null);
    } else if (open.currentIs(OPTION)) {
      open.pop();
    }
    formatting.reconstruct();
    this.insert(traits);
  }

  startVoid(traits: Traits): void {
    if (traits.start === "input" && this.open.hasInScope(SELECT)) this.open.popThrough(SELECT);
    this.formatting.reconstruct();
    this.insertVoid(traits);
  }

  startLink(traits: Traits): void {
    const { open, formatting } = this;
    if (traits === A) {
      const before = formatting.find(A);
      if (before !== NONE) {
        formatting.adopt(A);
        formatting.forget(before);
        open.replace(before, NONE);
      }
      formatting.reconstruct();
    } else {
      formatting.reconstruct();
      if (open.hasInScope(NOBR)) {
        formatting.adopt(NOBR);
        formatting.reconstruct();
      }
    }
    formatting.push(this.insert(traits));
  }

  endItem(traits: Traits): void {
    const { open } = this;
    if (open.topOf(traits) < 0 || open.isBehindItemBound(traits)) return;
    open.endImplied(traits);
    open.popThrough(traits);
  }

  /** The attributes of a second `<html>` or `<body>` count where the first does not set them. */
  mergeRoot(traits: Traits): void {
    if (this.open.topOf(TEMPLATE) >= 0) return;
    const node = traits === BODY ? this.body : this.root;
    const [before, added] = [this.tree.look(node), this.look()];
    const isHidden = before.isHidden || added.isHidden;
    const isNew = this.tokens.styleStart >= 0 && !this.styled.has(node);
    if (isNew) this.styled.add(node);
    this.tree.setLook(node, { ...(isNew ? added : before), isHidden });
  }
}
