import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { findWarnings } from "../../../src/rehearse/check/warnings.ts";
import { inlineFacts } from "../../../src/rehearse/test/inline-message.ts";
import { demoConfig, rehearsed } from "../demo.ts";

const BASE = { domain: "shop.example", routing_engine: "rules", rules: [] };

function warn(config: object): string[] {
  return findWarnings(rehearsed({ ...BASE, ...config })).map(
    ({ code, path }) => `${code} ${path.join(".")}`,
  );
}

function regex(pattern: string, scopes: readonly string[] = ["sender"], more: object = {}): object {
  return { type: "regex", config: { regex: pattern, scopes, forward: "x@else.test" }, ...more };
}

function cel(expression: string): object {
  return { type: "cel", config: { expression, forward: "x@else.test" } };
}

function alias(name: string, more: object = {}): object {
  return { type: "alias", config: { alias: name, forward: "x@else.test" }, ...more };
}

const rules = (...list: object[]): object => ({ rules: list });

test("the example domain has none", () => {
  expect(findWarnings(rehearsed(demoConfig()))).toEqual([]);
});

test.each<[string, object, string[]]>([
  ["a file without its rules", { rules: undefined }, ["domain/no-entries routing_engine"]],
  [
    "an answer of the API without its aliases",
    { domain: { domain: "shop.example", routing_engine: "alias" }, rules: [] },
    ["domain/no-entries domain.routing_engine"],
  ],
  ["a domain that has no rules", rules(), ["domain/no-entries routing_engine"]],
  ["a domain that has only a fallback", { ...rules(), rules_fallback_email: "x@else.test" }, []],
  ["a domain that does not route", { routing_engine: null }, []],
  [
    "rank ties",
    rules(alias("a", { rank: 5 }), alias("b", { rank: 5 })),
    ["rule/rank-tie rules.1.rank"],
  ],
  [
    "a tie with an inactive rule is none",
    rules(alias("a", { rank: 5 }), alias("b", { rank: 5, active: false })),
    [],
  ],
  ["duplicate rules", rules(regex("x"), regex("x")), ["rule/unreachable rules.1.config.regex"]],
  [
    "duplicates by rank, not by place",
    rules(regex("x", ["sender"], { rank: 9 }), regex("x", ["sender"], { rank: 3 })),
    ["rule/unreachable rules.0.config.regex"],
  ],
  [
    "fewer scopes than an earlier one",
    rules(regex("x", ["sender", "body"]), regex("x", ["body"])),
    ["rule/unreachable rules.1.config.regex"],
  ],
  [
    "more scopes than an earlier one",
    rules(regex("x", ["body"]), regex("x", ["sender", "body"])),
    [],
  ],
  [
    "an earlier one that can fail",
    rules(
      { type: "regex", config: { regex: "(x)", scopes: ["body"], forward: "$1@else.test" } },
      regex("(x)", ["body"]),
    ),
    [],
  ],
  [
    "a wildcard before what it takes",
    rules(alias("sales*"), alias("sales-eu")),
    ["rule/unreachable rules.1.config.alias"],
  ],
  ["a wildcard behind it", rules(alias("sales-eu"), alias("sales*")), []],
  [
    "rules behind a catch-all",
    rules(alias("*"), alias("a"), regex("x")),
    ["rule/unreachable rules.0.config.alias"],
  ],
  ["a catch-all at the end", rules(alias("a"), alias("*")), []],
  ["an inactive catch-all", rules(alias("*", { active: false }), alias("a")), []],
  [
    "CEL that is true",
    rules(cel("true"), alias("a")),
    ["rule/unreachable rules.0.config.expression"],
  ],
  [
    "capitals against addresses",
    rules(regex("Ann@")),
    ["pattern/capital-letters rules.0.config.regex"],
  ],
  ["capitals in one branch", rules(regex("Ann|bob")), []],
  ["capitals in any case", rules(regex("(?i)Ann")), []],
  ["capitals in a subject", rules(regex("Ann", ["subject"])), []],
  [
    "capitals of a class",
    rules(regex("[A-Z]{2}@")),
    ["pattern/capital-letters rules.0.config.regex"],
  ],
  ["optional capitals", rules(regex("A?@")), []],
  [
    "capitals in CEL",
    rules(cel('sender == "Ann@b.test" || "x" == subject')),
    ["cel/capital-letters rules.0.config.expression"],
  ],
  [
    "capitals of a list in CEL",
    rules(cel('recipient in ["a@b.test", "B@b.test"]')),
    ["cel/capital-letters rules.0.config.expression"],
  ],
  ["capitals of another variable", rules(cel('["x"].exists(sender, sender == "Ann")')), []],
  ["capitals of a subject in CEL", rules(cel('subject.contains("Ann")')), []],
  [
    "an unescaped dot",
    rules(regex("@example.com")),
    ["pattern/unescaped-dot rules.0.config.regex"],
  ],
  ["a dot before the last label of a domain", rules(regex("@example.com$")), []],
  ["an escaped dot", rules(regex("@example\\.com$")), []],
  ["a dot that repeats", rules(regex("ann.*com")), []],
  ["an unescaped dot in a subject", rules(regex("example.com", ["subject", "sender"])), []],
  [
    "an unescaped dot in CEL",
    rules(cel('sender.matches("@mail.example.com$")')),
    ["pattern/unescaped-dot rules.0.config.expression"],
  ],
  [
    "a pattern that matches everything",
    rules(regex("x*", ["body"])),
    ["pattern/matches-everything rules.0.config.regex"],
  ],
  [
    "a whole line",
    rules(regex("^.*$", ["subject"])),
    ["pattern/matches-everything rules.0.config.regex"],
  ],
  ["a whole line of a body", rules(regex("^.*$", ["body"])), []],
  [
    "duplicate destinations",
    rules({ type: "alias", config: { alias: "a", forward: "x@else.test,  X@ELSE.test" } }),
    ["destination/duplicate rules.0.config.forward"],
  ],
  [
    "costly patterns",
    rules(regex("(a|b).{0,300}c", ["body"])),
    ["pattern/costly rules.0.config.regex"],
  ],
  [
    "an alias behind one that takes all",
    {
      routing_engine: "alias",
      aliases: [
        { alias: "*", forward: "x@else.test" },
        { alias: "**", forward: "y@else.test" },
      ],
    },
    ["alias/unreachable aliases.0.alias"],
  ],
  [
    "an alias that is a pattern with capitals",
    { rules_fallback_email: "r@else.test", aliases: [{ alias: "^Ann$", forward: "x@else.test" }] },
    ["pattern/capital-letters aliases.0.alias"],
  ],
  [
    "an alias with capitals that is none",
    { routing_engine: "alias", aliases: [{ alias: "Ann", forward: "x@else.test" }] },
    [],
  ],
])("%s", (_, config, codes) => {
  expect(warn(config)).toEqual(codes);
});

