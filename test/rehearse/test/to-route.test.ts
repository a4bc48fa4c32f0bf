import { expect, test } from "vitest";
import "../../../src/rehearse/test/vitest.ts";
import { toRoute } from "../../../src/rehearse/test/to-route.ts";
import { demoConfig, rehearsed } from "../demo.ts";

const config = demoConfig();

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
