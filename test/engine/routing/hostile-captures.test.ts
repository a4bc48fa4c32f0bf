/** Whatever a sender writes, a filled forward keeps what its author wrote: the kind, the host or domain, and the number of destinations. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Guard } from "../../../src/base/guard.ts";
import { parseAddrSpec, splitAddress } from "../../../src/engine/facts/address.ts";
import { compileDomain } from "../../../src/engine/routing/compile-domain.ts";
import { explain } from "../../../src/engine/routing/explain.ts";
import { compileForward, fillForward } from "../../../src/engine/routing/forward.ts";
import type { Destination } from "../../../src/engine/routing/resolution.ts";

function filled(template: string, captures: readonly string[]): readonly Destination[] {
  const forward = compileForward(template, 9, "own.test", ({ message }) => {
    throw new Error(message);
  })!;
  const result = fillForward(forward, { captures }, new Guard(100_000));
  return "failure" in result ? [] : result.destinations;
}

/** Mailbox templates, with the domain if the template has it. */
const MAILBOXES: readonly (readonly [template: string, domain: string | null])[] = [
  ["$1@mail.example", "mail.example"],
  ["http$1@Mail.example", "mail.example"],
  ["ht$1@mail.example", "mail.example"],
  ["h$1.x@mail.example", "mail.example"],
  ["$1+x@mail.example", "mail.example"],
  ["$1$2@mail.example", "mail.example"],
  ['"$1"@mail.example', "mail.example"],
  ['"$1 $2"@bücher.example', "xn--bcher-kva.example"],
  ["m@$1.example", null],
  ["$1@$2.example", null],
  ["$1@mail.example$2", null],
  ["$1@own.$2", null],
];
const WEBHOOKS: readonly string[] = [
  "https://h.example/$1",
  "https://u:p@h.example:8443/in/$1/$2/out",
  "HTTP://h.example?a=$1&b=$2",
  "https://h.example/a/$1?b=$2#$1",
  "https://h.example/.$1/%2$2/x",
  "https://bücher.example/a\\$1",
];

const piece = fc.oneof(
  fc.constantFrom(
    ..."@:/\\?#&=,;\"'<>()[] .%+$!|~\t\r\n\0\u007f\u0085\u00a0\u00ad\u2028\u3000\ud800\udc00",
    ..."＠：／．。，＂％ｈ０",
    ...[
      "http",
      "https",
      "https://",
      "s://",
      "tp://evil.example/",
      "//evil.example",
      "evil.example",
    ],
    ...[
      "a",
      "1",
      "2e",
      "%2e",
      "%2F",
      "..",
      "/../",
      ":8080",
      "u:p@",
      "xn--",
      "own",
      "test",
      ".test",
    ],
    ...["null", "$1", "😀", "mailto:", '"@evil.example', '"a@', "b@evil.example"],
  ),
  fc.string({ maxLength: 4, unit: "binary" }),
);
const capture = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
const captures = fc.tuple(capture, capture);

describe("a hostile capture", () => {
  test.each(MAILBOXES)("in `%s` leaves one mailbox, at its domain", (template, domain) => {
    fc.assert(
      fc.property(captures, (groups) => {
        const all = filled(template, groups);
        if (all.length === 0) return;
        expect(all).toEqual([{ kind: "mailbox", address: expect.any(String) }]);
        const { address } = all[0] as Extract<Destination, { kind: "mailbox" }>;
        expect(address.isWellFormed()).toBe(true);
        expect(parseAddrSpec(address)).not.toBeNull();
        expect(address).not.toMatch(/^https?:/i);
        const own = splitAddress(address).domain;
        expect(own).not.toBe("own.test");
        if (domain !== null) expect(own).toBe(domain);
        else if (template.endsWith(".example")) expect(own).toMatch(/\.example$/);
      }),
      { seed: 20261124, numRuns: 1_000 },
    );
  });

  test.each(WEBHOOKS)("in `%s` leaves one webhook, at its host and place", (template) => {
    const written = new URL(template);
    const steps = (path: string): number => path.split("/").length;
    fc.assert(
      fc.property(captures, (groups) => {
        const all = filled(template, groups);
        if (all.length === 0) return;
        expect(all).toEqual([{ kind: "webhook", url: expect.any(String) }]);
        const url = new URL((all[0] as Extract<Destination, { kind: "webhook" }>).url);
        for (const part of ["origin", "username", "password"] as const)
          expect(url[part]).toBe(written[part]);
        expect(steps(url.pathname)).toBe(steps(written.pathname));
        expect([...url.searchParams.keys()]).toEqual([...written.searchParams.keys()]);
        if (!template.includes("#")) expect(url.hash).toBe("");
      }),
      { seed: 20261124, numRuns: 1_000 },
    );
  });

  test("does not fail honest mail", () => {
    expect(filled("$1@mail.example", ["ann"])).toHaveLength(1);
    expect(filled('"$1 $2"@bücher.example', ["http://a, b", "@c"])).toEqual([
      { kind: "mailbox", address: '"http://a, b @c"@xn--bcher-kva.example' },
    ]);
    expect(filled("$1@$2.example", ["http", "https"])).toHaveLength(1);
    for (const template of WEBHOOKS) {
      expect([template, filled(template, ["a@b:c", "d"])]).toEqual([template, [expect.anything()]]);
    }
  });
});

// `URL.canParse` of Node 20 and 22 does, once it is optimised.
test("a host outside ASCII is not refused after many messages", () => {
  const forward = compileForward("https://bücher.example/$1", 1, "own.test", () => {})!;
  const parts = { captures: ["a"] };
  for (let nth = 0; nth < 20_000; nth++) {
    const result = fillForward(forward, parts, new Guard(100_000));
    if ("failure" in result) throw new Error(`${nth}: ${result.failure}`);
  }
});

describe("a sender who writes a URL", () => {
  const byRule = (forward: string, subject: string): unknown =>
    explained(
      { type: "regex", config: { regex: "for (\\S+)", scopes: ["subject"], forward } },
      subject,
    );
  function explained(rule: object, subject: string): unknown {
    const config = { domain: "shop.example", routing_engine: "rules", rules: [rule] };
    const result = compileDomain(config);
    if (!result.ok) throw new Error(result.diagnostics[0]!.message);
    const { resolution, trace } = explain(result.domain, { subject });
    return [trace[0]!.verdict, "action" in resolution && resolution.action];
  }

  test.each([
    ["$1@mail.example", "https://evil.example/"],
    ["$1@mail.example", "http://127.0.0.1:8080/x?"],
    ["http$1@mail.example", "://evil.example/"],
    ["ht$1@mail.example", "tps://evil.example/"],
    ["$1+x@mail.example", "https://evil.example/"],
    ["h$1.x@mail.example", "ttp://evil.example/"],
  ])("for %s fails the rule: %s", (forward, subject) => {
    expect(byRule(forward, `for ${subject}`)).toEqual(["failed", "discard"]);
  });

  test("in the recipient fails the alias", () => {
    const aliases = [{ alias: "^to-(.+)$", forward: "$1@mail.example" }];
    const config = { domain: "shop.example", routing_engine: "alias", aliases } as const;
    const result = compileDomain(config);
    if (!result.ok) throw new Error(result.diagnostics[0]!.message);
    const recipient = "to-http://evil.example/@shop.example";
    expect(explain(result.domain, { recipient })).toMatchObject({
      resolution: { action: "reject" },
      trace: [{ verdict: "failed" }],
    });
  });
});
