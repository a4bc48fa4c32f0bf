/** How runs are held against kept results. */
import { expect, test } from "vitest";
import type { Measurement } from "../../bench/measure.ts";
import { renderChanges } from "../../bench/report.ts";
import { changesSince, type Kept, keptOf, regressions } from "../../bench/results.ts";

function measured(caseName: string, contestant: string, ratio: number, spread = 0.02): Measurement {
  const perOperation = ratio * 100;
  return { case: caseName, contestant, perOperation, ratio, spread, hash: "h", agreement: 1 };
}

function run(slowdown: number, rivalB = 1): Measurement[] {
  return [
    measured("one", "mailflow", 1),
    measured("one", "a", 4 / slowdown),
    measured("one", "b", (9 / slowdown) * rivalB),
    measured("one", "c", 30 / slowdown),
  ];
}

const kept: Kept = { node: "v20", cpu: "a core", load: 1, measurements: run(1), skipped: {} };

test("a ratio that moves within noise and spread is the same", () => {
  const changes = changesSince(run(1), run(1.1));
  expect(changes.map(({ verdict }) => verdict)).toEqual(["same", "same", "same"]);
  expect(regressions(changes)).toEqual([]);
});

test("a subject that is slower against most rivals has regressed", () => {
  const changes = changesSince(run(1), run(1.5));
  expect(changes.map(({ verdict }) => verdict)).toEqual(["slower", "slower", "slower"]);
  expect(regressions(changes)).toEqual(["one"]);
  expect(renderChanges(changes, kept)).toContain("REGRESSED against most rivals: one");
});

test("one rival that got faster by itself is told, and is no regression", () => {
  const changes = changesSince(run(1), run(1, 0.5));
  expect(changes.filter(({ verdict }) => verdict === "slower")).toHaveLength(1);
  expect(regressions(changes)).toEqual([]);
  expect(renderChanges(changes, kept)).toContain("9.00 × → 4.50 ×");
});

test("a faster subject, a new case and a new rival are no regression", () => {
  expect(regressions(changesSince(run(1), run(0.5)))).toEqual([]);
  expect(changesSince(run(1), [measured("two", "a", 1.5), measured("one", "d", 2)])).toEqual([]);
});

test("a wide spread asks for a larger change", () => {
  const was = [measured("one", "a", 4, 0.3)];
  expect(regressions(changesSince(was, [measured("one", "a", 2.9)]))).toEqual([]);
  expect(regressions(changesSince(was, [measured("one", "a", 1.9)]))).toEqual(["one"]);
});

test("who took part in no case is kept with the reason", () => {
  const skipped = [
    { contestant: "a", reason: "too slow here" },
    { contestant: "z", reason: "not installed" },
  ];
  expect(keptOf([{ measurements: run(1), skipped }]).skipped).toEqual({ z: "not installed" });
});
