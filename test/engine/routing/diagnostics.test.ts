import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/base/diagnostic.ts";
import { formatPath } from "../../../src/base/diagnostic.ts";
import { LIMITS } from "../../../src/base/limits.ts";
import { renderDiagnostic } from "../../../src/base/render-diagnostic.ts";
import { compileDomain } from "../../../src/engine/routing/compile-domain.ts";

function diagnose(config: unknown): readonly Diagnostic[] {
  const result = compileDomain(config);
  return result.ok ? [] : result.diagnostics;
}

const good = { domain: "own.test", routing_engine: "rules", rules_fallback_email: null };
const rule = (type: string, config: unknown, more: object = {}): object => ({
  type,
  config,
  ...more,
});
const withRule = (entry: unknown): unknown => ({ ...good, rules: [entry] });
const withAlias = (entry: unknown): unknown => ({ ...good, aliases: [entry] });
const regex = (pattern: string, forward = "m@x.test"): unknown =>
  withRule(rule("regex", { regex: pattern, scopes: ["subject"], forward }));
const cel = (expression: string): unknown =>
  withRule(rule("cel", { expression, forward: "m@x.test" }));

/** config → `code path` of its only diagnostic, and the text under its span */
const TABLE: readonly [name: string, config: unknown, wanted: string, under?: string][] = [
  ["no object", 7, "config/not-an-object (root)"],
  ["no domain", { routing_engine: null }, "config/missing-field domain"],
  ["domain not a name", { ...good, domain: "own" }, "domain/invalid-name domain"],
  ["domain an IPv4 address", { ...good, domain: "1.2.3.4" }, "domain/invalid-name domain"],
  ["no routing engine", { domain: "own.test" }, "config/missing-field routing_engine"],
  [
    "unknown routing engine",
    { ...good, routing_engine: "Rules" },
    "domain/unknown-routing-engine routing_engine",
  ],
  [
    "engine in the API's object",
    { domain: { domain: "own.test", routing_engine: 1 } },
    "domain/unknown-routing-engine domain.routing_engine",
  ],
  [
    "fallback no address",
    { ...good, rules_fallback_email: "me" },
    "destination/invalid rules_fallback_email",
    "me",
  ],
  [
    "fallback at own domain",
    { ...good, rules_fallback_email: "me@OWN.test" },
    "destination/own-domain rules_fallback_email",
    "me@OWN.test",
  ],
  [
    "fallback a list",
    { ...good, rules_fallback_email: "a@x.test, b@x.test" },
    "destination/invalid rules_fallback_email",
  ],
  [
    "fallback the word null",
    { ...good, rules_fallback_email: "null" },
    "destination/invalid rules_fallback_email",
  ],
  ["rules no array", { ...good, rules: {} }, "config/wrong-type rules"],
  ["rule no object", { ...good, rules: [null] }, "config/not-an-object rules[0]"],
  [
    "rule without type",
    withRule({ config: { forward: "m@x.test" } }),
    "config/missing-field rules[0].type",
  ],
  [
    "unknown rule type",
    withRule(rule("sieve", { forward: "m@x.test" })),
    "rule/unknown-type rules[0].type",
  ],
  [
    "prototype as rule type",
    withRule(rule("constructor", { forward: "m@x.test" })),
    "rule/unknown-type rules[0].type",
  ],
  ["rule without config", withRule({ type: "cel" }), "config/missing-field rules[0].config"],
  ["empty pattern", regex(""), "config/empty-field rules[0].config.regex"],
  [
    "missing forward",
    withRule(rule("alias", { alias: "a" })),
    "config/missing-field rules[0].config.forward",
  ],
  [
    "empty forward",
    withRule(rule("alias", { alias: "a", forward: " " })),
    "config/empty-field rules[0].config.forward",
  ],
  [
    "inherited forward",
    withRule(rule("alias", Object.assign(Object.create({ forward: "m@x.test" }), { alias: "a" }))),
    "config/missing-field rules[0].config.forward",
  ],
  [
    "no scopes",
    withRule(rule("regex", { regex: "a", scopes: [], forward: "m@x.test" })),
    "rule/no-scopes rules[0].config.scopes",
  ],
  [
    "scopes missing",
    withRule(rule("regex", { regex: "a", forward: "m@x.test" })),
    "config/missing-field rules[0].config.scopes",
  ],
  [
    "bad scope",
    withRule(rule("regex", { regex: "a", scopes: ["subject", "header"], forward: "m@x.test" })),
    "rule/unknown-scope rules[0].config.scopes[1]",
  ],
  [
    "rank not finite",
    withRule(rule("alias", { alias: "a", forward: "m@x.test" }, { rank: Number.NaN })),
    "rule/rank-not-finite rules[0].rank",
  ],
  [
    "rank a string",
    withRule(rule("alias", { alias: "a", forward: "m@x.test" }, { rank: "1" })),
    "rule/rank-not-finite rules[0].rank",
  ],
  [
    "active no boolean",
    withRule(rule("alias", { alias: "a", forward: "m@x.test" }, { active: "yes" })),
    "config/wrong-type rules[0].active",
  ],
  [
    "id a number",
    withRule(rule("alias", { alias: "a", forward: "m@x.test" }, { id: 7 })),
    "config/wrong-type rules[0].id",
  ],
  [
    "created_at no time",
    withRule(rule("alias", { alias: "a", forward: "m@x.test" }, { created_at: "yesterday" })),
    "config/wrong-type rules[0].created_at",
  ],
  [
    "active an object without a text",
    withRule(rule("alias", { alias: "a", forward: "m@x.test" }, { active: { toString: 1 } })),
    "config/wrong-type rules[0].active",
  ],
  [
    "an id too long",
    withRule(rule("alias", { alias: "a", forward: "m@x.test" }, { id: "x".repeat(1_025) })),
    "config/too-long rules[0].id",
  ],
  [
    "created_at too long",
    withRule(
      rule(
        "alias",
        { alias: "a", forward: "m@x.test" },
        { created_at: `2026-01-01T00:00:00.${"0".repeat(1_024)}Z` },
      ),
    ),
    "config/too-long rules[0].created_at",
  ],
  ["pattern refused", regex("a(b"), "pattern/syntax rules[0].config.regex"],
  ["look-ahead", regex("ab(?=c)"), "pattern/unsupported rules[0].config.regex", "(?="],
  [
    "pattern too long",
    regex("a".repeat(LIMITS.patternUnitsMax + 1)),
    "pattern/too-long rules[0].config.regex",
  ],
  ["counted repeat", regex("xa{1001}"), "pattern/repeat-too-large rules[0].config.regex", "{1001}"],
  ["costly pattern", regex("(?:\\pL\\pN){100}"), "pattern/too-costly rules[0].config.regex"],
  [
    "deep pattern",
    regex(`${"(".repeat(60)}a${")".repeat(60)}`),
    "pattern/too-deep rules[0].config.regex",
  ],
  [
    "pattern alias refused",
    withAlias({ alias: "a(b", forward: "m@x.test" }),
    "pattern/syntax aliases[0].alias",
  ],
  [
    "alias with a domain",
    withAlias({ alias: "a@own.test", forward: "m@x.test" }),
    "alias/invalid aliases[0].alias",
    "@",
  ],
  [
    "alias rule with a domain",
    withRule(rule("alias", { alias: "a@own.test", forward: "m@x.test" })),
    "alias/invalid rules[0].config.alias",
    "@",
  ],
  [
    "alias too long",
    withAlias({ alias: "a".repeat(65), forward: "m@x.test" }),
    "alias/invalid aliases[0].alias",
  ],
  [
    "capture without group",
    withAlias({ alias: "a*", forward: "m@x.test,$1@x.test" }),
    "destination/unknown-capture aliases[0].forward",
    "$1@x.test",
  ],
  [
    "capture beyond the groups",
    regex("(a)", "$2@x.test"),
    "destination/unknown-capture rules[0].config.forward",
    "$2@x.test",
  ],
  [
    "capture in a webhook's host",
    regex("(a)", "https://$1.test/"),
    "destination/invalid rules[0].config.forward",
  ],
  [
    "forward to own domain",
    regex("a", "m@x.test, b@Own.Test"),
    "destination/own-domain rules[0].config.forward",
    "b@Own.Test",
  ],
  [
    "null beside others",
    regex("a", "null, m@x.test"),
    "destination/null-not-alone rules[0].config.forward",
    "null",
  ],
  ["empty destination", regex("a", "m@x.test,"), "destination/invalid rules[0].config.forward"],
  [
    "webhook no URL",
    regex("a", "https://"),
    "destination/invalid rules[0].config.forward",
    "https://",
  ],
  [
    "webhook of another scheme",
    regex("a", "ftp://x.test/"),
    "destination/invalid rules[0].config.forward",
    "ftp://x.test/",
  ],
  [
    "too many destinations",
    regex("a", Array(101).fill("m@x.test").join()),
    "config/too-many rules[0].config.forward",
  ],
  ["expression that does not parse", cel("subject =="), "cel/syntax rules[0].config.expression"],
  ["expression not bool", cel("size(subject)"), "cel/not-bool rules[0].config.expression"],
  [
    "unknown variable",
    cel('subjet == "a"'),
    "cel/unknown-identifier rules[0].config.expression",
    "subjet",
  ],
  [
    "unknown function",
    cel("subject.contians('a')"),
    "cel/unknown-function rules[0].config.expression",
  ],
  ["types that do not meet", cel("subject == 1"), "cel/type rules[0].config.expression"],
  [
    "bad pattern in matches",
    cel('subject.matches("a(")'),
    "pattern/syntax rules[0].config.expression",
  ],
  [
    "expression too long",
    cel(`subject == "${"a".repeat(LIMITS.celUnitsMax)}"`),
    "cel/too-long rules[0].config.expression",
  ],
];

