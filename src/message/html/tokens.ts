/** Cuts HTML into tags and text as a browser does (HTML §13.2.5), one token at a time, and decodes nothing. */

import { knownAt, nextHash, type Traits } from "./elements.ts";

export type TokenKind = "text" | "start" | "end" | "none";

/** The attributes of a start tag that decide what is displayed, as positions in the HTML, half-open; -1 if missing. */
export interface Attributes {
  /** The range of all attributes. */
  start: number;
  end: number;
  styleStart: number;
  styleEnd: number;
  isHidden: boolean;
  /** Whether it has `hidden=until-found`, which hides only its content, and not that of an inline box. */
  isFindable: boolean;
  isOpen: boolean;
  /** Whether it has a color, face or size attribute: with one, `font` leaves SVG and MathML. */
  hasFontLook: boolean;
  typeStart: number;
  typeEnd: number;
  encodingStart: number;
  encodingEnd: number;
  isSelfClosing: boolean;
}

const [TAB, LF, FF, CR, SPACE] = [9, 10, 12, 13, 32];
const [EXCLAMATION, QUOTE, APOSTROPHE, DASH, SLASH] = [33, 34, 39, 45, 47];
const [LESS, EQUALS, GREATER, QUESTION] = [60, 61, 62, 63];

/** The first two letters of the attributes that count. */
const BEGINNINGS: ReadonlySet<number> = new Set(
  ["hi", "st", "op", "co", "fa", "si", "ty", "en"].map(
    (letters) => (letters.charCodeAt(0) << 8) | letters.charCodeAt(1),
  ),
);

const FINDABLE = "until-found";
const COMMENT_END = /--!?>/g;
const SCRIPT_MARKS = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi;

/** Whether the code unit is a letter of ASCII. */
function isLetter(unit: number): boolean {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122;
}

/** Whether the code unit is white space in HTML; a no-break space is not. */
export function isWhiteSpace(unit: number): boolean {
  return unit === SPACE || unit === LF || unit === CR || unit === TAB || unit === FF;
}

const rawEnds = new Map<string, RegExp>();

function rawEndOf(name: string): RegExp {
  const found = rawEnds.get(name);
  if (found !== undefined) return found;
  const made = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, "gi");
  rawEnds.set(name, made);
  return made;
}

/** Where a script's text ends. Within `<!--` it may hold whole scripts (HTML §13.2.5.15 to .32). */
function scriptEnd(html: string, from: number): number {
  let state: "script" | "escaped" | "double escaped" = "script";
  SCRIPT_MARKS.lastIndex = from;
  for (let mark = SCRIPT_MARKS.exec(html); mark !== null; mark = SCRIPT_MARKS.exec(html)) {
    if (mark[0] === "<!--") {
      if (state === "script") state = "escaped";
      // The dashes may belong to `-->`.
      SCRIPT_MARKS.lastIndex -= 2;
    } else if (mark[0] === "-->") {
      state = "script";
    } else if (mark[0][1] === "/") {
      if (state !== "double escaped") return mark.index;
      state = "escaped";
    } else if (state === "escaped") {
      state = "double escaped";
    }
  }
  return html.length;
}

/** A pass over the tokens. `next` moves to a token and puts its properties into this object. */
export class Tokens implements Attributes {
  readonly html: string;
  kind: TokenKind = "none";
  /** Of a text: its range. */
  textStart = 0;
  textEnd = 0;
  /** Of a tag: the range of its name, and its element if known. */
  nameStart = 0;
  nameEnd = 0;
  known: Traits | null = null;
  start = 0;
  end = 0;
  styleStart = -1;
  styleEnd = -1;
  isHidden = false;
  isFindable = false;
  isOpen = false;
  hasFontLook = false;
  typeStart = -1;
  typeEnd = -1;
  encodingStart = -1;
  encodingEnd = -1;
  isSelfClosing = false;
  #at = 0;

  constructor(html: string) {
    this.html = html;
  }

