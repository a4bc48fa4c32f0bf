import { expect, test } from "vitest";
import "../../src/rehearse/vitest.ts";
import { toRoute } from "../../src/rehearse/to-route.ts";
import { demoConfig, rehearsed } from "./demo.ts";

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
