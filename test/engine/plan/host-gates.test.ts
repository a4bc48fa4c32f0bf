/** Gates that a host gives: a plan tries every rule whose opening is open, whatever its texts hold. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { orbitOf } from "../../../src/engine/pattern/syntax/case-orbits.ts";
import { compileDomain } from "../../../src/engine/routing/compile-domain.ts";
import { explain } from "../../../src/engine/routing/explain.ts";
import type { Opening } from "../../../src/engine/routing/plan/gate.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { MATCHED, MISSED, ruleType } from "../../../src/engine/routing/rules/rule-type.ts";

const FACTS = ["sender", "subject", "body"] as const;
type TextFact = (typeof FACTS)[number];
interface Literal {
  readonly text: string;
  readonly fold: boolean;
}

/** By the orbits of simple case folding, character by character. */
const folded = (text: string): string =>
  Array.from(text, (one) => String.fromCodePoint(Math.min(...orbitOf(one.codePointAt(0)!)))).join(
    "",
  );

function has(text: string, kind: "literals" | "starts", { text: wanted, fold }: Literal): boolean {
  const [where, what] = fold ? [folded(text), folded(wanted)] : [text, wanted];
  return kind === "starts" ? where.startsWith(what) : where.includes(what);
}

/** What `resolve` and the walk of `explain` do with a rule that does what its gate says. */
function both(
  fact: TextFact,
  kind: "literals" | "starts",
  literals: readonly Literal[],
  text: string,
): readonly [planned: string, walked: string] {
  const openings: readonly Opening[] = [{ fact, kind, literals }];
  const opens = ruleType<Record<never, never>>({
    type: "opens",
    fields: {},
    compile: () => ({
      groupCount: 0,
      gate: () => ({ openings, alsoNeeds: [] }),
      match: (message) =>
        literals.some((each) => has(message[fact]!, kind, each)) ? MATCHED : MISSED,
      explain(message, trial) {
        return { outcome: this.match(message, trial), detail: { type: "opens" } };
      },
      untried: () => ({ type: "opens" }),
    }),
  });
  const rules = [{ type: "opens", config: { forward: "m@x.test" } }];
  const config = { domain: "own.test", routing_engine: "rules", rules };
  const compiled = compileDomain(config, { ruleTypes: [opens] });
  if (!compiled.ok) throw new Error(compiled.diagnostics[0]!.message);
  const empty = { recipient: "a@own.test", sender: "", subject: "", body: "", size: 1 };
  const facts = { ...empty, headers: new Map(), attachments: [], [fact]: text };
  const actionOf = (resolution: object): string => (resolution as { action: string }).action;
  return [
    actionOf(resolve(compiled.domain, facts)),
    actionOf(explain(compiled.domain, facts).resolution),
  ];
}

const LONG = "𐐀𐐀 a long text ".repeat(8);
// Deseret, Osage and Adlam have letter case; an emoji and halves of a character have not.
const piece = fc.constantFrom(
  ..."aAkKßſK",
  "𐐀",
  "𐐨",
  "𐒰",
  "𐓘",
  "𞤀",
  "𞤢",
  "😀",
  "𐀀",
  "\ud801",
  "\udc00",
  "\ufffd",
  " ",
);
const text = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(""));
const literal = fc.record({ text, fold: fc.boolean() });

test("a gate opens for every text that its literals are in", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FACTS),
      fc.constantFrom("literals" as const, "starts" as const),
      fc.array(literal, { minLength: 1, maxLength: 4 }),
      text,
      text,
      fc.nat(3),
      (fact, kind, literals, before, after, nth) => {
        const inside = literals[nth % literals.length]!;
        const swapped = inside.fold
          ? Array.from(inside.text, (one) =>
              String.fromCodePoint(orbitOf(one.codePointAt(0)!).at(-1)!),
            ).join("")
          : inside.text;
        const whole = `${kind === "starts" ? "" : before}${swapped}${after}`;
        const [planned, walked] = both(fact, kind, literals, whole);
        expect(planned).toBe(walked);
      },
    ),
    { seed: 20261124, numRuns: 2_000 },
  );
});

test.each<[TextFact, "literals" | "starts", readonly Literal[], string]>([
  ["subject", "literals", [{ text: "𐐀𐐁𐐂", fold: true }], "x 𐐨𐐩𐐪"],
  ["body", "literals", [{ text: "𐒰", fold: true }], "𐓘"],
  ["subject", "starts", [{ text: "𞤀 first", fold: true }], "𞤢 FIRST"],
  ["subject", "literals", [{ text: LONG, fold: true }], LONG.replaceAll("𐐀", "𐐨").toUpperCase()],
  [
    "sender",
    "literals",
    [
      { text: "", fold: false },
      { text: "never", fold: false },
    ],
    "ann@x.test",
  ],
  ["sender", "starts", [{ text: "", fold: true }], ""],
  [
    "body",
    "literals",
    [
      { text: "", fold: false },
      { text: "", fold: true },
    ],
    "any",
  ],
])("of %s with %s %j opens for `%s`", (fact, kind, literals, given) => {
  expect(both(fact, kind, literals, given)).toEqual(["forward", "forward"]);
});

test("a header name with half of a character is the same to a gate and to its rule", () => {
  const detail = { type: "named" };
  const named = ruleType<Record<never, never>>({
    type: "named",
    fields: {},
    compile: () => ({
      groupCount: 0,
      gate: () => ({
        openings: [{ fact: "headers", kind: "values", values: ["x\ufffd"] }],
        alsoNeeds: [],
      }),
      match: ({ headers }) => (headers?.has("x\ufffd") === true ? MATCHED : MISSED),
      explain(message, trial) {
        return { outcome: this.match(message, trial), detail };
      },
      untried: () => detail,
    }),
  });
  const rules = [{ type: "named", config: { forward: "m@x.test" } }];
  const config = { domain: "own.test", routing_engine: "rules", rules };
  const compiled = compileDomain(config, { ruleTypes: [named] });
  if (!compiled.ok) throw new Error(compiled.diagnostics[0]!.message);
  for (const name of ["x\ud800", "x\ufffd"]) {
    const facts = { recipient: "a@own.test", headers: new Map([[name, ["1"]]]) };
    expect(resolve(compiled.domain, facts)).toMatchObject({ action: "forward" });
    expect(explain(compiled.domain, facts).resolution).toMatchObject({ action: "forward" });
  }
});
