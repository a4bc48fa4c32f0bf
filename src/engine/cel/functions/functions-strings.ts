/** Functions of strings: CEL's own, and its strings extension; positions are code points. */
import { type Frame, overspends, type Run } from "../run/frame.ts";
import { testComputed } from "../run/matches.ts";
import { codePointLength, isPairAt, pointOffset, unitOffset } from "../values/code-points.ts";
import { quoteString } from "../values/render-value.ts";
import { findFirst, findLast, splitBy, unitCount } from "../values/search.ts";
import { TextBuilder } from "../values/text-builder.ts";
import { type Abnormal, CelError, EXHAUSTED, type Int, type Value } from "../values/value.ts";
import { formatString } from "./format-string.ts";
import type { FunctionTable } from "./signature.ts";
import { createProbe } from "./text-probe.ts";

const INDEX_RANGE = new CelError("index out of range");
const NOT_STRINGS = new CelError("a list to join holds only strings");

const length = (text: string): number => text.length;
const twice = (text: string): number => 2 * text.length;
const ofWanted = (_: string, wanted: string): number => wanted.length;
const both = (text: string, wanted: string): number => text.length + wanted.length;

function charAt(text: string, at: Int): string | CelError {
  const unit = unitOffset(text, at);
  if (unit < 0) return INDEX_RANGE;
  const point = text.codePointAt(unit);
  return point === undefined ? "" : String.fromCodePoint(point);
}

function substring(text: string, start: Int, end?: Int): string | CelError {
  const from = unitOffset(text, start);
  if (from < 0) return INDEX_RANGE;
  if (end === undefined) return text.slice(from);
  const to = end < start ? -1 : unitOffset(text, end);
  return to < 0 ? INDEX_RANGE : text.slice(from, to);
}

function searchFrom(find: typeof findFirst) {
  return (text: string, wanted: string, start?: Int): Int | CelError => {
    if (start === undefined) return pointOffset(text, find(text, wanted));
    if (wanted === "") return start;
    const from = unitOffset(text, start);
    if (from < 0 || from === text.length) return INDEX_RANGE;
    return pointOffset(text, find(text, wanted, from));
  };
}

/** Where `wanted` is next from `from` on, or -1. An empty text is before each character and after the last. */
function nextPlace(text: string, wanted: string, from: number): number {
  if (wanted.length === 1) return nextUnit(text, wanted.charCodeAt(0), from);
  if (wanted !== "") return findFirst(text, wanted, from);
  return from > text.length ? -1 : from;
}

/** Units that are read one by one before the host looks for the unit, which is faster where it is rare. */
const NEAR_UNITS = 16;

function nextUnit(text: string, unit: number, from: number): number {
  const near = Math.min(text.length, from + NEAR_UNITS);
  for (let at = from; at < near; at++) if (text.charCodeAt(at) === unit) return at;
  return near === text.length ? -1 : text.indexOf(String.fromCharCode(unit), near);
}

/** Pays for each replacement as it goes, besides the text. */
function replace(
  frame: Frame,
  text: string,
  wanted: string,
  by: string,
  limit: Int = -1,
): string | Abnormal {
  const most = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  let at = most === 0 ? -1 : nextPlace(text, wanted, 0);
  if (at < 0) return text;
  const replaced = new TextBuilder(text.length);
  let from = 0;
  for (let count = 1; at >= 0; count++) {
    if (overspends(frame, by.length + 1)) return EXHAUSTED;
    replaced.add(text, from, at);
    replaced.add(by);
    from = at + wanted.length;
    // Behind an empty text its next place is behind one character.
    const next = wanted === "" ? from + (isPairAt(text, from) ? 2 : 1) : from;
    at = count < most ? nextPlace(text, wanted, next) : -1;
  }
  replaced.add(text, from);
  return replaced.toString();
}

/** The code points, in an array of its final size: one that grows leaves twice as much behind. */
function charactersOf(text: string): string[] {
  const characters = new Array<string>(codePointLength(text));
  for (let nth = 0, from = 0; nth < characters.length; nth++) {
    const to = from + (isPairAt(text, from) ? 2 : 1);
    characters[nth] = text.slice(from, to);
    from = to;
  }
  return characters;
}

/** Fuel of a part: measured 85 ns and some 50 octets where it is one character beyond Latin-1. */
const PART_FUEL = 16;

function splitCost(text: string, separator: string): number {
  let count = 0;
  if (separator === "") count = codePointLength(text) + 1;
  else {
    const next = (from: number): number => nextPlace(text, separator, from);
    for (let at = next(0); at >= 0; at = next(at + separator.length)) count++;
  }
  return text.length + separator.length + PART_FUEL * count;
}

function split(text: string, separator: string, limit: Int = -1): readonly string[] {
  if (limit === 0) return [];
  const parts = separator === "" ? charactersOf(text) : splitBy(text, separator);
  if (limit < 0 || limit >= parts.length) return parts;
  const whole = Number(limit) - 1;
  return [...parts.slice(0, whole), parts.slice(whole).join(separator)];
}

function joinCost(list: readonly Value[], separator = ""): number {
  let cost = list.length * (1 + separator.length);
  for (const item of list) cost += typeof item === "string" ? item.length : 0;
  return cost;
}

function join(list: readonly Value[], separator = ""): string | CelError {
  return list.every((item) => typeof item === "string") ? list.join(separator) : NOT_STRINGS;
}

/** White_Space of Unicode beyond ASCII. JavaScript's `trim` differs: it leaves U+0085 and removes U+FEFF. */
const FAR_SPACES: ReadonlySet<number> = new Set([
  0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
]);

function isSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 9 && unit <= 13);
  return (unit >= 0x2000 && unit <= 0x200a) || FAR_SPACES.has(unit);
}

function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** The code points in reverse. Unit by unit: an array of code points takes two to six times as long. */
function reversed(text: string): string {
  const units = new TextBuilder(text.length);
  for (let at = text.length - 1; at >= 0; at--) {
    const isPair = at > 0 && isPairAt(text, at - 1);
    if (isPair) units.addUnit(text.charCodeAt(--at));
    units.addUnit(text.charCodeAt(isPair ? at + 1 : at));
  }
  return units.toString();
}

/** Moves the 26 letters from `first` on by `shift`. The host's own mapping would map other letters too. */
function recased(text: string, first: number, shift: number): string {
  const units = new TextBuilder(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    units.addUnit(unit >= first && unit < first + 26 ? unit + shift : unit);
  }
  return units.toString();
}

const NOT_ASCII = /[^\u0000-\u007f]/;
const UPPER_A = 0x41;
const LOWER_A = 0x61;

function lowerAscii(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return /[A-Z]/.test(text) ? recased(text, UPPER_A, LOWER_A - UPPER_A) : text;
}

function upperAscii(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toUpperCase();
  return /[a-z]/.test(text) ? recased(text, LOWER_A, UPPER_A - LOWER_A) : text;
}

/** A text to be searched for `wanted`, which finds the same where lone surrogates have not been replaced. */
function searched(text: Run, wanted: string): Run {
  const isSame = wanted.isWellFormed() && !wanted.includes("\ufffd");
  return isSame ? (text.asGiven ?? text) : text;
}

/** The first code unit alone rules out most texts, without the call. Reading one beyond the end would be slow. */
function prepareStartsWith(text: Run, wanted: string): Run {
  const read = searched(text, wanted);
  const { length: units } = wanted;
  const first = wanted.charCodeAt(0);
  return (frame) => {
    const value = read(frame);
    if (typeof value !== "string") return value;
    if (overspends(frame, units)) return EXHAUSTED;
    if (units === 0) return true;
    return unitCount(value) >= units && value.charCodeAt(0) === first && value.startsWith(wanted);
  };
}

function prepareEndsWith(text: Run, wanted: string): Run {
  const read = searched(text, wanted);
  const { length: units } = wanted;
  const last = wanted.charCodeAt(units - 1);
  return (frame) => {
    const value = read(frame);
    if (typeof value !== "string") return value;
    if (overspends(frame, units)) return EXHAUSTED;
    if (units === 0) return true;
    const end = unitCount(value) - 1;
    return end >= units - 1 && value.charCodeAt(end) === last && value.endsWith(wanted);
  };
}

/** Code units from which on looking for a rare part of a text pays; below, the host's search is fast for any text. */
const PROBED_UNITS_MIN = 256;

function prepareContains(text: Run, wanted: string): Run {
  const read = searched(text, wanted);
  const { length: units } = wanted;
  const probe = units === 0 ? null : createProbe(wanted);
  return (frame) => {
    const value = read(frame);
    if (typeof value !== "string") return value;
    const count = unitCount(value);
    if (overspends(frame, count + units)) return EXHAUSTED;
    if (probe === null || count < PROBED_UNITS_MIN) return value.includes(wanted);
    return probe(value) >= 0;
  };
}

const size = (value: { length: number }): number => value.length;
const mapSize = (value: { size: number }): number => value.size;

export const STRING_FUNCTIONS: FunctionTable = {
  "size(string): int": { cost: length, run: codePointLength },
  "size(bytes): int": size,
  "size(list<A>): int": size,
  "size(map<A, B>): int": mapSize,
  "string.size(): int": { cost: length, run: codePointLength },
  "bytes.size(): int": size,
  "list<A>.size(): int": size,
  "map<A, B>.size(): int": mapSize,
  "string.contains(string): bool": {
    cost: both,
    run: (text: string, wanted: string) => findFirst(text, wanted) >= 0,
    prepare: prepareContains,
  },
  "string.startsWith(string): bool": {
    cost: ofWanted,
    run: (text: string, wanted: string) => text.startsWith(wanted),
    prepare: prepareStartsWith,
  },
  "string.endsWith(string): bool": {
    cost: ofWanted,
    run: (text: string, wanted: string) => text.endsWith(wanted),
    prepare: prepareEndsWith,
  },
  "string.matches(string): bool": { takesFrame: true, run: testComputed },
  "matches(string, string): bool": { takesFrame: true, run: testComputed },
  "string.charAt(int): string": { cost: length, run: charAt },
  "string.indexOf(string, int?): int": { cost: both, run: searchFrom(findFirst) },
  "string.lastIndexOf(string, int?): int": { cost: both, run: searchFrom(findLast) },
  "string.lowerAscii(): string": { cost: length, run: lowerAscii },
  "string.upperAscii(): string": { cost: length, run: upperAscii },
  "string.replace(string, string, int?): string": {
    cost: length,
    takesFrame: true,
    run: replace,
  },
  "string.split(string, int?): list<string>": { cost: splitCost, run: split },
  "list<string>.join(string?): string": { cost: joinCost, run: join },
  "string.substring(int, int?): string": { cost: length, run: substring },
  "string.trim(): string": { cost: length, run: trim },
  "string.reverse(): string": { cost: twice, run: reversed },
  "strings.quote(string): string": {
    cost: twice,
    run: (text: string) => quoteString(text.toWellFormed()),
  },
  "string.format(list<dyn>): string": { cost: length, takesFrame: true, run: formatString },
};
