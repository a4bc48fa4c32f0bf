import { expect, test } from "vitest";
import {
  AtomTable,
  and,
  FALSE,
  formulaKey,
  not,
  or,
  TRUE,
} from "../../../src/rehearse/proof/formula/formula.ts";

test("no formula has the key of another: that of an atom is not that of a constant", () => {
  const atoms = new AtomTable();
  const [zero, one] = [atoms.free("a", "a"), atoms.free("b", "b")];
  const formulas = [TRUE, FALSE, zero, one, not(zero), not(one), and(zero, one), or(zero, one)];
  expect(new Set(formulas.map(formulaKey)).size).toBe(formulas.length);
});
