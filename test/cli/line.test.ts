import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonLine, printable, usesColours, writeLines } from "../../src/cli/line.ts";
import { context, cut, quoted } from "../../src/rehearse/words/excerpt.ts";
import { styled } from "../../src/rehearse/words/line.ts";

describe("printable", () => {
  test("leaves letters, signs and emoji of any script alone", () => {
    const text = "naïve 見積 عربى 👩‍🔬 € ~";
    expect(printable(text)).toBe(text);
  });

  test.each([
    ["escape", "a\u001b[2Jb", "a·[2Jb"],
    ["C1 control sequence", "a\u009b2Jb", "a·2Jb"],
    ["line feed, return, tab", "a\r\n\tb", "a···b"],
    ["line separator", "a\u2028b", "a·b"],
    ["right-to-left override", "a\u202eexe.fdp", "a·exe.fdp"],
    ["lone surrogate", "a\ud800b", "a\ufffdb"],
  ])("%s", (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test("no text can put a control character on the terminal, in any style", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        let written = "";
        const output = {
          isTerminal: true,
          write: async (more: string) => {
            written += more;
          },
        };
        await writeLines(output, {}, [[text, styled("red", text)]]);
        const bare = written.replaceAll("\u001b[31m", "").replaceAll("\u001b[0m", "").slice(0, -1);
        expect(bare).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
      { seed: 20261120, numRuns: 1_000 },
    );
  });
});

describe("colours", () => {
  test.each([
    ["a terminal", true, {}, true],
    ["no terminal", false, {}, false],
    ["NO_COLOR", true, { NO_COLOR: "1" }, false],
    ["an empty NO_COLOR says nothing", true, { NO_COLOR: "" }, true],
    ["FORCE_COLOR", false, { FORCE_COLOR: "1" }, true],
    ["FORCE_COLOR before NO_COLOR", false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    ["FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, false],
    ["a dumb terminal", true, { TERM: "dumb" }, false],
  ])("%s", (_, isTerminal, env, colours) => {
    expect(usesColours({ isTerminal, write: async () => {} }, env)).toBe(colours);
  });
});

describe("excerpts", () => {
  test("are one line", () => {
    expect(cut("  one\r\n two\t three  ")).toBe("one two three");
    expect(quoted("a\nb")).toBe('"a b"');
  });

  test("are cut, and say so", () => {
    expect(cut("x".repeat(60))).toBe("x".repeat(60));
    expect(cut("x".repeat(61))).toBe(`${"x".repeat(60)}…`);
    expect(cut(`a${" ".repeat(500)}b`)).toBe("a…");
    expect(cut(`${"x".repeat(60)}\n\n`)).toBe("x".repeat(60));
  });

  test("part no surrogate pair", () => {
    expect(cut("😀".repeat(100), 7)).toBe("😀😀😀😀…");
    const { before, after } = context(`${"😀".repeat(40)}hit!${"😀".repeat(40)}`, {
      start: 80,
      end: 83,
    });
    expect(before).toBe(`…${"😀".repeat(12)}`);
    expect(after).toBe(`!${"😀".repeat(12)}…`);
  });

  test("show a match with what stands around it", () => {
    expect(context("your invoice 2231 is ready", { start: 5, end: 17 })).toEqual({
      before: "your ",
      match: "invoice 2231",
      after: " is ready",
    });
    const long = context("x".repeat(1_000), { start: 100, end: 900 });
    expect(long).toEqual({
      before: `…${"x".repeat(24)}`,
      match: `${"x".repeat(60)}…`,
      after: `${"x".repeat(24)}…`,
    });
  });
});

test("JSON has escapes for what could control a terminal, and is the same value", () => {
  const value = { "\u202e": "\u001b[31m \u009b5m \u2028 \ufeff é 😀 \ud800" };
  const line = jsonLine(value);
  expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\ufeff]/);
  expect(line).toContain("é 😀");
  expect(JSON.parse(line)).toEqual(value);
});
