/** How the fields of a rule are read: what they hold, and the words of what is wrong with them. */
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../../src/base/diagnostic.ts";
import { LIMITS } from "../../../../src/base/limits.ts";
import {
  type CompiledDomain,
  compileDomain,
  createCompiler,
} from "../../../../src/engine/routing/compile-domain.ts";
import { explain } from "../../../../src/engine/routing/explain.ts";
import { resolve } from "../../../../src/engine/routing/resolve.ts";
import {
  choicesField,
  type RuleField,
  type RuleMatcher,
  type RuleType,
  ruleType,
  textField,
} from "../../../../src/engine/routing/rules/rule-type.ts";

const withRule = (type: string, config: object): object => ({
  domain: "own.test",
  routing_engine: "rules",
  rules: [{ type, config: { forward: "m@x.test", ...config } }],
});

describe("scopes", () => {
  const withScopes = (scopes: unknown): object => withRule("regex", { regex: "a", scopes });
  const any = "list any of `recipient`, `sender`, `subject`, `body`";
  const most = LIMITS.choicesMax;

  test.each<[unknown, readonly string[]]>([
    [undefined, [`config/missing-field scopes: \`scopes\` is missing: ${any}`]],
    ["body", [`config/wrong-type scopes: \`scopes\` is not an array: ${any}`]],
    [[], [`rule/no-scopes scopes: \`scopes\` is empty: ${any}`]],
    [
      ["to", "body", 7],
      [
        "rule/unknown-scope scopes.0: `to` is not a scope: use any of `recipient`, `sender`, `subject`, `body`",
        "rule/unknown-scope scopes.2: this is not a scope: use any of `recipient`, `sender`, `subject`, `body`",
      ],
    ],
    [
      Array(most + 1).fill("body"),
      [`config/too-many scopes: \`scopes\` has ${most + 1} entries: at most ${most} are allowed`],
    ],
  ])("of %j are refused", (scopes, said) => {
    const result = compileDomain(withScopes(scopes));
    const found = result.ok ? [] : result.diagnostics;
    expect(
      found.map(({ code, path, message }) => `${code} ${path.slice(3).join(".")}: ${message}`),
    ).toEqual(said);
  });

  test("are not read in part", () => {
    const letters = choicesField(["a", "b"], "letter");
    const found: string[] = [];
    const report = ({ message }: Diagnostic): void => void found.push(message);
    const read = (value: unknown): unknown =>
      letters.read({ values: { value }, path: [], report }, "value", {
        engine: null,
        programs: undefined,
      });
    expect([read(["a", "c"]), read(["b", "a"])]).toEqual([null, ["a", "b"]]);
    expect(found).toEqual(["`c` is not a letter: use any of `a`, `b`"]);
  });

  test("are searched once each, in the order of all", () => {
    const listed = ["body", "sender", "body"];
    const scopes = [...listed, ...Array(most - listed.length).fill("body")];
    const result = compileDomain(withScopes(scopes));
    expect(result.ok && result.domain.rules[0]!.matcher.searches?.scopes).toEqual([
      "sender",
      "body",
    ]);
  });
});

