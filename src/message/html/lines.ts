/** Builds text as lines: white space collapses, and successive breaks count once. */
import { Unit } from "../text/code-units.ts";
import { unitsFor, unitText } from "../text/unit-text.ts";
import { beginsReference, meaning, referenceEnd } from "./references.ts";
import { isWhiteSpace } from "./tokens.ts";

/** White space that collapses to one space. */
function collapses(unit: number): boolean {
  return isWhiteSpace(unit) || unit === Unit.NO_BREAK_SPACE;
}

/** Whether it is written as it is: most units are letters. */
function isPlain(unit: number): boolean {
  return unit > Unit.AMPERSAND && unit !== Unit.NO_BREAK_SPACE;
}

/** How a text is written: white space collapses, references are decoded and NULs are dropped, but for these flags. */
export enum Style {
  PLAIN = 0,
  KEEPS_WHITE_SPACE = 1,
  KEEPS_REFERENCES = 2,
  /** SVG and MathML show a replacement character. */
  SHOWS_NUL = 4,
}

/**
 * What the line holds. `empty`: nothing. `text`: text. `blank owed`: text and a blank, which is written once more
 * text comes. `blank kept`: the same with a no-break space, which is kept at the end of a box too. `joined`: text
 * after which blanks are dropped, as at the start of a box. `joined lines`: text after which blanks are dropped if
 * they begin with a line end.
 */
export type LineState = "empty" | "text" | "blank owed" | "blank kept" | "joined" | "joined lines";

/** The state of the line after white space. */
function withBlank(line: LineState, unit: number): LineState {
  if (line === "empty") return line;
  if (unit === Unit.NO_BREAK_SPACE) return "blank kept";
  if (line === "joined lines") {
    return unit === Unit.LF || unit === Unit.CR ? "joined" : "blank owed";
  }
  return line === "text" ? "blank owed" : line;
}

export class Lines {
  readonly #html: string;
  readonly #from: Uint16Array;
  readonly #units: Uint16Array;
  #length = 0;
  #line: LineState = "empty";

  /** `units`: the code units of the HTML of which texts are written. */
  constructor(html: string, units: Uint16Array) {
    this.#html = html;
    this.#from = units;
    this.#units = unitsFor(html.length);
  }

  break(): void {
    if (this.#line === "empty") return;
    this.#units[this.#length++] = Unit.LF;
    this.#line = "empty";
  }

  blank(): void {
    this.#line = withBlank(this.#line, Unit.SPACE);
  }

  /** Passes a place where a line may be broken: a line end that follows it in the HTML is dropped. */
  joinAcrossLineEnd(): void {
    if (this.#line === "text") this.#line = "joined lines";
  }

  /** Joins what follows to the text of the line: blanks are dropped until text comes. */
  join(): void {
    if (this.#line !== "empty" && this.#line !== "blank kept") this.#line = "joined";
  }

  /** Begins a box inside the line, as wide as its text. Pass the result to `closeBox`. */
  openBox(): { readonly length: number; readonly line: LineState } {
    const box = { length: this.#length, line: this.#line };
    if (this.#line === "text" || this.#line === "joined lines") this.#line = "joined";
    return box;
  }

  closeBox(box: { readonly length: number; readonly line: LineState }): void {
    if (this.#length === box.length) this.#line = box.line;
    else if (this.#line === "blank owed") this.#line = "text";
  }

  get #owes(): boolean {
    return this.#line === "blank owed" || this.#line === "blank kept";
  }

  #put(unit: number, style: Style): void {
    if ((style & Style.KEEPS_WHITE_SPACE) === 0 && collapses(unit)) {
      this.#line = withBlank(this.#line, unit);
      return;
    }
    if (unit === Unit.NUL && (style & Style.SHOWS_NUL) === 0) return;
    if (this.#owes) this.#units[this.#length++] = Unit.SPACE;
    this.#units[this.#length++] = unit === Unit.NUL ? Unit.REPLACEMENT : unit;
    this.#line = "text";
  }

  /** Writes `[start, end)` up to the next reference, and returns where that is. */
  #run(start: number, end: number, style: Style): number {
    const from = this.#from;
    const units = this.#units;
    const isCollapsed = (style & Style.KEEPS_WHITE_SPACE) === 0;
    const decodes = (style & Style.KEEPS_REFERENCES) === 0;
    let length = this.#length;
    let line = this.#line;
    let index = start;
    while (index < end) {
      const unit = from[index]!;
      if (!isPlain(unit)) {
        if (unit === Unit.AMPERSAND) {
          if (decodes && index > start && beginsReference(from, index)) break;
        } else if (isCollapsed && collapses(unit)) {
          line = withBlank(line, unit);
          index++;
          // More white space after the first changes nothing, but for a no-break space.
          while (index < end && isWhiteSpace(from[index]!)) index++;
          continue;
        } else if (unit === Unit.NUL) {
          this.#length = length;
          this.#line = line;
          this.#put(Unit.NUL, style);
          length = this.#length;
          line = this.#line;
          index++;
          continue;
        }
      }
      if (line !== "text") {
        if (line === "blank owed" || line === "blank kept") units[length++] = Unit.SPACE;
        line = "text";
      }
      units[length++] = unit;
      index++;
      while (index < end && isPlain(from[index]!)) units[length++] = from[index++]!;
    }
    this.#length = length;
    this.#line = line;
    return index;
  }

  /** Writes the text `[start, end)`. */
  write(start: number, end: number, style: Style): void {
    const decodes = (style & Style.KEEPS_REFERENCES) === 0;
    for (let index = start; index < end; ) {
      const isReference = decodes && this.#from[index] === Unit.AMPERSAND;
      const after = isReference ? referenceEnd(this.#html, index) : index;
      if (after === index) {
        index = this.#run(index, end, style);
        continue;
      }
      for (const point of meaning()) {
        if (point < 0x10000) this.#put(point, style);
        else for (const unit of units(point)) this.#put(unit, style);
      }
      index = after;
    }
    const keeps = (style & Style.KEEPS_WHITE_SPACE) !== 0;
    if (keeps && this.#length > 0 && this.#units[this.#length - 1] === Unit.LF)
      this.#line = "empty";
  }

  get text(): string {
    return unitText(this.#units, this.#length).trim();
  }
}

function units(point: number): readonly [number, number] {
  const text = String.fromCodePoint(point);
  return [text.charCodeAt(0), text.charCodeAt(1)];
}
