import { describe, expect, test } from "vitest";
import { compareSteps } from "../../../src/rehearse/proof/compare-all.ts";
import { readFacts } from "../../../src/rehearse/proof/message/witness-message.ts";
import { writeMessage } from "../../../src/rehearse/proof/message/write-message.ts";
import { allProofs } from "../../../src/rehearse/proof/prove.ts";
import { Prover, STATES_MAX } from "../../../src/rehearse/proof/prover.ts";
import { inSlices, type Sliced } from "../../../src/rehearse/proof/slices.ts";
import { type RehearsedDomain, rehearse } from "../../../src/rehearse/rehearsed-domain.ts";
import { realisticConfig } from "./realistic-rules.ts";

function countOf(steps: Sliced<unknown>): number {
  let count = 0;
  while (!steps.next().done) count++;
  return count;
}

function realistic(seed: number, rules: number): RehearsedDomain {
  const result = rehearse(realisticConfig(seed, rules));
  if (!result.ok) throw new TypeError(result.diagnostics[0]!.message);
  return result.rehearsed;
}

describe("others have their turn", () => {
  test("after each rule that becomes a formula", () => {
    const domain = realistic(1, 300);
    const active = domain.domain.rules.filter((rule) => rule.active).length;
    expect(active).toBeGreaterThan(100);
    expect(countOf(Prover.of(domain))).toBe(active);
  });

  test("at least once for each question, and for each rule of both versions", () => {
    const [old, changed] = [realistic(1, 40), realistic(2, 40)];
    expect(countOf(allProofs(old, STATES_MAX))).toBeGreaterThan(2 * 40);
    expect(countOf(compareSteps(old, changed, STATES_MAX))).toBeGreaterThan(2 * 40);
  });

  test("after each piece of a large message, which is in pieces of at most 64 KB", () => {
    const attachment = { filename: "a.pdf", contentType: "application/pdf", octets: 9_000_000 };
    const written = writeMessage(
      {
        local: "ann",
        sender: "bob@else.test",
        subject: "Hello",
        body: "Hello",
        headers: new Map(),
        without: new Set(),
        attachments: [attachment],
        octetsMin: 25_000_000,
      },
      "own.test",
    )!;
    for (const { length } of written.pieces) expect(length).toBeLessThanOrEqual(65_536);
    const steps = readFacts(written);
    let [count, step] = [0, steps.next()];
    for (; !step.done; step = steps.next()) count++;
    expect(count).toBe(written.pieces.length);
    expect(step.value.attachments).toEqual([
      { filename: "a.pdf", contentType: "application/pdf", size: 9_000_000 },
    ]);
    expect(step.value.size).toBeGreaterThanOrEqual(25_000_000);
    expect(step.value.size).toBeLessThan(25_000_500);
  });
});

test("a signal ends the work with its reason, and slices leave the thread in between", async () => {
  const control = new AbortController();
  let turns = 0;
  function* endless(): Sliced<never> {
    for (;;) yield;
  }
  const other = setInterval(() => {
    turns++;
    if (turns === 3) control.abort(new Error("enough"));
  }, 0);
  const { signal } = control;
  await expect(inSlices(endless(), { sliceMs: 1, signal })).rejects.toThrow("enough");
  clearInterval(other);
  expect(turns).toBe(3);
});
