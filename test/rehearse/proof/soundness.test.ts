import { expect, test } from "vitest";
import { attack, attackEdit, newEditTally, newTally } from "./soundness.ts";

test("random rule sets: nothing proved unreachable is reached, and every witness is decided as claimed", () => {
  const tally = newTally();
  for (let seed = 1; seed <= 120; seed++) attack(seed, tally, 200);
  expect(tally.wrong).toEqual([]);
  expect(tally.sets).toBe(120);
  expect(tally.never).toBeGreaterThan(80);
  expect(tally.reached).toBeGreaterThan(300);
  expect(tally.unknown / tally.questions).toBeLessThan(0.06);
});

test("random edits: what is called equal is, and what is called different differs", () => {
  const tally = newEditTally();
  for (let seed = 1; seed <= 80; seed++) attackEdit(seed, tally, 200);
  expect(tally.wrong).toEqual([]);
  expect(tally.equal).toBeGreaterThan(20);
  expect(tally.different).toBeGreaterThan(20);
  expect(tally.unknown / tally.pairs).toBeLessThan(0.1);
});
