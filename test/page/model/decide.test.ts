/** What the page says of a message is what the engine says. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compareOn } from "../../../src/page/model/changes.ts";
import { createDraftCompiler } from "../../../src/page/model/compile.ts";
import { countClauses, decide, groupSpans, piecesOf } from "../../../src/page/model/decide.ts";
import { changeRule } from "../../../src/page/model/domain.ts";
import { looksLikeMail, readMessage } from "../../../src/page/model/mail.ts";
import {
  readKeptTests,
  runPageTest,
  testFile,
  testFrom,
} from "../../../src/page/model/rule-tests.ts";
import { cardWords, destinationsOf } from "../../../src/page/model/words.ts";
import { readSuite } from "../../../src/rehearse/test/test-suite.ts";
import { compileOn } from "./example.ts";

const { draft, mails, domain } = compileOn();
const invoice = mails.find(({ name }) => name.includes("invoice"))!;

describe("the decision", () => {
  test("marks what matched, with its groups", () => {
    const { decision, marks, captures } = decide(domain, invoice);
    expect(decision.destinations).toEqual([
      { kind: "mailbox", address: "ledger+2231@books.example" },
    ]);
    expect(piecesOf(invoice.subject, marks.subject)).toEqual([
      { text: "Your ", kind: "plain" },
      { text: "invoice ", kind: "match" },
      { text: "2231", kind: "group" },
      { text: " is ready", kind: "plain" },
    ]);
    expect(captures).toEqual(["2231"]);
  });

  test("names the nearest miss where no rule matched", () => {
    const letter = mails.find(({ name }) => name.startsWith("09-letter"))!;
    const { decision, outcomes } = decide(domain, letter);
    expect(decision.reason).toBe("fallback");
    const nearest = outcomes.filter(({ verdict }) => verdict === "nearest");
    expect(nearest.map(({ entry, held }) => [entry.id, held])).toEqual([
      ["scans", { count: 1, of: 2 }],
    ]);
  });

  test("shows the value of every clause, of those that hold too", () => {
    const valuesOf = (name: string, rule: string): unknown => {
      const mail = mails.find((each) => each.name.startsWith(name))!;
      const { outcomes } = decide(domain, mail);
      const { clauses } = outcomes.find(({ entry }) => entry.id === rule)!;
      return clauses.map(({ source, value, operands }) => [
        source.slice(0, 18),
        value,
        operands.map((operand) => `${operand.source} is ${operand.value.slice(0, 20)}`),
      ]);
    };
    expect(valuesOf("09-letter", "scans")).toEqual([
      ["attachments.exists", "false", ["attachments is []"]],
      ["size < 5000000", "true", ["size is 362"]],
    ]);
    expect(valuesOf("08-scan", "scans")).toEqual([
      ["attachments.exists", "true", [expect.stringContaining("attachments is [")]],
      ["size < 5000000", "true", ["size is 2958"]],
    ]);
    expect(valuesOf("09-letter", "invoices")).toEqual([]);
  });

  test("clauses are counted outside of brackets and strings", () => {
    expect(countClauses('a && "x && y" == b && (c && d)')).toBe(3);
    expect(countClauses("a || b && c")).toBe(1);
    expect(groupSpans("aXbXc", { start: 0, end: 4 }, ["X", undefined, "X", "c"])).toEqual([
      { start: 1, end: 2 },
      { start: 3, end: 4 },
    ]);
  });
});

test("a rule with an error decides by its last correct version", () => {
  const compiler = createDraftCompiler();
  compiler.compile(draft);
  const broken = changeRule(draft, "invoices", {
    config: { regex: "invoice (", scopes: ["subject"], forward: "x@books.example" },
  });
  const { domain: decides, problems, stale } = compiler.compile(broken);
  expect([...problems.keys()]).toEqual(["invoices"]);
  expect(problems.get("invoices")![0]).toMatchObject({ path: ["config", "regex"] });
  expect([...stale]).toEqual(["invoices"]);
  expect(decide(decides!, invoice).decision.decidedBy?.id).toBe("invoices");
  // Without a correct version the rule is left out, and the others decide.
  const fresh = createDraftCompiler().compile(broken);
  expect(fresh.stale.size).toBe(0);
  expect(decide(fresh.domain!, invoice).decision.reason).toBe("fallback");
});

test("what would change is counted message by message", () => {
  const compiler = createDraftCompiler();
  const off = compiler.compile(changeRule(draft, "invoices", { active: false })).domain!;
  const work = compareOn(domain, off, mails, 2);
  let [step, slices] = [work.next(), 0];
  for (; !step.done; step = work.next()) slices++;
  const { changed, decisions, of, lost, hitsAfter, hitsBefore } = step.value;
  expect([decisions, of, slices > 1, lost]).toEqual([mails.length, mails.length, true, 0]);
  expect(changed.map(({ index, before, after }) => [mails[index]!.name, before, after])).toEqual([
    [invoice.name, "rule invoices", "fallback"],
  ]);
  expect(hitsBefore.get("rule invoices")).toBe(1);
  expect(hitsAfter.has("rule invoices")).toBe(false);
});

test("a test made here passes here, fails after an edit, and is a suite that the command takes", () => {
  const made = testFrom(invoice, decide(domain, invoice));
  expect(runPageTest(domain, made).failure).toBeNull();
  const off = createDraftCompiler().compile(changeRule(draft, "invoices", { active: false }));
  expect(runPageTest(off.domain!, made).failure).toBe(
    "wanted rule invoices, got the fallback address",
  );
  const suite = readSuite(JSON.parse(testFile("domain.json", [made])));
  expect(suite).toMatchObject({ ok: true });
  const kept = suite.ok ? suite.suite.tests.map((each) => ({ test: each })) : [];
  const [read] = readKeptTests(kept, draft.domain);
  expect(runPageTest(domain, read!).failure).toBeNull();
  expect(testFrom(invoice, decide(domain, invoice), [made]).test.name).toBe(
    `${made.test.name} (2)`,
  );
});

test("tests of a suite run as the command runs them: inline, by local part, or of a file", () => {
  const order = mails.find(({ name }) => name.startsWith("01-order"))!;
  const bytes = readFileSync(
    new URL("../../../corpus/demo/messages/01-order-confirmation.eml", import.meta.url),
  );
  const wanted = {
    rule: "orders",
    destinations: ["https://hooks.warehouse.example/orders", "team@fulfil.example"],
  };
  const kept = [
    { test: { name: "inline", message: { recipient: "orders" }, expect: wanted } },
    { test: { name: "wrong", message: { recipient: "ines" }, expect: { rule: "orders" } } },
    {
      test: { name: "file", message: order.name, expect: wanted },
      base64: bytes.toString("base64"),
    },
    { test: { name: "a file that is not there", message: "x.eml", expect: wanted } },
  ];
  const runs = readKeptTests(kept, draft.domain).map((each) => runPageTest(domain, each));
  expect(runs).toEqual([
    { name: "inline", failure: null },
    { name: "wrong", failure: "wanted rule orders, got the fallback address" },
    { name: "file", failure: null },
  ]);
});

test("files that are no mail are told from mail", () => {
  expect(looksLikeMail(Buffer.from("Subject: x\r\n\r\ny"))).toBe(true);
  expect(looksLikeMail(Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10]))).toBe(false);
  const to = readMessage(Buffer.from("To: a@x.example, b@x.example\n\nhi"), "m", "x.example");
  expect(to.map(({ recipient }) => recipient)).toEqual(["a@x.example", "b@x.example"]);
});

test("cards say what a rule matches, in words", () => {
  const words = draft.rules.map((rule) => {
    const { kind, lead, code } = cardWords(rule);
    return `${rule.id}: ${kind} ${lead} ${code} → ${destinationsOf(rule).map(({ text }) => text)}`;
  });
  expect(words[0]).toBe(
    "orders: alias to orders@ → team@fulfil.example,hooks.warehouse.example/orders",
  );
  expect(words).toContainEqual(
    expect.stringMatching(/^junk: pattern sender, subject or body has .* → discard$/),
  );
});
