import { expect, test } from "vitest";
import "../../../src/rehearse/test/vitest.ts";
import { rehearse } from "../../../src/rehearse/rehearsed-domain.ts";
import { toRoute } from "../../../src/rehearse/test/to-route.ts";
import { headerRule } from "../../rule-types/header-rule.ts";
import { demoConfig, rehearsed } from "../demo.ts";

const config = demoConfig();
const subjectRule = (regex: string) => ({
  type: "regex",
  config: { regex, scopes: ["subject"], forward: "x@x.test" },
});

test("expect(domain).toRoute, with the configuration or what it compiled to", () => {
  const message = { recipient: "accounts", subject: "invoice 7" };
  expect(config).toRoute(message, { rule: "invoices", destinations: "ledger+7@books.example" });
  expect(rehearsed(config).config).toRoute(message, { action: "forward" });
  expect(config).not.toRoute(message, { rule: "scans" });
});

test("a failure says want, got, and the nearest miss", () => {
  const failed = toRoute(config, { recipient: "ines", subject: "bill 7" }, { rule: "invoices" });
  expect(failed.pass).toBe(false);
  expect(failed.message()).toBe(
    "rule: wanted rule invoices, got the fallback address\n/(?i)\\binvoice (\\d+)\\b/ was in none of its scopes",
  );
  expect(() => expect(config).toRoute({ recipient: "ines" }, { rule: "scans" })).toThrow(
    "wanted rule scans",
  );
});

test("what is no domain is told", () => {
  expect(() => toRoute(7, { recipient: "a" }, { rule: "x" })).toThrow("give its configuration");
  expect(() => toRoute({}, { recipient: "a" }, { rule: "x" })).toThrow("does not compile");
});

test.each<[string, object, object, RegExp]>([
  [
    "an unknown expectation",
    { recipient: "ines" },
    { ruel: "q" },
    /no field `ruel`: did you mean `rule`/,
  ],
  [
    "another",
    { recipient: "ines" },
    { destination: "a@b.test" },
    /no field `destination`: did you mean `destinations`/,
  ],
  ["an empty expectation", { recipient: "ines" }, {}, /empty/],
  ["an expectation of nothing", { recipient: "ines" }, { rule: undefined }, /empty/],
  [
    "an unknown field of the message",
    { recipient: "ines", subjet: "x" },
    { rule: "q" },
    /no field `subjet`: did you mean `subject`/,
  ],
  ["a missing recipient", { subject: "x" }, { rule: "q" }, /`recipient` is missing/],
])("%s is an error", (_name, message, expected, said) => {
  expect(() => toRoute(demoConfig(), message as never, expected)).toThrow(said);
});

test("a configuration that a test changes is compiled again", () => {
  const message = { recipient: "sales", subject: "bill 7" };
  const changing = { ...demoConfig(), rules: [{ id: "x", ...subjectRule("order") }] };
  expect(changing).not.toRoute(message, { rule: "x" });
  changing.rules[0]!.config.regex = "bill";
  expect(changing).toRoute(message, { rule: "x" });
});

test("what rehearse gives is tested with the rule types of its host", () => {
  const config = { header: "List-Id", contains: "news", forward: "l@x.test" };
  const domain = { ...demoConfig(), rules: [{ id: "lists", type: "header", config }] };
  const message = { recipient: "a", headers: { "List-Id": "the news" } };
  const result = rehearse(domain, { ruleTypes: [headerRule] });
  if (!result.ok) throw new Error("refused");
  expect(result.rehearsed).toRoute(message, { rule: "lists" });
  expect(() => toRoute(domain, message, { rule: "lists" })).toThrow("`header` is not a rule type");
});

test("all diagnostics of a domain are reported, with their paths", () => {
  const wrong = { ...demoConfig(), rules: [subjectRule("("), { type: "footer" }] };
  const compile = () => toRoute(wrong, { recipient: "a" }, { rule: "x" });
  expect(compile).toThrow(/rules\[0\]\.config\.regex[\s\S]*rules\[1\]\.type/);
});

test.each(["x", ["x"], 3, null])("an expectation that is %j is refused", (expectation) => {
  const route = () => toRoute(config, { recipient: "a" }, expectation as never);
  expect(route).toThrow("`expect` is not an object: write `{…}`".replace("`expect`", "it"));
});

test.each(["a@x.test, b@x.test", ["a@x.test", "https://h.test/a,b"]])(
  "several destinations in one text are refused: %j",
  (destinations) => {
    const route = () => toRoute(config, { recipient: "a" }, { destinations });
    expect(route).toThrow(/is not one destination: write a list, `\["/);
  },
);

test("an address in quotes may have a comma", () => {
  const { pass } = toRoute(config, { recipient: "a" }, { destinations: '"a, b"@x.test' });
  expect(pass).toBe(false);
});
