/** Reads the RE2 dialect into a syntax tree: exactly what every pattern engine accepts. */
import { LIMITS } from "../../../base/limits.ts";
import { quote } from "../../../base/quote.ts";
import { FOREIGN_GROUPS } from "./foreign-syntax.ts";
import type { PatternNode, PatternTree, ReadResult } from "./pattern-tree.ts";
import {
  type Cursor,
  PatternRefusal,
  readBracketClass,
  readClassEscape,
  readEscape,
  refuse,
} from "./re2-class.ts";

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

/** An open group, or the pattern itself: branches already ended by `|`, and the parts of the current one. */
interface GroupFrame {
  readonly start: number;
  readonly bodyStart: number;
  readonly outerFlags: Flags;
  readonly capture: number | undefined;
  readonly name: string | undefined;
  readonly branches: PatternNode[];
  parts: PatternNode[];
  branchStart: number;
}

interface PatternReader extends Cursor {
  flags: Flags;
  frame: GroupFrame;
  readonly outer: GroupFrame[];
  readonly captureStarts: number[];
  readonly names: Set<string>;
  depth: number;
  deepestAt: number;
  /** The end of the last repetition, which another may not follow directly. */
  repeatEnd: number;
}

function wrap(
  nodes: PatternNode[],
  kind: "concat" | "alternate",
  start: number,
  end: number,
): PatternNode {
  const span = { start, end };
  if (nodes.length === 1) return nodes[0]!;
  return kind === "concat" ? { kind, span, parts: nodes } : { kind, span, branches: nodes };
}

function endBranch(reader: PatternReader): void {
  const { frame, at } = reader;
  const start = frame.branchStart;
  if (frame.parts.length === 0) frame.parts.push({ kind: "empty", span: { start, end: at } });
  frame.branches.push(wrap(frame.parts, "concat", start, at));
  frame.parts = [];
  frame.branchStart = at + 1;
}

function endFrame(reader: PatternReader): PatternNode {
  endBranch(reader);
  const { frame } = reader;
  return wrap(frame.branches, "alternate", frame.bodyStart, reader.at);
}

function newFrame(
  start: number,
  bodyStart: number,
  outerFlags: Flags,
  capture: number | undefined,
  name: string | undefined,
): GroupFrame {
  const branches: PatternNode[] = [];
  return {
    start,
    bodyStart,
    branchStart: bodyStart,
    outerFlags,
    capture,
    name,
    branches,
    parts: [],
  };
}

function openGroup(
  reader: PatternReader,
  start: number,
  name: string | undefined,
  outer: Flags,
): void {
  reader.outer.push(reader.frame);
  if (reader.outer.length > reader.depth) {
    reader.depth = reader.outer.length;
    reader.deepestAt = start;
  }
  const capturing = reader.source[start + 1] !== "?" || name !== undefined;
  if (capturing) reader.captureStarts.push(start);
  const capture = capturing ? reader.captureStarts.length : undefined;
  reader.frame = newFrame(start, reader.at, outer, capture, name);
}

function closeGroup(reader: PatternReader): void {
  const { frame, at } = reader;
  const outer = reader.outer.pop();
  if (outer === undefined) {
    const message = "`)` closes no group: remove it, or write `\\)` for a parenthesis";
    refuse("pattern/syntax", message, at, at + 1);
  }
  const body = endFrame(reader);
  const { start, capture, name } = frame;
  reader.at++;
  outer.parts.push({ kind: "group", span: { start, end: reader.at }, body, capture, name });
  reader.flags = frame.outerFlags;
  reader.frame = outer;
}

function readName(reader: PatternReader, start: number, opening: string): string {
  const close = reader.source.indexOf(">", start);
  const end = close < 0 ? reader.source.length : close + 1;
  const name = reader.source.slice(start + opening.length, close);
  if (close < 0 || !/^[0-9A-Za-z_]+$/.test(name)) {
    const message = `${quote(reader.source.slice(start, end))} needs a name of letters, digits and \`_\`, then \`>\``;
    refuse("pattern/syntax", message, start, end);
  }
  if (reader.names.has(name)) {
    const message = `${quote(name)} names two groups: rename one`;
    refuse("pattern/syntax", message, start, end);
  }
  reader.names.add(name);
  reader.at = end;
  return name;
}

