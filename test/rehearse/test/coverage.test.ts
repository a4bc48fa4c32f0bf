import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explain } from "../../../src/engine/routing/explain.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { conditionsOf } from "../../../src/rehearse/cel-conditions.ts";
import { CoverageCounter } from "../../../src/rehearse/test/coverage.ts";
import { type InlineMessage, inlineFacts } from "../../../src/rehearse/test/inline-message.ts";
import { lcovOf } from "../../../src/rehearse/test/lcov.ts";
import { demoConfig, demoFacts, rehearsed } from "../demo.ts";

const BASE = { domain: "shop.example", routing_engine: "rules" };

function coverage(rules: readonly object[], messages: readonly Partial<InlineMessage>[]) {
  const domain = rehearsed({ ...BASE, rules });
  const counter = new CoverageCounter(domain);
  for (const message of messages) {
    const facts = inlineFacts({ recipient: "me@shop.example", ...message });
    counter.add(explain(domain.domain, facts).trace);
  }
  return counter.report();
}

function cel(expression: string): object {
  return { id: "c", type: "cel", config: { expression, forward: "x@else.test" } };
}

describe("CEL branches, counted by hand", () => {
  test.each([
    ["size > 1", ["size > 1"]],
    ['!(subject == "a") && true', ['subject == "a"']],
    ['subject == "a" ? size > 1 : body == "b"', ['subject == "a"', "size > 1", 'body == "b"']],
    [
      'attachments.exists(a, a.size > 1 && a.filename == "x")',
      ['attachments.exists(a, a.size > 1 && a.filename == "x")', "a.size > 1", 'a.filename == "x"'],
    ],
    [
      "attachments.filter(a, a.size > 1).size() > 2",
      ["attachments.filter(a, a.size > 1).size() > 2", "a.size > 1"],
    ],
    ['cel.bind(s, subject, s == "a" || s == "b")', ['s == "a"', 's == "b"']],
    ["true", []],
  ])("the conditions of %s", (expression, sources) => {
    expect(conditionsOf(expression).map(({ source }) => source)).toEqual(sources);
  });

  test("each way of a condition counts once per evaluation", () => {
    const { entries, branches, percent } = coverage(
      [cel('subject == "a" && (body == "b" || size > 9000000)')],
      [
        { subject: "x" }, // subject false; the rest is not evaluated
        { subject: "a", body: "b" }, // subject and body true; size is not evaluated
        { subject: "a" }, // body and size false
      ],
    );
    expect(entries[0]).toMatchObject({ tried: 3, hits: 1 });
    expect(
      entries[0]!.conditions.map(({ source, timesTrue, timesFalse }) => [
        source,
        timesTrue,
        timesFalse,
      ]),
    ).toEqual([
      ['subject == "a"', 2, 1],
      ['body == "b"', 1, 1],
      ["size > 9000000", 0, 1],
    ]);
    expect(branches).toEqual({ covered: 5, total: 6 });
    // One rule hit, no scopes, five of six branches.
    expect(percent).toBeCloseTo((100 * 6) / 7);
  });

  test("within a macro every element counts that it was evaluated for", () => {
    const { entries } = coverage(
      [cel("attachments.all(a, a.size > 5)")],
      // 8 is not tried: 1 ended it.
      [{ attachments: [{ size: 6 }, { size: 7 }, { size: 1 }, { size: 8 }] }],
    );
    expect(entries[0]!.conditions).toMatchObject([
      { place: "expression", timesTrue: 0, timesFalse: 1 },
      { source: "a.size > 5", place: "macro", timesTrue: 2, timesFalse: 1 },
    ]);
  });

  test.each([
    // The name is looked at for the first alone, though another ended it.
    ['attachments.exists(a, a.size > 5 && a.filename == "x")', [0, 1], [1, 2], [0, 1]],
    ["attachments.filter(a, a.size > 5).size() > 1", [0, 1], [1, 2]],
    ["attachments.map(a, a.size > 5, a.filename).size() > 0", [1, 0], [1, 2]],
    ["attachments.exists_one(a, a.size > 5)", [1, 0], [1, 2]],
  ])("within a macro: %s", (expression, ...counts) => {
    const { entries } = coverage(
      [cel(expression)],
      [{ attachments: [{ size: 6, filename: "y" }, { size: 1 }, { size: 2 }] }],
    );
    expect(entries[0]!.conditions.map((each) => [each.timesTrue, each.timesFalse])).toEqual(counts);
  });
});

