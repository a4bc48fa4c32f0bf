/** Which rules of a domain are looked for together. */
import { describe, expect, test } from "vitest";
import { aliasRule, celRule, learn, planOf, type RuleConfig, regexRule } from "./planned.ts";

const bySubject = (nth: number): RuleConfig => regexRule(`none${nth} `, ["subject"]);
const times = (count: number, rule: (nth: number) => RuleConfig): readonly RuleConfig[] =>
  Array.from({ length: count }, (_, nth) => rule(nth));
/** How often the subject is searched: once for each part that looks for a literal in it. */
const scansOf = (rules: readonly RuleConfig[]): number => planOf(rules)({ subject: "-" }).scans;

describe("rules that search texts are looked for in parts of 32, 128, 1,024 and the rest", () => {
  test("by rank", () => {
    const onBody = (nth: number): RuleConfig => regexRule(`none${nth} `, ["body"]);
    for (const [count, scans] of [
      [32, 1],
      [33, 2],
      [160, 2],
      [161, 3],
      [1_184, 3],
      [1_185, 4],
      [2_999, 4],
    ]) {
      // Three are tried alone, and the fourth is searched for.
      expect(scansOf(times(count!, onBody))).toBe(scans);
    }
  });

  test("each that looks at another fact than the body counts twice in the first part", () => {
    for (const [count, scans] of [
      [16, 1],
      [17, 2],
      [144, 2],
      [145, 3],
    ]) {
      expect(scansOf(times(count!, bySubject))).toBe(scans);
    }
  });

  test("each counts once, if any of its ways to match searches a text", () => {
    const both = (nth: number) =>
      celRule(`sender == "none@x.test" || subject.contains("none${nth}")`);
    expect(scansOf(times(16, both))).toBe(1);
    expect(scansOf(times(17, both))).toBe(2);
  });

  test("rules that compare values, or nothing, do not count", () => {
    const values = times(40, (nth) => aliasRule(`none${nth}`));
    const ungated = times(40, () => celRule("size > 5"));
    expect(scansOf([bySubject(0), ...values, ...ungated, bySubject(1)])).toBe(1);
  });
});

