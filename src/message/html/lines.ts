/** Text under way, as lines: white space collapses, and breaks do not add up. */
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
  /** What U+0000 is: SVG and MathML show a mark for it. */
  readonly nul: "drop" | "replace";
}

/**
 * What the line holds: nothing; text; text and a blank that is written once more text comes, or a no-break space that
 * is kept at a box's end too; text after which blanks are nothing, as at a box's start; text after which they are
 * nothing if they begin with a line end.
 */
export type LineState = "empty" | "text" | "blank owed" | "blank kept" | "joined" | "joined lines";

/** What white space makes of the line. */
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

  /** Passes a place where a line may be broken: a line end in the HTML that follows it is none. */
  joinAcrossLineEnd(): void {
    if (this.#line === "text") this.#line = "joined lines";
  }

  /** What follows joins what the line has: blanks are nothing until text comes. */
  join(): void {
    if (this.#line !== "empty" && this.#line !== "blank kept") this.#line = "joined";
  }

  /** Begins a box within the line, as wide as its text: the result ends it. */
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

  /** Writes `[start, end)` up to the next reference, and says where that is. */
  #run(html: string, start: number, end: number, style: Style): number {
    const units = this.#units;
    const isCollapsed = style.whiteSpace === "collapse";
    const decodes = style.references === "decode";
    let length = this.#length;
    let line = this.#line;
    let index = start;
    for (; index < end; index++) {
      const unit = html.charCodeAt(index);
      // Most are letters.
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
