/** A rule type that no file of mailflow knows, in every place that rules go through. */
import { describe, expect, test } from "vitest";
import { describeDelta } from "../../src/cli/show/diff/describe-delta.ts";
import { decisionReport } from "../../src/cli/show/show-route.ts";
import { showExplanation } from "../../src/cli/show/show-trace.ts";
import {
  type CompiledDomain,
  compileDomain,
  createCompiler,
  explain,
  type Facts,
  resolve,
} from "../../src/index.ts";
import {
  CoverageCounter,
  deltasBetween,
  findWarnings,
  prove,
  rehearse,
  why,
} from "../../src/rehearse/index.ts";
import { mutantsOf } from "../../src/rehearse/mutate/mutants.ts";
import { describeEntry } from "../../src/rehearse/words/describe-entry.ts";
import { showMissed } from "../../src/rehearse/words/show-why.ts";
import { createSimulator } from "../../src/simulator/index.ts";
import { expectPlanEqualsWalk } from "../engine/plan/ways.ts";
import { headerRule } from "./header-rule.ts";

type Record_ = Readonly<Record<string, unknown>>;

const forward = "list@x.test";
const rule = (contains: string, header = "List-Id"): Record_ => ({
  id: "lists",
  rank: 1,
  type: "header",
  config: { header, contains, forward },
});
const domainOf = (...rules: Record_[]): Record_ => ({
  domain: "own.test",
  routing_engine: "rules",
  rules_fallback_email: "fall@x.test",
  rules: [
    ...rules,
    { id: "rest", rank: 9, type: "alias", config: { alias: "info", forward: "i@x.test" } },
  ],
});
const options = { ruleTypes: [headerRule] };

function compiled(config: unknown): CompiledDomain {
  const result = compileDomain(config, options);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.domain;
}

const NEWS: Facts = {
  recipient: "info@own.test",
  sender: "a@x.test",
  subject: "",
  body: "",
  headers: new Map([["list-id", ["The NEWS of x"]]]),
  attachments: [],
  size: 1,
};

describe("the engine", () => {
  test("plan, stages and explain", () => {
    const domain = compiled(domainOf(rule("news")));
    expect(expectPlanEqualsWalk(domain, NEWS)).toMatchObject({ decidedBy: { id: "lists" } });
    const plain = { ...NEWS, headers: new Map() };
    expect(expectPlanEqualsWalk(domain, plain)).toMatchObject({ decidedBy: { id: "rest" } });
    expect(expectPlanEqualsWalk(domain, { recipient: "info@own.test" })).toEqual({
      verdict: "undecided",
      needs: "header",
    });
    expect(explain(domain, NEWS).trace[0]).toEqual({
      kind: "rule",
      id: "lists",
      rank: 1,
      verdict: "matched",
      type: "header",
      header: "list-id",
      contains: "news",
      actual: "The NEWS of x",
    });
    expect(resolve(domain, NEWS, { fuelMax: 30 })).toMatchObject({ reason: "over-budget" });
  });

  test("without the type the rule is refused, and its fields are checked with it", () => {
    expect(compileDomain(domainOf(rule("news")))).toMatchObject({
      diagnostics: [{ code: "rule/unknown-type" }],
    });
    const wrong = { type: "header", config: { header: "a b", forward } };
    expect(compileDomain(domainOf(wrong), options)).toMatchObject({
      diagnostics: [
        { code: "config/missing-field", path: ["rules", 0, "config", "contains"] },
        { code: "config/wrong-type", path: ["rules", 0, "config", "header"] },
      ],
    });
    expect(() => compileDomain({}, { ruleTypes: [headerRule, headerRule] })).toThrow(TypeError);
    expect(() => compileDomain({}, { ruleTypes: [{ ...headerRule, type: "cel" }] })).toThrow(
      "already",
    );
  });

  test("a compiler sees the edit of a field, and takes over what stays", () => {
    const compiler = createCompiler(options);
    const compileWith = (contains: string): CompiledDomain => {
      const result = compiler.compileDomain(domainOf(rule(contains)));
      if (!result.ok) throw new Error("refused");
      return result.domain;
    };
    const first = compileWith("news");
    expect(resolve(compileWith("sport"), NEWS)).toMatchObject({ decidedBy: { id: "rest" } });
    expect(resolve(compileWith("news"), NEWS)).toMatchObject({ decidedBy: { id: "lists" } });
    expect(compileWith("news").rules[0]!.matcher).toBe(first.rules[0]!.matcher);
  });
});

