/** Turns HTML into the text a reader sees, in one pass over its code units: no tree, so nesting costs nothing. */
import { beginsReference, decodeEntities, isLetter, referenceAt } from "./html-entities.ts";
import { unitsFor, unitText } from "./unit-text.ts";

/** Elements whose start and end break the line. */
const BLOCKS: readonly string[] = (
  "address article aside blockquote body br center dd details dir div dl dt fieldset figcaption figure footer form " +
  "h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody tfoot thead tr ul"
).split(" ");
/** Elements whose content is no text; what looks like a tag in it is none (HTML §13.2.5). */
const RAW: readonly string[] = ["script", "style", "title", "textarea", "iframe", "xmp"];
/** Elements without content. */
const VOID: readonly string[] =
  "area base br col embed hr img input link meta source track wbr".split(" ");
/** Elements that the next one of their kind ends. */
const IMPLIED_END: readonly string[] = "p li dt dd tr td th option".split(" ");
/** Elements whose start and end set texts apart, within the line. */
const CELLS: readonly string[] = ["td", "th"];
/** Elements that stand in no list above, and still are told from others. */
const OTHERS: readonly string[] = ["template"];

/** What an element does to the text. */
interface Traits {
  readonly breaks: "line" | "word" | "nothing";
  readonly isVoid: boolean;
  readonly isEndedByNext: boolean;
  readonly isPre: boolean;
  readonly isTemplate: boolean;
  /** What ends it, where its content is raw. */
  readonly rawEnd: RegExp | null;
}

function traitsOf(name: string): Traits {
  return {
    breaks: BLOCKS.includes(name) ? "line" : CELLS.includes(name) ? "word" : "nothing",
    isVoid: VOID.includes(name),
    isEndedByNext: IMPLIED_END.includes(name),
    isPre: name === "pre",
    isTemplate: name === "template",
    rawEnd: RAW.includes(name) ? new RegExp(`</${name}(?=[\\s/>])`, "gi") : null,
  };
}

const INLINE = traitsOf("");
/** By name, as nearly all mail writes them: all letters small, or all capital. */
const ELEMENTS: ReadonlyMap<string, Traits> = new Map(
  [...BLOCKS, ...RAW, ...VOID, ...IMPLIED_END, ...CELLS, ...OTHERS].flatMap((name) => {
    const traits = traitsOf(name);
    return [
      [name, traits],
      [name.toUpperCase(), traits],
    ];
  }),
);

function elementOf(name: string): Traits {
  return ELEMENTS.get(name) ?? ELEMENTS.get(name.toLowerCase()) ?? INLINE;
}

