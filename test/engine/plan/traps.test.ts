/** Texts made to mislead a plan: letters with odd cases, broken characters, one literal a hundred thousand times. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCompiler } from "../../../src/engine/routing/compile-domain.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { createResolveStats } from "../../../src/engine/routing/resolve-stats.ts";
import { plainWalk } from "./plain-walk.ts";
import { expectPlanEqualsWalk } from "./ways.ts";
import { compiled, domainOf } from "./worlds.ts";

const forward = "m@x.test";
const regexRule = (regex: string, ...scopes: string[]) => ({
  type: "regex",
  config: { regex, scopes, forward },
});
const celRule = (expression: string) => ({ type: "cel", config: { expression, forward } });
const message = { recipient: "a@own.test", sender: "s@x.test", subject: "", body: "" };

/** Letters that fold together, or only seem to. */
const LETTERS = [
  ..."kKsSiIffßµμσςΣthr",
  "\u212a",
  "\u017f",
  "\u0130",
  "\u0131",
  "\ufb05",
  "\ufb06",
  "\u1e9e",
];
const UNITS = [...LETTERS, "\ud800", "\udc00", "\u{1f600}", "\n", " ", "i\u0307"];

test("letters with odd cases and broken characters, in patterns and in texts", () => {
  const word = fc.array(fc.constantFrom(...LETTERS), { minLength: 3, maxLength: 4 });
  const text = fc.array(fc.constantFrom(...UNITS), { maxLength: 40 });
  let matched = 0;
  fc.assert(
    fc.property(fc.array(word, { minLength: 5, maxLength: 12 }), text, (words, units) => {
      const rules = words.flatMap((letters, nth): Record<string, unknown>[] => {
        const literal = letters.join("");
        return nth % 3 === 0
          ? [celRule(`subject.lowerAscii().contains(${JSON.stringify(literal)})`)]
          : [regexRule(`(?i)${literal}`, "subject", "body"), regexRule(literal, "subject")];
      });
      const domain = compiled(domainOf(rules));
      // Each word stands in the text in another of its cases.
      const planted = words.map((letters) => letters.join("").toUpperCase()).join("x");
      const subject = units.join("");
      for (const body of [subject, `${subject}${planted}`, planted.toLowerCase()]) {
        const resolution = expectPlanEqualsWalk(domain, { ...message, subject, body });
        if (resolution.verdict === "decided" && resolution.decidedBy !== null) matched++;
        expectPlanEqualsWalk(domain, { ...message, subject: body, body: "" });
      }
    }),
    { seed: 20261120, numRuns: 600 },
  );
  expect(matched).toBeGreaterThan(300);
});

test("a text stuffed with the literals of many rules is decided as ever, in bounded time", () => {
  const words = Array.from({ length: 40 }, (_, nth) => `atom${nth}`);
  const rules = words.flatMap((literal) => [
    regexRule(`${literal}[0-9]{3}`, "body"),
    regexRule(`x${literal}.*end`, "body"),
    celRule(`body.contains("${literal}-")`),
  ]);
  const domain = compiled(domainOf(rules));
  for (const body of [
    "atom1 ".repeat(100_000),
    "xatom3".repeat(30_000),
    `${"atom2 atom20 xatom7 ".repeat(20_000)}atom39123`,
  ]) {
    expectPlanEqualsWalk(domain, { ...message, body });
  }
});

test("rules that share one common word are told apart in the windows around it", () => {
  const rules = Array.from({ length: 200 }, (_, nth) => regexRule(`order ${nth}\\b`, "body"));
  const domain = compiled(domainOf(rules));
  const filler = "lorem ipsum dolor ".repeat(300);
  for (const [body, id] of [
    [`${filler}order 17 ${filler}`, "r17"],
    [`${filler}order 1700 ${filler}`, null],
    [`${filler}order 199${filler}`, null],
    [`order 1990, order 3 ${filler}`, "r3"],
  ] as const) {
    const resolution = expectPlanEqualsWalk(domain, { ...message, body });
    if (resolution.verdict !== "decided") throw new Error("undecided");
    expect(resolution.decidedBy?.id ?? null).toBe(id);
  }
});

test("the counters tell what the plan did, and what it was spared", () => {
  const filler = "lorem ipsum dolor ".repeat(300);
  const rules = [
    ...Array.from({ length: 50 }, (_, nth) => regexRule(`order-${nth}x`, "body")),
    ...Array.from({ length: 10 }, (_, nth) => regexRule(`[0-9]{${nth + 3}}[a-f]`, "body")),
    { type: "alias", config: { alias: "ann", forward } },
  ];
  const domain = compiled(domainOf(rules));
  const stats = createResolveStats();
  resolve(domain, { ...message, body: `${filler} order-7x ${filler}` }, { stats });
  expect(stats).toMatchObject({
    messages: 1,
    overBudget: 0,
    candidates: 1,
    fullScans: 0,
    windows: 1,
    // The rules of the set come after the one that matches.
    setsRun: 0,
  });
  expect(stats.scans).toBe(1);
  const none = createResolveStats();
  resolve(domain, { ...message, body: filler }, { stats: none });
  // The literals of the first 32 rules are searched for together; then one set reads the body for all others.
  expect(none).toMatchObject({ candidates: 0, fullScans: 0, windows: 0, scans: 1, setsRun: 1 });
  expect(stats.fuel).toBeGreaterThan(0);
  const early = createResolveStats();
  const first = compiled(domainOf([...rules].reverse()));
  resolve(first, { ...message, recipient: "ann@own.test", body: filler }, { stats: early });
  expect(early).toMatchObject({ candidates: 1, scans: 0, setsRun: 0, fullScans: 0 });
});

