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
  if (wanted.length <= NATIVE_UNITS_MAX) return text.indexOf(wanted, from);
  const head = wanted.slice(0, NATIVE_UNITS_MAX);
  let at = from;
  for (let tries = 0; tries < FALSE_STARTS_MAX; tries++) {
    at = text.indexOf(head, at);
    if (at < 0 || text.startsWith(wanted, at)) return at;
    at++;
  }
  const { length } = wanted;
  const found = knuthMorrisPratt(
    { unit: (index) => text.charCodeAt(at + index), length: text.length - at },
    { unit: (index) => wanted.charCodeAt(index), length },
  );
  return found < 0 ? -1 : at + found;
}

/**
 * `text.length`. V8 has more forms of texts (one or two octets a unit, sliced, joined, interned) than it remembers at
 * one place in the code; it would look up the length each time. Adding to the text tells V8 that it is a text.
 */
export function unitCount(text: string): number {
  // biome-ignore lint/style/useTemplate: a template would be a call.
  return (text + "").length;
}

/** `text.lastIndexOf(wanted, from)`: the same search, from the end. */
export function findLast(text: string, wanted: string, from: number = text.length): number {
  if (wanted.length <= NATIVE_UNITS_MAX) return text.lastIndexOf(wanted, from);
  const end = Math.min(text.length, from + wanted.length);
  const found = knuthMorrisPratt(
    { unit: (index) => text.charCodeAt(end - 1 - index), length: end },
    { unit: (index) => wanted.charCodeAt(wanted.length - 1 - index), length: wanted.length },
  );
  return found < 0 ? -1 : end - found - wanted.length;
}

/** A text, read in either direction. */
interface Units {
  readonly unit: (index: number) => number;
  readonly length: number;
}

function knuthMorrisPratt(text: Units, wanted: Units): number {
  const borders = new Int32Array(wanted.length);
  for (let index = 1, border = 0; index < wanted.length; index++) {
    const unit = wanted.unit(index);
    while (border > 0 && unit !== wanted.unit(border)) border = borders[border - 1]!;
    if (unit === wanted.unit(border)) border++;
    borders[index] = border;
  }
  for (let index = 0, matched = 0; index < text.length; index++) {
    const unit = text.unit(index);
    while (matched > 0 && unit !== wanted.unit(matched)) matched = borders[matched - 1]!;
    if (unit === wanted.unit(matched)) matched++;
    if (matched === wanted.length) return index + 1 - matched;
  }
  return -1;
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
