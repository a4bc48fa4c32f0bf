/** Where candidates are searched by the places of their literals, and what finding these costs. */
import { describe, expect, test } from "vitest";
import { createCompiler } from "../../../../src/engine/routing/compile-domain.ts";
import { TRY_FUEL } from "../../../../src/engine/routing/decision.ts";
import { explain } from "../../../../src/engine/routing/explain.ts";
import { resolve } from "../../../../src/engine/routing/resolve.ts";
import type { CelRuleDetail } from "../../../../src/engine/routing/rules/cel-rule.ts";
import { compiled, domainOf } from "../../plan/worlds.ts";
import {
  afterNone,
  aliasRule,
  celRule,
  FIRST_ON_BODY,
  type Planned,
  planOf,
  type RuleConfig,
  regexRule,
} from "./planned.ts";

/** The parts of a body that rules searched. */
function searched({ by, windows, fullScans }: Planned): readonly [string, number, number] {
  return [by, windows, fullScans];
}

/** Rules on the body whose literals no body here contains. */
function none(count: number): RuleConfig[] {
  return Array.from({ length: count }, (_, nth) => regexRule(`none${nth} `, ["body"]));
}

describe("a pattern is searched in the body", () => {
  const plan = afterNone(planOf([...FIRST_ON_BODY, regexRule("order \\d", ["body"])]));
  const search = (body: string) => searched(plan({ body }));
  const far = "-".repeat(300);

  test("around each place of its literal, if the body is long enough for that to pay", () => {
    expect(search("order 7".padEnd(127))).toEqual(["r4", 0, 1]);
    expect(search("order 7".padEnd(128))).toEqual(["r4", 1, 0]);
    expect(search(`order x${far}order 7`)).toEqual(["r4", 2, 0]);
  });

  test("as a whole, if literals are at more than four places, and at more than one in 200 units", () => {
    expect(search("order ".repeat(4).padEnd(199))).toEqual(["fallback", 1, 0]);
    expect(search("order ".repeat(5).padEnd(199))).toEqual(["fallback", 0, 0]);
    expect(search("order ".repeat(5).padEnd(190).concat(" order 7"))).toEqual(["r4", 0, 5]);
    const [near, last] = ["order ".repeat(8).padEnd(1_100), "order ".repeat(6).padStart(900)];
    expect(search(near + last)).toEqual(["fallback", 2, 0]);
    expect(search(`${near}${last}order `)).toEqual(["fallback", 0, 0]);
  });

  test("as a whole, if its literal is at more than 24 places, and at more than one in 256 units", () => {
    const many = planOf([
      ...FIRST_ON_BODY,
      ...none(28 + 128 + 255),
      regexRule("order \\d", ["body"]),
    ]);
    const among = (body: string) => searched(many({ body }));
    expect(among("order ".repeat(24).padEnd(1_000))).toEqual(["fallback", 1, 0]);
    expect(among("order ".repeat(25).padEnd(1_000))).toEqual(["fallback", 0, 1]);
    const either = planOf([
      ...FIRST_ON_BODY,
      ...none(28 + 128 + 255),
      regexRule("bbb \\d|aaa \\d", ["body"]),
    ]);
    const full = (count: number) => `${"bbb ".repeat(12)}${"aaa ".repeat(count)}`.padEnd(1_000);
    expect(searched(either({ body: full(12) }))).toEqual(["fallback", 1, 0]);
    expect(searched(either({ body: full(13) }))).toEqual(["fallback", 0, 1]);
    expect(among(`${"order ".repeat(40)}${"-".repeat(40 * 256)}`)).toEqual(["fallback", 1, 0]);
    expect(among(`${"order ".repeat(41)}${"-".repeat(40 * 256)}`)).toEqual(["fallback", 0, 1]);
  });

  test("around those of its literals that occur, in the order of the text", () => {
    const either = afterNone(planOf([...FIRST_ON_BODY, regexRule("bbb \\d|aaa \\d", ["body"])]));
    const [one, all] = [`aaa 7${far}`, `aaa 7${far}bbb x`].map((body) =>
      searched(either({ body })),
    );
    expect(one).toEqual(["r4", 1, 0]);
    expect(all).toEqual(["r4", 2, 0]);
    const full = `${"bbb ".repeat(2)}${"aaa ".repeat(4)}${far}`;
    expect(searched(either({ body: full }))).toEqual(["fallback", 0, 0]);
  });

  test("up to the end of the line that the literal ends in, if it has no other bound", () => {
    const line = planOf([...FIRST_ON_BODY, regexRule("order.*7", ["body"])]);
    expect(searched(line({ body: `x\norder x 7\n${far}` }))).toEqual(["r4", 1, 0]);
  });

  test("as a whole, if all literals together are at more than 262,144 places", () => {
    const letters = Array.from({ length: 65 }, (_, nth) => String.fromCharCode(0x4e00 + nth));
    const body = [".".repeat(1_024), ...letters.map((letter) => letter.repeat(4_098))]
      .join("-")
      .padEnd(1_048_576, ".");
    const searchFor = (count: number) => {
      // A rule that needs what its group captured waits for the end of the search.
      const sought = letters
        .slice(0, count)
        .map((letter) => regexRule(`${letter}{3}(\\W)`, ["body"], "m$1@x.test"));
      // So many rules that as many places are no crowd for them.
      const rules = [...FIRST_ON_BODY, ...none(1_180), ...sought, ...none(6_500)];
      return searched(planOf(rules)({ body }));
    };
    expect(searchFor(64)).toEqual(["r1184", 1, 0]);
    expect(searchFor(65)).toEqual(["r1184", 0, 1]);
  });

  test("and what is compared on the way is paid for, on however many places", () => {
    const rules = ["aaaa\\d", "aaab\\d", "aaac\\d"].map((regex) => regexRule(regex, ["body"]));
    const plan = planOf([...FIRST_ON_BODY, ...rules, regexRule("end", ["body"])]);
    expect(plan({ body: `${"aaad ".repeat(40_000)}end` })).toMatchObject({ by: "r7" });
  });

  test("as a whole, if it was found by what the body starts with", () => {
    const starts = planOf([
      ...FIRST_ON_BODY,
      regexRule("^order \\d", ["body"]),
      regexRule("none", ["body"]),
    ]);
    expect(searched(starts({ body: `order 7${far}` }))).toEqual(["r4", 0, 1]);
  });
});

