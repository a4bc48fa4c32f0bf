/** What the engine decides where the texts leave it open: each assumption under its key, and what is documented publicly. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { compileDomain } from "../../../src/engine/routing/compile-domain.ts";
import { explain } from "../../../src/engine/routing/explain.ts";
import type { Decision, Resolution } from "../../../src/engine/routing/resolution.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";

const FACTS: Facts = {
  recipient: "info@own.test",
  sender: "ann@x.test",
  subject: "Invoice 42",
  body: "Dear Bob",
  headers: new Map([["list-id", ["<news.x.test>"]]]),
  attachments: [{ filename: "a.pdf", contentType: "application/pdf", size: 9 }],
  size: 1_000,
};

interface Entry {
  readonly [field: string]: unknown;
}

function domainOf(
  config: object,
): NonNullable<Extract<ReturnType<typeof compileDomain>, { ok: true }>["domain"]> {
  const result = compileDomain({ domain: "own.test", rules_fallback_email: null, ...config });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.domain;
}

const byAliases = (aliases: readonly Entry[], facts: Facts): Resolution =>
  resolve(domainOf({ routing_engine: "alias", aliases }), facts);
const rulesDomain = (rules: readonly Entry[], more: object = {}): ReturnType<typeof domainOf> =>
  domainOf({ routing_engine: "rules", rules, ...more });
const byRules = (rules: readonly Entry[], facts: Facts = FACTS): Resolution =>
  resolve(rulesDomain(rules), facts);

const regex = (pattern: string, scopes: readonly string[], forward = "m@x.test"): Entry => ({
  type: "regex",
  config: { regex: pattern, scopes, forward },
});
const cel = (expression: string, forward = "m@x.test"): Entry => ({
  type: "cel",
  config: { expression, forward },
});
const alias = (name: string, forward = "m@x.test"): Entry => ({ alias: name, forward });
const aliasRule = (name: string, forward = "m@x.test"): Entry => ({
  type: "alias",
  config: alias(name, forward),
});

function permutations<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((first, nth) =>
    permutations(items.toSpliced(nth, 1)).map((rest) => [first, ...rest]),
  );
}

function sentTo(resolution: Resolution): string[] | string {
  if (resolution.verdict !== "decided") return `needs ${resolution.needs}`;
  if (resolution.action !== "forward") return resolution.action;
  return resolution.destinations.map((each) => (each.kind === "mailbox" ? each.address : each.url));
}

function deciderOf(resolution: Resolution): string | undefined {
  return (resolution as Decision).decidedBy?.id;
}

describe("aliases", () => {
  const to = (localPart: string): Facts => ({ recipient: `${localPart}@own.test` });

  test("alias-pattern-form: only ^ $ ( ) [ ] { } | ? \\ make a pattern", () => {
    expect(sentTo(byAliases([alias("a.b")], to("axb")))).toBe("reject");
    expect(sentTo(byAliases([alias("a+b")], to("a+b")))).toEqual(["m@x.test"]);
    expect(sentTo(byAliases([alias("a+b")], to("aab")))).toBe("reject");
    expect(sentTo(byAliases([alias("a.*")], to("a.x")))).toEqual(["m@x.test"]);
    expect(sentTo(byAliases([alias("a.*")], to("abx")))).toBe("reject");
    expect(sentTo(byAliases([alias("a[bc]")], to("ac")))).toEqual(["m@x.test"]);
    expect(sentTo(byAliases([alias("a[bc]")], to("xac")))).toBe("reject");
  });

  test("alias-literal-length: the longest stretch without metacharacters is tried first", () => {
    const aliases = [
      alias("s*-*-x", "1@x.test"),
      alias("(sal)es.*", "2@x.test"),
      alias("*sales*", "3@x.test"),
    ];
    expect(sentTo(byAliases(aliases, to("sales-eu-x")))).toEqual(["3@x.test"]);
    expect(sentTo(byAliases(aliases.slice(0, 2), to("sales-eu-x")))).toEqual(["2@x.test"]);
  });

  test("alias-ties: literals of one length are tried by created_at, then id", () => {
    const tied = [
      { id: "b", created_at: "2026-02-01T00:00:00Z", ...alias("ab*", "1@x.test") },
      { id: "c", created_at: "2026-01-01T00:00:00Z", ...alias("*bc", "2@x.test") },
      { id: "a", created_at: "2026-02-01T00:00:00Z", ...alias("a*c*c", "3@x.test") },
    ];
    expect(deciderOf(byAliases(tied, to("abc")))).toBe("c");
    expect(deciderOf(byAliases([{ ...alias("abx*") }, ...tied.slice(0, 1)], to("abx")))).toBe(
      "aliases[0]",
    );
    const sameTime = tied.map((each) => ({ ...each, created_at: "2026-01-01T00:00:00Z" }));
    expect(deciderOf(byAliases(sameTime.slice(0, 2), to("abc")))).toBe("b");
  });

  test("detail-kept: the detail is added at hosts that take it, unless the destination has one or would grow too long", () => {
    const forward =
      "me@gmail.com, me+own@gmail.com, me@x.test, https://hook.test/, ME@Fastmail.COM";
    expect(sentTo(byAliases([alias("info", forward)], to("Info+Shop")))).toEqual([
      "me+shop@gmail.com",
      "me+own@gmail.com",
      "me@x.test",
      "https://hook.test/",
      "ME+shop@fastmail.com",
    ]);
    const long = "d".repeat(62);
    expect(sentTo(byAliases([alias("a", "me@gmail.com")], to(`a+${long}`)))).toEqual([
      "me@gmail.com",
    ]);
  });

  test("destination-spelling: the local part as written but for needless quotes, the domain in lower case as A-labels", () => {
    expect(sentTo(byAliases([alias("info", "Ann.B@BÜCHER.example")], FACTS))).toEqual([
      "Ann.B@xn--bcher-kva.example",
    ]);
    const quoted = '"Ok"@x.test, "a b"@x.test, ok@x.test';
    expect(sentTo(byAliases([alias("info", quoted)], FACTS))).toEqual([
      "Ok@x.test",
      '"a b"@x.test',
    ]);
  });

  test("address-marks: an alias and a recipient match in NFC and NFD; a pattern is tried on NFC", () => {
    const [nfc, nfd] = ["jos\u00e9", "jose\u0301"];
    for (const name of [nfc, nfd, `${nfc}*`, `*${nfd}`]) {
      for (const local of [nfc, nfd, nfd.toUpperCase()]) {
        expect(sentTo(byAliases([alias(name)], to(local)))).toEqual(["m@x.test"]);
        expect(sentTo(byRules([aliasRule(name)], to(local)))).toEqual(["m@x.test"]);
      }
    }
    const pattern = alias("^jos.$");
    for (const local of [nfc, nfd]) {
      expect(sentTo(byAliases([pattern], to(local)))).toEqual(["m@x.test"]);
    }
    const twice = { routing_engine: "alias", aliases: [alias(nfc), alias(nfd)] };
    expect(() => domainOf(twice)).toThrow("alias/duplicate");
  });

  test("destination-duplicates: once, at the first place", () => {
    const forward =
      "a@x.test, b@x.test, A@X.test, https://h.test/a, https://h.test/a, https://h.test/A";
    expect(sentTo(byAliases([alias("info", forward)], FACTS))).toEqual([
      "a@x.test",
      "b@x.test",
      "https://h.test/a",
      "https://h.test/A",
    ]);
    const folded = [alias("(.+)-(.+)", "$1@x.test, $2@x.test")];
    expect(sentTo(byAliases(folded, to("ann-ann")))).toEqual(["ann@x.test"]);
  });

  test("recipient-domain: the local part alone is compared", () => {
    expect(sentTo(byAliases([alias("info")], { recipient: "info@elsewhere.test" }))).toEqual([
      "m@x.test",
    ]);
    expect(sentTo(byAliases([alias("info")], { recipient: "info" }))).toEqual(["m@x.test"]);
  });

  test("routing-disabled-reply: 550 5.7.1, whatever the facts", () => {
    const resolution = resolve(domainOf({ routing_engine: null, aliases: [alias("*")] }), {});
    expect(resolution).toMatchObject({
      action: "reject",
      reason: "routing-disabled",
      reply: { code: 550, enhanced: "5.7.1" },
    });
  });
});

describe("rules", () => {
  test("next-rank: a rule without rank comes after those before it", () => {
    const rules = [
      { id: "a", rank: 2.5, ...aliasRule("nobody") },
      { id: "b", ...aliasRule("*") },
      { id: "c", rank: 3, ...aliasRule("*") },
    ];
    expect(deciderOf(byRules(rules))).toBe("c");
    expect(rulesDomain(rules).rules.map(({ id, rank }) => [id, rank])).toEqual([
      ["a", 2.5],
      ["c", 3],
      ["b", 3.5],
    ]);
  });

  test("rank-ties: created_at, then id; without created_at last", () => {
    const tied = [
      { id: "d", rank: 1, ...aliasRule("*") },
      { id: "c", rank: 1, created_at: "2026-01-02T00:00:00Z", ...aliasRule("*") },
      { id: "b", rank: 1, created_at: "2026-01-01T12:00:00+02:00", ...aliasRule("*") },
      { id: "a", rank: 1, created_at: "2026-01-01T10:00:00Z", ...aliasRule("*") },
    ];
    const ids = ["a", "b", "c", "d"];
    for (const order of permutations(tied)) {
      expect(rulesDomain(order).rules.map(({ id }) => id)).toEqual(ids);
    }
  });

  test("alias-rule-forms: literal, subaddress, wildcard, pattern and *, with rank alone between them", () => {
    const facts = { recipient: "Sales+EU@own.test" };
    expect(sentTo(byRules([aliasRule("sales", "me@gmail.com")], facts))).toEqual([
      "me+eu@gmail.com",
    ]);
    expect(sentTo(byRules([aliasRule("sa*eu", "me@gmail.com")], facts))).toEqual(["me@gmail.com"]);
    expect(sentTo(byRules([aliasRule("(s.*)\\+(.*)", "$1-$2@x.test")], facts))).toEqual([
      "sales-eu@x.test",
    ]);
    expect(
      deciderOf(
        byRules(
          [
            { id: "any", ...aliasRule("*") },
            { id: "exact", ...aliasRule("sales+eu") },
          ],
          facts,
        ),
      ),
    ).toBe("any");
  });

  test("regex-any-scope: one listed scope suffices, and others do not count", () => {
    expect(sentTo(byRules([regex("Bob", ["subject", "body"])]))).toEqual(["m@x.test"]);
    expect(sentTo(byRules([regex("Bob", ["subject", "sender"])]))).toBe("discard");
    expect(sentTo(byRules([regex("bob", ["body"])]))).toBe("discard");
  });

  test("scope-order: captures come from recipient, sender, subject, body, whatever order is listed", () => {
    const rule = regex("([a-z]+)[ @]", ["body", "subject", "sender", "recipient"], "$1@to.test");
    expect(sentTo(byRules([rule]))).toEqual(["info@to.test"]);
    expect(sentTo(byRules([rule], { ...FACTS, recipient: "1@own.test" }))).toEqual(["ann@to.test"]);
    expect(sentTo(byRules([rule], { recipient: "1@own.test", subject: "word x" }))).toBe(
      "needs header",
    );
  });

  test("captures: $1 to $9, $10 is $1 and 0, a group that took no part is empty", () => {
    const rule = regex(
      "(I)(n)(v)(o)(i)(c)(e)( )(4)(2)|(never)",
      ["subject"],
      "$9$10-$3@x.test, https://h.test/$8?b=$9",
    );
    expect(sentTo(byRules([rule]))).toEqual(["4I0-v@x.test", "https://h.test/%20?b=4"]);
    expect(sentTo(byRules([regex("(x)?Invoice", ["subject"], "a$1b@x.test")]))).toEqual([
      "ab@x.test",
    ]);
  });

  test("capture-no-destination: the rule fails and says why, the next goes on", () => {
    const rules = [
      { id: "list", ...regex("(.*)", ["body"], "$1@x.test") },
      { id: "own", ...regex("@(x)", ["sender"], "m@$1.test, n@$1.test") },
      { id: "next", ...aliasRule("*") },
    ];
    const facts = { ...FACTS, body: "a@evil.test, b", sender: "ann@x.test" };
    const { resolution, trace } = explain(
      domainOf({
        domain: "x.test",
        routing_engine: "rules",
        rules: rules
          .with(0, { id: "list", ...regex("(.*)", ["body"], "$1@y.test") })
          .with(2, { id: "next", ...aliasRule("*", "z@y.test") }),
      }),
      facts,
    );
    expect(deciderOf(resolution)).toBe("next");
    expect(trace.map(({ verdict }) => verdict)).toEqual(["failed", "failed", "matched"]);
    expect(trace[1]).toMatchObject({ failure: expect.stringContaining("loop") });
  });

  test("rule-failure: an error in CEL is a failed rule, not a match, and not the end", () => {
    const rules = [
      { id: "a", ...cel('headers["none"][0] == "x"') },
      { id: "b", ...cel("1 / (size - size) > 0") },
      { id: "c", ...aliasRule("*") },
    ];
    const { resolution, trace } = explain(rulesDomain(rules), FACTS);
    expect(deciderOf(resolution)).toBe("c");
    expect(trace.slice(0, 2)).toMatchObject([
      {
        verdict: "failed",
        failure: expect.any(String),
        failureSpan: { start: expect.any(Number) },
      },
      { verdict: "failed" },
    ]);
  });

  test("address-case: rules see addresses in lower case with A-labels and no needless quotes, other facts as they are", () => {
    const facts = { ...FACTS, sender: "Ann@BÜCHER.Example", recipient: "INFO@Own.Test" };
    expect(
      sentTo(
        byRules(
          [cel('sender == "ann@xn--bcher-kva.example" && recipient == "info@own.test"')],
          facts,
        ),
      ),
    ).toEqual(["m@x.test"]);
    expect(sentTo(byRules([regex("^Ann", ["sender"])], facts))).toBe("discard");
    const quoted = { ...FACTS, sender: '"Ann"@x.test', recipient: '"info+a"@own.test' };
    expect(sentTo(byAliases([alias("info")], quoted))).toEqual(["m@x.test"]);
    expect(sentTo(byRules([aliasRule("info")], quoted))).toEqual(["m@x.test"]);
    expect(sentTo(byRules([regex("^ann@", ["sender"])], quoted))).toEqual(["m@x.test"]);
    expect(sentTo(byRules([regex("Invoice", ["subject"])], facts))).toEqual(["m@x.test"]);
  });

  test("a fact longer than the limit is cut there", () => {
    const body = `${"x".repeat(LIMITS.factUnitsMax)}needle`;
    expect(sentTo(byRules([regex("needle", ["body"])], { ...FACTS, body }))).toBe("discard");
    expect(sentTo(byRules([regex("needle", ["body"])], { ...FACTS, body: body.slice(7) }))).toEqual(
      ["m@x.test"],
    );
  });

  test("so is an address, which many patterns of aliases may look at", () => {
    const end = "needle";
    const sender = "x".repeat(LIMITS.addressUnitsMax - end.length) + end;
    const rules = [regex(end, ["sender"])];
    expect(sentTo(byRules(rules, { ...FACTS, sender }))).toEqual(["m@x.test"]);
    expect(sentTo(byRules(rules, { ...FACTS, sender: `x${sender}` }))).toBe("discard");
  });

  test("cel-variables: headers by lower-case name, attachments by field, size in octets", () => {
    const expression =
      'headers["list-id"][0].contains("news") && attachments[0].filename == "a.pdf" && attachments[0].contentType.endsWith("/pdf") && attachments[0].size == 9 && size == 1000';
    expect(sentTo(byRules([cel(expression)]))).toEqual(["m@x.test"]);
    expect(sentTo(byRules([cel('"List-Id" in headers')]))).toBe("discard");
  });

  test("null discards, a fallback takes what no rule matches, and its absence discards", () => {
    expect(byRules([{ id: "spam", ...aliasRule("*", "null") }])).toMatchObject({
      action: "discard",
      reason: "rule",
      decidedBy: { id: "spam" },
    });
    const fallback = resolve(rulesDomain([], { rules_fallback_email: "f@x.test" }), FACTS);
    expect(fallback).toMatchObject({ action: "forward", reason: "fallback", decidedBy: null });
    expect(byRules([])).toMatchObject({ action: "discard", reason: "no-match" });
  });
});

describe("unknown facts", () => {
  const rules = [
    { id: "to", ...aliasRule("direct") },
    { id: "subject", ...regex("Invoice", ["subject"]) },
    { id: "both", ...cel('subject.contains("x") && body.contains("Bob")') },
    { id: "body", ...regex("Bob", ["body", "sender"]) },
  ];
  const domain = rulesDomain(rules);

  test("what the envelope decides is decided there", () => {
    expect(deciderOf(resolve(domain, { recipient: "direct@own.test" }))).toBe("to");
    expect(sentTo(resolve(domain, {}))).toBe("needs envelope");
    expect(sentTo(resolve(domain, { recipient: "a@own.test" }))).toBe("needs header");
  });

  test("an expression that is false already does not wait for the body", () => {
    const header = { recipient: "a@own.test", sender: "s@x.test", subject: "hello" };
    expect(sentTo(resolve(domain, header))).toBe("needs body");
    expect(explain(domain, header).trace.map(({ verdict }) => verdict)).toEqual([
      "missed",
      "missed",
      "missed",
      "undecided",
    ]);
    expect(explain(domain, { ...header, sender: "Bobby@x.test" }).resolution).toMatchObject({
      verdict: "undecided",
    });
    expect(deciderOf(resolve(domain, { ...header, body: "to Bob" }))).toBe("body");
  });
});
