/** The budget of a domain: aliases and rules pay before they are compiled, and before their plan is made. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import {
  type CompileOptions,
  type CompileResult,
  compileDomain,
  createCompiler,
} from "../../../src/engine/routing/compile-domain.ts";
import { MISSED, ruleType, textField } from "../../../src/engine/routing/rules/rule-type.ts";

const forward = "someone@example.com";
const good = { domain: "own.test", routing_engine: "rules" };
const rulesOf = (count: number, rule: (nth: number) => object): object => ({
  ...good,
  rules: Array.from({ length: count }, (_, nth) => rule(nth)),
});
const regex = (source: string, scopes: readonly string[] = ["body"]): object => ({
  type: "regex",
  config: { regex: source, scopes, forward },
});

/** `code path` of each diagnostic; none if the domain compiles. */
function refusals(result: CompileResult): readonly string[] {
  return result.ok ? [] : result.diagnostics.map(({ code, path }) => `${code} ${path.join(".")}`);
}

function refusalsOf(config: object, domainFuelMax?: number): readonly string[] {
  return refusals(compileDomain(config, domainFuelMax === undefined ? {} : { domainFuelMax }));
}

test("the first rule that does not fit is refused, with the limit, what was used, and the option", () => {
  const config = rulesOf(9, (nth) => regex(`invoice ${nth}`));
  const result = compileDomain(config, { domainFuelMax: 10_000 });
  expect(refusals(result)).toEqual(["domain/too-costly rules.2"]);
  const message = result.ok ? "" : result.diagnostics[0]!.message;
  expect(message).toMatch(
    /took (\d{4}) of the 10000 units of work of a domain, and this one needs \d{4}: .* raise `domainFuelMax`$/,
  );
  expect(refusalsOf(config)).toEqual([]);
  expect(refusalsOf(config, Number.POSITIVE_INFINITY)).toEqual([]);
});

test("no rule after that is read: dear rules stop early, not at the last of 100,000", () => {
  let read = 0;
  const counted = ruleType<{ text: string }>({
    type: "counted",
    fields: {
      text: textField(2_000, (text) => {
        read++;
        return text;
      }),
    },
    compile: () => ({
      groupCount: 0,
      gate: () => null,
      match: () => MISSED,
      explain: () => ({ outcome: MISSED, detail: { type: "counted" } }),
      untried: () => ({ type: "counted" }),
    }),
  });
  const dear = { type: "counted", config: { text: "x".repeat(1_000), forward } };
  const options: CompileOptions = { ruleTypes: [counted], domainFuelMax: 1_000_000 };
  const result = compileDomain(
    rulesOf(LIMITS.rulesMax, () => dear),
    options,
  );
  expect(refusals(result)).toEqual(["domain/too-costly rules.7"]);
  expect(read).toBe(7);
});

test("aliases pay before rules, patterns among them more than literals", () => {
  const aliases = (alias: (nth: number) => string): object => ({
    ...good,
    aliases: Array.from({ length: 100 }, (_, nth) => ({ alias: alias(nth), forward })),
    rules: [regex("x")],
  });
  const fuel = 50_000;
  expect(
    refusalsOf(
      aliases((nth) => `user${nth}`),
      fuel,
    ),
  ).toEqual(["domain/too-costly aliases.56"]);
  expect(
    refusalsOf(
      aliases((nth) => `user${nth}-*`),
      fuel,
    ),
  ).toEqual(["domain/too-costly aliases.13"]);
  expect(
    refusalsOf(
      aliases((nth) => `user${nth}`),
      90_000,
    ),
  ).toEqual(["domain/too-costly rules.0"]);
});

test("each literal by which a rule is found is paid for, in each scope", () => {
  const many = rulesOf(10, (nth) => regex(`[ab][cd][ef]gh${nth}`, ["sender", "subject", "body"]));
  const one = rulesOf(10, (nth) => regex(`abcdefghijklm${nth}`));
  expect(refusalsOf(one, 60_000)).toEqual([]);
  expect(refusalsOf(many, 60_000)).toEqual(["domain/too-costly rules.3"]);
});

test("what is wrong before the refused rule is reported too", () => {
  const config = rulesOf(50, (nth) => regex(nth === 0 ? "(" : "fine"));
  expect(refusalsOf(config, 10_000)).toEqual([
    "pattern/syntax rules.0.config.regex",
    "domain/too-costly rules.3",
  ]);
});

test("a compiler refuses the same, also what it has kept", () => {
  const compiler = createCompiler({ domainFuelMax: 10_000 });
  const two = rulesOf(2, (nth) => regex(`invoice ${nth}`));
  const three = rulesOf(3, (nth) => regex(`invoice ${nth % 2}`));
  for (let time = 0; time < 2; time++) {
    expect(refusals(compiler.compileDomain(two))).toEqual([]);
    expect(refusals(compiler.compileDomain(three))).toEqual(["domain/too-costly rules.2"]);
  }
});

describe("the default takes", () => {
  test("10,000 ordinary regex rules", () => {
    const source = (nth: number): string => `(?i)\\binvoice \\d+ of account ${nth}\\b`;
    expect(refusalsOf(rulesOf(10_000, (nth) => regex(source(nth), ["subject", "body"])))).toEqual(
      [],
    );
  });

  test("as many ordinary aliases as a domain may have", () => {
    const aliases = Array.from({ length: LIMITS.aliasesMax }, (_, nth) => ({
      alias: `user.name${nth}`,
      forward,
    }));
    expect(refusalsOf({ ...good, aliases })).toEqual([]);
  });
});

test("an option that is no budget is refused", () => {
  for (const make of [(options: object) => compileDomain(good, options), createCompiler]) {
    expect(() => make({ domainFuelMax: "9" } as object)).toThrow(TypeError);
    expect(() => make({ domainFuelMax: Number.NaN })).toThrow(RangeError);
    expect(() => make({ domainFuelMax: -1 })).toThrow("`domainFuelMax` is -1");
  }
});
