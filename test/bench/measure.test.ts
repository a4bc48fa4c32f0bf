/** The harness: contestants run in processes of their own, and one that decides otherwise ends the run. */
import { expect, test } from "vitest";
import type { Bench } from "../../bench/bench.ts";
import { loadBench } from "../../bench/benches.ts";
import { measureCase } from "../../bench/measure.ts";
import { renderCase } from "../../bench/report.ts";

async function rivalBench(name: string): Promise<Bench> {
  const bench = await loadBench(name);
  if (bench === undefined || "run" in bench) throw new Error(`${name} has no rivals`);
  return bench;
}

test("a case gives each contestant's cost, ratio and the hash that all share", async () => {
  const cel = await rivalBench("cel");
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

test("a missing contestant is skipped with its reason, and the others are measured", async () => {
  const rules = await rivalBench("rules");
  const few = { ...rules, contestants: rules.contestants.slice(0, 3) };
  const result = await measureCase(few, "cjk, 1 KB, words, 3 rules", "tiny");
  const took = result.measurements.map(({ contestant }) => contestant);
  expect([...took, ...result.skipped.map(({ contestant }) => contestant)].sort()).toEqual([
    "Hyperscan",
    "mailflow",
    "naive loop",
  ]);
  for (const { reason } of result.skipped) expect(reason).not.toBe("");
});

test("a case that does not exist ends with the worker's failure", async () => {
  const cel = await rivalBench("cel");
  const few = { ...cel, contestants: cel.contestants.slice(0, 1) };
  await expect(measureCase(few, "no such case", "tiny")).rejects.toThrow("ended with 1");
});