test("spans lie on what is meant", () => {
  const [warning] = findWarnings(rehearsed({ ...BASE, rules: [regex("ann@example.com")] }));
  expect(warning?.span).toEqual({ start: 11, end: 12 });
  expect(warning?.message).toContain("ann@examplexcom");
});

describe("certain: on any mail", () => {
  const text = fc.constantFrom("", "a", "b", "ab", "A", "example.com", "examplexcom");
  const condition = fc.oneof(
    fc
      .tuple(
        fc.constantFrom("a", "b", "a*", "A", "[A-Z]", "ab|A", "example.com", "^a$"),
        fc.constantFrom(["sender"], ["subject"], ["subject", "body"]),
      )
      .map(([pattern, scopes]) => regex(pattern, scopes)),
    fc.constantFrom("a", "ab", "a*", "*", "ab*").map((name) => alias(name)),
    fc
      .constantFrom("true", 'subject == "a"', 'sender == "A@b.test"', 'sender.contains("b")')
      .map(cel),
  );
  const message = fc.record({
    recipient: fc.constantFrom("a", "ab", "b", "a+x"),
    sender: fc.constantFrom("a@b.test", "A@b.test", "x@example.com"),
    subject: text,
    body: text,
  });

  test("what is never reached never decides, and what never matches does not", () => {
    fc.assert(
      fc.property(
        fc.array(condition, { minLength: 2, maxLength: 5 }),
        fc.array(message, { minLength: 20, maxLength: 20 }),
        (list, messages) => {
          const domain = rehearsed({
            ...BASE,
            rules: list.map((rule, index) => ({ ...rule, id: `r${index}` })),
          });
          const never = new Set<string>();
          let lastReached = Number.POSITIVE_INFINITY;
          for (const { code, path, message: said } of findWarnings(domain)) {
            const place = path[1] as number;
            if (code === "rule/unreachable" && said.startsWith("takes every"))
              lastReached = Math.min(lastReached, place);
            else if (code === "rule/unreachable") never.add(`r${place}`);
            if (code === "pattern/capital-letters") never.add(`r${place}`);
          }
          for (const { recipient, ...rest } of messages) {
            const resolved = resolve(
              domain.domain,
              inlineFacts({ ...rest, recipient: `${recipient}@shop.example` }),
            );
            const id = resolved.verdict === "decided" ? resolved.decidedBy?.id : undefined;
            if (id === undefined) expect(lastReached).toBe(Number.POSITIVE_INFINITY);
            else {
              expect(never.has(id)).toBe(false);
              expect(Number(id.slice(1))).toBeLessThanOrEqual(lastReached);
            }
          }
        },
      ),
      { seed: 20261120, numRuns: 300 },
    );
  });
});
