/** What a compiler kept of a domain is used again only where the configuration says the same. */
import { describe, expect, test } from "vitest";
import {
  type CompiledDomain,
  type CompileResult,
  type Compiler,
  compileDomain,
  createCompiler,
} from "../../../src/engine/routing/compile-domain.ts";
import { explain } from "../../../src/engine/routing/explain.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { MISSED, type RuleField, ruleType } from "../../../src/engine/routing/rules/rule-type.ts";

type Record_ = Record<string, unknown>;

const rule = (): Record_ => ({
  id: "r1",
  rank: 1,
  active: true,
  created_at: "2026-01-01T00:00:00Z",
  type: "regex",
  config: { regex: "order", scopes: ["subject", "body"], forward: "a@x.test" },
});
const domainOf = (first: Record_): Record_ => ({
  domain: "own.test",
  routing_engine: "rules",
  rules_fallback_email: null,
  rules: [
    first,
    { id: "r2", rank: 2, type: "alias", config: { alias: "sales", forward: "b@x.test" } },
  ],
});
const config = (of: Record_): Record_ => of.config as Record_;

const EDITS: readonly (readonly [name: string, edit: (edited: Record_) => void])[] = [
  ["rank", (edited) => Object.assign(edited, { rank: 3 })],
  ["active", (edited) => Object.assign(edited, { active: false })],
  ["created_at", (edited) => Object.assign(edited, { created_at: "2026-02-01T00:00:00Z" })],
  ["created_at gone", (edited) => delete edited.created_at],
  [
    "type",
    (edited) =>
      Object.assign(edited, { type: "alias", config: { alias: "a", forward: "a@x.test" } }),
  ],
  ["regex", (edited) => Object.assign(config(edited), { regex: "invoice" })],
  ["forward", (edited) => Object.assign(config(edited), { forward: "c@x.test" })],
  ["a scope less", (edited) => Object.assign(config(edited), { scopes: ["body"] })],
  ["another scope", (edited) => Object.assign(config(edited), { scopes: ["subject", "sender"] })],
  ["a scope in place", (edited) => (config(edited).scopes as string[]).splice(0, 1, "recipient")],
  ["a wrong regex", (edited) => Object.assign(config(edited), { regex: "(" })],
  ["a wrong rank", (edited) => Object.assign(edited, { rank: Number.NaN })],
  ["a wrong scope", (edited) => (config(edited).scopes as string[]).push("header")],
  ["config gone", (edited) => delete edited.config],
  ["config null", (edited) => Object.assign(edited, { config: null })],
];

const MESSAGE = { recipient: "sales@own.test", sender: "s@x.test", subject: "", body: "order 7" };

/** What is wrong with a domain, or all that it says of a message. */
function told(result: CompileResult): unknown {
  if (!result.ok) return result.diagnostics;
  const ages = result.domain.rules.map(({ id, createdMs }) => [id, createdMs]);
  return [explain(result.domain, MESSAGE), ages];
}

describe.each(EDITS)("edited: %s", (_name, edit) => {
  test.each(["in place", "read anew"] as const)("%s", (how) => {
    const compiler = createCompiler();
    const first = domainOf(rule());
    expect(compiler.compileDomain(first).ok).toBe(true);
    const second = how === "in place" ? first : structuredClone(first);
    edit((second.rules as Record_[])[0]!);
    const fresh = told(compileDomain(second));
    expect(told(compiler.compileDomain(second))).toEqual(fresh);
    expect(fresh).not.toEqual(told(compileDomain(domainOf(rule()))));
  });
});

test("what a rule inherits is not its own, though another rule said the same", () => {
  const inherited = Object.assign(Object.create({ active: false }), rule()) as Record_;
  delete inherited.active;
  const own = { ...rule(), active: false };
  for (const order of [
    [own, inherited],
    [inherited, own],
  ]) {
    const compiler = createCompiler();
    for (const each of order) {
      const result = compiler.compileDomain(domainOf(each));
      expect(result.ok && result.domain.rules[0]?.active).toBe(each === inherited);
    }
  }
});

test("an edited rule leaves the others as they were", () => {
  const compiler = createCompiler();
  const config = domainOf(rule());
  const before = compiler.compileDomain(config);
  const after = compiler.compileDomain(
    structuredClone({ ...config, rules: [{ ...rule(), rank: 7 }, (config.rules as Record_[])[1]] }),
  );
  if (!before.ok || !after.ok) throw new Error("the domains are right");
  expect(after.domain.rules[0]!.matcher).toBe(before.domain.rules[1]!.matcher);
  expect(after.domain.rules[1]!.rank).toBe(7);
});

/** A compiler that has made the plans of `count` versions of a domain, each with another pattern for the subject. */
function planned(count: number): { compiler: Compiler; domains: CompiledDomain[] } {
  const compiler = createCompiler();
  const domains = Array.from({ length: count }, (_, nth) => {
    const first = {
      ...rule(),
      config: { regex: `order ${nth}`, scopes: ["subject"], forward: "a@x.test" },
    };
    const result = compiler.compileDomain(domainOf(first));
    if (!result.ok) throw new Error("the domain is right");
    resolve(result.domain, MESSAGE);
    return result.domain;
  });
  return { compiler, domains };
}