describe("rules on the body", () => {
  const onBody = (count: number, scopes = ["body"]) =>
    times(count, (nth) => regexRule(`none${nth} `, scopes));
  const either = ["subject", "body"];

  test("are searched for by their literals, and tried alone if they are few without one, or one alone", () => {
    expect(planOf(onBody(2))({})).toMatchObject({ candidates: 0, fullScans: 0, scans: 1 });
    expect(planOf(onBody(1))({})).toMatchObject({ candidates: 1, fullScans: 1, scans: 0 });
    const anywhere = ["[a-z]+[0-9]{7}", ".{3}[0-9]{4}"].map((regex) => regexRule(regex, ["body"]));
    const body = "lorem ".repeat(20);
    expect(planOf(anywhere.slice(1))({ body })).toMatchObject({ candidates: 1, setsRun: 0 });
    expect(planOf(anywhere)({ body })).toMatchObject({ candidates: 0, setsRun: 1, scans: 0 });
  });

  const leaping = (count: number, scopes = ["body"]) =>
    times(count, (nth) => regexRule(`[A-Z]{3}[0-9]{${nth + 4}}`, scopes));

  test("are tried alone on the body only, and after what other facts open", () => {
    const plan = planOf(leaping(4, either));
    const body = "lorem ".repeat(20);
    // Each on the subject, then on the body.
    expect(plan({ body })).toMatchObject({ candidates: 8, fullScans: 8 });
    const first = { body, subject: "ABC1234" };
    expect(plan(first)).toMatchObject({ by: "r0", candidates: 1, fullScans: 1 });
    // An earlier rule may match by the body.
    const second = { body, subject: "ABC12345".padStart(9, "-") };
    expect(plan(second)).toMatchObject({ by: "r0", candidates: 1, fullScans: 1 });
    expect(plan({ body: `${body}ABC1234` })).toMatchObject({ by: "r0", candidates: 5 });
  });

  test("are tried alone first in the first part that looks at the body, but not in later ones", () => {
    const plan = planOf([...onBody(32), ...onBody(40)]);
    learn(plan, { body: "none0 " });
    expect(plan({ body: "-" })).toMatchObject({ candidates: 5, fullScans: 5, scans: 2 });
    const behind = planOf([...times(16, bySubject), ...onBody(40)]);
    learn(behind, { body: "none0 " });
    expect(behind({ body: "-" })).toMatchObject({ candidates: 5, fullScans: 5, scans: 2 });
  });

  /** A body of ordinary length, in which one place of a literal adds little to the cost of a search. */
  const long = (text: string) => ({ body: `${text} ${"lorem ".repeat(2_000)}` });

  test("are tried alone first, once that saves work on most messages", () => {
    const plan = planOf(onBody(9));
    const none = { by: "fallback", candidates: 0, scans: 1 };
    const first = long("none0 ");
    expect(plan(long("-"))).toMatchObject(none);
    // A message for which five are tried in vain costs five times what one for the first rule saves.
    for (let nth = 0; nth < 4; nth++) {
      expect(plan(first)).toMatchObject({ by: "r0", candidates: 1, scans: 1 });
    }
    expect(plan(first)).toMatchObject({ by: "r0", candidates: 1, scans: 0 });
    expect(plan(long("none8 none4 "))).toMatchObject({ by: "r4", candidates: 5, scans: 0 });
    learn(plan, first);
    // Once they miss, the search does not try them again.
    expect(plan(long("none7 "))).toMatchObject({ by: "r7", candidates: 6, scans: 1 });
    expect(plan(long("-"))).toMatchObject({ ...none, candidates: 5 });
    expect(plan(long("-"))).toMatchObject(none);
  });

  test("are not tried alone if those before the deciding one cost more than the search", () => {
    const plan = planOf(onBody(9));
    const third = long("none2 ");
    learn(plan, third);
    expect(plan(third)).toMatchObject({ by: "r2", candidates: 1, scans: 1 });
    // A search by a set costs more.
    const anywhere = times(9, (nth) => regexRule(`[^x]{${nth + 2}}q`, ["body"]));
    const withSet = planOf([...onBody(3), ...anywhere]);
    expect(withSet(third)).toMatchObject({ by: "r2", setsRun: 1 });
    expect(withSet(third)).toMatchObject({ by: "r2", candidates: 3, setsRun: 0 });
  });

  test("are tried alone sooner if the search finds many places of literals, which cost more", () => {
    const many = `none1 ${["none5", "none6"].map((text) => `${text} ${"lorem ".repeat(40)}`.repeat(30)).join("")}`;
    for (const [second, scans] of [
      [long("none1 "), 1],
      [{ body: many }, 0],
    ] as const) {
      const plan = planOf(onBody(9));
      expect(plan(long("-"))).toMatchObject({ by: "fallback" });
      learn(plan, second);
      expect(plan(second)).toMatchObject({ by: "r1", scans, setsRun: 0 });
    }
  });

  test("are not tried alone if every other message matches none", () => {
    const plan = planOf(onBody(9));
    learn(plan, long("none0 "));
    for (let nth = 0; nth < 20; nth++) plan(long(nth % 2 === 0 ? "-" : "none0 "));
    for (let nth = 0; nth < 4; nth++) {
      expect(plan(long("-"))).toMatchObject({ candidates: 0, scans: 1 });
      expect(plan(long("none0 "))).toMatchObject({ candidates: 1, scans: 1 });
    }
  });

  test("are not tried alone because rules behind them decide, or one of a later part, or one that needs no body", () => {
    const plan = planOf(onBody(9));
    learn(plan, { body: "none5 " });
    expect(plan({ body: "none5 " })).toMatchObject({ by: "r5", candidates: 1, scans: 1 });
    const later = planOf([...onBody(32), ...onBody(40).slice(32)]);
    learn(later, { body: "none33 " });
    expect(later({ body: "-" })).toMatchObject({ candidates: 0, scans: 2 });
    const bySender = planOf([...onBody(2), celRule('sender == "ann@x.test"'), ...onBody(9)]);
    learn(bySender, { body: "none0 " });
    // A message that needs no body does not count.
    expect(bySender({ body: "-", sender: "ann@x.test" })).toMatchObject({ by: "r2" });
    expect(bySender({ body: "none0 " })).toMatchObject({ by: "r0", scans: 0 });
  });

  test("wait for rules of earlier rank that the body's value or start opens", () => {
    const plan = planOf([regexRule("^order", ["body"]), celRule('body == "bill"'), ...onBody(9)]);
    expect(plan({ body: "order none0 " })).toMatchObject({ by: "r0", candidates: 1 });
    expect(plan({ body: "bill" })).toMatchObject({ by: "r1", candidates: 1 });
    const late = planOf([...onBody(9), regexRule("^none", ["body"])]);
    expect(late({ body: "nonesuch" })).toMatchObject({ by: "r9", candidates: 1 });
    expect(late({ body: "none1 " })).toMatchObject({ by: "r1", candidates: 1 });
  });
});

test("a domain without rules, or whose rules have no gate, decides", () => {
  expect(planOf([])({})).toMatchObject({ by: "fallback", candidates: 0, fuel: 0 });
  expect(planOf([celRule("size > 5"), celRule("size > 0")])({})).toMatchObject({ by: "r1" });
});
