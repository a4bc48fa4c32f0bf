/** What `mailflow check` says of usual mistakes: each message says what to write. */
import { describe, expect, test } from "vitest";
import { folderWith } from "../folder.ts";
import { mailflow } from "../memory-io.ts";

const BASE = {
  domain: "acme.example",
  routing_engine: "rules",
  rules_fallback_email: "rest@desk.example",
};
const FORWARD = { forward: "s@desk.example" };

async function check(content: unknown, file: string = "domain.json"): Promise<string> {
  const cwd = folderWith({ [file]: content });
  return (await mailflow(["check", file], { cwd })).stdout;
}

const withRule = (config: object, more: object = {}): object => ({
  ...BASE,
  rules: [{ type: "cel", config: { ...FORWARD, ...config }, ...more }],
});
const cel = (expression: string): object => withRule({ expression });
const regex = (pattern: string, ...scopes: string[]): object =>
  withRule({ regex: pattern, scopes }, { type: "regex" });
const forward = (to: string): object => withRule({ expression: "size > 1", forward: to });

describe("fields that are not known, and nearly are", () => {
  test.each<[string, object, string]>([
    [
      "rules_fallback for rules_fallback_email",
      { ...cel("size > 1"), rules_fallback_email: undefined, rules_fallback: "x@y.example" },
      "warning[config/unknown-field] rules_fallback: is not a field, and is ignored: did you mean `rules_fallback_email`?",
    ],
    [
      "enabled for active",
      withRule({ expression: "size > 1" }, { enabled: false }),
      "warning[config/unknown-field] rules[0].enabled: is not a field, and is ignored: did you mean `active`?",
    ],
    [
      "actve for active",
      withRule({ expression: "size > 1" }, { actve: false }),
      "rules[0].actve: is not a field, and is ignored: did you mean `active`?",
    ],
    [
      "priority for rank",
      withRule({ expression: "size > 1" }, { priority: 3 }),
      "rules[0].priority: is not a field, and is ignored: did you mean `rank`?",
    ],
    [
      "alias for aliases",
      { ...cel("size > 1"), alias: [] },
      "alias: is not a field, and is ignored: did you mean `aliases`?",
    ],
    [
      "in the API's own object",
      { domain: { ...BASE, rules_fallback_email: undefined, fallback: "x@y.example" }, rules: [] },
      "domain.fallback: is not a field, and is ignored: did you mean `rules_fallback_email`?",
    ],
    [
      "foward for forward",
      withRule({ expression: "size > 1", forward: undefined, foward: "x@y.example" }),
      "error[config/missing-field] rules[0].config.forward: `forward` is missing: write `forward` for `foward`",
    ],
  ])("%s", async (_name, config, wanted) => {
    expect(await check(config)).toContain(wanted);
  });

  test("other fields, and what the API answers beside them, are nobody's mistake", async () => {
    const rule = { id: "a", type: "cel", config: { expression: "size > 1", ...FORWARD } };
    const dates = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };
    const config = {
      ...BASE,
      ...dates,
      $schema: "x",
      whitelabel: null,
      strict_mxes: false,
      rules: [{ ...rule, ...dates, note: "for Ann" }],
    };
    expect(await check(config)).toMatch(/^acme\.example: .* no errors\n$/);
  });
});

describe("conditions that no message meets say why", () => {
  test.each<[string, object, string]>([
    [
      "a whole recipient without its domain",
      regex("^sales$", "recipient"),
      "warning[pattern/no-address] rules[0].config.regex: matches no address, because each has an `@`: write `^sales@`",
    ],
    [
      "a whole recipient beside the subject",
      regex("^(sales|orders)$", "recipient", "subject"),
      "matches no address, because each has an `@`: write `^(sales|orders)@`",
    ],
    [
      "a local part compared with the recipient",
      cel('recipient == "sales"'),
      'warning[cel/no-address] rules[0].config.expression: is never equal, because every address has an `@`: write `"sales@acme.example"`, or `recipient.startsWith("sales@")`',
    ],
    [
      "local parts in a list",
      cel('sender in ["ann", "bob@y.example"]'),
      'is never equal, because every address has an `@`: write `"ann@…"`, or `sender.startsWith("ann@")`',
    ],
    [
      "recipient.matches with both ends",
      cel('recipient.matches("^sales$")'),
      "matches no address, because each has an `@`: write `^sales@`",
    ],
    [
      "the name of a header field in capitals",
      cel('"List-Id" in headers'),
      'warning[cel/capital-letters] rules[0].config.expression: is never found: names of header fields are in lower case: write `"list-id"`',
    ],
    [
      "a header field by a name in capitals",
      cel('headers["Subject"][0] == "a"'),
      'is never found: names of header fields are in lower case: write `"subject"`',
    ],
    [
      "a header field by a capital name behind a dot",
      cel('headers.Subject.exists(v, v == "a")'),
      "is never found: names of header fields are in lower case: write `subject`",
    ],
    [
      "a pattern between slashes",
      regex("/invoice/i", "subject"),
      "warning[pattern/slashes] rules[0].config.regex: also looks for the slashes: write `(?i)invoice`",
    ],
    [
      "slashes without a flag",
      regex("/invoice/", "subject"),
      "also looks for the slashes: write `invoice`",
    ],
    [
      "no rules and no fallback",
      { ...BASE, rules_fallback_email: null, rules: [] },
      "warning[domain/no-entries] routing_engine: is `rules`, but there is no active rule and no fallback, so every message is discarded: add a rule, or `rules_fallback_email`",
    ],
    [
      "only rules that are switched off and no fallback",
      {
        ...withRule({ expression: "size > 1" }, { active: false }),
        rules_fallback_email: null,
      },
      "no active rule and no fallback",
    ],
  ])("%s", async (_name, config, wanted) => {
    const said = await check(config);
    expect(said).toContain(wanted);
    expect(said).not.toContain("contradict each other");
  });

  test("what is meant so has no warning", async () => {
    const fine = [
      cel('sender == ""'),
      cel('recipient == "sales@acme.example"'),
      cel('"list-id" in headers'),
      regex("^sales@", "recipient"),
      regex("^sales$", "subject"),
      regex("/etc/passwd", "subject"),
      regex("/invoice/", "body"),
    ];
    for (const config of fine) expect(await check(config)).not.toContain("warning");
  });
});

