/** Renders a diagnostic for people: one line of what and where, then the source line with a caret under the span. */
import { type Diagnostic, formatPath, type Path, type Span } from "./diagnostic.ts";
import { oneLine } from "./quote.ts";

/** Widest excerpt of a source line, in code units; longer lines are cut around the span. */
const EXCERPT_MAX = 100;

/** A position in a text: 1-based, the column in UTF-16 code units. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** The place of an offset; `\n`, `\r\n` and lone `\r` end a line. */
export function lineColumnAt(text: string, offset: number): TextPlace {
  let line = 1;
  let lineStart = 0;
  const end = Math.min(offset, text.length);
  for (let index = 0; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 10 || (unit === 13 && text.charCodeAt(index + 1) !== 10)) {
      line++;
      lineStart = index + 1;
    }
  }
  return { line, column: end - lineStart + 1 };
}

/** `lineColumnAt` for many offsets of one text: its lines are counted once. */
export function linesOf(text: string): (offset: number) => TextPlace {
  const starts = [0];
  for (const { index, 0: ending } of text.matchAll(/\r\n|[\r\n]/g)) {
    starts.push(index + ending.length);
  }
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Math.min(offset, text.length) - starts[low]! + 1 };
  };
}

/** The text at a path of a configuration; `undefined` if there is none. */
export function textAt(config: unknown, path: Path): string | undefined {
  let value: unknown = config;
  for (const step of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return typeof value === "string" ? value : undefined;
}

/**
 * The line that holds the span and a caret line below it, without a trailing newline.
 * Characters that a terminal would not show are `·`, so that columns line up on a terminal.
 */
export function renderExcerpt(text: string, span: Span): string {
  const before = text.slice(0, span.start);
  const lineStart = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
  const rest = text.slice(span.start).search(/[\r\n]/);
  const lineEnd = rest < 0 ? text.length : span.start + rest;
  const cutStart = Math.max(lineStart, span.start - EXCERPT_MAX / 2);
  const cutEnd = Math.min(lineEnd, cutStart + EXCERPT_MAX);
  const shown = oneLine(text.slice(cutStart, cutEnd));
  const carets = Math.max(1, Math.min(span.end, cutEnd) - span.start);
  const lead = cutStart > lineStart ? "…" : "";
  const tail = cutEnd < lineEnd ? "…" : "";
  const indent = " ".repeat(lead.length + span.start - cutStart);
  return `${lead}${shown}${tail}\n${indent}${"^".repeat(carets)}`;
}

/** `renderExcerpt`, indented by four blanks. */
export function indentedExcerpt(text: string, span: Span): string {
  return renderExcerpt(text, span).replace(/^/gm, "    ");
}

/**
 * `error[pattern/syntax] rules[3].config.regex:1:5: message`, and, where the diagnostic has a span,
 * the line of `config` it points into with carets. `config` is the compiled configuration.
 */
export function renderDiagnostic(diagnostic: Diagnostic, config: unknown): string {
  const where = formatPath(diagnostic.path);
  const text = diagnostic.span === undefined ? undefined : textAt(config, diagnostic.path);
  if (diagnostic.span === undefined || text === undefined) {
    return `error[${diagnostic.code}] ${where}: ${diagnostic.message}`;
  }
  const { line, column } = lineColumnAt(text, diagnostic.span.start);
  const excerpt = indentedExcerpt(text, diagnostic.span);
  return `error[${diagnostic.code}] ${where}:${line}:${column}: ${diagnostic.message}\n${excerpt}`;
}
