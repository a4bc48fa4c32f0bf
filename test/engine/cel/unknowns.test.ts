/** Forgetting facts never changes an answer: it stays, or it becomes unknown. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CelOutcome, compileExpression } from "../../../src/engine/cel/compile-expression.ts";
import { type FactName, type Facts, STAGE_OF } from "../../../src/engine/facts/facts.ts";
import { boolSource, knownFacts } from "./arbitrary-expression.ts";

const NAMES: readonly FactName[] = Object.keys(STAGE_OF) as FactName[];

/** A rule that fails is a rule that does not match. */
function isMatch(outcome: CelOutcome): boolean {
  return outcome.kind === "value" && outcome.value;
}

describe("forgetting facts", () => {
  it("gives unknown or the same answer, and asks for a stage that helps", () => {
    const seen = { unknown: 0, kept: 0, matched: 0 };
    fc.assert(
      fc.property(boolSource, knownFacts, fc.subarray([...NAMES]), (source, facts, forgotten) => {
        const result = compileExpression(source);
        if (!result.ok) throw new Error(result.problems[0]?.message);
        const full = result.expression.evaluate(facts);
        expect(full.outcome.kind).not.toBe("unknown");
        const less: Record<string, unknown> = { ...facts };
        for (const name of forgotten) less[name] = undefined;
        const partial = result.expression.evaluate(less as Facts).outcome;
        if (partial.kind !== "unknown") {
          expect(isMatch(partial)).toBe(isMatch(full.outcome));
          if (forgotten.length > 0) seen.kept++;
          if (isMatch(partial)) seen.matched++;
          return;
        }
        seen.unknown++;
        const stages = forgotten.map((name) => STAGE_OF[name]);
        expect(stages).toContain(partial.needs);
      }),
      { seed: 20261120, numRuns: 4_000 },
    );
    // The property would hold of an engine that always answers unknown.
    expect(seen.kept).toBeGreaterThan(500);
    expect(seen.matched).toBeGreaterThan(200);
    expect(seen.unknown).toBeGreaterThan(200);
  });

  it("decides at the envelope whenever a conjunct about the recipient decides", () => {
    fc.assert(
      fc.property(boolSource, (source) => {
        const result = compileExpression(`(${source}) && recipient == "nobody"`);
        if (!result.ok) throw new Error(result.problems[0]?.message);
        if (!/\b(sender|subject|body|headers|size)\b/.test(source)) return fc.pre(false);
        const { outcome } = result.expression.evaluate({ recipient: "ann@x.org" });
        expect(outcome).toEqual({ kind: "value", value: false });
      }),
      { seed: 20261120, numRuns: 500 },
    );
  });
});
