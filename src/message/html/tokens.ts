/** Cuts HTML into tags and text as a browser does (HTML §13.2.5), one token at a time, and decodes nothing. */

import { Unit } from "../text/code-units.ts";
import { copyUnits } from "../text/unit-text.ts";
import { knownAt, nextHash, type Traits } from "./elements.ts";
import { rawEnd } from "./raw-text.ts";

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
  /** Inside SVG or MathML: whether it has a color, face or size attribute, with which `font` leaves them. */
  hasFontLook: boolean;
  typeStart: number;
  typeEnd: number;
  encodingStart: number;
  encodingEnd: number;
  isSelfClosing: boolean;
}

/** The first two letters of the attributes that count, in lower case. */
enum Beginning {
  HI = 0x6869,
  ST = 0x7374,
  OP = 0x6f70,
  TY = 0x7479,
  EN = 0x656e,
  CO = 0x636f,
  FA = 0x6661,
  SI = 0x7369,
}

/** Units to compare one by one before searching: a search costs as much as some of them. */
const SHORT_UNITS = 24;
/** Zeros after the text, so that a few units after any of it can be looked at. */
const ZEROS = 4;
/** The units of all texts that fit in it. */
const SHARED_UNITS = 65_536;
const shared = new Uint16Array(SHARED_UNITS + ZEROS);

const FINDABLE = "until-found";
const COMMENT_END = /--!?>/g;

/** Whether the code unit is a letter of ASCII. */
function isLetter(unit: number): boolean {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122;
}

/** Whether the code unit is white space in HTML; a no-break space is not. */
export function isWhiteSpace(unit: number): boolean {
  return (
    unit === Unit.SPACE ||
    unit === Unit.LF ||
    unit === Unit.CR ||
    unit === Unit.TAB ||
    unit === Unit.FF
  );
}

/** Whether the code unit ends the name of a tag. */
function endsName(unit: number): boolean {
  return unit === Unit.GREATER || unit === Unit.SLASH || isWhiteSpace(unit);
}

/**
 * A pass over the tokens. `next` moves to a token and puts its properties into this object. Make a new one only when
 * the one before is done: all share a buffer.
 */
export class Tokens implements Attributes {
  readonly html: string;
  /** The code units of the HTML; zeros follow. */
  readonly units: Uint16Array;
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
  readonly #length: number;
  #at = 0;
  #inForeign = false;

  constructor(html: string) {
    const { length } = html;
    this.html = html;
    this.units = length <= SHARED_UNITS ? shared : new Uint16Array(length + ZEROS);
    this.#length = length;
    copyUnits(html, this.units);
    this.units.fill(0, length, length + ZEROS);
  }

  /** Of a tag: its name as written. */
  get name(): string {
    return this.html.slice(this.nameStart, this.nameEnd);
  }

  /** Moves to the next token; `false` at the end. `inForeign`: whether the current element is one of SVG or MathML. */
  next(inForeign: boolean): boolean {
    const { units } = this;
    this.#inForeign = inForeign;
    while (this.#at < this.#length) {
      const at = this.#at;
      if (units[at] !== Unit.LESS) return this.#text();
      const next = units[at + 1]!;
      if (isLetter(next)) return this.#tag("start", at + 1);
      if (next === Unit.SLASH) {
        if (isLetter(units[at + 2]!)) return this.#tag("end", at + 2);
        if (at + 2 >= this.#length) return this.#text();
        this.#at = this.#after(">", at + 2);
      } else if (next === Unit.EXCLAMATION) {
        if (inForeign && this.html.startsWith("[CDATA[", at + 2)) return this.#section();
        this.#at = this.#markupEnd();
      } else if (next === Unit.QUESTION) {
        this.#at = this.#after(">", at + 2);
      } else {
        return this.#text();
      }
    }
    this.kind = "none";
    return false;
  }

  /** Moves to the text of a raw element whose start tag was just read; its end tag is the next token. */
  raw(name: string): void {
    this.kind = "text";
    this.textStart = this.#at;
    this.#at = rawEnd(this.html, name, this.#at);
    this.textEnd = this.#at;
  }

  /** Moves to all remaining text. */
  rest(): void {
    this.kind = "text";
    this.textStart = this.#at;
    this.textEnd = this.#length;
    this.#at = this.#length;
  }

  #after(what: string, from: number): number {
    const found = this.html.indexOf(what, from);
    return found < 0 ? this.#length : found + what.length;
  }

