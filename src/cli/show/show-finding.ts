/** Shows what was found in a file: the place, what is wrong or doubtful, and an excerpt. */

import type { Span } from "../../base/diagnostic.ts";
import { indentedExcerpt, type TextPlace } from "../../base/render-diagnostic.ts";
import { type Line, type LinePiece, styled } from "../../rehearse/words/line.ts";

/** `shop.json:3:5: …`, then the lines of an excerpt. */
export function showFinding(
  file: string,
  { line, column }: TextPlace,
  said: LinePiece,
  excerpt: readonly string[] = [],
): Line[] {
  const where = styled("bold", `${file}:${line}:${column}:`);
  return [[where, " ", said], ...excerpt.map((each) => [each])];
}

/** The lines of an indented excerpt with a caret line. */
export function excerptLines(text: string, span: Span): string[] {
  return indentedExcerpt(text, span).split("\n");
}
