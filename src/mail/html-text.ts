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
const RAW: ReadonlySet<string> = new Set(["script", "style", "title", "textarea", "iframe", "xmp"]);
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

/** Lines of text under way. */
interface Writer {
  readonly pieces: string[];
  line: "empty" | "blank-ended" | "text-ended";
}

function write(writer: Writer, raw: string, whiteSpace: "collapse" | "keep"): void {
  const text = decodeEntities(raw);
  if (whiteSpace === "keep") {
    writer.pieces.push(text);
    if (text !== "") writer.line = text.endsWith("\n") ? "empty" : "text-ended";
    return;
  }
  let collapsed = text.replace(/[ \t\r\n\f\u00a0]+/g, " ");
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

/** Index of the `>` that ends the tag whose name ends at `from`; -1 if it never ends. */
function tagEnd(html: string, from: number): number {
  let last = "";
  for (let index = from; index < html.length; index++) {
    const letter = html[index]!;
    if (letter === ">") return index;
    if ((letter === '"' || letter === "'") && last === "=") {
      index = html.indexOf(letter, index + 1);
      if (index < 0) return -1;
    }
    if (!/\s/.test(letter)) last = letter;
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

/** Where the element of raw text that opened before `from` ends. */
function rawEnd(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, "gi");
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
  const tagStart = /<(\/?)([a-z][^\s/>]{0,31})/iy;
  let index = 0;
  while (index < html.length) {
    if (html[index] !== "<" || !/[a-z/!?]/i.test(html[index + 1] ?? "")) {
      const next = html.indexOf("<", index + 1);
      const end = next < 0 ? html.length : next;
      const text = html.slice(index, end);
      if (hidden === null) write(writer, text, preDepth > 0 ? "keep" : "collapse");
      index = end;
      continue;
    }
    tagStart.lastIndex = index;
    const tag = tagStart.exec(html);
    if (tag === null) {
      index = commentEnd(html, index);
      continue;
    }
    const end = tagEnd(html, tagStart.lastIndex);
    if (end < 0) break;
    const name = tag[2]!.toLowerCase();
    const isStart = tag[1] === "";
    index = end + 1;
    if (isStart && RAW.has(name)) index = rawEnd(html, name, index);
    if (hidden !== null) {
      if (name !== hidden.name) continue;
      if (isStart && !IMPLIED_END.has(name)) hidden.depth++;
      else if (--hidden.depth === 0) hidden = null;
      if (!isStart || hidden !== null) continue;
    }
    if (isStart && !VOID.has(name) && isHidden(name, html.slice(tagStart.lastIndex, end))) {
      hidden = { name, depth: 1 };
      continue;
    }
    if (name === "pre") preDepth = Math.max(0, preDepth + (isStart ? 1 : -1));
    if (BLOCKS.has(name)) breakLine(writer);
    else if (name === "td" || name === "th") write(writer, " ", "collapse");
  }
  return writer.pieces.join("").trim();
}
