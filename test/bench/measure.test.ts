/** The harness: contestants run in processes of their own, and one that decides otherwise ends the run. */
import { expect, test } from "vitest";
import { BENCHES } from "../../bench/benches.ts";
import { measureCase } from "../../bench/measure.ts";
import { renderCase } from "../../bench/report.ts";

test("a case gives each contestant's cost, ratio and the hash that all share", async () => {
  const cel = BENCHES.find(({ name }) => name === "cel")!;
  const few = { ...cel, contestants: cel.contestants.slice(0, 2) };
  const { measurements, skipped } = await measureCase(few, "sender's domain", "tiny");
  expect(skipped).toEqual([]);
  expect(measurements.map(({ contestant }) => contestant)).toEqual([
    "mailflow",
    "closures by hand",
  ]);
  expect(measurements[0]!.ratio).toBe(1);
  expect(new Set(measurements.map(({ hash }) => hash)).size).toBe(1);
  for (const { perOperation } of measurements) expect(perOperation).toBeGreaterThan(0);
  expect(renderCase(few, "sender's domain", { measurements, skipped })).toContain("1.00 ×");
});

test("a contestant that sits out is told with its reason, and the others are measured", async () => {
  const rules = BENCHES.find(({ name }) => name === "rules")!;
  const chosen = ["mailflow", "json-rules-engine"];
  const few = {
    ...rules,
    contestants: rules.contestants.filter(({ name }) => chosen.includes(name)),
  };
  const result = await measureCase(few, "alias, nothing matches, 1001 rules", "tiny");
  expect(result.measurements.map(({ contestant }) => contestant)).toEqual(["mailflow"]);
  expect(result.skipped[0]!.reason).toContain("minutes");
  expect(renderCase(few, "x", result)).toContain("skipped: ");
});

test("a case that does not exist ends with the worker's failure", async () => {
  const cel = BENCHES.find(({ name }) => name === "cel")!;
  const few = { ...cel, contestants: cel.contestants.slice(0, 1) };
  await expect(measureCase(few, "no such case", "tiny")).rejects.toThrow("ended with 1");
});
