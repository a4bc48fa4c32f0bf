/** `explain`: the same answer, and the value of every part that was evaluated. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Span } from "../../../src/base/diagnostic.ts";
import { compileExpression } from "../../../src/engine/cel/compile-expression.ts";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { boolSource, knownFacts } from "./arbitrary-expression.ts";
import { compiled, FACTS } from "./evaluate.ts";

function stepsOf(source: string, facts: Facts = FACTS): readonly string[] {
  return compiled(source)
    .explain(facts)
    .steps.map(({ span, value }) => `${source.slice(span.start, span.end)} = ${value}`);
}

describe("explain", () => {
  it("lists what was evaluated, inner parts first, and no literals", () => {
    expect(stepsOf('sender.endsWith("@example.com") && subject.contains("order")')).toEqual([
      'sender = "ann@example.com"',
      'sender.endsWith("@example.com") = true',
      'subject = "Your invoice 42"',
      'subject.contains("order") = false',
      'sender.endsWith("@example.com") && subject.contains("order") = false',
    ]);
  });

  it("lists nothing that was not evaluated", () => {
    expect(stepsOf("size < 0 && body == ''")).toEqual([
      "size = 4321",
      "size < 0 = false",
      "size < 0 && body == '' = false",
    ]);
  });

  it("follows the order of evaluation, which is that of the stages", () => {
    expect(stepsOf('body == "" || sender == "x"')).toEqual([
      'sender = "ann@example.com"',
      'sender == "x" = false',
      'body = "Dear customer,\\nplease pay."',
      'body == "" = false',
      'body == "" || sender == "x" = false',
    ]);
  });

  it("keeps of a loop its last iteration, which decided", () => {
    expect(stepsOf('headers.received.exists(v, v == "from b")')).toEqual([
      'headers = {"list-id": ["<announce.example.org>"], "received": ["from a", "from b"], "cons…',
      'headers.received = ["from a", "from b"]',
      'v = "from b"',
      'v == "from b" = true',
      'headers.received.exists(v, v == "from b") = true',
    ]);
  });

  it("tallies the iterations before the last", () => {
    const source = "[1, 2, 3, 4].exists(n, n > 1 && [1, 2].all(m, m < n || n > 3))";
    const { steps, earlier } = compiled(source).explain(FACTS);
    const shown = (span: Span) => source.slice(span.start, span.end);
    expect(earlier.map(({ span, ...times }) => ({ part: shown(span), ...times }))).toEqual([
      // n is 1, which ends at the first operand; n is 2, for which `all` is false.
      { part: "n > 1", timesTrue: 1, timesFalse: 1 },
      { part: "n > 1 && [1, 2].all(m, m < n || n > 3)", timesTrue: 0, timesFalse: 2 },
      // n is 2: m is 1, then 2, which fails. n is 3: m is 1; m is 2 ends it all, and is among the steps.
      { part: "m < n", timesTrue: 2, timesFalse: 1 },
      { part: "m < n || n > 3", timesTrue: 2, timesFalse: 1 },
      { part: "n > 3", timesTrue: 0, timesFalse: 1 },
      { part: "[1, 2].all(m, m < n || n > 3)", timesTrue: 0, timesFalse: 1 },
    ]);
    expect(steps.map(({ span, value }) => `${shown(span)} = ${value}`)).toContain("m < n = true");
  });

  it("keeps parentheses together", () => {
    expect(stepsOf("(size + 1) * 2 > (3) && (true)").slice(1)).toEqual([
      "size + 1 = 4322",
      "(size + 1) * 2 = 8644",
      "(size + 1) * 2 > (3) = true",
      "(size + 1) * 2 > (3) && (true) = true",
    ]);
  });

  it("shows errors and unknowns", () => {
    expect(stepsOf('headers["x"] == []')).toContain(
      'headers["x"] = error: no such key: test it with `in` first',
    );
    expect(stepsOf('subject == "a"', {})).toEqual([
      "subject = unknown",
      'subject == "a" = unknown',
    ]);
  });

  it.each([
    ['"tab\\t" + "\\u202e" + subject', '"tab\\t\\u202eYour invoice 42"'],
    ["[1.0, -0.0, 1e300, 0.5]", "[1.0, -0.0, 1e+300, 0.5]"],
    ['[double("NaN"), double("-inf")]', '[double("NaN"), double("-Infinity")]'],
    ["{1u: [null, b'a\\x00']}", '{1u: [null, b"a\\x00"]}'],
    [
      "[type(1), string, duration('90s'), timestamp(0)]",
      '[int, string, duration("90s"), timestamp("1970-01-01T00:00:00Z")]',
    ],
    ["[optional.of(1), optional.none()]", "[optional.of(1), optional.none()]"],
    ["attachments[1]", 'attachment{filename: "", contentType: "image/png", size: 10}'],
  ])("writes %s as CEL", (source, value) => {
    const { steps } = compiled(`[dyn(${source})].size() == 1`).explain(FACTS);
    expect(steps.at(-3)?.value).toBe(
      `[${value}]`.length <= 80 ? `[${value}]` : `[${value.slice(0, 78)}…`,
    );
  });

  it("cuts long values without reading them whole", () => {
    const facts = { ...FACTS, body: "ab\n".repeat(300_000), subject: "\ud800" };
    const { steps } = compiled("body == subject || body.split('').size() == 1").explain(facts);
    for (const { value } of steps) {
      expect(value.length).toBeLessThanOrEqual(80);
      expect(value.isWellFormed()).toBe(true);
    }
  });

  it("gives the same outcome and fuel as evaluate, with at most one step for each part", () => {
    fc.assert(
      fc.property(boolSource, knownFacts, fc.boolean(), (source, known, isKnown) => {
        const facts: Facts = isKnown ? known : { ...known, body: undefined, headers: undefined };
        const result = compileExpression(source);
        if (!result.ok) throw new Error(result.problems[0]?.message);
        const { steps, earlier, ...explained } = result.expression.explain(facts);
        expect(explained).toEqual(result.expression.evaluate(facts));
        const spans = steps.map(({ span }) => `${span.start}-${span.end}`);
        expect(new Set(spans).size).toBe(spans.length);
        for (const { span } of steps) {
          expect(span.start).toBeLessThan(span.end);
          expect(span.end).toBeLessThanOrEqual(source.length);
        }
      }),
      { seed: 20261120, numRuns: 1_000 },
    );
  });
});