test("an edited rule leaves the indexes of other facts as they were", () => {
  const [one, other] = planned(2).domains.map((domain) => domain.plan().parts[0]!.indexes);
  expect(one!.map(({ fact }) => fact)).toEqual(["localPart", "subject"]);
  expect(other![0]).toBe(one![0]);
  expect(other![1]).not.toBe(one![1]);
});

test("the plans of the last two versions of a domain are kept, and those before them are made again", () => {
  const { compiler, domains } = planned(5);
  expect(compiler.stats().plans).toEqual({ kept: 2, misses: 5, hits: 0 });
  for (const nth of [3, 4, 3]) resolve(domains[nth]!, MESSAGE);
  expect(compiler.stats().plans).toEqual({ kept: 2, misses: 5, hits: 3 });
  for (const [nth, domain] of domains.entries()) {
    const subject = `order ${nth}`;
    const facts = { recipient: "x@own.test", sender: "s@x.test", subject, body: "" };
    expect(resolve(domain, facts)).toMatchObject({ decidedBy: { id: "r1" } });
  }
  expect(compiler.stats().plans.kept).toBe(2);
});

test("domains beyond those kept are read again, and right", () => {
  const compiler = createCompiler({ piecesMax: 2 });
  const named = (domain: string): Record_ => ({ ...domainOf(rule()), domain });
  for (const domain of ["a.test", "b.test", "a.test"]) {
    expect(told(compiler.compileDomain(named(domain)))).toEqual(told(compileDomain(named(domain))));
  }
});

describe("compiled again, among other rules or not, rules are as if compiled afresh", () => {
  const { id: _, ...unnamed } = rule();
  const { rank: __, ...unranked } = rule();
  test.each<[string, Record_[]]>([
    ["rules without an id", [unnamed, { ...unnamed, rank: 3 }]],
    [
      "rules without a rank",
      [
        { ...unranked, id: "r2" },
        { ...unranked, id: "r3" },
      ],
    ],
    ["a wrong age", [{ ...rule(), created_at: "yesterday" }]],
  ])("%s", (_name, rules) => {
    const compiler = createCompiler();
    const another = { ...rule(), id: "another", rank: 5 };
    for (const each of [rules, rules, [another, ...rules], rules]) {
      const config = { ...domainOf(rule()), rules: each };
      expect(told(compiler.compileDomain(config))).toEqual(told(compileDomain(config)));
    }
  });
});

test("rules that search alike are compiled once, whichever domains have them", () => {
  const compiler = createCompiler();
  const search = (regex: string, ...scopes: string[]): Record_ => ({
    type: "regex",
    config: { regex, scopes, forward: "a@x.test" },
  });
  const cel = { type: "cel", config: { expression: 'subject == ""', forward: "a@x.test" } };
  const rules = [search("a", "body"), search("a", "sender"), search("b", "body"), cel, cel];
  for (const domain of ["a.test", "b.test"]) {
    const result = compiler.compileDomain({ domain, routing_engine: "rules", rules });
    expect(told(result)).toEqual(told(compileDomain({ domain, routing_engine: "rules", rules })));
  }
  const { matchers, forwards, programs } = compiler.stats();
  expect(matchers).toEqual({ kept: 4, misses: 4, hits: 6 });
  // Whether a destination is the own domain differs between domains.
  expect(forwards).toEqual({ kept: 2, misses: 2, hits: 8 });
  expect(programs.misses).toBe(1);
});

describe("a host's rule type may read fields that are neither texts nor lists of texts", () => {
  const shown = (value: unknown): string =>
    Array.isArray(value) ? `[${value.map(String)}]` : String(value);
  const anything: RuleField<string> = {
    holds: "text",
    read: (fields, name) => shown(fields.values[name]),
  };
  const probe = ruleType<{ one: string; two: string }>({
    type: "probe",
    fields: { one: anything, two: anything },
    compile: (read) => ({
      ...{ groupCount: 0, gate: () => null, match: () => MISSED },
      ...{ untried: () => ({ type: "probe", ...read }) },
      explain: () => ({ outcome: MISSED, detail: { type: "probe" } }),
    }),
  });
  /** Every pair of `values`, as a function that compiles a rule with it and expects that the rule has read it. */
  const pairsOf = (values: readonly unknown[], named: object): (() => void)[] => {
    const { compileDomain: compile } = createCompiler({ ruleTypes: [probe] });
    return values.flatMap((one) =>
      values.map((two) => () => {
        const rules = [{ ...named, type: "probe", config: { one, two, forward: "a@x.test" } }];
        const result = compile({ domain: "own.test", routing_engine: "rules", rules });
        const read = { type: "probe", one: shown(one), two: shown(two) };
        expect(result.ok && result.domain.rules[0]!.matcher.untried()).toEqual(read);
      }),
    );
  };

  test("which are read each time", () => {
    const lists = [["a"], ["a", null], ["a", Number.NaN], [undefined], []];
    const values = [undefined, null, Number.NaN, 10n, "a", ...lists];
    for (const expectRead of pairsOf(values, {})) expectRead();
  });

  test("whatever a rule of the same id had in them before", () => {
    const values = ["a", "b", 0, 1, [], ["a"], ["a", "b"]];
    const pairs = pairsOf(values, { id: "r1", rank: 1 });
    for (const expectBefore of pairs) {
      for (const expectAfter of pairs) {
        expectBefore();
        expectAfter();
      }
    }
  });
});

