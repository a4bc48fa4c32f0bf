/** Builds text as lines: white space collapses, and successive breaks count once. */
import { unitsFor, unitText } from "../text/unit-text.ts";
import { AMPERSAND, beginsReference, meaning, referenceEnd } from "./references.ts";

const [NUL, TAB, LF, FF, CR, SPACE, NBSP] = [0, 9, 10, 12, 13, 32, 160];
const REPLACEMENT = 0xfffd;

/** White space that collapses to one space. */
function collapses(unit: number): boolean {
  if (unit > SPACE) return unit === NBSP;
  return unit === SPACE || unit === LF || unit === CR || unit === TAB || unit === FF;
}

/** How a text is written. */
export interface Style {
  readonly whiteSpace: "collapse" | "keep";
  readonly references: "decode" | "keep";
  /** How U+0000 is written: SVG and MathML show a replacement character. */
  readonly nul: "drop" | "replace";
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
  if (unit === NBSP) return "blank kept";
  if (line === "joined lines") return unit === LF || unit === CR ? "joined" : "blank owed";
  return line === "text" ? "blank owed" : line;
}

export class Lines {
  readonly #units: Uint16Array;
  #length = 0;
  #line: LineState = "empty";

  constructor(unitsMax: number) {
    this.#units = unitsFor(unitsMax);
  }

  break(): void {
    if (this.#line === "empty") return;
    this.#units[this.#length++] = LF;
    this.#line = "empty";
  }

  blank(): void {
    this.#line = withBlank(this.#line, SPACE);
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

  #put(unit: number, { whiteSpace, nul }: Style): void {
    if (whiteSpace === "collapse" && collapses(unit)) {
      this.#line = withBlank(this.#line, unit);
      return;
    }
    if (unit === NUL && nul === "drop") return;
    if (this.#owes) this.#units[this.#length++] = SPACE;
    this.#units[this.#length++] = unit === NUL ? REPLACEMENT : unit;
    this.#line = "text";
  }

  /** Writes `[start, end)` up to the next reference, and returns where that is. */
  #run(html: string, start: number, end: number, style: Style): number {
    const units = this.#units;
    const isCollapsed = style.whiteSpace === "collapse";
    const decodes = style.references === "decode";
    let length = this.#length;
    let line = this.#line;
    let index = start;
    for (; index < end; index++) {
      const unit = html.charCodeAt(index);
      // Most units are letters.
      if (unit <= AMPERSAND || unit === NBSP) {
        if (unit === AMPERSAND) {
          if (decodes && index > start && beginsReference(html, index)) break;
        } else if (isCollapsed && collapses(unit)) {
          line = withBlank(line, unit);
          continue;
        } else if (unit === NUL) {
          this.#length = length;
          this.#line = line;
          this.#put(NUL, style);
          length = this.#length;
          line = this.#line;
          continue;
        }
      }
      if (line !== "text") {
        if (line === "blank owed" || line === "blank kept") units[length++] = SPACE;
        line = "text";
      }
      units[length++] = unit;
    }
    this.#length = length;
    this.#line = line;
    return index;
  }

  /** Writes the text `[start, end)`. */
  write(html: string, start: number, end: number, style: Style): void {
    const decodes = style.references === "decode";
    for (let index = start; index < end; ) {
      const isReference = decodes && html.charCodeAt(index) === AMPERSAND;
      const after = isReference ? referenceEnd(html, index) : index;
      if (after === index) {
        index = this.#run(html, index, end, style);
        continue;
      }
      for (const point of meaning()) {
        if (point < 0x10000) this.#put(point, style);
        else for (const unit of units(point)) this.#put(unit, style);
      }
      index = after;
    }
    const endsLine = style.whiteSpace === "keep" && this.#units[this.#length - 1] === LF;
    if (endsLine && this.#length > 0) this.#line = "empty";
  }

  get text(): string {
    return unitText(this.#units, this.#length).trim();
  }
}

function units(point: number): readonly [number, number] {
  const text = String.fromCodePoint(point);
  return [text.charCodeAt(0), text.charCodeAt(1)];
}