describe("a type that a host adds", () => {
  const detail = { type: "x", id: "else", verdict: "matched", rank: 9 };
  const missing: RuleMatcher = {
    groupCount: 0,
    gate: () => null,
    match: () => ({ verdict: "missed" }),
    explain: () => ({ outcome: { verdict: "missed" }, detail }),
    untried: () => detail,
  };
  const made: unknown[] = [];
  const withField = (a: RuleField<unknown>): RuleType =>
    ruleType<{ a: unknown }>({
      type: "x",
      fields: { a },
      compile: (values) => {
        made.push(values.a);
        return missing;
      },
    });
  const compile = (type: unknown): ReturnType<typeof compileDomain> =>
    compileDomain(withRule("x", { a: "b,c" }), { ruleTypes: [type as RuleType] });

  test.each<[string, unknown]>([
    ["a list", ["b", "c"]],
    ["an empty list", []],
    ["null", null],
    ["objects", [{ code: 7 }]],
  ])("may make %s of a text: only problems are no value", (_, value) => {
    made.length = 0;
    const result = compile(withField(textField(9, () => value)));
    expect(result.ok && result.domain.rules).toHaveLength(1);
    expect(made).toEqual([value]);
  });

  test("is not compiled where a field has reported a problem", () => {
    made.length = 0;
    const problem = { code: "alias/invalid", message: "no" } as const;
    expect(compile(withField(textField<string>(9, () => [problem, problem]))).ok).toBe(false);
    expect(made).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["null", null],
    ["no fields", { type: "x", compile: () => missing }],
    ["a field that does not read", { type: "x", fields: { a: 7 }, compile: () => missing }],
  ])("is refused if it is %s", (_, type) => {
    expect(() => compile(type)).toThrow("a rule type is made with `ruleType(");
  });

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "gate"],
    ["a promise", Promise.resolve(missing), "gate"],
    ["no `match`", { ...missing, match: undefined }, "match"],
    ["no `untried`", { ...missing, untried: 7 }, "untried"],
  ])("is told what its matcher lacks: %s", (_, matcher, lacks) => {
    const type = { ...withField(textField(9, (text) => text)), compile: () => matcher };
    expect(() => compile(type)).toThrow(
      `\`compile\` of rule type \`x\` makes no matcher: it lacks the function \`${lacks}\``,
    );
  });

  test.each([undefined, Number.NaN, -1, 1.5, "1", Number.POSITIVE_INFINITY])(
    "is refused if its `groupCount` is not a whole number: %s",
    (groupCount) => {
      const matcher = { ...missing, groupCount };
      const type = { ...withField(textField(9, (text) => text)), compile: () => matcher };
      expect(() => compile(type)).toThrow(
        "`compile` of rule type `x` makes no matcher: its `groupCount` is not a whole number from 0",
      );
    },
  );

  test.each<[string, object]>([
    ["nothing", { match: () => undefined }],
    ["true", { match: () => true }],
    ["another verdict", { match: () => ({ verdict: "yes" }) }],
    ["a promise", { match: async () => ({ verdict: "matched", parts: {} }) }],
    ["a match without parts", { match: () => ({ verdict: "matched" }) }],
    [
      "a capture that is a number",
      { match: () => ({ verdict: "matched", parts: { captures: [7] } }) },
    ],
    ["a detail that is null", { match: () => ({ verdict: "matched", parts: { detail: null } }) }],
    ["another stage", { match: () => ({ verdict: "undecided", needs: "moon" }) }],
  ])("is told that its matcher returns no outcome: %s", (_, functions) => {
    const matcher = { ...missing, gate: () => null, ...functions };
    const type = { ...withField(textField(9, (text) => text)), compile: () => matcher };
    const result = compile(type);
    if (!result.ok) throw new Error("compiles");
    expect(() => resolve(result.domain, { recipient: "a@own.test" })).toThrow(
      "`match` of rule type `x` returned no outcome: return",
    );
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["no `alsoNeeds`", { openings: [] }],
    ["another fact", { openings: [{ fact: "moon", kind: "searched" }], alsoNeeds: [] }],
    ["another kind", { openings: [{ fact: "subject", kind: "moon" }], alsoNeeds: [] }],
    ["a number", { openings: [{ fact: "subject", kind: "values", values: [7] }], alsoNeeds: [] }],
  ])("is told that its matcher returns no gate: %s", (_, gate) => {
    const matcher = { ...missing, gate: () => gate };
    const type = { ...withField(textField(9, (text) => text)), compile: () => matcher };
    expect(() => compile(type)).toThrow("`gate` of rule type `x` returned no gate: return `null`");
  });

  test("is told that its matcher asks the guard for `NaN`", () => {
    const match: RuleMatcher["match"] = (_, { guard }) =>
      guard.take(Number.NaN) ? { verdict: "missed" } : { verdict: "over-budget" };
    const matcher = { ...missing, gate: () => null, match };
    const result = compile({ ...withField(textField(9, (text) => text)), compile: () => matcher });
    if (!result.ok) throw new Error("compiles");
    expect(() => resolve(result.domain, { recipient: "a@own.test" })).toThrow(
      new RangeError("a guard cannot take NaN units: give 0 or more"),
    );
  });

  test("cannot change what a trace says of the rule itself", () => {
    const result = compile(withField(textField(9, (text) => text)));
    if (!result.ok) throw new Error("compiles");
    const { trace } = explain(result.domain, { recipient: "a@own.test" });
    expect(trace).toMatchObject([{ id: "rules[0]", rank: 1, verdict: "missed", type: "x" }]);
  });

  /** A type that misses, after it has called `ask`. */
  function askingType(): { asker: { ask: (() => void) | null }; type: RuleType } {
    const asker: { ask: (() => void) | null } = { ask: null };
    const match: RuleMatcher["match"] = () => {
      asker.ask?.();
      return { verdict: "missed" };
    };
    const field = withField(textField(9, (text) => text));
    return { asker, type: { ...field, compile: () => ({ ...missing, match }) } };
  }

  /** A rule of that type, and one that matches the subject. */
  const askingDomain = (forward: string): object => ({
    domain: "own.test",
    routing_engine: "rules",
    rules: [
      { type: "x", config: { a: "a", forward: "m@x.test" } },
      { type: "regex", config: { regex: "a", scopes: ["subject"], forward } },
    ],
  });

  test("is refused where it resolves a message of its own domain, and spoils no other message", () => {
    const { asker, type } = askingType();
    const config = askingDomain("last@x.test");
    const result = compileDomain(config, { ruleTypes: [type] });
    const other = compileDomain(config, { ruleTypes: [type] });
    if (!result.ok || !other.ok) throw new Error("compiles");
    const facts = { recipient: "r@own.test", subject: "a" };
    const wanted = resolve(result.domain, facts);
    expect(wanted).toMatchObject({ decidedBy: { id: "rules[1]" } });
    asker.ask = () => void resolve(result.domain, { ...facts, subject: "b" });
    for (const call of [resolve, explain]) {
      expect(() => call(result.domain, facts)).toThrow("a rule type must not");
    }
    asker.ask = () => {
      asker.ask = null;
      resolve(other.domain, { ...facts, subject: "b" });
    };
    expect(resolve(result.domain, facts)).toEqual(wanted);
    expect(resolve(result.domain, facts)).toEqual(wanted);
  });

  test("is refused where it resolves a message of another version of its domain, which shares indexes", () => {
    const { asker, type } = askingType();
    const compiler = createCompiler({ ruleTypes: [type] });
    const versionWith = (forward: string): CompiledDomain => {
      const result = compiler.compileDomain(askingDomain(forward));
      if (!result.ok) throw new Error("compiles");
      return result.domain;
    };
    const facts = { recipient: "r@own.test", subject: "a" };
    const before = versionWith("one@x.test");
    const wanted = resolve(before, facts);
    const after = versionWith("two@x.test");
    resolve(after, facts);
    asker.ask = () => void resolve(after, { ...facts, subject: "b" });
    expect(() => resolve(before, facts)).toThrow("a rule type must not");
    asker.ask = null;
    expect(resolve(before, facts)).toEqual(wanted);
  });
});

test.each<[string, () => unknown, string]>([
  ["ruleType(null)", () => ruleType(null as never), "a rule type is made with `ruleType("],
  ["ruleType({})", () => ruleType({} as never), "a rule type is made with `ruleType("],
  ["textField()", () => (textField as () => unknown)(), "a text field is made with `textField("],
  ["choicesField()", () => (choicesField as () => unknown)(), "a field of choices is made with"],
])("%s is refused at once", (_, make, message) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

test("a hole of an array is an entry that is missing", () => {
  const diagnosticsOf = (config: object): unknown => {
    const result = compileDomain(config);
    return result.ok ? [] : result.diagnostics.map(({ path }) => path.join("."));
  };
  const regex = { regex: "a", forward: "m@x.test" };
  const rule = { type: "regex", config: { ...regex, scopes: ["body"] } };
  const rules: unknown[] = new Array(2);
  rules[1] = rule;
  const domain = { domain: "own.test", routing_engine: "rules" };
  expect(diagnosticsOf({ ...domain, rules })).toEqual(["rules.0"]);
  expect(diagnosticsOf(withRule("regex", { ...regex, scopes: new Array(1) }))).toEqual([
    "rules.0.config.scopes.0",
  ]);
});