describe("errors say what to write", () => {
  test.each<[string, object, string]>([
    ["rank in quotes", withRule({}, { rank: "10" }), "`rank` is a text: write 10, without quotes"],
    [
      "active in words",
      withRule({}, { active: "no" }),
      "`active` is a text: write false, without quotes",
    ],
    ["active as a number", withRule({}, { active: 1 }), "`active` is a number: write true"],
    [
      "a domain of one label",
      forward("foo@gmial"),
      "`foo@gmial` has a domain without a dot: did you mean `foo@gmail.com`?",
    ],
    [
      "another domain of one label",
      forward("foo@printers"),
      "`foo@printers` has a domain without a dot: write it in full, as in `foo@printers.example`",
    ],
    [
      "semicolons",
      forward("a@x.example; b@x.example"),
      "`a@x.example; b@x.example` has a semicolon: write `a@x.example, b@x.example`",
    ],
    [
      "a display name",
      forward("Ann Lee <ann@x.example>"),
      "`Ann Lee <ann@x.example>` has a name beside the address: write `ann@x.example`",
    ],
    ["mailto", forward("mailto:ann@x.example"), "write `ann@x.example`"],
    ["a host alone", forward("hooks.example/mail"), "write `https://hooks.example/mail`"],
    [
      "a header field compared with a text",
      cel('headers.subject == "a"'),
      "a header field has a list of values: write `headers.subject[0]` for the first",
    ],
    [
      "a header field by name compared with a text",
      cel('"a" != headers["x-spam"]'),
      'a header field has a list of values: write `headers["x-spam"][0]` for the first',
    ],
    ["and", cel('subject == "a" and body == "b"'), "`and` is not an operator: write `&&`"],
    ["OR", cel('subject == "a" OR body == "b"'), "`OR` is not an operator: write `||`"],
    ["not", cel('not subject.contains("a")'), "`not` is not an operator: write `!`"],
    ["smart quotes in CEL", cel("subject == “a”"), '`“` is not a quote: write `"`'],
    ["a file name's wildcard", regex("*.pdf", "subject"), "`*` repeats nothing: write `\\.pdf$`"],
    [
      "a wildcard",
      regex("*invoice*", "subject"),
      "`*` repeats nothing: write `.*` for any text, or `\\*` for the character",
    ],
  ])("%s", async (_name, config, wanted) => {
    expect(await check(config)).toContain(wanted);
  });
});

describe("files that are not JSON", () => {
  test("smart quotes", async () => {
    expect(await check("{ “domain”: 1 }")).toContain('`“` is not a quote of JSON: write `"`');
    expect(await check('{ "domain": “acme.example” }')).toContain("is not a quote of JSON");
  });

  test("a missing comma", async () => {
    const said = await check('{ "domain": "acme.example"\n  "routing_engine": "rules" }');
    expect(said).toContain("domain.json:1:27: error[config/not-json] no comma here: add one");
    expect(await check('{ "rules": [{} {}] }')).toContain("no comma here: add one");
  });

  test("YAML", async () => {
    const wanted = 'this is YAML, and a domain file is JSON: write it as `{ "domain": …';
    const yaml = "# ours\ndomain: acme.example\nrouting_engine: rules\n";
    expect(await check(yaml, "domain.yaml")).toContain(wanted);
    expect(await check(`---\n${yaml}`)).toContain(wanted);
  });
});

describe("a dot that stands for any character", () => {
  test.each<[string, object, string]>([
    [
      "cites a whole address",
      regex("@partner.example", "sender"),
      "so `ann@partnerxexample.com` matches too",
    ],
    [
      "of a subdomain",
      regex("@mail.partner.example$", "sender"),
      "so `ann@mailxpartner.example` matches too",
    ],
    [
      "of a local part",
      regex("john.smith@x\\.example", "sender"),
      "so `johnxsmith@x.example` matches too",
    ],
    [
      "of a local part alone",
      regex("^john.smith@", "recipient"),
      "so `johnxsmith@acme.example` matches too",
    ],
  ])("%s", async (_name, config, wanted) => {
    expect(await check(config)).toContain(wanted);
  });

  test("is no mistake where no address can have anything else", async () => {
    const fine = [
      regex("@partner.example$", "sender"),
      regex("@acme.example$", "recipient"),
      cel('recipient.matches("@acme.example")'),
      cel('sender.matches("@partner.example$")'),
    ];
    for (const config of fine) expect(await check(config)).not.toContain("unescaped-dot");
  });
});
