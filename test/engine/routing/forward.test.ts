/** Destinations: what is refused and how, and what captures and details make of them. */
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/base/diagnostic.ts";
import { LIMITS } from "../../../src/base/limits.ts";
import { compileDomain } from "../../../src/engine/routing/compile-domain.ts";
import type { Explanation } from "../../../src/engine/routing/explain.ts";
import { explain } from "../../../src/engine/routing/explain.ts";

const compile = (alias: string, forward: string): ReturnType<typeof compileDomain> =>
  compileDomain({ domain: "own.test", routing_engine: "alias", aliases: [{ alias, forward }] });

/** Diagnostics of the forward of an alias that has two groups. */
function refused(forward: string): readonly Diagnostic[] {
  const result = compile("(a)(b)", forward);
  return result.ok ? [] : result.diagnostics;
}

function explained(alias: string, forward: string, localPart: string): Explanation {
  const result = compile(alias, forward);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return explain(result.domain, { recipient: `${localPart}@own.test` });
}

/** Where a message to `localPart` goes, or why the forward cannot be filled. */
function sent(alias: string, forward: string, localPart: string): readonly string[] | string {
  const { resolution, trace } = explained(alias, forward, localPart);
  const [entry] = trace;
  if (entry?.verdict === "failed") return entry.failure ?? "";
  if (resolution.verdict !== "decided") return resolution.verdict;
  return resolution.destinations.map((to) => (to.kind === "mailbox" ? to.address : to.url));
}

/** The same, for a subject that a rule captures whole. */
function sentBySubject(forward: string, subject: string): readonly string[] | string {
  const rules = [
    { type: "regex", config: { regex: "(?s)^(.*)$", scopes: ["subject"], forward } },
  ] as const;
  const result = compileDomain({ domain: "own.test", routing_engine: "rules", rules });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  const { resolution, trace } = explain(result.domain, { subject });
  const [entry] = trace;
  if (entry?.verdict === "failed") return entry.failure ?? "";
  if (resolution.verdict !== "decided") return resolution.verdict;
  return resolution.destinations.map((to) => (to.kind === "mailbox" ? to.address : to.url));
}

const notUrl = "is not a URL: write it as `https://host/path`";
const neither = "is neither a mailbox nor a webhook: write `user@domain` or `https://…`";

