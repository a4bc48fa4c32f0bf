/** JSON as text (RFC 8259): where its first mistake is, and where its values are. */
import type { Path, Span } from "./diagnostic.ts";

/** The first mistake, in the author's words. */
export interface JsonMistake {
  readonly message: string;
  readonly span: Span;
}

/** An object or array that has been opened and not closed. */
interface Container {
  readonly close: "}" | "]";
  /** The key or index that is being read. */
  step: string | number;
}

type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | ", or end";

class JsonSyntaxError extends Error {
  readonly span: Span;
  constructor(message: string, start: number, end: number) {
    super(message);
    this.span = { start, end };
  }
}

const BLANK = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}\p{N}_$+.-]+/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** The offset after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (at >= text.length || unit === 10 || unit === 13) {
      throw new JsonSyntaxError('this string has no closing quote: add `"`', start, at);
    }
    if (unit === 34) return at + 1;
    if (unit < 32) {
      const escaped = `\\u${unit.toString(16).padStart(4, "0")}`;
      throw new JsonSyntaxError(
        `a control character in a string: write \`${escaped}\``,
        at,
        at + 1,
      );
    }
    if (unit !== 92) {
      at++;
      continue;
    }
    const escaped = matchAt(ESCAPE, text, at);
    if (escaped === "") {
      const written = text.slice(at, at + 2);
      const message = `\`${written}\` is not an escape of JSON: write a backslash as \`\\\\\``;
      throw new JsonSyntaxError(message, at, at + written.length);
    }
    at += escaped.length;
  }
}

/** The offset after the string, number or word that begins at `start`. */
function endOfScalar(text: string, start: number, expected: Expected): number {
  if (text[start] === '"') return endOfString(text, start);
  const written = matchAt(WORD, text, start);
  if (["true", "false", "null"].includes(written)) return start + written.length;
  if (written !== "" && matchAt(NUMBER, text, start) === written) return start + written.length;
  throw unexpected(text, start, expected);
}