test("patterns are run together where their starts tell little, or there are many", () => {
  const setsRun = (...patterns: readonly string[]): number => {
    const domain = compiled(domainOf(patterns.map((one) => regexRule(one, "body"))));
    const stats = createResolveStats();
    resolve(domain, { ...message, body: "lorem ipsum dolor ".repeat(30) }, { stats });
    return stats.setsRun;
  };
  expect(setsRun("[a-z]{16}[0-9a-f]")).toBe(0);
  expect(setsRun("[a-z]{16}[0-9a-f]", "[a-y]{16}[0-9a-f]")).toBe(1);
  expect(setsRun("[a-z]{16}[0-9a-f]", "[0-9]{3}J")).toBe(1);
  expect(setsRun(..."JKVW".split("").map((end) => `[0-9]{3}${end}`))).toBe(0);
  expect(setsRun(..."JKVWU".split("").map((end) => `[0-9]{3}${end}`))).toBe(1);
});

test("a domain edited rule by rule decides like one compiled afresh", () => {
  const pool = Array.from({ length: 60 }, (_, nth) => [
    regexRule(`order ${nth}\\b`, "body", "subject"),
    celRule(`subject.contains("invoice ${nth % 7}") && sender != ""`),
    regexRule(`[${"abcdefghij"[nth % 10]}]{3}`, "subject"),
    { type: "alias", config: { alias: `u${nth}`, forward } },
  ]).flat();
  const messages = [
    { ...message, body: "order 7 and order 12", subject: "invoice 3" },
    { ...message, recipient: "u5@own.test", subject: "bbb" },
    { ...message, subject: "order 44 invoice 6", body: "order 59" },
  ];
  const compiler = createCompiler({ piecesMax: 100, programsMax: 8 });
  const empty = domainOf([]) as Record<string, unknown>;
  let count = 12;
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.constantFrom("replaced", "added", "removed", "exchanged"),
          fc.nat(11),
          fc.nat(pool.length - 1),
        ),
        { maxLength: 20 },
      ),
      fc.constantFrom("kept", "anew"),
      fc.constantFrom("ranked", "unranked"),
      (edits, objects, ranks) => {
        const named = (rule: object, nth: number): Record<string, unknown> =>
          ranks === "ranked" ? { id: `r${nth}`, rank: nth % 5, ...rule } : { ...rule };
        const rules = pool.slice(0, 12).map(named);
        for (const [edit, place, by] of edits) {
          const at = place % rules.length;
          const rule = named(pool[by]!, count++);
          if (edit === "exchanged") rules.push(...rules.splice(at, 1));
          else if (edit !== "removed" || rules.length > 1) {
            rules.splice(at, edit === "added" ? 0 : 1, ...(edit === "removed" ? [] : [rule]));
          }
          const config = { ...empty, rules: objects === "kept" ? rules : structuredClone(rules) };
          const result = compiler.compileDomain(config);
          if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
          const fresh = compiled(config);
          for (const facts of messages) {
            const wanted = plainWalk(fresh, facts);
            expect(resolve(result.domain, facts)).toEqual(wanted);
            expect(expectPlanEqualsWalk(result.domain, facts)).toEqual(wanted);
          }
        }
      },
    ),
    { seed: 20261120, numRuns: 60 },
  );
  const { matchers, programs } = compiler.stats();
  expect(matchers.hits).toBeGreaterThan(matchers.misses);
  expect(matchers.kept).toBeLessThanOrEqual(100);
  expect(programs.kept).toBeLessThanOrEqual(8);
});

test("an operand that spends the fuel before the one that guards leaves the answer unknown", () => {
  const loop = (depth: number): string =>
    depth === 0 ? "subject == subject" : `subject.split("").all(v${depth}, ${loop(depth - 1)})`;
  const rules = [
    celRule(`(sender.contains("q") || ${loop(4)}) && subject.contains("absent")`),
    { type: "alias", config: { alias: "a", forward } },
  ];
  const domain = compiled(domainOf(rules));
  const { recipient, body } = message;
  const unknownSender = { recipient, body, subject: "x".repeat(80) };
  expect(expectPlanEqualsWalk(domain, unknownSender).verdict).toBe("undecided");
  expect(expectPlanEqualsWalk(domain, { ...unknownSender, sender: "" }).verdict).toBe("decided");
});

test("a literal at more places than are noted: the whole text decides, for each of 40 rules", () => {
  const rules = Array.from({ length: 40 }, (_, nth) => regexRule(`order #${nth}\\b`, "body"));
  const domain = compiled(domainOf(rules));
  const filler = "lorem ipsum dolor ".repeat(40);
  for (const places of [23, 24, 25, 26, 40]) {
    const body = `${`order #x ${filler}`.repeat(places)}order #39`;
    const resolution = expectPlanEqualsWalk(domain, { ...message, body });
    expect(resolution).toMatchObject({ decidedBy: { id: "r39" } });
  }
});
