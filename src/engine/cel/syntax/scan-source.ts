/** A first look at an expression's tokens: refuses what would overflow the parser's stack or be read wrongly by it. */
import type { Problem, Span } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";

export interface Scan {
  /** Pairs of parentheses, by which spans are widened. */
  readonly pairs: readonly Span[];
  /** The source for the parser, with an integer of the same length in place of `.5`, which it cannot read. */
  readonly parsable: string;
}

const TOKEN =
  /(?<space>[ \t\r\n]+|\/\/[^\n]*)|(?<prefix>[bBrR]*)(?<text>"""(?:\\.|[^\\])*?"""|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*')|(?<word>[A-Za-z_][A-Za-z0-9_]*)|(?<number>0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?<fraction>(?<![A-Za-z0-9_])\.[0-9]+(?:[eE][+-]?[0-9]+)?)|(?<mark>==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}])/sy;

/** An open bracket, and whether its level has had an equality since the last looser operator. */
interface Level {
  readonly start: number;
  equality: boolean;
}

const RELATIONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "in"]);
const LOOSER: ReadonlySet<string> = new Set(["&&", "||", "?", ":", ","]);

/** Stops the reading of a source at its first problem; `parseSource` catches it. */
export class RefusedSource {
  constructor(readonly problem: Problem) {}
}

export function refuse(message: string, span: Span, code: Problem["code"] = "cel/syntax"): never {
  throw new RefusedSource({ code, message, span });
}

export function tooDeep(span: Span): Problem {
  const message = `nested deeper than ${LIMITS.celDepthMax} levels: split the expression into several rules`;
  return { code: "cel/too-deep", message, span };
}

/** Refuses string literals that the parser would silently read differently from CEL. */
function checkText(prefix: string, text: string, span: Span): void {
  if (prefix.length > 1) {
    const message = `\`${prefix}\` before a string is not supported: write the escapes of a \`b\` string`;
    refuse(message, span, "cel/unsupported");
  }
  const { length } = /^(?:"""|'''|.)/.exec(text)![0];
  const first = text.indexOf(text.slice(0, length), length);
  if (/[rR]/.test(prefix) && first < text.length - length) {
    const message =
      "a raw string with a backslash before its own quote is not supported: use the other quote";
    refuse(message, span, "cel/unsupported");
  }
}

/**
 * Refuses nesting beyond `LIMITS.celDepthMax`, and what the parser reads differently from CEL: `a == b < c`
 * (CEL compares from left to right, the parser gives `<` precedence) and two kinds of string literal.
 * A character that starts no token ends the scan; the parser will report it.
 */
export function scanSource(source: string): Scan {
  let parsable = source;
  const pairs: Span[] = [];
  const levels: Level[] = [{ start: 0, equality: false }];
  let signs = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(source); match !== null; match = TOKEN.exec(source)) {
    const { space, prefix, text, fraction } = match.groups!;
    if (space !== undefined) continue;
    const [start, end] = [match.index, match.index + match[0].length];
    if (text !== undefined) checkText(prefix ?? "", text, { start, end });
    if (fraction !== undefined)
      parsable = parsable.slice(0, start) + "0".repeat(end - start) + parsable.slice(end);
    const token = match[0];
    const level = levels.at(-1)!;
    signs = token === "!" || token === "-" ? signs + 1 : 0;
    if (levels.length + signs > LIMITS.celDepthMax) {
      throw new RefusedSource(tooDeep({ start, end }));
    }
    if (token === "(" || token === "[" || token === "{") levels.push({ start, equality: false });
    else if (token === ")" || token === "]" || token === "}") {
      if (levels.length > 1) levels.pop();
      if (token === ")") pairs.push({ start: level.start, end });
    } else if (token === "==" || token === "!=") level.equality = true;
    else if (LOOSER.has(token)) level.equality = false;
    else if (RELATIONS.has(token) && level.equality) {
      const message = `\`${token}\` after an equality is read differently by different tools: write parentheses around one of them`;
      refuse(message, { start, end }, "cel/unsupported");
    }
  }
  return { pairs, parsable };
}

/** Widens the span until every parenthesis in it has its partner. */
export function widenSpan(span: Span, pairs: readonly Span[]): Span {
  let { start, end } = span;
  for (const pair of pairs) {
    if (pair.start < start && pair.end > start && pair.end <= end) start = pair.start;
    if (pair.start >= start && pair.start < end && pair.end > end) end = pair.end;
  }
  return { start, end };
}