describe("a destination that is refused", () => {
  test.each<[forward: string, message: string]>([
    ["https:/x.test/a", `\`https:/x.test/a\` ${notUrl}`],
    ["https:///x.test", `\`https:///x.test\` ${notUrl}`],
    ["https://?a", `\`https://?a\` ${notUrl}`],
    ["https://x.test/a b", `\`https://x.test/a b\` ${notUrl}`],
    ["https://x.test:99999/", `\`https://x.test:99999/\` ${notUrl}`],
    ["HTTP:x", `\`HTTP:x\` ${notUrl}`],
    ["nohttp://x.test/", `\`nohttp://x.test/\` ${neither}`],
    ["ftp://x.test/", `\`ftp://x.test/\` ${neither}`],
    ["", "empty destination: remove the comma"],
    ["nobody", `\`nobody\` ${neither}`],
    ["two words", `\`two words\` ${neither}`],
    ["@gmail", `\`@gmail\` ${neither}`],
    ["a@b_c", `\`a@b_c\` ${neither}`],
    ["a@_bc", `\`a@_bc\` ${neither}`],
    ["a@x.test;", `\`a@x.test;\` ${neither}`],
    ["a@x.test;nobody", `\`a@x.test;nobody\` ${neither}`],
    [
      "a@x.test;https://h.test/",
      "`a@x.test;https://h.test/` has a semicolon: write `a@x.test, https://h.test/`",
    ],
    ["a@x.test; b@x.test", "`a@x.test; b@x.test` has a semicolon: write `a@x.test, b@x.test`"],
    ["<a@x.test>", "`<a@x.test>` has a name beside the address: write `a@x.test`"],
    ["Ann < a@x.test >", "`Ann < a@x.test >` has a name beside the address: write `a@x.test`"],
    ["MAILTO:a@x.test", "`MAILTO:a@x.test` is a link: write `a@x.test`"],
    ["see mailto:a@x.test", `\`see mailto:a@x.test\` ${neither}`],
    ["Ann <a@x.test> Lee", `\`Ann <a@x.test> Lee\` ${neither}`],
    ["Ann <nobody>", `\`Ann <nobody>\` ${neither}`],
    [
      "h.x.test:80/in",
      "`h.x.test:80/in` is neither a mailbox nor a webhook: write `https://h.x.test:80/in`",
    ],
    ["h.x.test", "`h.x.test` is neither a mailbox nor a webhook: write `https://h.x.test`"],
    ["h.x.test!", `\`h.x.test!\` ${neither}`],
    ["!h.x.test", `\`!h.x.test\` ${neither}`],
    ["a@gmial", "`a@gmial` has a domain without a dot: did you mean `a@gmail.com`?"],
    ["a@Home", "`a@Home` has a domain without a dot: write it in full, as in `a@Home.example`"],
    [
      "a@OWN.test",
      "`a@OWN.test` is at this domain, which would send the message round in a loop: name a mailbox elsewhere",
    ],
    ["$3@x.test", "`$3` names a group that the pattern does not have: it has 2"],
    [
      "https://$1.test/",
      "a capture cannot be in the host of `https://$1.test/`: put it in the path or the query",
    ],
    [
      "https://$1/",
      "a capture cannot be in the host of `https://$1/`: put it in the path or the query",
    ],
    [
      "HTTP://u:$1@h.test/",
      "a capture cannot be in the host of `HTTP://u:$1@h.test/`: put it in the path or the query",
    ],
    [
      "https:$1.test/",
      "a capture cannot be in the host of `https:$1.test/`: put it in the path or the query",
    ],
    [
      "https://256.1.1.$1/",
      "a capture cannot be in the host of `https://256.1.1.$1/`: put it in the path or the query",
    ],
    [
      "https://\\/$1/",
      `a capture cannot be in the host of \`https://\\/$1/\`: put it in the path or the query`,
    ],
    ["https://\\x.test/", `\`https://\\x.test/\` ${notUrl}`],
    ["https://x.test/a\u0000", `\`https://x.test/a·\` ${notUrl}`],
    ["https://$1:99999/", `\`https://$1:99999/\` ${notUrl}`],
    ["$1", `\`$1\` ${neither}`],
    ["a@$1", `\`a@$1\` ${neither}`],
  ])("%s", (forward, message) => {
    const [only, ...more] = refused(`m@x.test,${forward}`);
    expect(only?.message).toEqual(message);
    expect(more).toEqual([]);
  });

  test("is shown up to a bound", () => {
    expect(refused("x".repeat(80))[0]?.message).toBe(`\`${"x".repeat(80)}\` ${neither}`);
    expect(refused("x".repeat(81))[0]?.message).toBe(`\`${"x".repeat(80)}…\` ${neither}`);
  });

  test("has its place in the list", () => {
    const spans = (forward: string) => refused(forward).map(({ span }) => span);
    expect(spans(" bad ,m@x.test,  worse")).toEqual([
      { start: 1, end: 4 },
      { start: 17, end: 22 },
    ]);
    expect(spans("m@x.test,,b@x.test")).toEqual([{ start: 9, end: 10 }]);
    expect(spans("m@x.test,")).toEqual([{ start: 8, end: 9 }]);
    expect(spans("m@x.test, ")).toEqual([{ start: 9, end: 10 }]);
  });

  test("may be a group where there is none", () => {
    const result = compile("a*", "$1@x.test");
    expect(result).toMatchObject({
      diagnostics: [
        {
          message:
            "`$1` has no group to be filled from: only a pattern with groups, `(…)`, captures",
        },
      ],
    });
  });

  test("may be the word `null` beside others, each time", () => {
    const message = "`null` discards the message and cannot be combined with other destinations";
    expect(refused("null, m@x.test, NULL").map((each) => each.message)).toEqual([message, message]);
    expect(sent("a", " Null ", "a")).toEqual([]);
  });

  test("may be one too many", () => {
    const most = LIMITS.destinationsMax;
    const list = (count: number): string => Array(count).fill("m@x.test").join();
    expect(refused(list(most))).toEqual([]);
    expect(refused(list(most + 1)).map(({ message }) => message)).toEqual([
      `${most + 1} destinations: at most ${most} can be in one forward`,
    ]);
  });

  test("may be too long a URL", () => {
    const most = LIMITS.webhookUnitsMax;
    const url = (units: number): string => "https://x.test/".padEnd(units, "a");
    expect(refused(url(most))).toEqual([]);
    expect(refused(url(most + 1)).map(({ message }) => message)).toEqual([
      `webhook is longer than ${most} characters: shorten it`,
    ]);
  });
});

