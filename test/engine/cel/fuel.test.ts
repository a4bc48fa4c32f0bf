/** Fuel: what it counts, that spending it fails the rule, and that nothing absorbs it. */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { compiled, FACTS } from "./evaluate.ts";

const HUNDRED = `[${Array.from({ length: 100 }, (_, index) => index + 1).join(", ")}]`;
const LONG = { ...FACTS, body: "a".repeat(LIMITS.factUnitsMax) };

/** `inner` in loops over a hundred numbers, `depth` deep. */
function loops(depth: number, inner: string): string {
  let source = inner;
  for (let level = 0; level < depth; level++) source = `l.all(v${level}, ${source})`;
  return `cel.bind(l, ${HUNDRED}, ${source})`;
}

/** `tail` with `a24` bound to `start` doubled 24 times by `double`. */
function doubled(start: string, tail: string, double = (name: string) => `${name} + ${name}`) {
  let source = tail;
  for (let level = 24; level > 0; level--) {
    source = `cel.bind(a${level}, ${double(`a${level - 1}`)}, ${source})`;
  }
  return `cel.bind(a0, ${start}, ${source})`;
}

describe("spent fuel fails the rule", () => {
  it.each([
    ["loops five deep", loops(5, "v0 + v1 + v2 + v3 + v4 > 0")],
    ["loops over errors", loops(5, "1 / v0 > 0 || 1 / 0 > 0")],
    ["maps of maps", loops(1, "l.map(a, l.map(b, l.map(c, l.map(d, l)))).size() > 0")],
    ["lists that double", doubled("[1, 2, 3]", "a24.size() > 0")],
    ["strings that double", doubled('"abc"', "a24.size() > 0")],
    ["bytes that double", doubled('b"abc"', "a24.size() > 0")],
    ["equality of shared parts", doubled("[1]", "a24 == a24", (name) => `[${name}, ${name}]`)],
    [
      "format of shared parts",
      doubled("[1]", '"%s".format([a23]) == ""', (name) => `[${name}, ${name}]`),
    ],
    ["replace that grows", 'body.replace("a", body) == ""'],
    ["join that grows", 'body.split("").join(body) == ""'],
    ["patterns that are computed", loops(4, '!"x".matches("a{2}" + string(v0 + v1))')],
    ["a costly pattern", 'body.matches("a.{90}c")'],
    ["dates", loops(4, 'timestamp("2020-01-01T00:00:00Z").getHours("+01:00") == 1')],
    ["absorbed by ||", `${doubled("[1]", "a24.size() > 0")} || true`],
    ["absorbed by || on its left", `true && (${doubled("[1]", "a24.size() > 0")} || true)`],
    ["absorbed by exists", `[1, 2].exists(i, i == 2 || ${doubled("[1]", "a24.size() > 0")})`],
    ["absorbed by all", `[1, 2].all(i, i == 1 && ${doubled("[1]", "a24.size() > 0")}) || true`],
    [
      "absorbed by an optional",
      `optional.of(${doubled("[1]", "a24.size()")}).orValue(1) > 0 || true`,
    ],
    ["absorbed by has", `has(${doubled("[1]", '{"a": a24}')}.a) || true`],
  ])("%s", (_, source) => {
    const { outcome, fuel } = compiled(source).evaluate(LONG);
    expect(outcome.kind).toBe("failed");
    expect(outcome).toHaveProperty("message", expect.stringContaining("fuel"));
    expect(fuel).toBeGreaterThan(LIMITS.celFuelMax);
  });

  it("leaves the next message its own fuel", () => {
    const expression = compiled('body.replace("a", body) == "" || subject == "ok"');
    expect(expression.evaluate(LONG).outcome.kind).toBe("failed");
    const short = { ...FACTS, body: "", subject: "ok" };
    expect(expression.evaluate(short).outcome).toEqual({ kind: "value", value: true });
  });

  it("asks for the unknown fact rather than fail, once one was read", () => {
    const source = 'size > 3 && body.replace("a", body) == ""';
    const { size: _, ...facts } = LONG;
    expect(compiled(source).evaluate(facts).outcome).toEqual({ kind: "unknown", needs: "body" });
  });
});

describe("fuel counts", () => {
  it.each([
    ["true", 0],
    ["size > 10", 0],
    ['subject.contains("in")', "Your invoice 42".length + 2],
    ['subject.startsWith("Your")', 4],
    ['(subject + "!") == "x"', "Your invoice 42!".length + 1],
    ['body.matches("pay")', 2 * ("Dear customer,\nplease pay.".length + 1)],
    // One for the iteration and one for each node of its body, twice; then the characters.
    ['["a", "b"].exists(v, v == "c")', 2 * (1 + 3) + 2],
    ['headers.all(k, k != "x")', 4 + 4 * (1 + 3) + 4],
    ["[1, size].size() == 2", 32 + 2 + 1],
    ["{'a': size}.size() == 1", 64 + 18 + 1],
    // A text that is made counts 20 beside what it reads.
    ['["a", "b"].map(v, v + "c").size() == 2', 2 * (1 + 20 + 2 + 2 + 3) + 1],
    ['["a", "b"].map(v, [v]).size() == 2', 2 * (1 + 1 + 1 + 32 + 1 + 3) + 1],
    ['["a"].exists(v, optional.of(v).hasValue())', 1 + 1 + 20 + 1],
    ['"ab".reverse() == subject', 2 * 2],
    ['bytes(subject) == b""', 200 + 3 * "Your invoice 42".length + 1 + 2],
    // A replacement reads the whole text, whether or not it finds anything.
    ['subject.replace("zz", "x") == ""', "Your invoice 42".length],
    ['subject.replace("i", "xx") == ""', "Your invoice 42".length + 2 * (2 + 1)],
    ["size + 9007199254740993 > 0", 8],
    ['duration("1h") > duration("1s")', 60 + 2 * 8 + (60 + 2 * 8)],
  ])("%s: %i", (source, fuel) => {
    expect(compiled(source).evaluate(FACTS).fuel).toBe(fuel);
  });

  it("lets ordinary rules search the longest body nine times, and a pattern four times", () => {
    const contains = Array.from({ length: 9 }, (_, index) => `body.contains("x${index}")`);
    expect(compiled(contains.join(" || ")).evaluate(LONG).outcome.kind).toBe("value");
    const matches = Array.from({ length: 4 }, (_, index) => `body.matches("(?i)x${index}|y")`);
    expect(compiled(matches.join(" || ")).evaluate(LONG).outcome.kind).toBe("value");
  });
});
