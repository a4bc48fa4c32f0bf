/** Reads escapes and character classes of the RE2 dialect. */
import type { DiagnosticCode, Problem, Span } from "../../../base/diagnostic.ts";
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

/** Thrown when a source cannot be read; only `readPattern` catches it. */
export class PatternRefusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** A place in a pattern's source, in UTF-16 code units. */
export class Cursor {
  at = 0;

  constructor(readonly source: string) {}

  /** Moves past what `form`, which is sticky, matches here; `null` if it does not. */
  eat(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.at;
    const found = form.exec(this.source);
    if (found !== null) this.at = form.lastIndex;
    return found;
  }

  /** Moves past a code point, and returns it. */
  eatCodePoint(): number {
    const code = this.source.codePointAt(this.at)!;
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  /** What has been read from `start` on. */
  spanFrom(start: number): Span {
    return { start, end: this.at };
  }

  /** Refuses what has been read from `start` on. */
  refuse(start: number, message: string, code: DiagnosticCode = "pattern/syntax"): never {
    throw new PatternRefusal({ code, message, span: this.spanFrom(start) });
  }
}

/** An escape by number: `\x{41}`, `\x41`, `\101`. */
const NUMBERED = /\\(?:x(\{[0-9A-Fa-f]+\}|[0-9A-Fa-f]{2})|(0[0-7]{0,2}|[1-7][0-7]{1,2}))/y;

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** Reads one code point, or the escape of one. */
export function readCharacter(cursor: Cursor): number {
  const { source, at: start } = cursor;
  if (source[start] !== "\\") return cursor.eatCodePoint();
  const found = cursor.eat(NUMBERED);
  if (found !== null) {
    const [, hex, octal] = found;
    const code = hex ? Number.parseInt(hex.replace("{", ""), 16) : Number.parseInt(octal!, 8);
    if (code <= CODE_POINT_MAX) return code;
  }
  cursor.at = start + 1;
  if (cursor.at === source.length) {
    cursor.refuse(start, "a lone `\\` ends the pattern: write `\\\\` for a backslash");
  }
  const code = cursor.eatCodePoint();
  const letter = String.fromCodePoint(code);
  const control = CONTROLS[letter];
  if (control !== undefined) return control;
  if (letter === "x") {
    cursor.at = Math.min(cursor.at + 1, source.length);
    cursor.refuse(start, "`\\x` needs two hexadecimal digits, or up to `10FFFF` in braces");
  }
  if (letter >= "1" && letter <= "9") {
    const what = "is a back-reference, which a linear-time pattern cannot have";
    const message = `\`\\${letter}\` ${what}: write out what it should match`;
    cursor.refuse(start, message, "pattern/unsupported");
  }
  const foreign = FOREIGN_ESCAPES[letter];
  if (foreign !== undefined) {
    cursor.refuse(start, `\`\\${letter}\` means ${foreign}`, "pattern/unsupported");
  }
  if (code < 128 && !/[0-9A-Za-z]/.test(letter)) return code;
  const message = `${quote(`\\${letter}`)} is not an escape here: write ${quote(letter)} for the character itself`;
  return cursor.refuse(start, message);
}

const UNICODE_CLASS = /\\[pP](?:\{(\^?)([^}]*)\}|([^{]))/suy;

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
  const found = cursor.eat(UNICODE_CLASS);
  if (found === null) {
    cursor.at = source.length;
    const example = `\`\\${letter}{Greek}\``;
    cursor.refuse(start, `\`\\${letter}\` needs a Unicode class, such as ${example}`);
  }
  const [text, caret, braced, name = braced!] = found;
  if (!UNICODE_CLASSES.has(name)) {
    const message = `${quote(text)} names no Unicode class that is known: write a general category, such as \`\\pL\`, or a script, such as \`\\p{Greek}\``;
    cursor.refuse(start, message);
  }
  const excluded = (letter === "P") !== (caret === "^");
  return { ranges: [], unicode: [{ name, polarity: excluded ? "excluded" : "included" }] };
}

const POSIX_CLASS = /\[:(?:(\^?)(.*?):)??\]/sy;

/**
 * Reads `[:alpha:]` inside a class; undefined if there is none at the cursor. Everything that opens with `[:` and has
 * a `:]` after it must be a known name, as in the stricter of the two engines.
 */
function readPosixClass(cursor: Cursor, fold: boolean): ClassMembers | undefined {
  const { source, at: start } = cursor;
  const found = source[start] === "[" ? cursor.eat(POSIX_CLASS) : null;
  if (found === null) return undefined;
  const [text, caret, name = ""] = found;
  const ranges = POSIX_CLASSES.get(name);
  if (ranges === undefined) {
    const message = `${quote(text)} is not a POSIX class: write one such as \`[:alpha:]\`, or \`\\[\` for a bracket`;
    cursor.refuse(start, message);
  }
  return { ranges: caret === "^" ? allBut(ranges, fold) : ranges, unicode: [] };
}

/** Reads `a`, or `a-z`, inside a class. */
function readClassRange(cursor: Cursor): CodeRange {
  const { source, at: start } = cursor;
  const first = readCharacter(cursor);
  const after = source[cursor.at + 1];
  // A `-` that comes last is a literal.
  if (source[cursor.at] !== "-" || after === "]" || after === undefined) return [first, first];
  cursor.at++;
  const last = readCharacter(cursor);
  if (last < first) {
    const range = quote(source.slice(start, cursor.at));
    cursor.refuse(start, `${range} runs backwards: swap its ends`);
  }
  return [first, last];
}

/** Reads `[…]` with the cursor on the bracket. */
export function readBracketClass(
  cursor: Cursor,
  fold: boolean,
): ClassMembers & { readonly negated: boolean } {
  const start = cursor.at;
  const negated = cursor.source[start + 1] === "^";
  cursor.at += negated ? 2 : 1;
  const ranges: CodeRange[] = [];
  const unicode: UnicodeClass[] = [];
  // A `]` that comes first is a member.
  for (let first = true; first || cursor.source[cursor.at] !== "]"; first = false) {
    if (cursor.at === cursor.source.length) {
      cursor.refuse(start, "`[` is never closed: add `]`, or write `\\[` for a bracket");
    }
    const named = readPosixClass(cursor, fold) ?? readClassEscape(cursor, fold);
    if (named === undefined) ranges.push(readClassRange(cursor));
    else {
      ranges.push(...named.ranges);
      unicode.push(...named.unicode);
    }
  }
  cursor.at++;
  return { ranges, unicode, negated };
}