/** How an element can be hidden that a reader would not see. */
const MAY_HIDE = /hidden|display|visibility/i;
const ATTRIBUTE = /([^\s=/>"']+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?/g;
const HIDING_STYLE = /(?:^["']?|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

const [TAB, LF, FF, CR, SPACE, NBSP] = [9, 10, 12, 13, 32, 160];
const [EXCLAMATION, QUOTE, AMPERSAND, APOSTROPHE, SLASH] = [33, 34, 38, 39, 47];
const [LESS, EQUALS, GREATER, QUESTION] = [60, 61, 62, 63];

/** Whether the code unit makes a tag, a comment or a declaration of the `<` before it. */
function beginsMarkup(unit: number): boolean {
  return isLetter(unit) || unit === SLASH || unit === EXCLAMATION || unit === QUESTION;
}

/** Whether the code unit, which stands at `index`, is white space between attributes. */
function isBlank(unit: number, html: string, index: number): boolean {
  if (unit < 128) return unit === SPACE || (unit >= TAB && unit <= CR);
  return /\s/.test(html[index]!);
}

/** White space that collapses to one space. */
function collapses(unit: number): boolean {
  if (unit > SPACE) return unit === NBSP;
  return unit === SPACE || unit === LF || unit === CR || unit === TAB || unit === FF;
}

type WhiteSpace = "collapse" | "keep";

/** Lines of text under way. They are never longer than the HTML: what a reference means is shorter than it. */
class Lines {
  readonly #units: Uint16Array;
  #length = 0;
  /** Whether the line has text, and a blank after it that is written once more text comes. */
  #line: "empty" | "text" | "blank owed" = "empty";

  constructor(unitsMax: number) {
    this.#units = unitsFor(unitsMax);
  }

  break(): void {
    if (this.#line === "empty") return;
    this.#units[this.#length++] = LF;
    this.#line = "empty";
  }

  blank(): void {
    if (this.#line === "text") this.#line = "blank owed";
  }

  #put(point: number, whiteSpace: WhiteSpace): void {
    if (whiteSpace === "collapse" && collapses(point)) {
      this.blank();
      return;
    }
    if (this.#line === "blank owed") this.#units[this.#length++] = SPACE;
    for (let at = 0, letter = String.fromCodePoint(point); at < letter.length; at++) {
      this.#units[this.#length++] = letter.charCodeAt(at);
    }
    this.#line = "text";
  }

  /** Writes the text from `start` up to the next `<`, reference or the end, and says where that is. */
  #run(html: string, start: number, whiteSpace: WhiteSpace): number {
    const units = this.#units;
    let length = this.#length;
    let line = this.#line;
    let index = start;
    for (; index < html.length; index++) {
      const unit = html.charCodeAt(index);
      // Most are letters.
      if (unit <= LESS || unit === NBSP) {
        if (
          index > start &&
          (unit === LESS || (unit === AMPERSAND && beginsReference(html, index)))
        )
          break;
        if (whiteSpace === "collapse" && collapses(unit)) {
          if (line === "text") line = "blank owed";
          continue;
        }
      }
      if (line === "blank owed") units[length++] = SPACE;
      units[length++] = unit;
      line = "text";
    }
    this.#length = length;
    this.#line = line;
    return index;
  }

  /** Writes the text from `start` up to the next `<` or the end, and says where that is. */
  write(html: string, start: number, whiteSpace: WhiteSpace): number {
    let index = start;
    do {
      const reference = html.charCodeAt(index) === AMPERSAND ? referenceAt(html, index) : null;
      if (reference === null) {
        index = this.#run(html, index, whiteSpace);
      } else {
        this.#put(reference.meaning, whiteSpace);
        index = reference.end;
      }
    } while (index < html.length && html.charCodeAt(index) !== LESS);
    const endsLine = whiteSpace === "keep" && this.#units[this.#length - 1] === LF;
    if (endsLine) this.#line = "empty";
    return index;
  }

  get text(): string {
    return unitText(this.#units, this.#length).trim();
  }
}

/** Whether the last that stands before `index`, but for white space, is an equals sign. */
function followsEquals(html: string, from: number, index: number): boolean {
  let at = index - 1;
  while (at >= from && isBlank(html.charCodeAt(at), html, at)) at--;
  return at >= from && html.charCodeAt(at) === EQUALS;
}

/** Index of the `>` that ends the tag whose name ends at `from`; -1 if it never ends. */
function tagEnd(html: string, from: number): number {
  /** After the last quoted value: what stands before it is looked at no more. */
  let start = from;
  for (let index = from; index < html.length; index++) {
    const unit = html.charCodeAt(index);
    if (unit > GREATER) continue;
    if (unit === GREATER) return index;
    if (unit !== QUOTE && unit !== APOSTROPHE) continue;
    if (followsEquals(html, start, index)) {
      index = html.indexOf(unit === QUOTE ? '"' : "'", index + 1);
      if (index < 0) return -1;
    }
    start = index + 1;
  }
  return -1;
}

/** Letters of an element's name that are looked at. */
const NAME_UNITS_MAX = 32;

/** Where the name of the tag ends that starts at `start`; `start` where it has none. */
function nameEndOf(html: string, start: number): number {
  if (!isLetter(html.charCodeAt(start))) return start;
  const most = Math.min(html.length, start + NAME_UNITS_MAX);
  let index = start + 1;
  for (; index < most; index++) {
    const unit = html.charCodeAt(index);
    if (unit === GREATER || unit === SLASH || isBlank(unit, html, index)) break;
  }
  return index;
}

/** Whether the attributes of a start tag hide what the element holds. */
function hides(attributes: string): boolean {
  if (!MAY_HIDE.test(attributes)) return false;
  ATTRIBUTE.lastIndex = 0;
  for (let found = ATTRIBUTE.exec(attributes); found; found = ATTRIBUTE.exec(attributes)) {
    const name = found[1]!.toLowerCase();
    if (name === "hidden") return true;
    const value = name === "style" ? found[2] : undefined;
    if (value !== undefined && HIDING_STYLE.test(decodeEntities(value))) return true;
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
function rawEndOf(html: string, close: RegExp, from: number): number {
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}

/**
 * The text of HTML: block elements break lines, white space collapses outside `pre`, links and images give no more
 * than the text they hold; scripts, styles and hidden elements give none. Linear, for any nesting. Total.
 */
// ASSUMPTION(html-text): the text of HTML is what it displays; addresses of links and images are no part of it.
export function htmlToText(html: string): string {
  const lines = new Lines(html.length);
  /** The element that hides what is read, and how many of its name are open. */
  let hidden: { readonly name: string; depth: number } | null = null;
  let preDepth = 0;
  let index = 0;
  while (index < html.length) {
    if (html.charCodeAt(index) !== LESS || !beginsMarkup(html.charCodeAt(index + 1))) {
      if (hidden === null) {
        index = lines.write(html, index, preDepth > 0 ? "keep" : "collapse");
      } else {
        const next = html.indexOf("<", index + 1);
        index = next < 0 ? html.length : next;
      }
      continue;
    }
    const isStart = html.charCodeAt(index + 1) !== SLASH;
    const nameStart = index + (isStart ? 1 : 2);
    const nameEnd = nameEndOf(html, nameStart);
    if (nameEnd === nameStart) {
      index = commentEnd(html, index);
      continue;
    }
    const end = tagEnd(html, nameEnd);
    if (end < 0) break;
    const name = html.slice(nameStart, nameEnd);
    const element = elementOf(name);
    index = end + 1;
    if (isStart && element.rawEnd !== null) index = rawEndOf(html, element.rawEnd, index);
    if (hidden !== null) {
      if (name.toLowerCase() !== hidden.name) continue;
      if (isStart && !element.isEndedByNext) hidden.depth++;
      else if (--hidden.depth === 0) hidden = null;
      if (!isStart || hidden !== null) continue;
    }
    const mayHide = isStart && !element.isVoid && (end > nameEnd || element.isTemplate);
    if (mayHide && (element.isTemplate || hides(html.slice(nameEnd, end)))) {
      hidden = { name: name.toLowerCase(), depth: 1 };
      continue;
    }
    if (element.isPre) preDepth = Math.max(0, preDepth + (isStart ? 1 : -1));
    if (element.breaks === "line") lines.break();
    else if (element.breaks === "word") lines.blank();
  }
  return lines.text;
}