test("agrees with a naive count", () => {
  const word = fc.constantFrom("a", "b", "c", "");
  const message = fc.record({
    subject: word,
    body: word,
    recipient: fc.constantFrom("a@shop.example", "b@shop.example"),
  });
  const rule = fc.oneof(
    fc
      .tuple(word, fc.subarray(["subject", "body", "recipient"], { minLength: 1 }))
      .map(([text, scopes]) => ({
        type: "regex",
        config: { regex: `^${text}$`, scopes, forward: "x@else.test" },
      })),
    word
      .filter((text) => text !== "")
      .map((alias) => ({ type: "alias", config: { alias, forward: "x@else.test" } })),
  );
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 5 }),
      fc.array(message, { maxLength: 8 }),
      (rules, messages) => {
        const { entries } = coverage(rules, messages);
        const domain = rehearsed({ ...BASE, rules }).domain;
        const deciders = messages.map((each) => {
          const resolved = resolve(domain, inlineFacts(each));
          const id = resolved.verdict === "decided" ? resolved.decidedBy?.id : undefined;
          return domain.rules.findIndex((candidate) => candidate.id === id);
        });
        entries.forEach((entry, place) => {
          expect(entry.hits).toBe(deciders.filter((decider) => decider === place).length);
          expect(entry.tried).toBe(
            deciders.filter((decider) => decider < 0 || decider >= place).length,
          );
          const ofScopes = entry.scopes.reduce((sum, { hits }) => sum + hits, 0);
          if (entry.scopes.length > 0) expect(ofScopes).toBe(entry.hits);
        });
      },
    ),
    { seed: 20261120, numRuns: 200 },
  );
});

test("inactive rules are left out; a domain routed by aliases is covered by them", () => {
  const inactive = { ...cel("true"), active: false };
  expect(coverage([inactive], []).entries).toEqual([]);
  const domain = rehearsed({
    domain: "shop.example",
    routing_engine: "alias",
    aliases: [
      { id: "2", alias: "b*", forward: "x@else.test" },
      { id: "1", alias: "a", forward: "x@else.test" },
    ],
  });
  const counter = new CoverageCounter(domain);
  counter.add(explain(domain.domain, inlineFacts({ recipient: "b1@shop.example" })).trace);
  expect(counter.report()).toMatchObject({
    entries: [
      { kind: "alias", id: "1", index: 1, hits: 0 },
      { kind: "alias", id: "2", index: 0, hits: 1 },
    ],
    percent: 50,
  });
});

test("lcov: functions, branches and lines add up to the report", async () => {
  const demo = rehearsed(demoConfig());
  const counter = new CoverageCounter(demo);
  for (const facts of await demoFacts()) counter.add(explain(demo.domain, facts).trace);
  const report = counter.report();
  const text = lcovOf(report, "domain.json", (path) => Number(path[1]) + 1);
  const value = (name: string): number =>
    Number(new RegExp(`^${name}:(\\d+)$`, "m").exec(text)?.[1]);
  expect([value("FNF"), value("FNH")]).toEqual([report.hits.total, report.hits.covered]);
  const branches = [report.scopes, report.branches];
  expect(value("BRF")).toBe(branches.reduce((sum, { total }) => sum + total, 0));
  expect(value("BRH")).toBe(branches.reduce((sum, { covered }) => sum + covered, 0));
  expect([value("LF"), value("LH")]).toEqual([9, 8]);
  expect(text.match(/^BRDA:/gm)).toHaveLength(value("BRF"));
  expect(text).toMatch(/^TN:\nSF:domain\.json\n[\s\S]*\nend_of_record\n$/);
});
