/** What the options of compiling change, and what they say when they are wrong. */
import { describe, expect, test } from "vitest";
import type { PatternEngine } from "../../../src/engine/pattern/engines/pattern-engine.ts";
import {
  type CompileOptions,
  compileDomain,
  createCompiler,
} from "../../../src/engine/routing/compile-domain.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { aliasType } from "../../../src/engine/routing/rules/alias-rule.ts";

const config = {
  domain: "own.test",
  routing_engine: "rules",
  rules: [
    { type: "regex", config: { regex: "a(b)", scopes: ["subject"], forward: "$1@x.test" } },
    { type: "local", config: { alias: "info", forward: "m@x.test" } },
  ],
};
const local = { ...aliasType, type: "local" };
const FACTS = { recipient: "info@own.test", sender: "s@x.test", subject: "ab", body: "" };

describe("a host", () => {
  test("may add rule types, and have another engine look for groups", () => {
    const sources: string[] = [];
    const patternEngine: PatternEngine = {
      name: "other",
      compile(source) {
        sources.push(source);
        const found = { start: 0, end: 2, groups: ["ab", "other"] };
        return { ok: true, pattern: { find: () => found } as never };
      },
    };
    const options: CompileOptions = { patternEngine, ruleTypes: [local] };
    for (const { compileDomain: compile } of [{ compileDomain }, createCompiler(options)]) {
      const result = compile(config, options);
      const resolution = result.ok && resolve(result.domain, FACTS);
      expect(resolution).toMatchObject({ destinations: [{ address: "other@x.test" }] });
    }
    expect(sources).toEqual(["a(b)", "a(b)"]);
  });

  test.each([
    ["at-once", 1],
    ["first-message", 0],
    [undefined, 0],
  ] as const)("has a plan made, for `plan` of %s, before the first message: %d", (plan, made) => {
    const compiler = createCompiler({ ruleTypes: [local], ...(plan !== undefined && { plan }) });
    const result = compiler.compileDomain(config);
    expect(compiler.stats().plans.misses).toBe(made);
    for (let nth = 0; nth < 2; nth++) if (result.ok) resolve(result.domain, FACTS);
    expect(compiler.stats().plans).toEqual({ kept: 1, misses: 1, hits: 1 + made });
  });

  test.each([
    ["at-once", 2],
    ["first-message", 0],
  ] as const)(
    "has the texts of rules indexed, for `plan` of %s, before the first message: %d",
    (plan, made) => {
      const compiler = createCompiler({ plan });
      const ruleOf = (scope: string, nth: number) => ({
        type: "regex",
        config: { regex: `(?:offer|invoice) ${nth}`, scopes: [scope], forward: "m@x.test" },
      });
      const rules = ["subject", ...Array.from({ length: 5 }, () => "body")].map(ruleOf);
      const result = compiler.compileDomain({ ...config, rules });
      expect(compiler.stats().scanners.misses).toBe(made);
      if (result.ok) resolve(result.domain, { ...FACTS, body: "none of them" });
      expect(compiler.stats().scanners.misses).toBe(2);
    },
  );

  test.each<[object, string]>([
    [{ plan: "later" }, "`plan` is neither `first-message` nor `at-once`"],
    [{ patternEngine: {} }, "`patternEngine` is not a pattern engine: give one, or leave it out"],
    [{ ruleTypes: {} }, "`ruleTypes` is not an array: list rule types"],
    [{ ruleTypes: [aliasType] }, "there is a rule type `alias` already"],
    [{ ruleTypes: [local, local] }, "there is a rule type `local` already"],
    ...[null, { ...local, compile: undefined }, { ...local, type: undefined }].map(
      (one): [object, string] => [
        { ruleTypes: [one] },
        "a rule type is made with `ruleType({ type, fields, compile })`",
      ],
    ),
  ])("is told what is wrong with %j", (options, message) => {
    expect(() => compileDomain(config, options)).toThrow(new TypeError(message));
    expect(() => createCompiler(options)).toThrow(new TypeError(message));
  });

  test("is told which options there are", () => {
    const options = { plans: 1 } as never;
    const all = "unknown option `plans`: use `patternEngine`, `ruleTypes`, `plan`, `domainFuelMax`";
    expect(() => compileDomain(config, options)).toThrow(new TypeError(all));
    expect(() => createCompiler(options)).toThrow(
      new TypeError(`${all}, \`piecesMax\`, \`programsMax\`, \`plansMax\``),
    );
  });

  test.each(["piecesMax", "programsMax", "plansMax"])("is told which `%s` is a bound", (name) => {
    for (const value of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const message = `\`${name}\` is ${value}: give a whole number that is not negative`;
      expect(() => createCompiler({ [name]: value })).toThrow(new RangeError(message));
    }
    expect(createCompiler({ [name]: 0 }).compileDomain(config).ok).toBe(false);
  });
});

test("an address of its own comes before the alias whose detail it looks like", () => {
  const aliases = ["info", "info+a"].map((alias) => ({ id: alias, alias, forward: "m@x.test" }));
  const result = compileDomain({ domain: "own.test", routing_engine: "alias", aliases });
  const deciderOf = (recipient: string): unknown =>
    result.ok && resolve(result.domain, { recipient });
  expect(deciderOf("info+a@own.test")).toMatchObject({ decidedBy: { id: "info+a" } });
  expect(deciderOf("info+b@own.test")).toMatchObject({ decidedBy: { id: "info" } });
});
