import { describe, expect, test } from "vitest";
import { findWarnings } from "../../../src/rehearse/check/warnings.ts";
import { allProofs } from "../../../src/rehearse/proof/prove.ts";
import { atOnce } from "../../../src/rehearse/proof/slices.ts";
import { rehearsed } from "../demo.ts";
import { realisticConfig, SHAPES } from "./realistic-rules.ts";

const STATES_MAX = 60_000;
const SETS = 40;

const sizeOf = (seed: number): number => 6 + (seed % 20);

test(`${SETS} sets of every shape: nothing is found in them, and nearly all is answered`, () => {
  let [questions, unknown] = [0, 0];
  for (let seed = 1; seed <= SETS; seed++) {
    const domain = rehearsed(realisticConfig(seed, sizeOf(seed)));
    const proofs = atOnce(allProofs(domain, STATES_MAX));
    questions += proofs.length;
    unknown += proofs.filter(({ verdict }) => verdict === "unknown").length;
    expect([seed, findWarnings(domain, proofs)]).toEqual([seed, []]);
  }
  expect(questions).toBeGreaterThan(SETS * SHAPES.length);
  expect(unknown / questions).toBeLessThan(0.1);
});

type Rule = Readonly<Record<string, unknown>>;

const FORWARD = { forward: "zoo@desk.example" };
const cel = (id: string, rank: number, expression: string): Rule => ({
  id,
  rank,
  type: "cel",
  config: { ...FORWARD, expression },
});
const regex = (id: string, rank: number, pattern: string, scope: string): Rule => ({
  id,
  rank,
  type: "regex",
  config: { ...FORWARD, regex: pattern, scopes: [scope] },
});
const alias = (id: string, rank: number, name: string): Rule => ({
  id,
  rank,
  type: "alias",
  config: { ...FORWARD, alias: name },
});

/** Each: rules that are planted, the warning, and the rule that it is about; `null`: the fallback. */
const DEFECTS: readonly [
  name: string,
  planted: readonly Rule[],
  code: string,
  of: string | null,
][] = [
  [
    "a rule behind a wider one",
    [
      cel("wide", 1, 'subject.contains("zebra")'),
      cel("planted", 9_999, 'subject.contains("zebra crossing")'),
    ],
    "rule/unreachable",
    "planted",
  ],
  [
    "a rule that two cover together",
    [
      regex("one", 1, "(?i)zebra", "subject"),
      cel("two", 2, '!subject.lowerAscii().contains("zebra") && sender.endsWith("@zoo.example")'),
      cel("planted", 9_999, 'sender == "keeper@zoo.example"'),
    ],
    "rule/unreachable",
    "planted",
  ],
  [
    "texts that contradict each other",
    [cel("planted", 5, 'subject == "zebra" && subject.contains("lion")')],
    "rule/contradiction",
    "planted",
  ],
  [
    "numbers that contradict each other",
    [cel("planted", 5, "size > 10000 && size < 500")],
    "rule/contradiction",
    "planted",
  ],
  [
    "the same condition twice",
    [regex("first", 5, "(?i)zebra", "subject"), { ...regex("planted", 6, "(?i)zebra", "subject") }],
    "rule/unreachable",
    "planted",
  ],
  [
    "an address in capitals",
    [cel("planted", 5, 'sender == "Keeper@zoo.example"')],
    "cel/capital-letters",
    "planted",
  ],
  [
    "a whole recipient without its domain",
    [regex("planted", 5, "^zebra$", "recipient")],
    "pattern/no-address",
    "planted",
  ],
  [
    "a header field in capitals",
    [cel("planted", 5, '"X-Zebra" in headers')],
    "cel/capital-letters",
    "planted",
  ],
  [
    "a recipient of another domain",
    [cel("planted", 5, 'recipient.endsWith("@zoo.example")')],
    "rule/contradiction",
    "planted",
  ],
  ["a catch-all before all others", [alias("planted", 1, "*")], "rule/unreachable", "planted"],
  ["a catch-all before the fallback", [alias("last", 99_999, "*")], "fallback/unreachable", null],
];

describe("planted defects are found, each in four sets", () => {
  test.each(DEFECTS)("%s", (_name, planted, code, of) => {
    for (let seed = 1; seed <= 4; seed++) {
      const config = realisticConfig(seed, 10);
      const rules = [...(config.rules as readonly Rule[]), ...planted];
      const found = findWarnings(rehearsed({ ...config, rules }));
      const path = of === null ? [] : ["rules", rules.findIndex(({ id }) => id === of)];
      const about = found.filter((each) => each.path.slice(0, path.length).join() === path.join());
      expect(about.map((each) => each.code)).toContain(code);
    }
  });
});
