/** Finding one string in another in linear time: the host's own search is quadratic for long, regular texts. */

/**
 * Longest text that the host's search may look for, in code units. Measured: a text of 500,000 units in one of
 * 1,000,000 took 32 seconds; of 32 units it never took more than a few milliseconds.
 */
const NATIVE_UNITS_MAX = 32;

/** Places where only the beginning of a long text matches, after which the linear search takes over. */
const FALSE_STARTS_MAX = 8;

/** `text.indexOf(wanted, from)`. */
export function findFirst(text: string, wanted: string, from = 0): number {
  if (wanted.length > text.length) return -1;
  if (wanted.length <= NATIVE_UNITS_MAX) return text.indexOf(wanted, from);
  const head = wanted.slice(0, NATIVE_UNITS_MAX);
  let at = from;
  for (let tries = 0; tries < FALSE_STARTS_MAX; tries++) {
    at = text.indexOf(head, at);
    if (at < 0 || text.startsWith(wanted, at)) return at;
    at++;
  }
  return knuthMorrisPratt(text, wanted, at, "first");
}

/**
 * `text.length`. V8 has more forms of texts (one or two octets a unit, sliced, joined, interned) than it remembers at
 * one place in the code; it would look up the length each time. Adding to the text tells V8 that it is a text.
 */
export function unitCount(text: string): number {
  // biome-ignore lint/style/useTemplate: a template would be a call.
  return (text + "").length;
}

/** `text.lastIndexOf(wanted, from)`. */
export function findLast(text: string, wanted: string, from: number = text.length): number {
  if (wanted.length > text.length) return -1;
  if (wanted.length <= NATIVE_UNITS_MAX) return text.lastIndexOf(wanted, from);
  return knuthMorrisPratt(text.slice(0, from + wanted.length), wanted, 0, "last");
}

function knuthMorrisPratt(
  text: string,
  wanted: string,
  from: number,
  which: "first" | "last",
): number {
  const borders = new Int32Array(wanted.length);
  for (let index = 1, border = 0; index < wanted.length; index++) {
    const unit = wanted.charCodeAt(index);
    while (border > 0 && unit !== wanted.charCodeAt(border)) border = borders[border - 1]!;
    if (unit === wanted.charCodeAt(border)) border++;
    borders[index] = border;
  }
  let found = -1;
  for (let index = from, matched = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = borders[matched - 1]!;
    if (unit === wanted.charCodeAt(matched)) matched++;
    if (matched < wanted.length) continue;
    found = index + 1 - matched;
    if (which === "first") break;
    matched = borders[matched - 1]!;
  }
  return found;
}

/** `text.split(separator)`, for a separator that is not empty. */
export function splitBy(text: string, separator: string): string[] {
  if (separator.length <= NATIVE_UNITS_MAX) return text.split(separator);
  const parts: string[] = [];
  let from = 0;
  for (let at = findFirst(text, separator); at >= 0; at = findFirst(text, separator, from)) {
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  parts.push(text.slice(from));
  return parts;
}
