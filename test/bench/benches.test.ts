/** Every bench, small and within this process: each contestant that is there decides as the subject does. */
import { describe, expect, test } from "vitest";
import type { Answers, Work } from "../../bench/bench.ts";
import { BENCH_NAMES, loadBench } from "../../bench/benches.ts";
import { agreementOf } from "../../bench/measure.ts";

async function answersOf(work: Work): Promise<Answers> {
  if ("turn" in work) {
    await work.warm();
    const { answers } = await work.turn(0);
    work.close?.();
    return answers;
  }
  if ("measure" in work) {
    const { answers } = await work.measure(1);
    work.close?.();
    return answers;
  }
  const result: unknown = await work.run();
  return (await work.tell?.(result)) ?? (result as Answers);
}

const ALL = await Promise.all(BENCH_NAMES.map(async (name) => (await loadBench(name))!));
const BENCHES = ALL.filter((bench) => "contestants" in bench);

describe.each(BENCHES)("bench $name", (bench) => {
  test.each(bench.cases("tiny"))("%s", async (caseName) => {
    const [subject, ...rivals] = bench.contestants;
    const work = await subject!.prepare(caseName, "tiny");
    if ("absent" in work) throw new Error(`the subject sits out: ${work.absent}`);
    const expected = await answersOf(work);
    expect(expected.length).toBeGreaterThan(0);
    let took = 0;
    for (const { name, prepare, differs } of rivals) {
      const rival = await prepare(caseName, "tiny");
      if ("absent" in rival) {
        expect(rival.absent, name).not.toBe("");
        continue;
      }
      took++;
      const agreement = agreementOf(await answersOf(rival), expected);
      expect(agreement, `${name} decides alike`).toBeGreaterThanOrEqual(differs?.agreementMin ?? 1);
    }
    expect(took, "rivals that took part").toBeGreaterThan(0);
  });
});

test("every case of a chart is a case of its bench, and contestants' names are their own", () => {
  for (const bench of BENCHES) {
    const cases = bench.cases("full");
    expect(new Set(cases).size).toBe(cases.length);
    expect(cases.length % (bench.slices ?? 1), "slices are equal").toBe(0);
    const names = bench.contestants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { points } of bench.charts ?? []) {
      for (const { caseName } of points) expect(cases).toContain(caseName);
    }
    for (const apart of bench.meansWithout ?? []) expect(cases).toContain(apart);
  }
});