  /** Where the comment or declaration that begins with `<!` ends. */
  #markupEnd(): number {
    const { html, units } = this;
    const from = this.#at + 2;
    if (units[from] !== Unit.DASH || units[from + 1] !== Unit.DASH) return this.#after(">", from);
    const first = from + 2;
    if (html.startsWith(">", first)) return first + 1;
    if (html.startsWith("->", first)) return first + 2;
    COMMENT_END.lastIndex = first;
    return COMMENT_END.exec(html) === null ? html.length : COMMENT_END.lastIndex;
  }

  #section(): boolean {
    this.kind = "text";
    this.textStart = this.#at + "<![CDATA[".length;
    const end = this.html.indexOf("]]>", this.textStart);
    this.textEnd = end < 0 ? this.#length : end;
    this.#at = end < 0 ? this.#length : end + 3;
    return true;
  }

  /** Where the unit is found first from `from` on; the length of the HTML if it is not. */
  #find(unit: Unit, from: number): number {
    const { units } = this;
    const short = Math.min(from + SHORT_UNITS, this.#length);
    for (let at = from; at < short; at++) if (units[at] === unit) return at;
    const found = this.html.indexOf(String.fromCharCode(unit), short);
    return found < 0 ? this.#length : found;
  }

  #text(): boolean {
    const { units } = this;
    this.kind = "text";
    this.textStart = this.#at;
    let end = this.#find(Unit.LESS, units[this.#at] === Unit.LESS ? this.#at + 1 : this.#at);
    while (end < this.#length) {
      const next = units[end + 1]!;
      const isMarkup =
        isLetter(next) ||
        next === Unit.EXCLAMATION ||
        next === Unit.QUESTION ||
        (next === Unit.SLASH && end + 2 < this.#length);
      if (isMarkup) break;
      end = this.#find(Unit.LESS, end + 1);
    }
    this.textEnd = end;
    this.#at = end;
    return true;
  }

  /** A tag that never ends is dropped, with all that follows it. */
  #tag(kind: "start" | "end", nameStart: number): boolean {
    const { units } = this;
    const length = this.#length;
    let at = nameStart;
    let hash = 0;
    for (; at < length; at++) {
      const unit = units[at]!;
      // Most units are letters.
      if (unit <= Unit.GREATER && endsName(unit)) break;
      hash = nextHash(hash, unit);
    }
    this.nameStart = nameStart;
    this.nameEnd = at;
    this.known = knownAt(units, nameStart, at, hash);
    this.start = at;
    this.styleStart = -1;
    this.typeStart = -1;
    this.encodingStart = -1;
    this.isHidden = false;
    this.isFindable = false;
    this.isOpen = false;
    this.hasFontLook = false;
    this.isSelfClosing = false;
    const end = units[at] === Unit.GREATER ? at : this.#attributes(at);
    this.kind = end < 0 ? "none" : kind;
    this.end = end;
    this.#at = end < 0 ? length : end + 1;
    return end >= 0;
  }

  /** Passes the attributes from `from`, and returns the position of the `>` that ends the tag; -1 if it never ends. */
  #attributes(from: number): number {
    const { units } = this;
    const length = this.#length;
    let at = from;
    while (at < length) {
      const unit = units[at]!;
      if (unit === Unit.GREATER) return at;
      if (unit === Unit.SLASH || isWhiteSpace(unit)) {
        if (unit === Unit.SLASH) this.isSelfClosing = units[at + 1] === Unit.GREATER;
        at++;
        continue;
      }
      const nameStart = at;
      // An equals sign may begin a name.
      for (at++; at < length; at++) {
        const each = units[at]!;
        if (each <= Unit.GREATER && (each === Unit.EQUALS || endsName(each))) break;
      }
      const nameEnd = at;
      while (isWhiteSpace(units[at]!)) at++;
      if (units[at] !== Unit.EQUALS) {
        this.#note(nameStart, nameEnd, at, at);
        continue;
      }
      at++;
      while (isWhiteSpace(units[at]!)) at++;
      at = this.#value(nameStart, nameEnd, at);
      if (at < 0) return -1;
    }
    return -1;
  }

  /** Passes the value that begins at `at`. Returns where it ends, or -1 if it never ends. */
  #value(nameStart: number, nameEnd: number, at: number): number {
    const { units } = this;
    const first = units[at]!;
    if (first === Unit.QUOTE || first === Unit.APOSTROPHE) {
      const end = this.#find(first, at + 1);
      if (end === this.#length) return -1;
      this.#note(nameStart, nameEnd, at + 1, end);
      return end + 1;
    }
    let end = at;
    for (; end < this.#length; end++) {
      const unit = units[end]!;
      if (unit <= Unit.GREATER && (unit === Unit.GREATER || isWhiteSpace(unit))) break;
    }
    this.#note(nameStart, nameEnd, at, end);
    return end;
  }

  /** Keeps an attribute if it counts. Of two with one name the first counts. */
  #note(nameStart: number, nameEnd: number, start: number, end: number): void {
    const length = nameEnd - nameStart;
    if (length < 4 || length > 8) return;
    // Most attributes begin with other letters, so their names need not be cut out.
    switch (((this.units[nameStart]! | 32) << 8) | this.units[nameStart + 1]! | 32) {
      case Beginning.HI:
      case Beginning.ST:
      case Beginning.OP:
      case Beginning.TY:
      case Beginning.EN:
        break;
      case Beginning.CO:
      case Beginning.FA:
      case Beginning.SI:
        if (this.#inForeign) break;
        return;
      default:
        return;
    }
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
