/** Reads the RE2 dialect into a syntax tree: exactly what every pattern engine accepts. */
import { LIMITS } from "../../../base/limits.ts";
import { quote } from "../../../base/quote.ts";
import { FOREIGN_GROUPS } from "./foreign-syntax.ts";
import type { AssertionKind, PatternNode, PatternTree, ReadResult } from "./pattern-tree.ts";
import {
  type Cursor,
  PatternRefusal,
  readBracketClass,
  readClassEscape,
  readEscape,
  refuse,
  skipCodePoint,
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
  readonly branches: PatternNode[];
  parts: PatternNode[];
  branchStart: number;
}

/** By the letter of their escapes. */
const ASSERTIONS: Readonly<Record<string, AssertionKind>> = {
  A: "begin-text",
  z: "end-text",
  b: "word-boundary",
  B: "not-word-boundary",
};

/** What to write for a sign that repeats nothing; for a file name's wildcard, its pattern. */
function repeatHint(source: string, sign: string, start: number): string {
  const extension = start === 0 ? /^\*(?:\\?\.)([a-z0-9]+)\$?$/i.exec(source)?.[1] : undefined;
  if (extension !== undefined) return `\`\\.${extension}$\``;
  const anything = sign === "*" ? "`.*` for any text, or " : "";
  return `${anything}\`\\${sign[0]}\` for the character`;
}

class PatternReader implements Cursor {
  readonly source: string;
  at = 0;
  #flags: Flags = { i: false, m: false, s: false, U: false };
  #frame: GroupFrame = this.#newFrame(0, this.#flags, undefined);
  readonly #outer: GroupFrame[] = [];
  readonly #captureStarts: number[] = [];
  readonly #names = new Set<string>();
  #depth = 0;
  #deepestAt = 0;
  /** The end of the last repetition, which another may not follow directly. */
  #repeatEnd = -1;

  constructor(source: string) {
    this.source = source;
  }

  read(): PatternTree {
    const { source } = this;
    this.at = source.search(/\p{Cs}/u) + 1;
    if (this.at > 0) {
      const message = "half a character (a lone surrogate) can match nothing: remove it";
      refuse(this, this.at - 1, message);
    }
    while (this.at < source.length) this.#readNext();
    if (this.#outer.length > 0) {
      const { start } = this.#frame;
      this.at = start + 1;
      refuse(this, start, "`(` is never closed: add `)`, or write `\\(` for a parenthesis");
    }
    const root = this.#endFrame();
    const [captureStarts, depth, deepestAt] = [this.#captureStarts, this.#depth, this.#deepestAt];
    return { source, root, captureStarts, depth, deepestAt };
  }

  #newFrame(start: number, outerFlags: Flags, capture: number | undefined): GroupFrame {
    const { at } = this;
    return { start, bodyStart: at, outerFlags, capture, branches: [], parts: [], branchStart: at };
  }

