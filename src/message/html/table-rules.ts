/** What start tags do within a table (HTML §13.2.6.4.9 to .15). */
import { type InsertionMode, known, type Traits } from "./elements.ts";
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

const [TABLE, TBODY, TR, COLGROUP, TEMPLATE, FORM] = [
  known("table"),
  known("tbody"),
  known("tr"),
  known("colgroup"),
  known("template"),
  known("form"),
];
const [COL, INPUT, STYLE, SCRIPT] = [known("col"), known("input"), known("style"), known("script")];
const SECTIONS = ["tbody", "tfoot", "thead"].map(known);
const CELLS = ["td", "th"].map(known);
const COLUMNS = ["caption", "col", "colgroup"].map(known);
/** Start tags that end a cell or a caption. */
const PARTS = new Set([...SECTIONS, ...CELLS, ...COLUMNS, TR]);

/** Ends all open elements down to one of these, or to the table or template around it. */
function clearTo(parser: TableParser, context: readonly Traits[]): void {
  const { open } = parser;
  const bounds = [...context, TEMPLATE, known("html")].map((traits) => open.topOf(traits));
  open.popTo(Math.max(...bounds) + 1);
}

function startInCell(parser: TableParser, traits: Traits): boolean {
  if (!PARTS.has(traits)) return false;
  parser.closeCell();
  parser.start(traits);
  return true;
}

function startInRow(parser: TableParser, traits: Traits): boolean {
  if (CELLS.includes(traits)) {
    clearTo(parser, [TR]);
    parser.insert(traits);
    parser.formatting.mark();
    return true;
  }
  if (!PARTS.has(traits)) return startInTableItself(parser, traits);
  parser.open.popThrough(TR);
  parser.start(traits);
  return true;
}

function startInSection(parser: TableParser, traits: Traits): boolean {
  if (traits === TR) {
    clearTo(parser, SECTIONS);
    parser.insert(traits);
    return true;
  }
  if (CELLS.includes(traits)) {
    clearTo(parser, SECTIONS);
    parser.insertImplied(TR);
    parser.start(traits);
    return true;
  }
  if (!PARTS.has(traits)) return startInTableItself(parser, traits);
  clearTo(parser, SECTIONS);
  parser.open.pop();
  parser.start(traits);
  return true;
}

function startInTableItself(parser: TableParser, traits: Traits): boolean {
  const { open, formatting, tokens, html } = parser;
  if (PARTS.has(traits)) {
    clearTo(parser, [TABLE]);
    if (traits.mode === "caption") formatting.mark();
    if (traits === COL || traits === TR || CELLS.includes(traits)) {
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

const RULES: Readonly<
  Partial<Record<InsertionMode, (parser: TableParser, traits: Traits) => boolean>>
> = {
  cell: startInCell,
  caption: startInCell,
  row: startInRow,
  "table body": startInSection,
  table: startInTableItself,
  columns: startInColumns,
};

/** Handles a start tag by the rules of tables; `false` if the rules of the body apply. */
export function startInTable(parser: TableParser, traits: Traits): boolean {
  return RULES[parser.open.mode]?.(parser, traits) ?? false;
}
