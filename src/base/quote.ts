/** Repeats the author's text in a message: on one line, short, in backticks. */

/** Code units of a text that a message repeats. */
const QUOTED_UNITS_MAX = 80;

/** Control characters, lone surrogates, and what else breaks or reorders a line of a terminal. */
const NOT_SHOWN = /[\p{C}\u2028\u2029]/gu;

/** The text with `·` for each code unit that a terminal would not show. */
export function oneLine(text: string): string {
  return text.replace(NOT_SHOWN, ({ length }) => "·".repeat(length));
}

/** The beginning of the text in backticks. */
export function quote(text: string): string {
  const isLong = text.length > QUOTED_UNITS_MAX;
  return `\`${oneLine(isLong ? text.slice(0, QUOTED_UNITS_MAX) : text)}${isLong ? "…" : ""}\``;
}
