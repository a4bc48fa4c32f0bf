import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { inlineFacts } from "../../../src/rehearse/test/inline-message.ts";
import { runTest } from "../../../src/rehearse/test/rule-test.ts";
import { readSuite } from "../../../src/rehearse/test/test-suite.ts";
import { DEMO, demoConfig, rehearsed } from "../demo.ts";

const demo = rehearsed(demoConfig());
const invoice = inlineFacts({ recipient: "shop@paperlane.example", subject: "invoice 12" });

describe("a test", () => {
  test("passes when all that is expected holds", () => {
    const expected = {
      rule: "invoices",
      reason: "rule",
      action: "forward",
      destinations: ["LEDGER+12@books.example"],
    } as const;
    expect(runTest(demo, invoice, expected)).toMatchObject({ passed: true, nearest: null });
  });

  test.each([
    [{ rule: "scans" }, { wanted: "rule scans", got: "rule invoices" }],
    [{ alias: "shop" }, { wanted: "alias shop", got: "rule invoices" }],
    [{ reason: "fallback" }, { wanted: "the fallback address", got: "rule invoices" }],
    [{ action: "discard" }, { wanted: "discard", got: "forward" }],
    [{ destinations: [] }, { wanted: "nobody", got: "ledger+12@books.example" }],
    [
      { destinations: ["ledger+12@books.example", "b@c.test"] },
      { wanted: "ledger+12@books.example, b@c.test", got: "ledger+12@books.example" },
    ],
  ] as const)("fails on %j", (expected, mismatch) => {
    const [field] = Object.keys(expected);
    const { passed, mismatches } = runTest(demo, invoice, expected);
    expect({ passed, mismatches }).toEqual({
      passed: false,
      mismatches: [{ field, ...mismatch }],
    });
  });

  test("destinations count in any order, and the deciding rule's clauses are the nearest miss", () => {
    const both = ["https://hooks.warehouse.example/orders", "team@fulfil.example"];
    const order = inlineFacts({ recipient: "orders@paperlane.example" });
    expect(runTest(demo, order, { destinations: both }).passed).toBe(true);
    const { nearest } = runTest(demo, order, { rule: "newsletters" });
    expect(nearest?.candidates[0]?.failed).toMatchObject([{ source: '"list-id" in headers' }]);
  });
});

describe("an inline message", () => {
  test("is read as a stored one: header fields say what the facts say", () => {
    const facts = inlineFacts({
      recipient: "a@shop.example",
      sender: "B@Else.test",
      subject: "x",
      body: "é",
      headers: { "X-A": ["1", "2"] },
    });
    expect(facts).toMatchObject({
      sender: "B@Else.test",
      subject: "x",
      body: "é",
      attachments: [],
    });
    expect(facts.headers?.get("x-a")).toEqual(["1", "2"]);
    expect(facts.headers?.get("from")).toEqual(["B@Else.test"]);
    expect(facts.headers?.get("subject")).toEqual(["x"]);
    expect(facts.size).toBeGreaterThan(20);
  });

  test("without a sender has the null sender", () => {
    expect(inlineFacts({ recipient: "a@shop.example" }).sender).toBe("");
  });
});

describe("a file of tests", () => {
  const schema = JSON.parse(
    readFileSync(new URL("../../../schema/mailtest.schema.json", import.meta.url), "utf8"),
  );
  const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(
    schema,
  );
  const good = { name: "n", message: { recipient: "a" }, expect: { rule: "x" } };
  const accepted: unknown[] = [
    { domain: "d.json", tests: [good] },
    { tests: [{ ...good, message: "a.eml", recipient: "b", sender: "c@d.test" }] },
    { tests: [{ ...good, expect: { destinations: "a@b.test" } }] },
    { tests: [{ ...good, expect: { destinations: ["a@b.test"], action: "forward" } }] },
    { tests: [{ ...good, message: { recipient: "a", headers: { x: "1", y: ["2"] }, size: 3 } }] },
    { tests: [{ ...good, message: { recipient: "a", attachments: [{ size: 1 }] } }] },
  ];
  const refused: unknown[] = [
    null,
    [],
    {},
    { tests: {} },
    { tests: [] },
    { tests: [good], extra: 1 },
    { tests: [{ ...good, name: 1 }] },
    { tests: [{ ...good, expect: {} }] },
    { tests: [{ ...good, expect: { action: "forwarded" } }] },
    { tests: [{ ...good, expect: { reason: "none" } }] },
    { tests: [{ ...good, expect: { destinations: [1] } }] },
    { tests: [{ ...good, message: {} }] },
    { tests: [{ ...good, message: { recipient: "a", body: 1 } }] },
    { tests: [{ ...good, message: { recipient: "a", size: -1 } }] },
    { tests: [{ ...good, message: { recipient: "a", headers: { x: 1 } } }] },
    { tests: [{ ...good, message: { recipient: "a", attachments: [{ name: "x" }] } }] },
    { tests: [{ ...good, recipient: "b" }] },
    { tests: [{ name: "n", expect: { rule: "x" } }] },
  ];

  test.each(accepted)("is read, and the schema agrees: %j", (value) => {
    expect([readSuite(value).ok, validate(value)]).toEqual([true, true]);
  });

  test.each(refused)("is refused, and the schema agrees: %j", (value) => {
    expect([readSuite(value).ok, validate(value)]).toEqual([false, false]);
  });

  test("has all its mistakes told, with what was meant", () => {
    const result = readSuite({ tests: [{ name: 1, mesage: "x", expect: { ruel: "y" } }] });
    expect(result).toEqual({
      ok: false,
      problems: [
        { path: ["tests", 0, "name"], message: "`name` is not a text: write a text" },
        { path: ["tests", 0, "message"], message: "`message` is missing: add it" },
        { path: ["tests", 0, "expect", "ruel"], message: "no field `ruel`: did you mean `rule`?" },
        { path: ["tests", 0, "mesage"], message: "no field `mesage`: did you mean `message`?" },
      ],
    });
  });

  test("of the example is one", () => {
    const suite = JSON.parse(readFileSync(`${DEMO}domain.mailtest.json`, "utf8"));
    expect([readSuite(suite).ok, validate(suite)]).toEqual([true, true]);
  });
});
