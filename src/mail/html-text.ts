/** Turns HTML into the text a reader sees, in one pass over tokens: no tree, so nesting costs nothing. */
import { decodeEntities } from "./html-entities.ts";

/** Elements whose start and end break the line. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote body br center dd details dir div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody tfoot thead tr ul"
  ).split(" "),
);
/** Elements whose content is no text; what looks like a tag in it is none (HTML §13.2.5). */
const RAW: readonly string[] = ["script", "style", "title", "textarea", "iframe", "xmp"];
/** Elements without content. */
const VOID: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta source track wbr".split(" "),
);
/** Elements that the next one of their kind ends. */
const IMPLIED_END: ReadonlySet<string> = new Set("p li dt dd tr td th option".split(" "));

/** How an element can be hidden that a reader would not see. */
const MAY_HIDE = /hidden|display|visibility/i;
const ATTRIBUTE = /([^\s=/>"']+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?/g;
const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

const [LESS, EXCLAMATION, QUESTION, SLASH] = [60, 33, 63, 47];

/** Whether the code unit makes a tag, a comment or a declaration of the `<` before it. */
function beginsMarkup(unit: number): boolean {
  const lower = unit | 32;
  if (lower >= 97 && lower <= 122) return true;
  return unit === SLASH || unit === EXCLAMATION || unit === QUESTION;
}

/** Lines of text under way. */
interface Writer {
  readonly pieces: string[];
  line: "empty" | "blank-ended" | "text-ended";
}

/** White space that collapses to one space, where it is more than that already. */
const UNCOLLAPSED = /[\t\r\n\f\u00a0]| {2}/;
const BLANK_ONLY = /^[ \t\r\n\f\u00a0]*$/;

function write(writer: Writer, raw: string, whiteSpace: "collapse" | "keep"): void {
  // Most of it stands between block elements and gives nothing.
  if (whiteSpace === "collapse" && writer.line !== "text-ended" && BLANK_ONLY.test(raw)) return;
  const text = decodeEntities(raw);
  if (whiteSpace === "keep") {
    writer.pieces.push(text);
    if (text !== "") writer.line = text.endsWith("\n") ? "empty" : "text-ended";
    return;
  }
  let collapsed = UNCOLLAPSED.test(text) ? text.replace(/[ \t\r\n\f\u00a0]+/g, " ") : text;
  if (writer.line !== "text-ended" && collapsed.startsWith(" ")) collapsed = collapsed.slice(1);
  if (collapsed === "") return;
  writer.pieces.push(collapsed);
  writer.line = collapsed.endsWith(" ") ? "blank-ended" : "text-ended";
}

function breakLine(writer: Writer): void {
  if (writer.line === "empty") return;
  // Only collapsed text leaves a line blank-ended, with one space.
  if (writer.line === "blank-ended") writer.pieces.push(writer.pieces.pop()!.slice(0, -1));
  writer.pieces.push("\n");
  writer.line = "empty";
}

const [TAB, CR, SPACE, QUOTE, APOSTROPHE, EQUALS, GREATER] = [9, 13, 32, 34, 39, 61, 62];

/** Whether the code unit, which stands at `index`, is white space. */
function isBlank(unit: number, html: string, index: number): boolean {
  if (unit < 128) return unit === SPACE || (unit >= TAB && unit <= CR);
  return /\s/.test(html[index]!);
}

/** Index of the `>` that ends the tag whose name ends at `from`; -1 if it never ends. */
function tagEnd(html: string, from: number): number {
  let last = 0;
  for (let index = from; index < html.length; index++) {
    const unit = html.charCodeAt(index);
    if (unit === GREATER) return index;
    if ((unit === QUOTE || unit === APOSTROPHE) && last === EQUALS) {
      index = html.indexOf(unit === QUOTE ? '"' : "'", index + 1);
      if (index < 0) return -1;
    }
    if (!isBlank(unit, html, index)) last = unit;
  }
  return -1;
}

/** Whether the start tag hides what the element holds. */
function isHidden(name: string, attributes: string): boolean {
  if (name === "template") return true;
  if (!MAY_HIDE.test(attributes)) return false;
  for (const [, attribute, value = ""] of attributes.matchAll(ATTRIBUTE)) {
    const key = attribute!.toLowerCase();
    if (key === "hidden") return true;
    const style = key === "style" ? decodeEntities(value.replace(/^["']|["']$/g, "")) : "";
    if (HIDING_STYLE.test(style)) return true;
  }
  return false;
}

/** Index after a comment or a declaration that starts at `from` with `<!`, `<?` or `</`. */
function commentEnd(html: string, from: number): number {
  const isComment = html.startsWith("<!--", from);
  // `<!-->` is a whole comment.
  const end = html.indexOf(isComment ? "-->" : ">", from + 2);
  return end < 0 ? html.length : end + (isComment ? 3 : 1);
}

/** What ends an element of raw text, by its name. */
const RAW_ENDS: ReadonlyMap<string, RegExp> = new Map(
  RAW.map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, "gi")]),
);

/** Where the element of raw text that opened before `from` ends. */
function rawEnd(html: string, close: RegExp, from: number): number {
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}

/**
 * The text of HTML: block elements break lines, white space collapses outside `pre`, links and images give no more
 * than the text they hold; scripts, styles and hidden elements give none. Linear, for any nesting. Total.
 */
// ASSUMPTION(html-text): the text of HTML is what it displays; addresses of links and images are no part of it.
export function htmlToText(html: string): string {
  const writer: Writer = { pieces: [], line: "empty" };
  /** The element that hides what is read, and how many of its name are open. */
  let hidden: { readonly name: string; depth: number } | null = null;
  let preDepth = 0;
  const tagStart = /<\/?[a-z][^\s/>]{0,31}/iy;
  let index = 0;
  while (index < html.length) {
    if (html.charCodeAt(index) !== LESS || !beginsMarkup(html.charCodeAt(index + 1))) {
      const next = html.indexOf("<", index + 1);
      const end = next < 0 ? html.length : next;
      const text = html.slice(index, end);
      if (hidden === null) write(writer, text, preDepth > 0 ? "keep" : "collapse");
      index = end;
      continue;
    }
    tagStart.lastIndex = index;
    if (!tagStart.test(html)) {
      index = commentEnd(html, index);
      continue;
    }
    const nameEnd = tagStart.lastIndex;
    const end = tagEnd(html, nameEnd);
    if (end < 0) break;
    const isStart = html[index + 1] !== "/";
    const name = html.slice(index + (isStart ? 1 : 2), nameEnd).toLowerCase();
    index = end + 1;
    const close = isStart ? RAW_ENDS.get(name) : undefined;
    if (close !== undefined) index = rawEnd(html, close, index);
    if (hidden !== null) {
      if (name !== hidden.name) continue;
      if (isStart && !IMPLIED_END.has(name)) hidden.depth++;
      else if (--hidden.depth === 0) hidden = null;
      if (!isStart || hidden !== null) continue;
    }
    const mayHide = isStart && (end > nameEnd || name === "template");
    if (mayHide && !VOID.has(name) && isHidden(name, html.slice(nameEnd, end))) {
      hidden = { name, depth: 1 };
      continue;
    }
    if (name === "pre") preDepth = Math.max(0, preDepth + (isStart ? 1 : -1));
    if (BLOCKS.has(name)) breakLine(writer);
    else if (name === "td" || name === "th") write(writer, " ", "collapse");
  }
  return writer.pieces.join("").trim();
}
