/** What start tags do within a table (HTML §13.2.6.4.9 to .15). */
import { known, type Traits } from "./elements.ts";
import type { FormattingElements } from "./formatting.ts";
import type { OpenElements } from "./open-elements.ts";
import type { Tokens } from "./tokens.ts";

/** The parts of the parser that the rules of tables use. */
export interface TableParser {
  readonly open: OpenElements;
  readonly formatting: FormattingElements;
  readonly tokens: Tokens;
  readonly html: string;
  insert(traits: Traits): number;
  insertVoid(traits: Traits): void;
  insertImplied(traits: Traits): void;
  /** A form inside a table gets no content. */
  insertEmptyForm(traits: Traits): void;
  closeCell(): void;
  start(traits: Traits): void;
}

const [HTML, TABLE, TBODY, TR, COLGROUP, TEMPLATE, FORM] = [
  known("html"),
  known("table"),
  known("tbody"),
  known("tr"),
  known("colgroup"),
  known("template"),
  known("form"),
];
const [COL, INPUT, STYLE, SCRIPT] = [known("col"), known("input"), known("style"), known("script")];
const SECTIONS = ["tbody", "tfoot", "thead"].map(known);

/** Whether its start tag ends a cell or a caption. */
function isPart({ start, name }: Traits): boolean {
  return start === "table part" && name !== "frame" && name !== "head";
}

/** Ends all open elements down to one of these, or to the template around it. */
function clearTo(parser: TableParser, ...context: readonly Traits[]): void {
  const { open } = parser;
  let top = Math.max(open.topOf(TEMPLATE), open.topOf(HTML));
  for (const traits of context) top = Math.max(top, open.topOf(traits));
  open.popTo(top + 1);
}

function startInCell(parser: TableParser, traits: Traits): boolean {
  if (!isPart(traits)) return false;
  parser.closeCell();
  parser.start(traits);
  return true;
}

function startInRow(parser: TableParser, traits: Traits): boolean {
  if (traits.mode === "cell") {
    clearTo(parser, TR);
    parser.insert(traits);
    parser.formatting.mark();
    return true;
  }
  if (!isPart(traits)) return startInTableItself(parser, traits);
  parser.open.popThrough(TR);
  parser.start(traits);
  return true;
}

function startInSection(parser: TableParser, traits: Traits): boolean {
  if (traits === TR) {
    clearTo(parser, ...SECTIONS);
    parser.insert(traits);
    return true;
  }
  if (traits.mode === "cell") {
    clearTo(parser, ...SECTIONS);
    parser.insertImplied(TR);
    parser.start(traits);
    return true;
  }
  if (!isPart(traits)) return startInTableItself(parser, traits);
  clearTo(parser, ...SECTIONS);
  parser.open.pop();
  parser.start(traits);
  return true;
}

function startInTableItself(parser: TableParser, traits: Traits): boolean {
  const { open, formatting, tokens, html } = parser;
  if (isPart(traits)) {
    clearTo(parser, TABLE);
    if (traits.mode === "caption") formatting.mark();
    if (traits === COL || traits === TR || traits.mode === "cell") {
      parser.insertImplied(traits === COL ? COLGROUP : TBODY);
      parser.start(traits);
    } else {
      parser.insert(traits);
    }
    return true;
  }
  if (traits === TABLE) {
    open.popThrough(TABLE);
    parser.start(traits);
    return true;
  }
  if (traits === FORM) {
    parser.insertEmptyForm(traits);
    return true;
  }
  const isHiddenInput =
    traits === INPUT &&
    html.slice(tokens.typeStart, tokens.typeEnd).toLowerCase() === "hidden" &&
    tokens.typeStart >= 0;
  // These stay in the table and show nothing.
  return isHiddenInput || (traits === STYLE || traits === SCRIPT ? skipRaw(tokens, traits) : false);
}

function skipRaw(tokens: Tokens, traits: Traits): boolean {
  tokens.raw(traits.name);
  tokens.next(false);
  return true;
}

function startInColumns(parser: TableParser, traits: Traits): boolean {
  if (traits === COL) {
    parser.insertVoid(traits);
    return true;
  }
  if (traits === TEMPLATE) return false;
  parser.open.popThrough(COLGROUP);
  parser.start(traits);
  return true;
}

/** Handles a start tag by the rules of tables; `false` if the rules of the body apply. */
export function startInTable(parser: TableParser, traits: Traits): boolean {
  switch (parser.open.mode) {
    case "cell":
    case "caption":
      return startInCell(parser, traits);
    case "row":
      return startInRow(parser, traits);
    case "table body":
      return startInSection(parser, traits);
    case "table":
      return startInTableItself(parser, traits);
    case "columns":
      return startInColumns(parser, traits);
    default:
      return false;
  }
}
