/** Any text compiles or is refused with problems that can be shown; nothing throws. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileExpression } from "../../../src/engine/cel/compile-expression.ts";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { FACTS } from "./evaluate.ts";

const TOKENS =
  'sender subject body headers size attachments v k true false null in has cel.bind optional.of all exists map filter transformMapEntry contains matches substring split join format int uint double string bytes type timestamp duration dyn matches ( ( ) ) [ ] [? { } , : ? . .? ! - + * / % == != < <= > >= && || "a" "(" \'b\' r"\\d" b"x" """t""" 0 1 -1 2u 1.5 9223372036854775807 0x1F 1e9 \\ " \' ` # // \n'.split(
    " ",
  );

const tokens = fc
  .array(fc.constantFrom(...TOKENS), { maxLength: 14, size: "max" })
  .chain((words) => fc.constantFrom(words.join(""), words.join(" ")));

/** A well-formed expression with one token changed: most of these get beyond the parser. */
const nearMisses = fc
  .tuple(
    fc.constantFrom(
      'headers["list-id"].exists(v, v.contains("a") && size > 1)',
      'subject.split(" ").map(v, v.size()).filter(v, v > 1).size() == 2 || body.matches("a+")',
      'cel.bind(k, headers.?k.orValue(["a"]), k.all(i, v, i < v.size()))',
      '"%s %d".format([subject, size]) == string(size) ? true : 1.5 < double(size)',
      'attachments.exists(v, v.filename.substring(0, 1) in ["a", "b"]) && !has(headers.k)',
    ),
    fc.nat(60),
    fc.constantFrom(...TOKENS),
  )
  .map(([source, at, token]) => {
    const parts = source.match(/\w+|"[^"]*"|\W/g)!;
    return parts.with(at % parts.length, token).join("");
  });

describe("compileExpression", () => {
  it("never throws, nor do the expressions", () => {
    const seen = { compiled: 0, refused: 0 };
    const facts: readonly Facts[] = [FACTS, {}, { sender: "\ud800", headers: new Map() }];
    fc.assert(
      fc.property(fc.oneof(tokens, nearMisses, fc.string({ unit: "binary" })), (source) => {
        const result = compileExpression(source);
        if (!result.ok) {
          seen.refused++;
          expect(result.problems.length).toBeGreaterThan(0);
          for (const { message, span } of result.problems) {
            expect(message, source).toMatch(/^[^\nA-Z][^\n]*[^\n.]$/u);
            expect(span!.start).toBeGreaterThanOrEqual(0);
            expect(span!.start).toBeLessThanOrEqual(span!.end);
            expect(span!.end).toBeLessThanOrEqual(source.length);
          }
          return;
        }
        seen.compiled++;
        for (const known of facts) {
          const { steps, earlier, ...explained } = result.expression.explain(known);
          expect(explained).toEqual(result.expression.evaluate(known));
          expect(steps.every(({ value }) => value.length <= 120)).toBe(true);
        }
      }),
      { seed: 20261120, numRuns: 6_000 },
    );
    expect(seen.compiled).toBeGreaterThan(80);
    expect(seen.refused).toBeGreaterThan(2_000);
  });
});
