/** Which rules of a domain are looked for together. */
import { describe, expect, test } from "vitest";
import {
  aliasRule,
  celRule,
  FIRST_ON_BODY,
  planOf,
  type RuleConfig,
  regexRule,
} from "./planned.ts";

const bySubject = (nth: number): RuleConfig => regexRule(`none${nth} `, ["subject"]);
const times = (count: number, rule: (nth: number) => RuleConfig): readonly RuleConfig[] =>
  Array.from({ length: count }, (_, nth) => rule(nth));
/** How often the subject is searched: once for each part that looks for a literal in it. */
const scansOf = (rules: readonly RuleConfig[]): number => planOf(rules)({ subject: "-" }).scans;

describe("rules that search texts are looked for in parts of 32, 32, 256 and the rest", () => {
  test("by rank", () => {
    for (const [count, scans] of [
      [32, 1],
      [33, 2],
      [64, 2],
      [65, 3],
      [320, 3],
      [321, 4],
      [999, 4],
    ]) {
      expect(scansOf(times(count!, bySubject))).toBe(scans);
    }
  });

  test("each counts once, if any of its ways to match searches a text", () => {
    const both = (nth: number) =>
      celRule(`sender == "none@x.test" || subject.contains("none${nth}")`);
    expect(scansOf(times(32, both))).toBe(1);
    expect(scansOf(times(33, both))).toBe(2);
  });

  test("rules that compare values, or nothing, do not count", () => {
    const values = times(40, (nth) => aliasRule(`none${nth}`));
    const ungated = times(40, () => celRule("size > 5"));
    expect(scansOf([bySubject(0), ...values, ...ungated, bySubject(1)])).toBe(1);
  });
});

describe("the first three rules on the body", () => {
  const either = regexRule("order", ["subject", "body"]);

  test("are tried without a search, if they look at other facts too", () => {
    const plan = planOf([either, either, either, either]);
    expect(plan({})).toMatchObject({ candidates: 3, fullScans: 6, scans: 2 });
    expect(plan({ subject: "order" })).toMatchObject({ by: "r0", candidates: 1, scans: 0 });
  });

  test("end the first part", () => {
    const behind = [...FIRST_ON_BODY, bySubject(1)];
    expect(scansOf([bySubject(0), ...behind])).toBe(1);
    // The second part searches the subject and the body.
    expect(scansOf([bySubject(0), FIRST_ON_BODY[0]!, ...behind])).toBe(3);
  });
});

test("a domain without rules, or whose rules have no gate, decides", () => {
  expect(planOf([])({})).toMatchObject({ by: "fallback", candidates: 0, fuel: 0 });
  expect(planOf([celRule("size > 5"), celRule("size > 0")])({})).toMatchObject({ by: "r1" });
});
