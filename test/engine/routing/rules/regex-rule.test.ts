/** What `explain` says of the scopes of a regex rule, and which stage the rule needs. */
import { expect, test } from "vitest";
import type { Facts } from "../../../../src/engine/facts/facts.ts";
import { compileDomain } from "../../../../src/engine/routing/compile-domain.ts";
import type { Explanation } from "../../../../src/engine/routing/explain.ts";
import { explain } from "../../../../src/engine/routing/explain.ts";

const FACTS: Facts = { recipient: "a@own.test", sender: "s@x.test", subject: "no 42", body: "7" };

function explained(regex: string, scopes: readonly string[], facts: Facts): Explanation {
  const rule = { type: "regex", config: { regex, scopes, forward: "m@x.test" } };
  const rules = [{ ...rule, active: false }, rule, rule];
  const result = compileDomain({ domain: "own.test", routing_engine: "rules", rules });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return explain(result.domain, facts);
}

test("a rule that matched says where, and what its groups hold, though its forward uses none", () => {
  const { trace } = explained("(4)(2)", ["body", "subject", "sender"], FACTS);
  expect(trace[1]).toStrictEqual({
    ...{
      kind: "rule",
      id: "rules[1]",
      rank: 2,
      verdict: "matched",
      type: "regex",
      regex: "(4)(2)",
    },
    scopes: [
      { scope: "sender", verdict: "missed", actual: "s@x.test" },
      {
        ...{ scope: "subject", verdict: "matched", actual: "no 42" },
        ...{ span: { start: 3, end: 5 }, captures: ["4", "2"] },
      },
      { scope: "body", verdict: "unreached" },
    ],
  });
});

test("a rule that was not tried lists no scopes", () => {
  const { trace } = explained("42", ["subject"], FACTS);
  const untried = { kind: "rule", type: "regex", regex: "42", scopes: [] };
  expect(trace[0]).toStrictEqual({ ...untried, id: "rules[0]", rank: 1, verdict: "inactive" });
  expect(trace[2]).toStrictEqual({ ...untried, id: "rules[2]", rank: 3, verdict: "unreached" });
});

test("a rule needs the earliest stage that can make it match", () => {
  const needsOf = (facts: Facts): unknown => explained("x", ["body", "subject"], facts).resolution;
  const { recipient, subject, body } = FACTS;
  expect(needsOf({ recipient })).toEqual({ verdict: "undecided", needs: "header" });
  expect(needsOf({ recipient, body })).toEqual({ verdict: "undecided", needs: "header" });
  expect(needsOf({ recipient, subject })).toEqual({ verdict: "undecided", needs: "body" });
});
