/** Text → syntax tree: the parser of cel-js parses it, and its tree is converted to mailflow's. */
import { Environment, ParseError } from "@marcbachmann/cel-js";
import type { Problem } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";
import { oneLine, quote } from "../../../base/quote.ts";
import { convertTree } from "./convert-tree.ts";
import { RefusedSource, refuse, scanSource, tooDeep } from "./scan-source.ts";
import type { Node } from "./tree.ts";

const environment = new Environment({
  enableOptionalTypes: true,
  limits: {
    maxAstNodes: LIMITS.celNodesMax,
    maxDepth: LIMITS.celDepthMax,
    maxListElements: LIMITS.celNodesMax,
    maxMapEntries: LIMITS.celNodesMax,
    maxCallArguments: LIMITS.celNodesMax,
  },
});

export type ParseResult =
  | { readonly ok: true; readonly tree: Node }
  | { readonly ok: false; readonly problem: Problem };

/** The parser's names of tokens that it can miss, and how they are written. */
const MISSED: Readonly<Record<string, string>> = {
  IDENTIFIER: "a name",
  LPAREN: "`(`",
  RPAREN: "`)`",
  RBRACKET: "`]`",
  RBRACE: "`}`",
  COLON: "`:`",
};

/** Operators that other languages write as words. */
const WORDS: Readonly<Record<string, string>> = { and: "&&", or: "||", not: "!" };

function wordHint(word: string | undefined): string | null {
  const meant = Object.hasOwn(WORDS, word?.toLowerCase() ?? "") ? WORDS[word!.toLowerCase()] : null;
  return meant == null ? null : `\`${word}\` is not an operator: write \`${meant}\``;
}

/** The parser's one-line summary in mailflow's words; `before` is the source before the text. */
function explainSyntax(code: string, summary: string, text: string, before: string): string {
  switch (code) {
    case "expected_token":
    case "unexpected_token": {
      const missed = MISSED[/^Expected ([A-Z]+)/.exec(summary)?.[1] ?? ""] ?? "a value";
      return `expected ${missed}, found ${text === "" ? "the end" : quote(text)}`;
    }
    case "unexpected_character": {
      const hint = wordHint(text) ?? wordHint(/\b(\w+)\s*$/.exec(before)?.[1]);
      if (hint !== null) return hint;
      if (/^[“”„‟‘’‚«»]/.test(text)) return `\`${text[0]}\` is not a quote: write \`"\``;
      if (text === "=") return "`=` is not an operator: compare with `==`";
      if (text === "&" || text === "|")
        return `\`${text}\` is not an operator: write \`${text}${text}\``;
      if (text === "`") return 'quoted field names are not supported: write `x["name"]`';
      if (text === "{") return "messages cannot be constructed here: remove the `{`";
      return `unexpected ${quote(text)}: remove it, or write an operator before it`;
    }
    case "newline_in_string":
      return "a line ends within a string: close the string, or use three quotes";
    case "unterminated_string":
    case "unterminated_triple_quoted_string":
      return "the string is not closed: add its quote";
    case "reserved_identifier":
      return `${quote(text)} is a reserved word: use another name`;
    case "invalid_macro_argument":
      return "the first argument of a macro must be a plain variable name, such as `v`";
    default: {
      const first = oneLine(summary.split("\n")[0]!.replace(/\.$/, ""));
      return `${first.charAt(0).toLowerCase()}${first.slice(1)}: correct it`;
    }
  }
}

function problemOf(error: ParseError, source: string): Problem {
  const start = Math.min(error.range?.start ?? 0, source.length);
  const end = Math.min(Math.max(error.range?.end ?? start, start), source.length);
  const span = { start, end };
  if (error.code === "limit_exceeded") {
    if (error.summary.includes("maxDepth")) return tooDeep(span);
    const message = error.summary.includes("maxAstNodes")
      ? `more than ${LIMITS.celNodesMax} parts: split the expression into several rules`
      : "too many arguments or elements in one place: split the expression";
    return { code: "cel/too-complex", message, span };
  }
  const text = source.slice(start, end) || source.charAt(start);
  const message = explainSyntax(error.code, error.summary, text, source.slice(0, start));
  return { code: "cel/syntax", message, span };
}

/** Parses an expression of at most `LIMITS.celUnitsMax` code units. Never throws. */
export function parseSource(source: string): ParseResult {
  try {
    if (source.length > LIMITS.celUnitsMax) {
      const message = `the expression has ${source.length} characters: shorten it to ${LIMITS.celUnitsMax}`;
      refuse(message, { start: LIMITS.celUnitsMax, end: source.length }, "cel/too-long");
    }
    const { parsable, pairs } = scanSource(source);
    return { ok: true, tree: convertTree(environment.parse(parsable).ast, source, pairs) };
  } catch (error) {
    if (error instanceof RefusedSource) return { ok: false, problem: error.problem };
    if (error instanceof ParseError) return { ok: false, problem: problemOf(error, source) };
    // The limits above keep the stack safe; a caller with little stack left gets a problem all the same.
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, problem: tooDeep({ start: 0, end: source.length }) };
  }
}
