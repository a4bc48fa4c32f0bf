/** Reads the RE2 dialect into a syntax tree: exactly what every pattern engine accepts. */
import { LIMITS } from "../../../base/limits.ts";
import { quote } from "../../../base/quote.ts";
import { FOREIGN_GROUPS } from "./foreign-syntax.ts";
import type { AssertionKind, PatternNode, PatternTree, ReadResult } from "./pattern-tree.ts";
import {
  Cursor,
  PatternRefusal,
  readBracketClass,
  readCharacter,
  readClassEscape,
} from "./re2-class.ts";

/** An open group, or the pattern itself: branches already ended by `|`, and the parts of the current one. */
interface GroupFrame {
  /** The group around it; `null` for the pattern itself. */
  readonly outer: GroupFrame | null;
  readonly start: number;
  readonly bodyStart: number;
  readonly capture: number | undefined;
  readonly branches: PatternNode[];
  parts: PatternNode[];
  branchStart: number;
  /** Flags of `imsU` that hold for what comes next in the group. */
  flags: string;
}

/** By the letter of their escapes. */
const ESCAPED_ASSERTIONS: Readonly<Record<string, AssertionKind>> = {
  A: "begin-text",
  z: "end-text",
  b: "word-boundary",
  B: "not-word-boundary",
};
/** Without the flag `m`, and with it. */
const EDGES: Readonly<Record<string, readonly [text: AssertionKind, line: AssertionKind]>> = {
  "^": ["begin-text", "begin-line"],
  $: ["end-text", "end-line"],
};

/** `(?P<name>`, or flags such as `(?i-s:`; with `)` in place of `:`, they hold for the rest of the group around. */
const OPENING = /\(\?(?:P?<([0-9A-Za-z_]+)>|([imsU]*)(?:-([imsU]+))?([:)]))/y;

const REPEAT = /[*+?]|\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/y;