describe("each mistake has its own diagnostic", () => {
  test.each(TABLE)("%s", (_, config, wanted, under) => {
    const found = diagnose(config);
    expect(found.map(({ code, path }) => `${code} ${formatPath(path)}`)).toEqual([wanted]);
    const [{ message, span, path }] = found as [Diagnostic];
    expect(message).toMatch(/^[^\n]+[^.\n]$/);
    if (under === undefined) return;
    const text = path.reduce<unknown>((value, step) => (value as never)[step], config) as string;
    expect(text.slice(span?.start, span?.end)).toBe(under);
  });
});

test("all mistakes are reported at once, ordered by path, then span", () => {
  const found = diagnose({
    domain: "own.test",
    routing_engine: "both",
    rules: [
      rule("regex", { regex: "(", scopes: ["x", "y"], forward: "a,m@x.test,b" }),
      rule("cel", { expression: "1", forward: "" }),
    ],
    aliases: [
      { id: "1", alias: "a", forward: "m@x.test" },
      { id: "2", alias: "A", forward: "q" },
    ],
  });
  expect(found.map(({ code, path }) => `${formatPath(path)} ${code}`)).toEqual([
    "aliases[1].alias alias/duplicate",
    "aliases[1].forward destination/invalid",
    "routing_engine domain/unknown-routing-engine",
    "rules[0].config.forward destination/invalid",
    "rules[0].config.forward destination/invalid",
    "rules[0].config.regex pattern/syntax",
    "rules[0].config.scopes[0] rule/unknown-scope",
    "rules[0].config.scopes[1] rule/unknown-scope",
    "rules[1].config.expression cel/not-bool",
    "rules[1].config.forward config/empty-field",
  ]);
});

