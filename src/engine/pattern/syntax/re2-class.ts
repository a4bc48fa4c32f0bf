/** Reads escapes and character classes of the RE2 dialect. */
import type { DiagnosticCode, Problem } from "../../../base/diagnostic.ts";
import { quote } from "../../../base/quote.ts";
import {
  CODE_POINT_MAX,
  type CodeRange,
  complement,
  PERL_CLASSES,
  POSIX_CLASSES,
  UNICODE_CLASSES,
} from "./class-tables.ts";
import { foldRanges } from "./code-sets.ts";
import { FOREIGN_ESCAPES } from "./foreign-syntax.ts";
import type { ClassMembers, UnicodeClass } from "./pattern-tree.ts";

/** A place in a pattern's source, in UTF-16 code units. */
export interface Cursor {
  readonly source: string;
  at: number;
}

/** Thrown when a source cannot be read; only `readPattern` catches it. */
export class PatternRefusal extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export function refuse(code: DiagnosticCode, message: string, start: number, end: number): never {
  throw new PatternRefusal({ code, message, span: { start, end } });
}

function skipCodePoint(cursor: Cursor): number {
  const code = cursor.source.codePointAt(cursor.at)!;
  cursor.at += code > 0xffff ? 2 : 1;
  return code;
}

/** Reads `\x41` or `\x{41}` with the cursor after the `x`. */
function readHex(cursor: Cursor, start: number): number {
  const tail = /^(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/.exec(cursor.source.slice(cursor.at));
  const code = tail === null ? Number.NaN : Number.parseInt((tail[1] ?? tail[2])!, 16);
  if (tail === null || code > CODE_POINT_MAX) {
    const message = "`\\x` needs two hexadecimal digits, or up to `10FFFF` in braces";
    refuse("pattern/syntax", message, start, Math.min(cursor.at + 1, cursor.source.length));
  }
  cursor.at += tail[0].length;
  return code;
}

/** Reads an escape that stands for one code point, with the cursor on the backslash. */
export function readEscape(cursor: Cursor): number {
  const { source } = cursor;
  const start = cursor.at;
  cursor.at++;
  if (cursor.at === source.length) {
    const message = "a lone `\\` ends the pattern: write `\\\\` for a backslash";
    refuse("pattern/syntax", message, start, cursor.at);
  }
  const code = skipCodePoint(cursor);
  const letter = String.fromCodePoint(code);
  const control = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }[letter];
  if (control !== undefined) return control;
  if (letter === "x") return readHex(cursor, start);
  const octal = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(source.slice(start + 1, start + 4));
  if (octal !== null) {
    cursor.at = start + 1 + octal[0].length;
    return Number.parseInt(octal[0], 8);
  }
  if (letter >= "1" && letter <= "9") {
    const what = "is a back-reference, which a linear-time pattern cannot have";
    const message = `\`\\${letter}\` ${what}: write out what it should match`;
    refuse("pattern/unsupported", message, start, cursor.at);
  }
  const foreign = Object.hasOwn(FOREIGN_ESCAPES, letter) ? FOREIGN_ESCAPES[letter] : undefined;
  if (foreign !== undefined) {
    refuse("pattern/unsupported", `\`\\${letter}\` means ${foreign}`, start, cursor.at);
  }
  if (code < 128 && !/[0-9A-Za-z]/.test(letter)) return code;
  const message = `${quote(`\\${letter}`)} is not an escape here: write ${quote(letter)} for the character itself`;
  return refuse("pattern/syntax", message, start, cursor.at);
}

/** What a class leaves out: where case does not count, also what folds with its members. */
function allBut(ranges: readonly CodeRange[], fold: boolean): readonly CodeRange[] {
  return complement(fold ? foldRanges(ranges) : ranges);
}

