/** Reads escapes and character classes of the RE2 dialect. */
import type { DiagnosticCode, Problem } from "../../../base/diagnostic.ts";
import { quote } from "../../../base/quote.ts";
import {
  CODE_POINT_MAX,
  type CodeRange,
  PERL_CLASSES,
  POSIX_CLASSES,
  UNICODE_CLASSES,
} from "./class-tables.ts";
import { allBut } from "./code-sets.ts";
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

/** Refuses what has been read from `start` on. */
export function refuse(
  { at }: Cursor,
  start: number,
  message: string,
  code: DiagnosticCode = "pattern/syntax",
): never {
  throw new PatternRefusal({ code, message, span: { start, end: at } });
}

export function skipCodePoint(cursor: Cursor): number {
  const code = cursor.source.codePointAt(cursor.at)!;
  cursor.at += code > 0xffff ? 2 : 1;
  return code;
}

/** Reads `\x41` or `\x{41}` with the cursor after the `x`. */
function readHex(cursor: Cursor, start: number): number {
  const tail = /^(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/.exec(cursor.source.slice(cursor.at));
  const code = tail === null ? Number.NaN : Number.parseInt((tail[1] ?? tail[2])!, 16);
  if (tail === null || code > CODE_POINT_MAX) {
    cursor.at = Math.min(cursor.at + 1, cursor.source.length);
    refuse(cursor, start, "`\\x` needs two hexadecimal digits, or up to `10FFFF` in braces");
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
    refuse(cursor, start, "a lone `\\` ends the pattern: write `\\\\` for a backslash");
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
    refuse(cursor, start, message, "pattern/unsupported");
  }
  const foreign = Object.hasOwn(FOREIGN_ESCAPES, letter) ? FOREIGN_ESCAPES[letter] : undefined;
  if (foreign !== undefined) {
    refuse(cursor, start, `\`\\${letter}\` means ${foreign}`, "pattern/unsupported");
  }
  if (code < 128 && !/[0-9A-Za-z]/.test(letter)) return code;
  const message = `${quote(`\\${letter}`)} is not an escape here: write ${quote(letter)} for the character itself`;
  return refuse(cursor, start, message);
}

/** Reads `\d`, `\W` and the like, `\pN`, `\p{Greek}`, `\P{^Greek}`; undefined if there is none at the cursor. */
export function readClassEscape(cursor: Cursor, fold: boolean): ClassMembers | undefined {
  const { source, at: start } = cursor;
  const letter = source[start] === "\\" ? (source[start + 1] ?? "") : "";
  const ranges = PERL_CLASSES[letter.toLowerCase()];
  if (ranges !== undefined) {
    cursor.at += 2;
    return { ranges: letter < "a" ? allBut(ranges, fold) : ranges, unicode: [] };
  }
  if (letter !== "p" && letter !== "P") return undefined;
  const found = /^(?:\{([^}]*)\}|([^{]))/su.exec(source.slice(start + 2));
  cursor.at = found === null ? source.length : start + 2 + found[0].length;
  if (found === null) {
    const example = `\`\\${letter}{Greek}\``;
    refuse(cursor, start, `\`\\${letter}\` needs a Unicode class, such as ${example}`);
  }
  const named = found[1] ?? found[2]!;
  const name = named.startsWith("^") ? named.slice(1) : named;
  if (!UNICODE_CLASSES.has(name)) {
    const message = `${quote(source.slice(start, cursor.at))} names no Unicode class that is known: write a general category, such as \`\\pL\`, or a script, such as \`\\p{Greek}\``;
    refuse(cursor, start, message);
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
  cursor.at = close + 2;
  if (ranges === undefined) {
    const message = `${quote(source.slice(start, close + 2))} is not a POSIX class: write one such as \`[:alpha:]\`, or \`\\[\` for a bracket`;
    refuse(cursor, start, message);
  }
  return { ranges: name.startsWith("^") ? allBut(ranges, fold) : ranges, unicode: [] };
}

function readClassCharacter(cursor: Cursor, classStart: number): number {
  if (cursor.at >= cursor.source.length) {
    refuse(cursor, classStart, "`[` is never closed: add `]`, or write `\\[` for a bracket");
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
    const range = quote(cursor.source.slice(start, cursor.at));
    refuse(cursor, start, `${range} runs backwards: swap its ends`);
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