describe("captures", () => {
  test("fill an address at a host that takes details, without one", () => {
    expect(sent("(a+)(b)", "$1@gmail.com", "aab")).toEqual(["aa@gmail.com"]);
  });

  test("are refused where an expression has no groups", () => {
    const rules = [{ type: "cel", config: { expression: "true", forward: "$1@x.test" } }] as const;
    const result = compileDomain({ domain: "own.test", routing_engine: "rules", rules });
    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      { code: "destination/unknown-capture", message: expect.stringContaining("has no group") },
    ]);
  });

  test("fill local parts, domains, paths, queries and fragments", () => {
    const forward =
      "$1@X.test, m@$2.test, HTTPS://h.test/$1, https://h.test?$2, http://h.test#$2$1";
    expect(sent("(a.)(b.*)", forward, "axby")).toEqual([
      "ax@x.test",
      "m@by.test",
      "HTTPS://h.test/ax",
      "https://h.test?by",
      "http://h.test#byax",
    ]);
  });

  test.each([
    ["https://h.test/$1", ".."],
    ["https://h.test/$1/b", "."],
    ["https://h.test/.$1", "."],
    ["https://h.test/%2E$1/b", "."],
    ["https://h.test/a\\$1", ".."],
    ["https://h.test/../$1?b", ".."],
  ])("cannot make a segment of dots: %s with %s", (url, subject) => {
    const filled = url.replace("$1", subject);
    expect(sentBySubject(url, subject)).toBe(
      `\`${filled}\` would lead to another path: captured dots cannot be a segment`,
    );
  });

  test.each([
    ["https://h.test/$1", "..."],
    ["https://h.test/$1", "a."],
    ["https://h.test/$1", ".a"],
    ["https://h.test/../$1", "a"],
    ["https://h.test/?a=/$1/", ".."],
    ["https://h.test/#/$1", "."],
  ])("may have dots elsewhere: %s with %s", (url, subject) => {
    expect(sentBySubject(url, subject)).toEqual([url.replace("$1", subject)]);
  });

  test("cannot make a destination too long", () => {
    const start = "https://h.test/";
    const units = LIMITS.webhookUnitsMax - start.length;
    const fits = "a".repeat(units);
    expect(sentBySubject(`${start}$1`, fits)).toEqual([start + fits]);
    expect(sentBySubject(`${start}$1`, `${fits}a`)).toBe(
      `\`${start}$1\` is too long with what was captured`,
    );
    expect(sentBySubject(`${start}$1`, fits.replace("a", "é"))).toBe(
      `webhook is longer than ${LIMITS.webhookUnitsMax} characters: shorten it`,
    );
    expect(sentBySubject("$1@x.test", "a".repeat(400))).toBe(
      "`$1@x.test` is too long with what was captured",
    );
  });
});

describe("a detail", () => {
  test("that is empty adds nothing", () => {
    expect(sent("info", "me@gmail.com", "info+")).toEqual(["me@gmail.com"]);
    expect(sent("info", "me@gmail.com", "info+a")).toEqual(["me+a@gmail.com"]);
  });

  test("may make two destinations one", () => {
    expect(sent("info", "me@gmail.com, me+a@gmail.com", "info+a")).toEqual(["me+a@gmail.com"]);
  });

  test("costs more the longer it is, and for each destination; without one nothing is filled", () => {
    const fuelOf = (forward: string, localPart: string): number =>
      explained("info", forward, localPart).fuel;
    const one = fuelOf("me@gmail.com", "info+a");
    expect(fuelOf("me@gmail.com", "info")).toBe(0);
    expect(fuelOf("me@gmail.com", "info+aaaa")).toBeGreaterThan(one);
    expect(fuelOf("memo@gmail.com", "info+a")).toBeGreaterThan(one);
    expect(fuelOf("me@gmail.com, we@gmail.com", "info+a")).toBe(2 * one);
  });
});
