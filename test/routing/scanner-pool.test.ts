import fc from "fast-check";
import { expect, test } from "vitest";
import { createLiteralScanner, type LiteralScanner } from "../../src/regex/literal-scanner.ts";
import { literalKey, type RequiredLiteral } from "../../src/regex/required-literals.ts";
import { ScannerPool } from "../../src/routing/scanner-pool.ts";

const literalArb: fc.Arbitrary<RequiredLiteral> = fc.record({
  fold: fc.boolean(),
  text: fc
    .array(fc.constantFrom(..."abK", "ſ"), { minLength: 1, maxLength: 4 })
    .map((units) => units.join("")),
});
const literalsArb = fc.uniqueArray(literalArb, {
  minLength: 30,
  maxLength: 45,
  selector: literalKey,
});
const textArb = fc
  .array(fc.constantFrom(..."abkK", "s", "ſ"), { maxLength: 60 })
  .map((units) => units.join(""));

function hits(scanner: LiteralScanner, text: string, max = Number.POSITIVE_INFINITY): string[] {
  const told: string[] = [];
  scanner.scan(text, (id, start) => {
    told.push(`${id} at ${start}`);
    return told.length >= max ? "stop" : undefined;
  });
  return told;
}

test("a scanner for nearly the same literals tells what one of their own tells", () => {
  let similar = 0;
  fc.assert(
    fc.property(
      literalsArb,
      fc.array(fc.tuple(fc.nat(44), literalArb), { maxLength: 12 }),
      textArb,
      (first, edits, text) => {
        const pool = new ScannerPool(8);
        let literals = first;
        for (const edit of [null, ...edits]) {
          if (edit !== null) {
            const [at, by] = edit;
            if (literals.some((one) => literalKey(one) === literalKey(by))) continue;
            literals = [by, ...literals.toSpliced(at, 1)];
          }
          const misses = pool.wholes;
          const scanner = pool.get(literals);
          if (pool.wholes === misses) similar++;
          expect(hits(scanner, text).sort()).toEqual(
            hits(createLiteralScanner(literals), text).sort(),
          );
          expect(hits(scanner, text, 2).length).toBe(Math.min(2, hits(scanner, text).length));
        }
      },
    ),
    { seed: 20261120, numRuns: 300 },
  );
  expect(similar).toBeGreaterThan(500);
});
