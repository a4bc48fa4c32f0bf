/** What is written out for a constant answers, and costs, what the general form does on the same value. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../../src/engine/cel/compile-expression.ts";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { compiled } from "./evaluate.ts";

/** A constant that the compiler takes for none. */
const hidden = (constant: string): string => `(true ? ${constant} : ${constant})`;

const TEXTS = ["subject", "body", 'headers["list-id"][0]', '(subject + "!")', "subject.trim()"];

/** Each of a text and a constant. */
const TESTS: readonly ((text: string, constant: string) => string)[] = [
  (text, constant) => `${text}.contains(${constant})`,
  (text, constant) => `${text}.startsWith(${constant})`,
  (text, constant) => `!${text}.endsWith(${constant})`,
  (_, constant) => `${constant} in headers`,
  (text, constant) => `headers[${constant}][0].contains(${text})`,
  (text, constant) =>
    `headers.received.exists(each, each.endsWith(${constant}) || each == ${text})`,
];

/** Long enough to be searched in either way, and full of near misses. */
const piece = fc.constantFrom("a", "ab", "aab", "kz", " ", "é", "😀", "İ", "unsubscribe", "A");
const text = fc.oneof(
  fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join("")),
  fc.array(piece, { minLength: 60, maxLength: 200 }).map((pieces) => pieces.join("")),
);
const facts: fc.Arbitrary<Facts> = fc.record(
  {
    subject: text,
    body: text,
    headers: fc.array(text, { minLength: 1, maxLength: 3 }).map(
      (values) =>
        new Map([
          ["received", values],
          ["list-id", values],
          ["ab", [""]],
        ]),
    ),
  },
  { requiredKeys: ["body"] },
);

/** The spans of errors lie elsewhere. */
function told({ outcome }: Evaluation): unknown {
  return outcome.kind === "failed" ? outcome.message : outcome;
}

describe("constants", () => {
  it("change neither outcome nor fuel", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TEXTS),
        fc.constantFrom(...TESTS),
        fc.oneof(text, fc.constantFrom("received", "list-id", "")),
        facts,
        (subject, test, wanted, message) => {
          const constant = JSON.stringify(wanted);
          const known = compiled(test(subject, constant)).evaluate(message);
          const general = compiled(test(subject, hidden(constant))).evaluate(message);
          expect(told(known)).toEqual(told(general));
          expect(known.read).toBe(general.read);
          // The choice that hides it costs two nodes within a loop, and there alone.
          if (!test(subject, constant).includes("exists")) expect(known.fuel).toBe(general.fuel);
        },
      ),
      { seed: 20261120, numRuns: 3_000 },
    );
  });

  it("finds constants that are cut from the text itself", () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (body, from, length) => {
        const start = from % (body.length + 1);
        const wanted = body.slice(start, start + (length % 60)).toWellFormed();
        const constant = JSON.stringify(wanted);
        const test = `body.contains(${constant}) == ${body.includes(wanted)}`;
        const ends = `body.startsWith(${constant}) == ${body.startsWith(wanted)} && body.endsWith(${constant}) == ${body.endsWith(wanted)}`;
        for (const source of [test, ends]) {
          expect(compiled(source).evaluate({ body }).outcome).toEqual({
            kind: "value",
            value: true,
          });
        }
      }),
      { seed: 20261120, numRuns: 2_000 },
    );
  });

  it("compares sizes with numbers", () => {
    for (const operator of ["<", "<=", ">", ">="]) {
      for (const size of [0, 9, 10, 11, 2 ** 53 - 1]) {
        const known = compiled(`size ${operator} 10`).evaluate({ size });
        expect(known).toEqual(compiled(`size ${operator} ${hidden("10")}`).evaluate({ size }));
      }
    }
  });

  it("tells an error that is met twice in the same words", () => {
    const expression = compiled('headers["x"][0] == "yes"');
    const first = expression.evaluate({ headers: new Map() });
    expect(first.outcome).toMatchObject({ kind: "failed", span: { start: 0, end: 12 } });
    expect(expression.evaluate({ headers: new Map() })).toEqual(first);
  });

  it("hands on null entries of maps", () => {
    expect(compiled('{"a": null}["a"] == null && "a" in {"a": null}').evaluate({}).outcome).toEqual(
      { kind: "value", value: true },
    );
  });
});
