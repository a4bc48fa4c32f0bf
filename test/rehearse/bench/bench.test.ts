import { expect, test } from "vitest";
import { type BenchMessage, benchRules } from "../../../src/rehearse/bench/bench.ts";
import { compareBench } from "../../../src/rehearse/bench/compare-bench.ts";
import { demoConfig, rehearsed } from "../demo.ts";

const MESSAGES: BenchMessage[] = ["order", "invoice 5", "prize draw"].map((subject) => ({
  name: subject,
  recipient: "ines@paperlane.example",
  bytes: new TextEncoder().encode(`From: a@b.example\r\nSubject: ${subject}\r\n\r\nHello\r\n`),
}));

/** A clock that takes as many steps as it is told to: times are what the test says. */
function clock(step: () => number): () => number {
  let now = 0;
  return () => {
    now += step();
    return now;
  };
}

test("a report speaks of every stage, every active rule, and the dearest messages", () => {
  const report = benchRules(rehearsed(demoConfig()), MESSAGES, { rounds: 2, now: clock(() => 1) });
  expect(report.messages).toBe(3);
  expect(report.rules.map(({ id }) => id).sort()).toEqual(
    "bounces invoices japan-desk junk newsletters one-time-codes orders scans support".split(" "),
  );
  expect(report.dearest).toHaveLength(3);
  expect(report.fuel).toBeGreaterThan(0);
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
});

test("slower beyond the spread is a regression, and names the rules that rose", () => {
  const report = benchRules(rehearsed(demoConfig()), MESSAGES, { rounds: 2, now: clock(() => 1) });
  const slower = (factor: number): typeof report => ({
    ...report,
    total: {
      ...report.total,
      units: report.total.units * factor,
      low: report.total.low * factor,
      high: report.total.high * factor,
    },
    rules: report.rules.map((rule) =>
      rule.id === "junk" ? { ...rule, cost: { ...rule.cost, units: rule.cost.units * 50 } } : rule,
    ),
  });
  expect(compareBench(report, report, 1.3)).toMatchObject({ verdict: "ok", slower: [] });
  expect(compareBench(report, slower(1.1), 1.3).verdict).toBe("ok");
  const found = compareBench(report, slower(10), 1.3);
  expect(found.verdict).toBe("regression");
  expect(found.slower[0]?.id).toBe("junk");
  expect(compareBench(slower(10), report, 1.3).changes[0]?.verdict).toBe("faster");
});

test("a bench without messages, and options that there are not, are errors", () => {
  const domain = rehearsed(demoConfig());
  expect(() => benchRules(domain, [])).toThrow(TypeError);
  expect(() => benchRules(domain, MESSAGES, { round: 3 } as object)).toThrow(TypeError);
});
