/** A long text in parts that end at a line break: an edit changes few parts, and only those are drawn again. */

import type { Span } from "../../base/diagnostic.ts";
import type { Mark } from "./decide.ts";

export interface TextPart {
  readonly key: number;
  readonly text: string;
}

/** Code units of a part; a line is never cut. */
const PART_UNITS = 4_096;

function* cut(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const line = text.indexOf("\n", from + PART_UNITS);
    const end = line < 0 ? text.length : line + 1;
    yield text.slice(from, end);
    from = end;
  }
}

/** The parts of `text`. Parts of `before` that still begin or end it stay the same objects. */
export function partsOf(text: string, before: readonly TextPart[]): readonly TextPart[] {
  let [first, from] = [0, 0];
  for (; first < before.length; first++) {
    const part = before[first]!.text;
    // A part without a line break at its end may have become longer.
    if (!part.endsWith("\n") || !text.startsWith(part, from)) break;
    from += part.length;
  }
  let [last, end] = [before.length, text.length];
  for (; last > first; last--) {
    const start = end - before[last - 1]!.text.length;
    if (start < from || !text.startsWith(before[last - 1]!.text, start)) break;
    // The text before it has to end with a line break.
    if (start > from && text[start - 1] !== "\n") break;
    end = start;
  }
  let key = before.reduce((max, part) => Math.max(max, part.key), -1);
  const changed = [...cut(text.slice(from, end))].map((part) => ({ key: ++key, text: part }));
  return [...before.slice(0, first), ...changed, ...before.slice(last)];
}

/** The piece of a mark that lies in a part of the text; `undefined`: none of it does. */
export function markWithin(mark: Mark | undefined, part: Span): Mark | undefined {
  if (mark === undefined || mark.span.end <= part.start || mark.span.start >= part.end) return;
  const within = ({ start, end }: Span): Span => ({
    start: Math.max(start, part.start) - part.start,
    end: Math.min(end, part.end) - part.start,
  });
  const groups = mark.groups.map(within).filter(({ start, end }) => end > start);
  return { span: within(mark.span), groups };
}