  /** Of a tag: its name as written. */
  get name(): string {
    return this.html.slice(this.nameStart, this.nameEnd);
  }

  /** Moves to the next token; `false` at the end. `inForeign`: whether CDATA sections are recognised. */
  next(inForeign: boolean): boolean {
    const { html } = this;
    while (this.#at < html.length) {
      if (html.charCodeAt(this.#at) !== LESS) return this.#text();
      const next = html.charCodeAt(this.#at + 1);
      if (isLetter(next)) return this.#tag("start", this.#at + 1);
      if (next === SLASH) {
        const after = html.charCodeAt(this.#at + 2);
        if (isLetter(after)) return this.#tag("end", this.#at + 2);
        if (this.#at + 2 >= html.length) return this.#text();
        this.#at = this.#after(">", this.#at + 2);
      } else if (next === EXCLAMATION) {
        if (inForeign && html.startsWith("[CDATA[", this.#at + 2)) return this.#section();
        this.#at = this.#markupEnd();
      } else if (next === QUESTION) {
        this.#at = this.#after(">", this.#at + 2);
      } else {
        return this.#text();
      }
    }
    this.kind = "none";
    return false;
  }

  /** Moves to the text of a raw element whose start tag was just read; its end tag is the next token. */
  raw(name: string): void {
    const { html } = this;
    this.kind = "text";
    this.textStart = this.#at;
    if (name === "script") {
      this.#at = scriptEnd(html, this.#at);
    } else {
      const end = rawEndOf(name);
      end.lastIndex = this.#at;
      this.#at = end.exec(html)?.index ?? html.length;
    }
    this.textEnd = this.#at;
  }

  /** Moves to all remaining text. */
  rest(): void {
    this.kind = "text";
    this.textStart = this.#at;
    this.textEnd = this.html.length;
    this.#at = this.html.length;
  }

  #after(what: string, from: number): number {
    const found = this.html.indexOf(what, from);
    return found < 0 ? this.html.length : found + what.length;
  }

  /** Where the comment or declaration that begins with `<!` ends. */
  #markupEnd(): number {
    const { html } = this;
    const from = this.#at + 2;
    if (html.charCodeAt(from) !== DASH || html.charCodeAt(from + 1) !== DASH) {
      return this.#after(">", from);
    }
    const first = from + 2;
    if (html.charCodeAt(first) === GREATER) return first + 1;
    if (html.charCodeAt(first) === DASH && html.charCodeAt(first + 1) === GREATER) return first + 2;
    COMMENT_END.lastIndex = first;
    return COMMENT_END.exec(html) === null ? html.length : COMMENT_END.lastIndex;
  }

  #section(): boolean {
    this.kind = "text";
    this.textStart = this.#at + "<![CDATA[".length;
    const end = this.html.indexOf("]]>", this.textStart);
    this.textEnd = end < 0 ? this.html.length : end;
    this.#at = end < 0 ? this.html.length : end + 3;
    return true;
  }

  #text(): boolean {
    const { html } = this;
    this.kind = "text";
    this.textStart = this.#at;
    let end = html.indexOf("<", this.#at + (html.charCodeAt(this.#at) === LESS ? 1 : 0));
    while (end >= 0) {
      const next = html.charCodeAt(end + 1);
      const isMarkup =
        isLetter(next) ||
        next === EXCLAMATION ||
        next === QUESTION ||
        (next === SLASH && end + 2 < html.length);
      if (isMarkup) break;
      end = html.indexOf("<", end + 1);
    }
    this.textEnd = end < 0 ? html.length : end;
    this.#at = this.textEnd;
    return true;
  }

  /** A tag that never ends is dropped, with all that follows it. */
  #tag(kind: "start" | "end", nameStart: number): boolean {
    const { html } = this;
    let at = nameStart;
    let hash = 0;
    for (; at < html.length; at++) {
      const unit = html.charCodeAt(at);
      if (unit === GREATER || unit === SLASH || isWhiteSpace(unit)) break;
      hash = nextHash(hash, unit);
    }
    this.nameStart = nameStart;
    this.nameEnd = at;
    this.known = knownAt(html, nameStart, at, hash);
    this.start = at;
    this.styleStart = -1;
    this.typeStart = -1;
    this.encodingStart = -1;
    this.isHidden = false;
    this.isFindable = false;
    this.isOpen = false;
    this.hasFontLook = false;
    this.isSelfClosing = false;
    const end = html.charCodeAt(at) === GREATER ? at : this.#attributes(at);
    this.kind = end < 0 ? "none" : kind;
    this.end = end;
    this.#at = end < 0 ? html.length : end + 1;
    return end >= 0;
  }

  /** Passes the attributes from `from`, and returns the position of the `>` that ends the tag; -1 if it never ends. */
  #attributes(from: number): number {
    const { html } = this;
    let at = from;
    while (at < html.length) {
      const unit = html.charCodeAt(at);
      if (unit === GREATER) return at;
      if (unit === SLASH || isWhiteSpace(unit)) {
        if (unit === SLASH) this.isSelfClosing = html.charCodeAt(at + 1) === GREATER;
        at++;
        continue;
      }
      const nameStart = at;
      // An equals sign may begin a name.
      for (at++; at < html.length; at++) {
        const each = html.charCodeAt(at);
        if (each === EQUALS || each === GREATER || each === SLASH || isWhiteSpace(each)) break;
      }
      const nameEnd = at;
      while (isWhiteSpace(html.charCodeAt(at))) at++;
      if (html.charCodeAt(at) !== EQUALS) {
        this.#note(nameStart, nameEnd, at, at);
        continue;
      }
      at++;
      while (isWhiteSpace(html.charCodeAt(at))) at++;
      at = this.#value(nameStart, nameEnd, at);
      if (at < 0) return -1;
    }
    return -1;
  }

  /** Passes the value that begins at `at`. Returns where it ends, or -1 if it never ends. */
  #value(nameStart: number, nameEnd: number, at: number): number {
    const { html } = this;
    const first = html.charCodeAt(at);
    if (first === QUOTE || first === APOSTROPHE) {
      const end = html.indexOf(first === QUOTE ? '"' : "'", at + 1);
      if (end < 0) return -1;
      this.#note(nameStart, nameEnd, at + 1, end);
      return end + 1;
    }
    let end = at;
    for (; end < html.length; end++) {
      const unit = html.charCodeAt(end);
      if (unit === GREATER || isWhiteSpace(unit)) break;
    }
    this.#note(nameStart, nameEnd, at, end);
    return end;
  }

  /** Keeps an attribute if it counts. Of two with one name the first counts. */
  #note(nameStart: number, nameEnd: number, start: number, end: number): void {
    const length = nameEnd - nameStart;
    if (length < 4 || length > 8) return;
    // Most attributes begin with other letters, so their names need not be cut out.
    const first = this.html.charCodeAt(nameStart) | 32;
    if (!BEGINNINGS.has((first << 8) | this.html.charCodeAt(nameStart + 1) | 32)) return;
    const name = this.html.slice(nameStart, nameEnd).toLowerCase();
    if (name === "hidden") {
      // The first `hidden` counts.
      if (!this.isHidden) this.isFindable = this.html.slice(start, end).toLowerCase() === FINDABLE;
      this.isHidden = true;
    } else if (name === "style") {
      if (this.styleStart < 0) [this.styleStart, this.styleEnd] = [start, end];
    } else if (name === "open") {
      this.isOpen = true;
    } else if (name === "color" || name === "face" || name === "size") {
      this.hasFontLook = true;
    } else if (name === "type") {
      if (this.typeStart < 0) [this.typeStart, this.typeEnd] = [start, end];
    } else if (name === "encoding" && this.encodingStart < 0) {
      [this.encodingStart, this.encodingEnd] = [start, end];
    }
  }
}