test("no place is kept from one body to the next", () => {
  const rules = [regexRule("aaa \\d|bbb \\d", ["body"]), regexRule("bbb \\d", ["body"])];
  const plan = afterNone(planOf([...FIRST_ON_BODY, ...rules]));
  const far = "-".repeat(300);
  expect(searched(plan({ body: `${far}bbb x${far}` }))).toEqual(["fallback", 2, 0]);
  expect(searched(plan({ body: `aaa 7${far}` }))).toEqual(["r4", 1, 0]);
  expect(searched(plan({ body: `${far}${far}aaa x bbb 7` }))).toEqual(["r4", 1, 0]);
});

test("a text is paid for by its units and one, and each literal found by two for each rule that it opens", () => {
  const missed = celRule('subject.contains("order") && size > 5');
  const plan = planOf([missed, missed, missed]);
  expect(plan({ subject: "-".repeat(50) })).toMatchObject({ fuel: 51, scans: 1, candidates: 0 });
  const [once, twice] = ["order", "order order"].map((text) => plan({ subject: text.padEnd(50) }));
  expect(once).toMatchObject({ scans: 1, candidates: 3 });
  expect(twice).toEqual(once);
  const facts = { recipient: "a@own.test", subject: "order".padEnd(50), size: 1 };
  const [entry] = explain(compiled(domainOf([missed])), facts).trace;
  const { expression, fuel } = entry as CelRuleDetail;
  expect(once!.fuel).toBe(51 + 2 * 3 + 3 * (TRY_FUEL + expression.length + fuel!));
});

test("a rule that looks for a text twice hides no other rule that looks for it", () => {
  const twice = 'body.contains("order") && size > 5 || body.contains("order") && size > 6';
  const plan = planOf([celRule(twice), regexRule("order", ["body"]), regexRule("none", ["body"])]);
  expect(plan({ body: "an order" })).toMatchObject({ by: "r1", candidates: 2 });
});

test("no text is searched for rules behind one that decides", () => {
  const plan = planOf([aliasRule("a"), regexRule("order", ["subject"]), aliasRule("b")]);
  expect(plan({ subject: "order" })).toMatchObject({ by: "r0", scans: 0 });
  const both = planOf([
    regexRule("order", ["subject"]),
    aliasRule("a"),
    regexRule("order|bid", ["subject"]),
  ]);
  expect(both({ subject: "order" })).toMatchObject({ by: "r0", scans: 1, candidates: 2 });
  expect(both({ subject: "bid" })).toMatchObject({ by: "r1", scans: 1, candidates: 1 });
});

test("a lone surrogate is found by a literal with U+FFFD, and no other text is made well-formed", () => {
  const plan = planOf([...FIRST_ON_BODY, celRule('body.contains("ab\ufffd")')]);
  expect(plan({ body: "xab\ud83dx" }).by).toBe("r4");
  expect(plan({ body: "xab\ud83d\ude00" }).by).toBe("fallback");
});

test("one scanner serves every domain with the same literals, and no other", () => {
  const compiler = createCompiler();
  const decide = (word: string, subject: string): string => {
    const rules = [0, 1].map((nth) => celRule(`subject.contains("${word}${nth}")`));
    const result = compiler.compileDomain(domainOf(rules));
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
    const facts = { recipient: "a@own.test", sender: "", subject };
    const resolution = resolve(result.domain, facts);
    return resolution.verdict === "decided" ? (resolution.decidedBy?.id ?? "fallback") : "unknown";
  };
  expect(decide("order", "order1")).toBe("r1");
  expect(decide("bill", "bill0")).toBe("r0");
  expect(compiler.stats().scanners).toMatchObject({ hits: 0, misses: 2 });
  expect(decide("order", "order0")).toBe("r0");
  expect(compiler.stats().scanners).toMatchObject({ hits: 1, misses: 2 });
});

describe("a pattern that its start opens is searched in the whole body", () => {
  const filler = "-".repeat(300);
  const decidesBefore = regexRule("chosen", ["subject"]);

  test("if only a rule that cannot win any more has its literal", () => {
    const rules = [
      ...FIRST_ON_BODY,
      regexRule("^foo.*needles", ["body"]),
      decidesBefore,
      regexRule("needles", ["body"]),
    ];
    const plan = afterNone(planOf(rules));
    expect(plan({ subject: "chosen", body: `foo needles ${filler}` }).by).toBe("r4");
    expect(plan({ subject: "chosen", body: `fo needles ${filler}` }).by).toBe("r5");
  });

  test("if other rules have only some of its literals", () => {
    const rules = [
      ...FIRST_ON_BODY,
      regexRule("needles", ["body"]),
      regexRule("^foo.*(?:needles|haystack)", ["body"]),
    ];
    const plan = afterNone(planOf(rules));
    expect(plan({ body: `foo haystack ${filler}` }).by).toBe("r5");
  });
});