/** Refuses what opens no group of this dialect. */
function refuseOpening(cursor: Cursor, start: number): never {
  const [text, named] = cursor.eat(/\(\?(?:<[=!]|P[=>]|(P?<(?![=!])[^>]*>?)|.?)/sy)!;
  const foreign = FOREIGN_GROUPS[text];
  if (foreign !== undefined) {
    cursor.refuse(start, `${quote(text)} is ${foreign}`, "pattern/unsupported");
  }
  const advice =
    named === undefined
      ? "opens no known group: write `(?:`, `(?P<name>` or flags of `imsU`"
      : "needs a name of letters, digits and `_`, then `>`";
  cursor.refuse(start, `${quote(text)} ${advice}`);
}

/** What to write for a sign that repeats nothing; for a file name's wildcard, its pattern. */
function repeatHint(source: string, sign: string, start: number): string {
  const extension = start === 0 ? /^\*(?:\\?\.)([a-z0-9]+)\$?$/i.exec(source)?.[1] : undefined;
  if (extension !== undefined) return `\`\\.${extension}$\``;
  const anything = sign === "*" ? "`.*` for any text, or " : "";
  return `${anything}\`\\${sign[0]}\` for the character`;
}

class PatternReader extends Cursor {
  #frame: GroupFrame = this.#newFrame(null, 0, "", undefined);
  readonly #captureStarts: number[] = [];
  readonly #names = new Set<string>();
  /** Groups that are open, at this place, and at the deepest one. */
  #open = 0;
  #depth = 0;
  #deepestAt = 0;
  /** The end of the last repetition, which another may not follow directly. */
  #repeatEnd = -1;

  read(): PatternTree {
    const { source } = this;
    this.at = source.search(/\p{Cs}/u) + 1;
    if (this.at > 0) {
      const message = "half a character (a lone surrogate) can match nothing: remove it";
      this.refuse(this.at - 1, message);
    }
    while (this.at < source.length) this.#readNext();
    const { outer, start } = this.#frame;
    if (outer !== null) {
      this.at = start + 1;
      this.refuse(start, "`(` is never closed: add `)`, or write `\\(` for a parenthesis");
    }
    const root = this.#endFrame();
    const [captureStarts, depth, deepestAt] = [this.#captureStarts, this.#depth, this.#deepestAt];
    return { source, root, captureStarts, depth, deepestAt };
  }

  #newFrame(
    outer: GroupFrame | null,
    start: number,
    flags: string,
    capture: number | undefined,
  ): GroupFrame {
    const { at } = this;
    const [bodyStart, branchStart] = [at, at];
    return { outer, start, bodyStart, capture, branches: [], parts: [], branchStart, flags };
  }

  #endBranch(): void {
    const frame = this.#frame;
    const { parts } = frame;
    const span = this.spanFrom(frame.branchStart);
    if (parts.length === 0) parts.push({ kind: "empty", span });
    frame.branches.push(parts.length === 1 ? parts[0]! : { kind: "concat", span, parts });
    frame.parts = [];
    frame.branchStart = this.at + 1;
  }

  #endFrame(): PatternNode {
    this.#endBranch();
    const { branches, bodyStart } = this.#frame;
    if (branches.length === 1) return branches[0]!;
    return { kind: "alternate", span: this.spanFrom(bodyStart), branches };
  }

  #closeGroup(): void {
    const { outer, start, capture } = this.#frame;
    const body = this.#endFrame();
    this.at++;
    if (outer === null) {
      const message = "`)` closes no group: remove it, or write `\\)` for a parenthesis";
      this.refuse(this.at - 1, message);
    }
    outer.parts.push({ kind: "group", span: this.spanFrom(start), body, capture });
    this.#frame = outer;
    this.#open--;
  }

  #readOpening(): void {
    const { source, at: start } = this;
    const frame = this.#frame;
    const isPlain = source[start + 1] !== "?";
    if (isPlain) this.at++;
    const opening = isPlain ? [] : (this.eat(OPENING) ?? refuseOpening(this, start));
    const [, name, on = "", off = "", end] = opening;
    if (name !== undefined) {
      if (this.#names.has(name)) this.refuse(start, `${quote(name)} names two groups: rename one`);
      this.#names.add(name);
    }
    let { flags } = frame;
    for (const flag of on) if (!flags.includes(flag)) flags += flag;
    for (const flag of off) flags = flags.replace(flag, "");
    if (end === ")") {
      frame.flags = flags;
      return;
    }
    if (++this.#open > this.#depth) [this.#depth, this.#deepestAt] = [this.#open, start];
    const capture = end === undefined ? this.#captureStarts.push(start) : undefined;
    this.#frame = this.#newFrame(frame, start, flags, capture);
  }

  /** Reads `*`, `+`, `?` or `{n,m}`; false if the cursor is on a `{` that is only a brace. */
  #readRepeat(): boolean {
    const { source, at: start } = this;
    const { parts, flags } = this.#frame;
    const found = this.eat(REPEAT);
    if (found === null) return false;
    const sign = found[0];
    const min = sign === "+" ? 1 : Number(found[1] ?? 0);
    const open = sign === "*" || sign === "+" || (found[2] === "," && found[3] === undefined);
    const max = open ? Number.POSITIVE_INFINITY : sign === "?" ? 1 : Number(found[3] ?? found[1]);
    if (Math.max(min, open ? min : max) > LIMITS.patternRepeatMax) {
      const message = `${quote(sign)} repeats too often: write at most \`${LIMITS.patternRepeatMax}\``;
      this.refuse(start, message, "pattern/repeat-too-large");
    }
    if (max < min) this.refuse(start, `${quote(sign)} runs backwards: swap its counts`);
    if (this.#repeatEnd === start) {
      const possessive = sign === "+" ? ", and no repetition is possessive" : "";
      const message = `${quote(sign)} repeats a repetition: put what it repeats into \`(?:…)\`${possessive}`;
      this.refuse(start, message);
    }
    const body = parts.pop();
    if (body === undefined) {
      const hint = repeatHint(source, sign, start);
      this.refuse(start, `${quote(sign)} repeats nothing: write ${hint}`);
    }
    const reversed = source[this.at] === "?";
    if (reversed) this.at++;
    const greed = reversed === flags.includes("U") ? "greedy" : "lazy";
    parts.push({ kind: "repeat", span: this.spanFrom(body.span.start), body, min, max, greed });
    this.#repeatEnd = this.at;
    return true;
  }

  /** Reads one character, a class, `.` or an assertion. */
  #readLeaf(): PatternNode {
    const { source, at: start } = this;
    const { flags } = this.#frame;
    const fold = flags.includes("i");
    const sign = source[start]!;
    const isEscape = sign === "\\";
    const assertion = isEscape
      ? ESCAPED_ASSERTIONS[source[start + 1]!]
      : sign === "^" || sign === "$"
        ? EDGES[sign]![flags.includes("m") ? 1 : 0]
        : undefined;
    if (assertion !== undefined) {
      this.at += isEscape ? 2 : 1;
      return { kind: "assertion", span: this.spanFrom(start), assertion };
    }
    if (sign === ".") {
      this.at++;
      const newline = flags.includes("s") ? "included" : "excluded";
      return { kind: "any", span: this.spanFrom(start), newline };
    }
    const members = isEscape
      ? readClassEscape(this, fold)
      : sign === "[" && readBracketClass(this, fold);
    if (members) {
      return { kind: "class", span: this.spanFrom(start), negated: false, ...members, fold };
    }
    const codePoint = readCharacter(this);
    return { kind: "literal", span: this.spanFrom(start), codePoint, fold };
  }

  /** Reads `\Q…\E`, in which every character is a literal. */
  #readQuoted(): void {
    const { parts, flags } = this.#frame;
    const fold = flags.includes("i");
    const close = this.source.indexOf("\\E", this.at);
    const end = close < 0 ? this.source.length : close;
    this.at += 2;
    while (this.at < end) {
      const [start, codePoint] = [this.at, this.eatCodePoint()];
      parts.push({ kind: "literal", span: this.spanFrom(start), codePoint, fold });
    }
    this.at = close < 0 ? end : close + 2;
  }

  #readNext(): void {
    const sign = this.source[this.at]!;
    if (sign === "(") this.#readOpening();
    else if (sign === ")") this.#closeGroup();
    else if (sign === "|") {
      this.#endBranch();
      this.at++;
    } else if (sign === "\\" && this.source[this.at + 1] === "Q") this.#readQuoted();
    else if (!("*+?{".includes(sign) && this.#readRepeat())) {
      this.#frame.parts.push(this.#readLeaf());
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