/** Reads `i-s:` and the like after `(?`; a `)` ends a change of flags for the rest of the group. */
function readFlags(reader: PatternReader, start: number): void {
  const found = /^([imsU]*)(?:-([imsU]+))?([:)])/.exec(reader.source.slice(start + 2));
  if (found === null) {
    const end = Math.min(start + 3, reader.source.length);
    const opening = reader.source.slice(start, end);
    const foreign = FOREIGN_GROUPS.find(([text]) => reader.source.startsWith(text, start));
    if (foreign !== undefined) {
      const message = `\`${foreign[0]}\` is ${foreign[1]}`;
      refuse("pattern/unsupported", message, start, start + foreign[0].length);
    }
    const message = `${quote(opening)} opens no known group: write \`(?:\`, \`(?P<name>\` or flags of \`imsU\``;
    refuse("pattern/syntax", message, start, end);
  }
  const outer = reader.flags;
  const set = { ...outer };
  for (const flag of found[1]!) set[flag as keyof Flags] = true;
  for (const flag of found[2] ?? "") set[flag as keyof Flags] = false;
  reader.flags = set;
  reader.at = start + 2 + found[0].length;
  if (found[3] === ":") openGroup(reader, start, undefined, outer);
}

function readOpening(reader: PatternReader): void {
  const { source, at: start } = reader;
  if (source[start + 1] !== "?") {
    reader.at++;
    openGroup(reader, start, undefined, reader.flags);
    return;
  }
  const named = /^\(\?P?<(?![=!])/.exec(source.slice(start, start + 5));
  if (named === null) readFlags(reader, start);
  else openGroup(reader, start, readName(reader, start, named[0]), reader.flags);
}

/** What to write for a sign that repeats nothing; for a file name's wildcard, its pattern. */
function repeatHint(source: string, sign: string, start: number): string {
  const extension = start === 0 ? /^\*(?:\\?\.)([a-z0-9]+)\$?$/i.exec(source)?.[1] : undefined;
  if (extension !== undefined) return `\`\\.${extension}$\``;
  const anything = sign === "*" ? "`.*` for any text, or " : "";
  return `${anything}\`\\${sign[0]}\` for the character`;
}

/** Reads `*`, `+`, `?` or `{n,m}`; false if the cursor is on a `{` that is only a brace. */
function readRepeat(reader: PatternReader): boolean {
  const { source, at: start, frame } = reader;
  const found = /^(?:[*+?]|\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\})/.exec(source.slice(start));
  if (found === null) return false;
  const sign = found[0];
  const min = sign === "+" ? 1 : Number(found[1] ?? 0);
  const open = sign === "*" || sign === "+" || (found[2] === "," && found[3] === undefined);
  const max = open ? Number.POSITIVE_INFINITY : sign === "?" ? 1 : Number(found[3] ?? found[1]);
  reader.at += sign.length;
  const counts = [min, open ? min : max];
  if (counts.some((count) => count > LIMITS.patternRepeatMax)) {
    const message = `${quote(sign)} repeats too often: write at most \`${LIMITS.patternRepeatMax}\``;
    refuse("pattern/repeat-too-large", message, start, reader.at);
  }
  if (max < min) {
    refuse("pattern/syntax", `${quote(sign)} runs backwards: swap its counts`, start, reader.at);
  }
  if (reader.repeatEnd === start) {
    const possessive = sign === "+" ? ", and no repetition is possessive" : "";
    const message = `${quote(sign)} repeats a repetition: put what it repeats into \`(?:…)\`${possessive}`;
    refuse("pattern/syntax", message, start, reader.at);
  }
  const body = frame.parts.pop();
  if (body === undefined) {
    const message = `${quote(sign)} repeats nothing: write ${repeatHint(source, sign, start)}`;
    refuse("pattern/syntax", message, start, reader.at);
  }
  const reversed = source[reader.at] === "?";
  if (reversed) reader.at++;
  const greed = reversed === reader.flags.U ? "greedy" : "lazy";
  const span = { start: body.span.start, end: reader.at };
  frame.parts.push({ kind: "repeat", span, body, min, max, greed });
  reader.repeatEnd = reader.at;
  return true;
}

