import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../../src/base/limits.ts";
import { UNICODE_CLASSES } from "../../../../src/engine/pattern/syntax/class-tables.ts";
import { readPattern } from "../../../../src/engine/pattern/syntax/re2-syntax.ts";
import { brokenPattern, wholePattern } from "../pattern-arbitrary.ts";
import { rawRe2 } from "../raw-re2.ts";

const SEED = 20261120;

function acceptedByRe2js(source: string): boolean {
  try {
    RE2JS.compile(source);
    return true;
  } catch {
    return false;
  }
}

function acceptedByRe2(source: string): boolean {
  // This version of RE2 knows named groups by their older spelling only.
  const spelled = source.replace(/\(\?<(?![=!])/g, "(?P<");
  const native = new rawRe2.WrappedRE2(spelled, false, false, false);
  const accepted = native.ok();
  native.delete();
  return accepted;
}

function acceptedByBoth(source: string): boolean {
  return acceptedByRe2js(source) && acceptedByRe2(source);
}

function problemOf(source: string) {
  const read = readPattern(source);
  return read.ok ? undefined : read.problem;
}

function shapeOf(source: string): unknown {
  const read = readPattern(source);
  if (!read.ok) return read.problem.message;
  return JSON.parse(
    JSON.stringify(read.tree.root, (key, value) =>
      key === "span"
        ? source.slice(value.start, value.end)
        : value === Number.POSITIVE_INFINITY
          ? "open"
          : value,
    ),
  );
}

describe("the dialect", () => {
  test("is what both engines accept, over generated pieces", () => {
    let accepted = 0;
    fc.assert(
      fc.property(brokenPattern, (source) => {
        const expected = acceptedByBoth(source);
        if (expected) accepted++;
        expect({ source, accepted: readPattern(source).ok }).toEqual({
          source,
          accepted: expected,
        });
      }),
      { seed: SEED, numRuns: 4000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  test("holds all that the generator of whole patterns makes", () => {
    fc.assert(
      fc.property(wholePattern, (source) => {
        expect({ source, both: acceptedByBoth(source), read: readPattern(source).ok }).toEqual({
          source,
          both: true,
          read: true,
        });
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test("knows exactly the Unicode classes that both engines know", () => {
    for (const name of UNICODE_CLASSES) {
      expect({ name, known: acceptedByBoth(`\\p{${name}}`) }).toEqual({ name, known: true });
    }
    const newer = [
      "Kawi",
      "Garay",
      "Toto",
      "Emoji",
      "Alphabetic",
      "LC",
      "Cn",
      "Assigned",
      "Letter",
    ];
    for (const name of [...newer, "greek", "Script=Greek", ""]) {
      expect({ name, known: acceptedByBoth(`\\p{${name}}`) }).toEqual({ name, known: false });
      expect(problemOf(`\\p{${name}}`)?.code).toBe("pattern/syntax");
    }
  });

  test.each([
    ["\\C", false, true],
    ["(?P<n>a)(?P<n>b)", false, true],
    ["[[:]", false, true],
    ["a{99999999999}", false, true],
    ["\\p{Kawi}", true, false],
    ["\\p{LC}", true, false],
    ["(?<n>a)", true, true],
  ])("%s: re2js %s, re2-wasm %s", (source, re2js, re2) => {
    expect([acceptedByRe2js(source), acceptedByRe2(source)]).toEqual([re2js, re2]);
    expect(readPattern(source).ok).toBe(re2js && re2);
  });
});

describe("the tree", () => {
  test("of literals, classes and assertions", () => {
    expect(shapeOf("a(?i)b[^\\d-]")).toEqual({
      kind: "concat",
      span: "a(?i)b[^\\d-]",
      parts: [
        { kind: "literal", span: "a", codePoint: 97, fold: false },
        { kind: "literal", span: "b", codePoint: 98, fold: true },
        {
          kind: "class",
          span: "[^\\d-]",
          ranges: [
            [48, 57],
            [45, 45],
          ],
          unicode: [],
          negated: true,
          fold: true,
        },
      ],
    });
    expect(shapeOf("(?m)^")).toEqual({ kind: "assertion", span: "^", assertion: "begin-line" });
    expect(shapeOf("$")).toEqual({ kind: "assertion", span: "$", assertion: "end-text" });
    expect(shapeOf("(?s).")).toEqual({ kind: "any", span: ".", newline: "included" });
    expect(shapeOf("😀")).toEqual({ kind: "literal", span: "😀", codePoint: 0x1f600, fold: false });
    expect(shapeOf("\\P{^Greek}")).toMatchObject({
      unicode: [{ name: "Greek", polarity: "included" }],
    });
  });

  test("of groups and branches, with flags ending where their group ends", () => {
    expect(shapeOf("(?P<x>(?i)a|)b")).toEqual({
      kind: "concat",
      span: "(?P<x>(?i)a|)b",
      parts: [
        {
          kind: "group",
          span: "(?P<x>(?i)a|)",
          capture: 1,
          body: {
            kind: "alternate",
            span: "(?i)a|",
            branches: [
              { kind: "literal", span: "a", codePoint: 97, fold: true },
              { kind: "empty", span: "" },
            ],
          },
        },
        { kind: "literal", span: "b", codePoint: 98, fold: false },
      ],
    });
    expect(shapeOf("")).toEqual({ kind: "empty", span: "" });
  });

  test("of repetitions", () => {
    const body = { kind: "literal", span: "b", codePoint: 98, fold: false };
    expect(shapeOf("b{2,}?")).toEqual({
      kind: "repeat",
      span: "b{2,}?",
      body,
      min: 2,
      max: "open",
      greed: "lazy",
    });
    expect(shapeOf("(?U)b?")).toMatchObject({ span: "b?", min: 0, max: 1, greed: "lazy" });
    expect(shapeOf("b{,2}")).toMatchObject({ kind: "concat", parts: { length: 5 } });
    expect(shapeOf("\\Qa*\\E+")).toMatchObject({
      parts: [{ codePoint: 97 }, { kind: "repeat", body: { span: "*" } }],
    });
  });

  test("numbers its groups, and says where they open and how deep they lie", () => {
    const read = readPattern("(a)(?:(?<n>b(c)))");
    expect(read.ok && read.tree).toMatchObject({
      captureStarts: [0, 6, 12],
      depth: 3,
      deepestAt: 12,
    });
  });
});

describe("problems", () => {
  test.each([
    ["a(b", "pattern/syntax", "(", "add `)`"],
    ["ab)c", "pattern/syntax", ")", "remove it"],
    ["x[ab", "pattern/syntax", "[ab", "add `]`"],
    ["a**", "pattern/syntax", "*", "(?:…)"],
    ["a|*", "pattern/syntax", "*", "\\*"],
    ["[b-a]", "pattern/syntax", "b-a", "swap"],
    ["a{3,2}", "pattern/syntax", "{3,2}", "swap"],
    ["a\\", "pattern/syntax", "\\", "\\\\"],
    ["\\y", "pattern/syntax", "\\y", "`y`"],
    ["\\x{zz}", "pattern/syntax", "\\x{", "hexadecimal"],
    ["(?P<a b>x)", "pattern/syntax", "(?P<a b>", "name"],
    ["(?P<n>a)(?<n>b)", "pattern/syntax", "(?<n>", "rename"],
    ["(?z)", "pattern/syntax", "(?z", "imsU"],
    ["a\ud83d", "pattern/syntax", "\ud83d", "surrogate"],
    ["a{1001}", "pattern/repeat-too-large", "{1001}", "1000"],
    ["(a)\\1", "pattern/unsupported", "\\1", "back-reference"],
    ["\\k<n>", "pattern/unsupported", "\\k", "back-reference"],
    ["(?P=n)", "pattern/unsupported", "(?P=", "back-reference"],
    ["x(?=a)", "pattern/unsupported", "(?=", "look-ahead"],
    ["x(?!a)", "pattern/unsupported", "(?!", "look-ahead"],
    ["(?<=a)x", "pattern/unsupported", "(?<=", "look-behind"],
    ["(?<!a)x", "pattern/unsupported", "(?<!", "look-behind"],
    ["(?>a)", "pattern/unsupported", "(?>", "atomic"],
    ["a\\Z", "pattern/unsupported", "\\Z", "\\z"],
  ])("%s is %s at %s", (source, code, where, advice) => {
    const problem = problemOf(source);
    expect(problem?.code).toBe(code);
    expect(source.slice(problem!.span!.start, problem!.span!.end)).toBe(where);
    expect(problem!.message).toContain(advice);
    expect(problem!.message).toMatch(/^[^A-Z\n][^\n]*[^.\n]$/);
  });

  test("are one short line whatever the source holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), brokenPattern, (noise, source) => {
        const message = problemOf(source + noise)?.message ?? "";
        expect(message).not.toMatch(/\p{Cc}/u);
        expect(message.length).toBeLessThan(250);
      }),
      { seed: SEED, numRuns: 1000 },
    );
  });

  test("come at once for sources far beyond the caps", () => {
    const opens = "(".repeat(20_000);
    expect(problemOf(opens)?.code).toBe("pattern/syntax");
    expect(readPattern(`${opens}${")".repeat(20_000)}`)).toMatchObject({
      tree: { depth: 20_000 },
    });
    expect(readPattern("a*(?i)".repeat(LIMITS.patternUnitsMax)).ok).toBe(true);
  });
});