function unexpected(text: string, at: number, expected: Expected): JsonSyntaxError {
  const wanted = {
    value: "a value",
    "value or ]": "a value or `]`",
    key: "a key in double quotes",
    "key or }": "a key in double quotes or `}`",
    ":": "`:`",
    ", or end": "`,` or a closing bracket",
  }[expected];
  if (at >= text.length)
    return new JsonSyntaxError(`the text ends where ${wanted} should be`, at, at);
  const written = matchAt(WORD, text, at) || String.fromCodePoint(text.codePointAt(at)!);
  const shown = written.length > 40 ? `${written.slice(0, 40)}…` : written;
  if (/^[“”„‟‘’‚«»]/.test(written)) {
    return new JsonSyntaxError(`\`${written[0]}\` is not a quote of JSON: write \`"\``, at, at + 1);
  }
  if (expected === ", or end" && /["{[\w-]/.test(written[0]!)) {
    const end = text.slice(0, at).trimEnd().length;
    return new JsonSyntaxError("no comma here: add one", end, end);
  }
  const hint =
    written === "'"
      ? ': write `"`'
      : text.startsWith("//", at) || text.startsWith("/*", at) || written === "#"
        ? ": JSON has no comments"
        : "";
  return new JsonSyntaxError(
    `\`${shown}\` where ${wanted} should be${hint}`,
    at,
    at + written.length,
  );
}

/** Checks that the bracket at `at` is allowed there; `comma` is the offset of a comma just before it, or -1. */
function checkClose(
  text: string,
  at: number,
  container: Container | undefined,
  expected: Expected,
  comma: number,
): void {
  const unit = text[at]!;
  if (container?.close !== unit) {
    if (container === undefined || expected !== ", or end") throw unexpected(text, at, expected);
    throw new JsonSyntaxError(`\`${unit}\` where \`${container.close}\` should be`, at, at + 1);
  }
  if (comma >= 0)
    throw new JsonSyntaxError(`a comma before \`${unit}\`: remove it`, comma, comma + 1);
  if (expected !== ", or end" && !expected.includes(unit)) throw unexpected(text, at, expected);
}

/** Calls `onValue` for each value, with the open containers around it and its offset. Throws a `JsonSyntaxError`. */
function walk(text: string, onValue: (open: readonly Container[], start: number) => void): void {
  const open: Container[] = [];
  let expected: Expected = "value";
  let at = 0;
  let comma = -1;
  for (;;) {
    at += matchAt(BLANK, text, at).length;
    const container = open.at(-1);
    if (expected === ", or end" && container === undefined) {
      if (at < text.length)
        throw new JsonSyntaxError("the value has ended before this", at, at + 1);
      return;
    }
    const unit = text[at];
    if (unit === "}" || unit === "]") {
      checkClose(text, at, container, expected, comma);
      open.pop();
      expected = ", or end";
      at++;
    } else if (expected === ", or end") {
      if (unit !== ",") throw unexpected(text, at, expected);
      comma = at++;
      expected = container!.close === "}" ? "key" : "value";
      if (typeof container!.step === "number") container!.step++;
      continue;
    } else if (expected === ":") {
      if (unit !== ":") throw unexpected(text, at, expected);
      at++;
      expected = "value";
    } else if (expected.startsWith("key")) {
      if (unit !== '"') throw unexpected(text, at, expected);
      const end = endOfString(text, at);
      container!.step = JSON.parse(text.slice(at, end)) as string;
      at = end;
      expected = ":";
    } else {
      onValue(open, at);
      if (unit === "{") {
        open.push({ close: "}", step: "" });
        expected = "key or }";
        at++;
      } else if (unit === "[") {
        open.push({ close: "]", step: 0 });
        expected = "value or ]";
        at++;
      } else {
        at = endOfScalar(text, at, expected);
        expected = ", or end";
      }
    }
    comma = -1;
  }
}

/** The first mistake of a text, or `null` if it is JSON. Never throws. */
export function findJsonMistake(text: string): JsonMistake | null {
  try {
    walk(text, () => {});
    return null;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { message: error.message, span: error.span };
  }
}

/** The first key that an object has twice, which `JSON.parse` accepts; `null` if there is none. */
export function findDuplicateKey(text: string): JsonMistake | null {
  const seen = new WeakMap<Container, Set<string>>();
  const found: JsonMistake[] = [];
  walk(text, (open, start) => {
    const container = open.at(-1);
    if (found.length > 0 || typeof container?.step !== "string") return;
    const keys = seen.get(container) ?? new Set();
    seen.set(container, keys);
    if (keys.has(container.step)) {
      const message = `\`${container.step}\` is in this object twice: remove one`;
      found.push({ message, span: { start, end: start + 1 } });
    }
    keys.add(container.step);
  });
  return found[0] ?? null;
}

/**
 * For each path, the offset of its value in a JSON text; if there is no such value, the offset of the nearest
 * value around it. If a key is given twice, the last one counts, as in `JSON.parse`.
 */
export function locateValues(text: string, paths: readonly Path[]): readonly number[] {
  const offsets = new Map<string, number>();
  for (const path of paths) {
    for (let steps = 0; steps <= path.length; steps++) {
      offsets.set(JSON.stringify(path.slice(0, steps)), 0);
    }
  }
  const stepsMax = paths.reduce((most, path) => Math.max(most, path.length), 0);
  walk(text, (open, start) => {
    if (open.length > stepsMax) return;
    const key = JSON.stringify(open.map(({ step }) => step));
    if (offsets.has(key)) offsets.set(key, start);
  });
  return paths.map((path) => {
    for (let steps = path.length; steps > 0; steps--) {
      const offset = offsets.get(JSON.stringify(path.slice(0, steps)));
      if (offset !== undefined && offset > 0) return offset;
    }
    return offsets.get("[]") ?? 0;
  });
}