function pushLiteral(reader: PatternReader, start: number, codePoint: number): void {
  const span = { start, end: reader.at };
  reader.frame.parts.push({ kind: "literal", span, codePoint, fold: reader.flags.i });
}

function readPlain(reader: PatternReader, end: number): void {
  while (reader.at < end) {
    const start = reader.at;
    const codePoint = reader.source.codePointAt(start)!;
    reader.at += codePoint > 0xffff ? 2 : 1;
    pushLiteral(reader, start, codePoint);
  }
}

/** Reads what follows a backslash outside a class. */
function readBackslash(reader: PatternReader): void {
  const { source, at: start, frame } = reader;
  const letter = source[start + 1];
  if (letter === "Q") {
    const close = source.indexOf("\\E", start + 2);
    reader.at += 2;
    readPlain(reader, close < 0 ? source.length : close);
    if (close >= 0) reader.at += 2;
    return;
  }
  const assertion = (
    { A: "begin-text", z: "end-text", b: "word-boundary", B: "not-word-boundary" } as const
  )[letter ?? ""];
  if (assertion !== undefined) {
    reader.at += 2;
    frame.parts.push({ kind: "assertion", span: { start, end: reader.at }, assertion });
    return;
  }
  const members = readClassEscape(reader, reader.flags.i);
  if (members === undefined) {
    pushLiteral(reader, start, readEscape(reader));
    return;
  }
  const span = { start, end: reader.at };
  frame.parts.push({ kind: "class", span, ...members, negated: false, fold: reader.flags.i });
}

function readNext(reader: PatternReader): void {
  const { source, at: start, flags, frame } = reader;
  const span = { start, end: start + 1 };
  switch (source[start]) {
    case "(":
      readOpening(reader);
      return;
    case ")":
      closeGroup(reader);
      return;
    case "|":
      endBranch(reader);
      reader.at++;
      return;
    case "^":
    case "$": {
      const edge = source[start] === "^" ? "begin" : "end";
      const assertion = `${edge}-${flags.m ? "line" : "text"}` as const;
      frame.parts.push({ kind: "assertion", span, assertion });
      reader.at++;
      return;
    }
    case ".":
      frame.parts.push({ kind: "any", span, newline: flags.s ? "included" : "excluded" });
      reader.at++;
      return;
    case "[": {
      const members = readBracketClass(reader, reader.flags.i);
      const end = reader.at;
      frame.parts.push({ kind: "class", span: { start, end }, ...members, fold: flags.i });
      return;
    }
    case "\\":
      readBackslash(reader);
      return;
    default:
      if ("*+?{".includes(source[start]!) && readRepeat(reader)) return;
      readPlain(reader, start + 1);
  }
}

function readTree(source: string): PatternTree {
  const broken = source.search(/\p{Cs}/u);
  if (broken >= 0) {
    const message = "half a character (a lone surrogate) can match nothing: remove it";
    refuse("pattern/syntax", message, broken, broken + 1);
  }
  const flags: Flags = { i: false, m: false, s: false, U: false };
  const frame = newFrame(0, 0, flags, undefined, undefined);
  const reader: PatternReader = {
    source,
    at: 0,
    flags,
    frame,
    outer: [],
    captureStarts: [],
    names: new Set(),
    depth: 0,
    deepestAt: 0,
    repeatEnd: -1,
  };
  while (reader.at < source.length) readNext(reader);
  if (reader.frame !== frame) {
    const { start } = reader.frame;
    const message = "`(` is never closed: add `)`, or write `\\(` for a parenthesis";
    refuse("pattern/syntax", message, start, start + 1);
  }
  const root = endFrame(reader);
  const { captureStarts, depth, deepestAt } = reader;
  return { source, root, captureStarts, depth, deepestAt };
}

/** Reads `source`, without recursion and in time linear in its length; never throws. */
export function readPattern(source: string): ReadResult {
  try {
    return { ok: true, tree: readTree(source) };
  } catch (error) {
    if (error instanceof PatternRefusal) return { ok: false, problem: error.problem };
    throw error;
  }
}