  #endBranch(): void {
    const frame = this.#frame;
    const { parts } = frame;
    const span = { start: frame.branchStart, end: this.at };
    if (parts.length === 0) parts.push({ kind: "empty", span });
    frame.branches.push(parts.length === 1 ? parts[0]! : { kind: "concat", span, parts });
    frame.parts = [];
    frame.branchStart = this.at + 1;
  }

  #endFrame(): PatternNode {
    this.#endBranch();
    const { branches, bodyStart: start } = this.#frame;
    if (branches.length === 1) return branches[0]!;
    return { kind: "alternate", span: { start, end: this.at }, branches };
  }

  /** Opens the group at `start`, whose body begins here. */
  #openGroup(start: number, outerFlags: Flags): void {
    this.#outer.push(this.#frame);
    if (this.#outer.length > this.#depth) {
      this.#depth = this.#outer.length;
      this.#deepestAt = start;
    }
    const isCapturing =
      !this.source.startsWith("?", start + 1) || "P<".includes(this.source[start + 2]!);
    const capture = isCapturing ? this.#captureStarts.push(start) : undefined;
    this.#frame = this.#newFrame(start, outerFlags, capture);
  }

  #closeGroup(): void {
    const { start, capture, outerFlags } = this.#frame;
    const outer = this.#outer.pop();
    const body = this.#endFrame();
    this.at++;
    if (outer === undefined) {
      const message = "`)` closes no group: remove it, or write `\\)` for a parenthesis";
      refuse(this, this.at - 1, message);
    }
    outer.parts.push({ kind: "group", span: { start, end: this.at }, body, capture });
    this.#flags = outerFlags;
    this.#frame = outer;
  }

  #readOpening(): void {
    const { source, at: start } = this;
    if (source[start + 1] !== "?") {
      this.at++;
      this.#openGroup(start, this.#flags);
      return;
    }
    const named = /^\(\?P?<(?![=!])/.exec(source.slice(start, start + 5));
    if (named === null) {
      this.#readFlags(start);
      return;
    }
    this.#readName(start, named[0].length);
    this.#openGroup(start, this.#flags);
  }

  #readName(start: number, openingUnits: number): void {
    const { source } = this;
    const close = source.indexOf(">", start);
    this.at = close < 0 ? source.length : close + 1;
    const name = source.slice(start + openingUnits, close);
    if (close < 0 || !/^[0-9A-Za-z_]+$/.test(name)) {
      const opening = quote(source.slice(start, this.at));
      refuse(this, start, `${opening} needs a name of letters, digits and \`_\`, then \`>\``);
    }
    if (this.#names.has(name)) refuse(this, start, `${quote(name)} names two groups: rename one`);
    this.#names.add(name);
  }

  /** Reads `i-s:` and the like after `(?`; a `)` ends a change of flags for the rest of the group. */
  #readFlags(start: number): void {
    const { source } = this;
    const found = /^([imsU]*)(?:-([imsU]+))?([:)])/.exec(source.slice(start + 2));
    if (found === null) {
      const foreign = FOREIGN_GROUPS.find(([text]) => source.startsWith(text, start));
      this.at = Math.min(start + (foreign?.[0].length ?? 3), source.length);
      const opening = quote(source.slice(start, this.at));
      if (foreign !== undefined) {
        refuse(this, start, `${opening} is ${foreign[1]}`, "pattern/unsupported");
      }
      const message = `${opening} opens no known group: write \`(?:\`, \`(?P<name>\` or flags of \`imsU\``;
      refuse(this, start, message);
    }
    const outer = this.#flags;
    const set = { ...outer };
    for (const flag of found[1]!) set[flag as keyof Flags] = true;
    for (const flag of found[2] ?? "") set[flag as keyof Flags] = false;
    this.#flags = set;
    this.at = start + 2 + found[0].length;
    if (found[3] === ":") this.#openGroup(start, outer);
  }

  /** Reads `*`, `+`, `?` or `{n,m}`; false if the cursor is on a `{` that is only a brace. */
  #readRepeat(): boolean {
    const { source, at: start } = this;
    const { parts } = this.#frame;
    const found = /^(?:[*+?]|\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\})/.exec(
      source.slice(start),
    );
    if (found === null) return false;
    const sign = found[0];
    const min = sign === "+" ? 1 : Number(found[1] ?? 0);
    const open = sign === "*" || sign === "+" || (found[2] === "," && found[3] === undefined);
    const max = open ? Number.POSITIVE_INFINITY : sign === "?" ? 1 : Number(found[3] ?? found[1]);
    this.at += sign.length;
    if (Math.max(min, open ? min : max) > LIMITS.patternRepeatMax) {
      const message = `${quote(sign)} repeats too often: write at most \`${LIMITS.patternRepeatMax}\``;
      refuse(this, start, message, "pattern/repeat-too-large");
    }
    if (max < min) refuse(this, start, `${quote(sign)} runs backwards: swap its counts`);
    if (this.#repeatEnd === start) {
      const possessive = sign === "+" ? ", and no repetition is possessive" : "";
      const message = `${quote(sign)} repeats a repetition: put what it repeats into \`(?:…)\`${possessive}`;
      refuse(this, start, message);
    }
    const body = parts.pop();
    if (body === undefined) {
      const hint = repeatHint(source, sign, start);
      refuse(this, start, `${quote(sign)} repeats nothing: write ${hint}`);
    }
    const reversed = source[this.at] === "?";
    if (reversed) this.at++;
    const greed = reversed === this.#flags.U ? "greedy" : "lazy";
    const span = { start: body.span.start, end: this.at };
    parts.push({ kind: "repeat", span, body, min, max, greed });
    this.#repeatEnd = this.at;
    return true;
  }

  #pushLiteral(start: number, codePoint: number): void {
    const span = { start, end: this.at };
    this.#frame.parts.push({ kind: "literal", span, codePoint, fold: this.#flags.i });
  }

  #pushAssertion(start: number, assertion: AssertionKind): void {
    this.#frame.parts.push({ kind: "assertion", span: { start, end: this.at }, assertion });
  }

  /** Reads what follows a backslash outside a class. */
  #readBackslash(): void {
    const { source, at: start } = this;
    const letter = source[start + 1] ?? "";
    if (letter === "Q") {
      const close = source.indexOf("\\E", start + 2);
      const end = close < 0 ? source.length : close;
      for (this.at += 2; this.at < end; ) this.#pushLiteral(this.at, skipCodePoint(this));
      if (close >= 0) this.at += 2;
      return;
    }
    const assertion = ASSERTIONS[letter];
    if (assertion !== undefined) {
      this.at += 2;
      this.#pushAssertion(start, assertion);
      return;
    }
    const { i: fold } = this.#flags;
    const members = readClassEscape(this, fold);
    if (members === undefined) {
      this.#pushLiteral(start, readEscape(this));
      return;
    }
    const span = { start, end: this.at };
    this.#frame.parts.push({ kind: "class", span, ...members, negated: false, fold });
  }

  #readNext(): void {
    const { source, at: start } = this;
    const { i: fold, m, s } = this.#flags;
    const { parts } = this.#frame;
    switch (source[start]) {
      case "(":
        this.#readOpening();
        return;
      case ")":
        this.#closeGroup();
        return;
      case "|":
        this.#endBranch();
        this.at++;
        return;
      case "^":
      case "$":
        this.at++;
        this.#pushAssertion(
          start,
          `${source[start] === "^" ? "begin" : "end"}-${m ? "line" : "text"}`,
        );
        return;
      case ".":
        this.at++;
        parts.push({
          kind: "any",
          span: { start, end: this.at },
          newline: s ? "included" : "excluded",
        });
        return;
      case "[": {
        const members = readBracketClass(this, fold);
        parts.push({ kind: "class", span: { start, end: this.at }, ...members, fold });
        return;
      }
      case "\\":
        this.#readBackslash();
        return;
      default:
        if ("*+?{".includes(source[start]!) && this.#readRepeat()) return;
        this.#pushLiteral(start, skipCodePoint(this));
    }
  }
}

/** Reads `source`, without recursion and in time linear in its length; never throws. */
export function readPattern(source: string): ReadResult {
  try {
    return { ok: true, tree: new PatternReader(source).read() };
  } catch (error) {
    if (error instanceof PatternRefusal) return { ok: false, problem: error.problem };
    throw error;
  }
}
