/** The text of HTML, read with regular expressions and joined from pieces: slow, and what the reader must answer too. */
import { decodeEntities } from "../../src/mail/html-entities.ts";

const BLOCK =
  /^(?:address|article|aside|blockquote|body|br|center|dd|details|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|html|li|main|menu|nav|ol|p|pre|section|summary|table|tbody|tfoot|thead|tr|ul)$/;
const RAW = /^(?:script|style|title|textarea|iframe|xmp)$/;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const ENDED_BY_NEXT = /^(?:p|li|dt|dd|tr|td|th|option)$/;
const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** A tag up to its `>`; a quote opens a value only after `=`. */
const TAG = /<(\/?)([a-z][^\s/>]{0,31})((?:=\s*"[^"]*"|=\s*'[^']*'|(?!=\s*["'])[^>])*)>/iy;
const MARKUP = /<[a-z/!?]/iy;

function hides(attributes: string): boolean {
  const each = attributes.matchAll(/([^\s=/>"']+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?/g);
  return [...each].some(([, name, value = ""]) => {
    if (name!.toLowerCase() === "hidden") return true;
    const style = name!.toLowerCase() === "style" ? value.replace(/^["']|["']$/g, "") : "";
    return HIDING_STYLE.test(decodeEntities(style));
  });
}

/** What is written so far: text with a mark where a line breaks, one where a blank may stand, and text that is kept. */
class Pieces {
  out = "";
  line: "empty" | "blank" | "text" = "empty";

  text(raw: string, whiteSpace: "collapse" | "keep"): void {
    const text = decodeEntities(raw);
    if (whiteSpace === "keep") {
      this.out += text;
      if (text !== "") this.line = text.endsWith("\n") ? "empty" : "text";
      return;
    }
    const collapsed = text.replace(/[ \t\r\n\f\u00a0]+/g, " ");
    const added = this.line === "text" ? collapsed : collapsed.replace(/^ /, "");
    if (added === "") return;
    this.out += added;
    this.line = added.endsWith(" ") ? "blank" : "text";
  }

  break(): void {
    if (this.line === "empty") return;
    if (this.line === "blank") this.out = this.out.slice(0, -1);
    this.out += "\n";
    this.line = "empty";
  }
}

export function plainHtmlText(html: string): string {
  const pieces = new Pieces();
  let hidden: { name: string; depth: number } | null = null;
  let preDepth = 0;
  let index = 0;
  while (index < html.length) {
    MARKUP.lastIndex = index;
    if (!MARKUP.test(html)) {
      const end = html.indexOf("<", index + 1);
      const text = html.slice(index, end < 0 ? undefined : end);
      if (hidden === null) pieces.text(text, preDepth > 0 ? "keep" : "collapse");
      index += text.length;
      continue;
    }
    if (!/^<\/?[a-z]/i.test(html.slice(index, index + 3))) {
      const close = html.startsWith("<!--", index) ? "-->" : ">";
      const end = html.indexOf(close, index + 2);
      index = end < 0 ? html.length : end + close.length;
      continue;
    }
    TAG.lastIndex = index;
    const tag = TAG.exec(html);
    if (tag === null) break;
    const [whole, slash, written, attributes] = tag;
    const name = written!.toLowerCase();
    index += whole.length;
    if (slash === "" && RAW.test(name)) {
      const rest = html.slice(index).search(new RegExp(`</${name}[\\s/>]`, "i"));
      index = rest < 0 ? html.length : index + rest;
    }
    if (hidden !== null) {
      if (name !== hidden.name) continue;
      if (slash === "" && !ENDED_BY_NEXT.test(name)) hidden.depth++;
      else if (--hidden.depth === 0) hidden = null;
      if (slash !== "" || hidden !== null) continue;
    }
    if (slash === "" && !VOID.test(name) && (name === "template" || hides(attributes!))) {
      hidden = { name, depth: 1 };
      continue;
    }
    if (name === "pre") preDepth = Math.max(0, preDepth + (slash === "" ? 1 : -1));
    if (BLOCK.test(name)) pieces.break();
    else if (name === "td" || name === "th") pieces.text(" ", "collapse");
  }
  return pieces.out.toWellFormed().trim();
}