test("duplicate ids and aliases name the entry that came first", () => {
  const entry = rule("alias", { alias: "a", forward: "m@x.test" }, { id: "one" });
  const [duplicate] = diagnose({ ...good, rules: [entry, entry] });
  expect(duplicate).toMatchObject({ code: "rule/duplicate-id", path: ["rules", 1, "id"] });
  expect(duplicate?.message).toContain("`rules[0]`");
  const second = rule("alias", { alias: "b", forward: "m@x.test" });
  const taken = diagnose({ ...good, rules: [7, { ...entry, id: "rules[2]" }, second] });
  expect(taken[1]).toEqual({
    code: "rule/duplicate-id",
    message: "`rules[2]` is already the id of `rules[1]`: give another",
    path: ["rules", 2, "id"],
  });
  const twice = ["a", "b"].map((alias) => ({ id: "one", alias, forward: "m@x.test" }));
  expect(diagnose({ ...good, aliases: twice })).toEqual([
    {
      code: "alias/duplicate-id",
      message: "`one` is already the id of `aliases[0]`: give another",
      path: ["aliases", 1, "id"],
    },
  ]);
  const patterns = ["(\\d)", "(\\D)"].map((alias) => ({ alias, forward: "m@x.test" }));
  expect(diagnose({ ...good, aliases: patterns })).toEqual([]);
});

test("what the API returns goes straight in, however it is merged", () => {
  const domain = {
    domain: "Own.Test",
    routing_engine: "alias",
    banned: false,
    created_at: "2026-01-01T00:00:00Z",
  };
  const aliases = [
    {
      id: "1",
      alias: "*",
      forward: "m@x.test",
      created_at: "2026-01-01T00:00:00Z",
      updated_at: "2026-01-01T00:00:00Z",
    },
  ];
  for (const config of [
    { ...domain, aliases },
    { domain, aliases, limit: 20, page: 1, total: 1 },
  ]) {
    const result = compileDomain(config);
    expect(result).toMatchObject({ ok: true, domain: { name: "own.test", engine: "alias" } });
  }
});

test("a diagnostic is drawn with its line and carets", () => {
  const config = cel('size > 100 &&\n  subjet == "é"');
  const [diagnostic] = diagnose(config);
  expect(renderDiagnostic(diagnostic!, config).split("\n").slice(1)).toEqual([
    '      subjet == "é"',
    "      ^^^^^^",
  ]);
  expect(renderDiagnostic(diagnostic!, config)).toMatch(
    /^error\[cel\/unknown-identifier\] rules\[0\]\.config\.expression:2:3: /,
  );
});

test("an option that is not known is refused", () => {
  expect(() => compileDomain(good, { patternEngin: 1 } as never)).toThrow(
    /`patternEngin`.*`patternEngine`/,
  );
});