describe("an entry that says what one of the version before said is not read again", () => {
  const { id: _, ...unnamed } = rule();
  const { rank: __, ...unranked } = rule();
  const second = { ...rule(), id: "r2", rank: 2 };
  const third = { ...rule(), id: "r3", rank: 3 };
  /** Of the entries after an edit: how many were read. */
  const readAgain = (before: readonly Record_[], after: readonly Record_[]): number => {
    const compiler = createCompiler();
    const compile = (rules: readonly Record_[]): number => {
      const { ok } = compiler.compileDomain({ ...domainOf(rule()), rules: structuredClone(rules) });
      expect(ok).toBe(true);
      const { hits, misses } = compiler.stats().matchers;
      return hits + misses;
    };
    const first = compile(before);
    return compile(after) - first;
  };
  const edited = { ...second, config: { ...config(rule()), regex: "invoice" } };
  test.each<[string, Record_[], Record_[], number]>([
    ["nothing changed", [rule(), second], [rule(), second], 0],
    ["one of three changed", [rule(), second, third], [rule(), edited, third], 1],
    ["one came in front", [second, third], [rule(), second, third], 1],
    ["one was added in the middle", [rule(), third], [rule(), second, third], 1],
    ["the first went away", [rule(), second, third], [second, third], 0],
    ["one without an id stayed in its place", [unnamed, second], [unnamed, second], 0],
    ["one without an id moved", [second, unnamed], [unnamed], 1],
    ["one without a rank stayed", [unranked], [unranked], 0],
    [
      "one without a rank got another",
      [rule(), { ...unranked, id: "r2" }],
      [
        { ...rule(), rank: 9 },
        { ...unranked, id: "r2" },
      ],
      2,
    ],
  ])("%s", (_name, before, after, read) => {
    expect(readAgain(before, after)).toBe(read);
  });

  test("unless a field of a host's type holds an object, which may have been changed in place", () => {
    const field: RuleField<string> = {
      holds: "text",
      read: (fields, name) => JSON.stringify(fields.values[name]),
    };
    const probe = ruleType<{ one: string }>({
      type: "probe",
      fields: { one: field },
      compile: (read) => ({
        ...{ groupCount: 0, gate: () => null, match: () => MISSED },
        ...{ untried: () => ({ type: "probe", ...read }) },
        explain: () => ({ outcome: MISSED, detail: { type: "probe" } }),
      }),
    });
    const { compileDomain: compile } = createCompiler({ ruleTypes: [probe] });
    for (const one of [{ a: 1 }, [{ a: 1 }], ["x", { a: 1 }]] as const) {
      const rules = [{ id: "r", rank: 1, type: "probe", config: { one, forward: "a@x.test" } }];
      for (const a of [1, 2, 3]) {
        const changed = (Array.isArray(one) ? one.at(-1) : one) as { a: number };
        changed.a = a;
        const result = compile({ domain: "own.test", routing_engine: "rules", rules });
        const wanted = { type: "probe", one: JSON.stringify(one) };
        expect(result.ok && result.domain.rules[0]!.matcher.untried()).toEqual(wanted);
      }
    }
  });
});

describe("scopes without end", () => {
  const many = (scope: string, count: number): Record_ =>
    domainOf({ ...rule(), config: { ...config(rule()), scopes: Array(count).fill(scope) } });

  test("130,000 scopes are one diagnostic, for a compiler too", () => {
    for (const compile of [compileDomain, createCompiler().compileDomain]) {
      const result = compile(many("body", 130_000));
      expect(result.ok ? [] : result.diagnostics).toMatchObject([
        { code: "config/too-many", path: ["rules", 0, "config", "scopes"] },
      ]);
    }
  });

  test("so are a million that are none", () => {
    const result = compileDomain(many("nowhere", 1_000_000));
    expect(result.ok ? [] : result.diagnostics).toHaveLength(1);
  });

  test("of a configuration with more problems than anybody reads, some are kept and all counted", () => {
    const rules = Array.from({ length: 30_000 }, () => ({ type: "alias", config: {} }));
    const result = compileDomain({ ...domainOf(rule()), rules });
    const diagnostics = result.ok ? [] : result.diagnostics;
    expect(diagnostics).toHaveLength(10_001);
    expect(diagnostics[0]).toEqual({
      code: "config/too-many",
      path: [],
      message: "50000 more problems are not listed: fix those that are",
    });
  });
});