describe("rehearsing", () => {
  const rehearsed = (...rules: Record_[]) => {
    const result = rehearse(domainOf(...rules), options);
    if (!result.ok) throw new Error("refused");
    return result.rehearsed;
  };

  test("diff names the field that differs, and the command says it", () => {
    const [delta, ...more] = deltasBetween(rehearsed(rule("news")), rehearsed(rule("sport")));
    expect(more).toEqual([]);
    expect(delta).toMatchObject({
      of: "rule",
      id: "lists",
      field: "contains",
      from: "news",
      to: "sport",
    });
    expect(describeDelta(delta!)).toBe("contains of rule lists was `news` and is `sport`");
  });

  test.each([
    ["cel", { expression: "size > 1" }, "the expression `size > 1`"],
    ["regex", { regex: "x", scopes: ["subject", "body"] }, "the pattern /x/ in subject, body"],
    ["alias", { alias: "sales" }, "the alias `sales`"],
  ])("a rule of type %s in its place: both conditions are named", (type, config, noun) => {
    const other = { id: "lists", rank: 1, type, config: { ...config, forward } };
    const deltas = deltasBetween(rehearsed(rule("news", "x")), rehearsed(other));
    const own = `header ${JSON.stringify({ header: "x", contains: "news", forward })}`;
    expect(deltas.map(describeDelta)).toEqual([`rule lists was ${own} and is ${noun}`]);
  });

  test("proofs say that they know nothing of its condition, and mutations leave it", async () => {
    const proof = await prove(rehearsed(rule("news")), {
      kind: "never-reached",
      of: { kind: "rule", id: "lists" },
    });
    expect(proof).toMatchObject({
      verdict: "unknown",
      why: "nothing is proved about the condition of rule `lists`",
    });
    const kinds = [...mutantsOf(rehearsed(rule("news")))].filter(({ id }) => id === "lists");
    expect(kinds.map(({ kind }) => kind)).toEqual(["off", "rank"]);
  });

  test("coverage counts its hits", () => {
    const domain = rehearsed(rule("news"));
    const counter = new CoverageCounter(domain);
    expect(counter.report().hits).toEqual({ covered: 0, total: 2 });
    counter.add(explain(domain.domain, NEWS).trace);
    expect(counter.report().hits).toEqual({ covered: 1, total: 2 });
  });

  test("why shows what its condition was, and warnings go on", () => {
    const domain = rehearsed(rule("sport"));
    expect(findWarnings(domain)).toEqual([]);
    const { candidates } = why(domain, NEWS, { kind: "rule", id: "lists" });
    expect(candidates[0]!.failed).toMatchObject([
      { kind: "config", config: { contains: "sport" } },
    ]);
    const lines = showMissed(candidates[0]!).map((line) => line.map(String).join(""));
    expect(lines.join("\n")).toContain('wanted  header "list-id", contains "sport"');
  });
});

test("the command's output tells of it", async () => {
  const { trace } = explain(compiled(domainOf(rule("news"))), NEWS);
  expect(describeEntry(trace[0]!)).toEqual([
    'header "list-id", contains "news", actual "The NEWS of x"',
  ]);
  const [missed] = explain(compiled(domainOf(rule("sport"))), NEWS).trace;
  expect(describeEntry(missed!).join("")).toContain(
    'does not hold: header "list-id", contains "sport"',
  );
  const lines = showExplanation(NEWS, trace).flatMap((line) =>
    line.map((piece) => (typeof piece === "string" ? piece : piece.text)),
  );
  expect(lines.join("")).toContain('header "list-id"');
  const domain = compiled(domainOf(rule("news")));
  const { resolution } = explain(domain, NEWS);
  if (resolution.verdict !== "decided") throw new Error("undecided");
  const answered = { decision: resolution, trace, facts: NEWS };
  const question = { domain, trace: "everything" } as const;
  const report = decisionReport("m", "info@own.test", answered, [], question);
  if ("note" in report) throw new Error("a note");
  expect(report.json?.()).toMatchObject({ trace: [{ header: "list-id" }, { id: "rest" }] });
});

test("the simulator's API takes it, keeps it, warns, and mail goes by it", async () => {
  const world = {
    domains: [
      { domain: "own.test", routing_engine: "rules" as const, rules_fallback_email: "fall@x.test" },
    ],
  };
  const simulator = await createSimulator({ ruleTypes: [headerRule], world });
  try {
    const ask = async (
      method: string,
      path: string,
      body?: object,
    ): Promise<{ status: number; body: Record_ }> => {
      const response = await simulator.fetch(
        new Request(`http://sim.test/v4/domains/own.test/${path}`, {
          method,
          headers: {
            authorization: `Basic ${Buffer.from(`api:${simulator.apiKey}`).toString("base64")}`,
            "content-type": "application/json",
          },
          ...(body && { body: JSON.stringify(body) }),
        }),
      );
      return { status: response.status, body: (await response.json()) as Record_ };
    };
    const { id: _, rank: __, ...input } = rule("news");
    const added = await ask("POST", "rules?warnings=true", input);
    expect(added).toMatchObject({
      status: 200,
      body: { rule: { type: "header", config: input.config } },
    });
    const refused = await ask("POST", "rules", { type: "header", config: { forward } });
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toHaveProperty(["config.header"]);
    expect((await ask("POST", "rules", { ...input, type: "footer" })).body.errors).toHaveProperty([
      "type",
    ]);
    expect((await ask("GET", "rules")).body).toMatchObject({
      total: 1,
      rules: [{ type: "header" }],
    });
  } finally {
    await simulator.close();
  }
});