/** Reads `\d`, `\W` and the like, `\pN`, `\p{Greek}`, `\P{^Greek}`; undefined if there is none at the cursor. */
export function readClassEscape(cursor: Cursor, fold: boolean): ClassMembers | undefined {
  const { source, at: start } = cursor;
  if (source[start] !== "\\") return undefined;
  const letter = source[start + 1];
  if (letter === undefined) return undefined;
  if ("dswDSW".includes(letter)) {
    cursor.at += 2;
    const ranges = PERL_CLASSES[letter.toLowerCase()]!;
    return { ranges: letter < "a" ? allBut(ranges, fold) : ranges, unicode: [] };
  }
  if (letter !== "p" && letter !== "P") return undefined;
  const found = /^(?:\{([^}]*)\}|([^{]))/su.exec(source.slice(start + 2));
  if (found === null) {
    const message = `\`\\${letter}\` needs a Unicode class, such as \`\\${letter}{Greek}\``;
    refuse("pattern/syntax", message, start, source.length);
  }
  cursor.at += 2 + found[0].length;
  const named = found[1] ?? found[2]!;
  const name = named.startsWith("^") ? named.slice(1) : named;
  if (!UNICODE_CLASSES.has(name)) {
    const message = `${quote(source.slice(start, cursor.at))} names no Unicode class that is known: write a general category, such as \`\\pL\`, or a script, such as \`\\p{Greek}\``;
    refuse("pattern/syntax", message, start, cursor.at);
  }
  const excluded = (letter === "P") !== named.startsWith("^");
  return { ranges: [], unicode: [{ name, polarity: excluded ? "excluded" : "included" }] };
}

/**
 * Reads `[:alpha:]` inside a class; undefined if there is none at the cursor. Everything that opens with `[:` and has
 * a `:]` after it must be a known name, as in the stricter of the two engines.
 */
function readPosixClass(cursor: Cursor, fold: boolean): ClassMembers | undefined {
  const { source, at: start } = cursor;
  if (!source.startsWith("[:", start)) return undefined;
  const close = source.indexOf(":]", start + 1);
  if (close < 0) return undefined;
  const name = source.slice(start + 2, Math.max(start + 2, close));
  const ranges = POSIX_CLASSES.get(name.replace(/^\^/, ""));
  if (ranges === undefined) {
    const message = `${quote(source.slice(start, close + 2))} is not a POSIX class: write one such as \`[:alpha:]\`, or \`\\[\` for a bracket`;
    refuse("pattern/syntax", message, start, close + 2);
  }
  cursor.at = close + 2;
  return { ranges: name.startsWith("^") ? allBut(ranges, fold) : ranges, unicode: [] };
}

function readClassCharacter(cursor: Cursor, classStart: number): number {
  if (cursor.at >= cursor.source.length) {
    const message = "`[` is never closed: add `]`, or write `\\[` for a bracket";
    refuse("pattern/syntax", message, classStart, cursor.source.length);
  }
  return cursor.source[cursor.at] === "\\" ? readEscape(cursor) : skipCodePoint(cursor);
}

function readClassRange(cursor: Cursor, classStart: number): CodeRange {
  const start = cursor.at;
  const first = readClassCharacter(cursor, classStart);
  if (cursor.source[cursor.at] !== "-" || cursor.source[cursor.at + 1] === "]")
    return [first, first];
  cursor.at++;
  const last = readClassCharacter(cursor, classStart);
  if (last < first) {
    const message = `${quote(cursor.source.slice(start, cursor.at))} runs backwards: swap its ends`;
    refuse("pattern/syntax", message, start, cursor.at);
  }
  return [first, last];
}

/** Reads `[…]` with the cursor on the bracket. */
export function readBracketClass(
  cursor: Cursor,
  fold: boolean,
): ClassMembers & { readonly negated: boolean } {
  const start = cursor.at;
  cursor.at++;
  const negated = cursor.source[cursor.at] === "^";
  if (negated) cursor.at++;
  const ranges: CodeRange[] = [];
  const unicode: UnicodeClass[] = [];
  // A `]` that comes first is a member.
  for (let first = true; first || cursor.source[cursor.at] !== "]"; first = false) {
    const named = readPosixClass(cursor, fold) ?? readClassEscape(cursor, fold);
    if (named === undefined) ranges.push(readClassRange(cursor, start));
    else {
      ranges.push(...named.ranges);
      unicode.push(...named.unicode);
    }
  }
  cursor.at++;
  return { ranges, unicode, negated };
}
