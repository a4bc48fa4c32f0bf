import { describe, expect, test } from "vitest";
import type { Resolution } from "../../../src/engine/routing/resolution.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { destinationText } from "../../../src/rehearse/outcome.ts";
import { type InlineMessage, inlineFacts } from "../../../src/rehearse/test/inline-message.ts";
import { addRule, changeRule } from "../../../src/rehearse/why/edit-rule.ts";
import { changeFacts } from "../../../src/rehearse/why/message-change.ts";
import { why } from "../../../src/rehearse/why/why.ts";
import { demoConfig, demoFacts, rehearsed } from "../demo.ts";

const demo = rehearsed(demoConfig());

function rule(type: string, config: object, more: object = {}): object {
  return { id: "wanted", type, config: { forward: "x@else.test", ...config }, ...more };
}

function ask(wanted: object, message: Partial<InlineMessage>, others: readonly object[] = []) {
  const domain = rehearsed({
    domain: "shop.example",
    routing_engine: "rules",
    rules: [...others, wanted],
  });
  const facts = inlineFacts({ recipient: "me@shop.example", sender: "a@b.test", ...message });
  return why(domain, facts, { kind: "rule", id: "wanted" }).candidates[0]!;
}

describe("every edit is true", () => {
  test("of every rule for every message of the example", async () => {
    let checked = 0;
    for (const facts of await demoFacts()) {
      for (const { id } of demo.domain.rules) {
        const answered = why(demo, facts, { kind: "rule", id });
        if (answered.verdict === "reached") {
          expect(answered.decision.decidedBy?.id).toBe(id);
          continue;
        }
        const [missed] = answered.candidates;
        const isInactive = missed!.failed.some(({ kind }) => kind === "inactive");
        const activation = { field: "active", from: false, to: true } as const;
        const base = isInactive ? changeRule(demo, id, [activation])! : demo;
        for (const { changes, decision } of missed!.messageEdits) {
          checked++;
          const resolved = resolve(base.domain, changeFacts(facts, changes));
          expect(resolved).toEqual(decision);
          expect(decision.decidedBy?.id).toBe(id);
        }
        for (const edit of missed!.ruleEdits) {
          if (edit.kind === "add") throw new TypeError("a new rule is not the one asked for");
          checked++;
          const { domain } = changeRule(demo, id, edit.changes)!;
          expect(resolve(domain, facts)).toEqual(edit.decision);
          expect(edit.decision.decidedBy?.id).toBe(id);
        }
      }
    }
    // Ten decisions, ten rules: nearly each is one edit away.
    expect(checked).toBeGreaterThan(90);
  });

  test("of every destination for every message of the example", async () => {
    const places = demo.domain.rules.flatMap(({ forward }) => forward.plain.map(destinationText));
    const added: Resolution[] = [];
    for (const facts of await demoFacts()) {
      for (const destination of [...places, "ines.calder@homepost.example"]) {
        const answered = why(demo, facts, { kind: "destination", destination });
        expect(answered.verdict).not.toBe("no-such-target");
        for (const { messageEdits, ruleEdits } of answered.candidates) {
          for (const { decision } of [...messageEdits, ...ruleEdits]) {
            expect(decision.destinations.map(destinationText)).toContain(destination);
          }
          for (const edit of ruleEdits) {
            if (edit.kind === "add") added.push(resolve(addRule(demo, edit.added)!.domain, facts));
          }
        }
      }
    }
  });

  test("no edit has a change that is not needed", async () => {
    for (const facts of await demoFacts()) {
      for (const { id, active } of demo.domain.rules) {
        if (!active) continue;
        for (const { messageEdits } of why(demo, facts, { kind: "rule", id }).candidates) {
          for (const { changes } of messageEdits) {
            for (const fact of new Set(changes.map((change) => change.fact))) {
              const fewer = changes.filter((change) => change.fact !== fact);
              const resolved = resolve(demo.domain, changeFacts(facts, fewer));
              expect(resolved.verdict === "decided" && resolved.decidedBy?.id).not.toBe(id);
            }
          }
        }
      }
    }
  });
});

describe("what failed", () => {
  test("each clause of an expression, also behind the first that was false", () => {
    const expression = 'subject == "yes" && size > 9000000 && sender.endsWith("b.test")';
    const { failed } = ask(rule("cel", { expression }), { subject: "no" });
    expect(failed).toMatchObject([
      {
        kind: "condition",
        source: 'subject == "yes"',
        operands: [{ source: "subject", value: '"no"' }],
      },
      { kind: "condition", source: "size > 9000000", operands: [{ source: "size" }] },
    ]);
  });

  test.each([
    ["false", ["false"]],
    ['subject == "a" && false', ['subject == "a"', "false"]],
  ])("a constant: %s", (expression, failed) => {
    const missed = ask(rule("cel", { expression }), { subject: "b" });
    expect(missed.verdict).toBe("missed");
    expect(missed.failed.map((each) => each.kind === "condition" && each.source)).toEqual(failed);
  });

  test("an error of an expression", () => {
    const { failed, verdict } = ask(rule("cel", { expression: 'headers["x-a"][0] == "b"' }), {});
    expect(verdict).toBe("missed");
    expect(failed).toMatchObject([
      { kind: "condition", value: expect.stringContaining("error: ") },
    ]);
  });

  test("a forward that captured text cannot fill", () => {
    const wanted = rule("regex", {
      regex: "to (.*)",
      scopes: ["subject"],
      forward: "$1@else.test",
    });
    const { failed, verdict } = ask(wanted, { subject: "to a b" });
    expect(verdict).toBe("failed");
    expect(failed).toMatchObject([{ kind: "failure" }]);
  });

  test("a rule before it took the message", () => {
    const taker = { ...rule("alias", { alias: "*" }, { rank: 1 }), id: "taker" };
    const wanted = rule("regex", { regex: "x", scopes: ["subject"] }, { rank: 2 });
    const missed = ask(wanted, { subject: "x" }, [taker]);
    expect(missed).toMatchObject({ verdict: "taken", failed: [], takenBy: { id: "taker" } });
    expect(missed.messageEdits).toEqual([]);
    expect(missed.ruleEdits).toMatchObject([{ changes: [{ field: "rank", from: 2, to: 0 }] }]);
  });

  test("the other engine", () => {
    const domain = rehearsed({
      domain: "shop.example",
      routing_engine: "alias",
      aliases: [{ id: "1", alias: "sales", forward: "y@else.test" }],
      rules: [rule("alias", { alias: "sales" })],
    });
    const facts = inlineFacts({ recipient: "sales@shop.example" });
    const { candidates } = why(domain, facts, { kind: "rule", id: "wanted" });
    expect(candidates).toMatchObject([{ failed: [{ kind: "engine", engine: "alias" }] }]);
    expect(candidates[0]!.ruleEdits).toEqual([]);
  });
});

describe("the smallest edit", () => {
  test.each([
    [
      "case of the subject",
      rule("regex", { regex: "Invoice", scopes: ["subject"] }),
      { subject: "my invoice" },
      [{ op: "replace", replaced: "invoice", text: "Invoice" }],
    ],
    [
      "words of the subject",
      rule("regex", { regex: "^invoice \\d{2}$", scopes: ["subject"] }),
      { subject: "hello" },
      [{ op: "set", text: "invoice 11" }],
    ],
    [
      "a domain of the sender",
      rule("regex", { regex: "@partner\\.test$", scopes: ["sender"] }),
      {},
      [{ fact: "sender", text: "someone@partner.test" }],
    ],
    [
      "a wildcard",
      rule("alias", { alias: "sales*" }),
      {},
      [{ fact: "recipient", to: "sales@shop.example" }],
    ],
    [
      "a header",
      rule("cel", { expression: '"list-id" in headers' }),
      {},
      [{ fact: "headers", op: "add", name: "list-id" }],
    ],
    [
      "an attachment",
      rule("cel", {
        expression: 'attachments.exists(a, a.filename.endsWith(".zip") && a.size > 10)',
      }),
      {},
      [{ fact: "attachments", attachment: { filename: ".zip", size: 11 } }],
    ],
    ["a size", rule("cel", { expression: "size >= 5000" }), {}, [{ fact: "size", to: 5000 }]],
    [
      "either of two",
      rule("cel", { expression: 'subject.contains("abcdefgh") || body.contains("x")' }),
      {},
      [{ fact: "body", to: "x" }],
    ],
    [
      "the text without a word",
      rule("cel", { expression: '!subject.contains("spam")' }),
      { subject: "spam offer" },
      [{ op: "remove", text: "spam" }],
    ],
  ])("%s", (_, wanted, message, changes) => {
    expect(ask(wanted, message).messageEdits[0]?.changes).toMatchObject(changes);
  });

  test.each([
    [
      "(?i)",
      rule("regex", { regex: "Invoice", scopes: ["subject"] }),
      { subject: "my invoice" },
      { field: "regex", to: "(?i)Invoice" },
    ],
    [
      "one more scope",
      rule("regex", { regex: "invoice", scopes: ["subject"] }),
      { body: "my invoice" },
      { field: "scopes", to: ["subject", "body"] },
    ],
    [
      "no anchor",
      rule("regex", { regex: "^invoice$", scopes: ["subject"] }),
      { subject: "my invoice" },
      { field: "regex", to: "invoice" },
    ],
    [
      "on",
      rule("regex", { regex: "x", scopes: ["subject"] }, { active: false }),
      { subject: "x" },
      { field: "active", to: true },
    ],
    [
      "lower case in CEL",
      rule("cel", { expression: 'sender == "A@b.test"' }),
      {},
      { field: "expression", to: 'sender == "a@b.test"' },
    ],
    [
      "a wildcard",
      rule("alias", { alias: "sales" }),
      { recipient: "sales-eu@shop.example" },
      { field: "alias", to: "sales*" },
    ],
  ])("of the rule: %s", (_, wanted, message, change) => {
    expect(ask(wanted, message).ruleEdits[0]).toMatchObject({ kind: "change", changes: [change] });
  });

  const widened = (wanted: object, message: Partial<InlineMessage>): readonly unknown[] =>
    ask(wanted, message).ruleEdits.flatMap((edit) =>
      edit.kind === "change" ? edit.changes.map(({ to }) => to) : [],
    );

  test.each<[string, object, Partial<InlineMessage>, unknown]>([
    [
      "its subject",
      rule("regex", { regex: "invoice|(?i)bill", scopes: ["subject"] }),
      { subject: "Rechnung [7]" },
      "invoice|(?i)bill|^Rechnung \\[7\\]$",
    ],
    [
      "its sender",
      rule("regex", { regex: "@partner\\.test$", scopes: ["sender", "body"] }),
      { body: "hello" },
      "@partner\\.test$|^a@b\\.test$",
    ],
    [
      "its sender, in CEL",
      rule("cel", { expression: 'subject.contains("bill")' }),
      { subject: "Rechnung" },
      'subject.contains("bill") || sender == "a@b.test"',
    ],
    [
      "its sender, behind a choice",
      rule("cel", { expression: 'size > 9 ? subject == "a" : subject == "b"' }),
      { subject: "Rechnung" },
      '(size > 9 ? subject == "a" : subject == "b") || sender == "a@b.test"',
    ],
    [
      "its sender, where the expression errs",
      rule("cel", { expression: 'headers["x-a"][0] == "b"' }),
      {},
      'headers["x-a"][0] == "b" || sender == "a@b.test"',
    ],
  ])("an alternative for the message: %s", (_, wanted, message, to) => {
    expect(widened(wanted, message)).toContain(to);
  });

  test("no alternative where captures fill the forward", () => {
    const forward = "y+$1@else.test";
    const wanted = rule("regex", { regex: "invoice (.+)", scopes: ["subject"], forward });
    expect(widened(wanted, { subject: "Rechnung" })).toEqual([]);
  });

  test("a long subject, or one with a character that nobody sees, is no alternative", () => {
    const wanted = rule("regex", { regex: "invoice", scopes: ["subject"] });
    expect(widened(wanted, { subject: "a".repeat(81) })).toEqual([]);
    expect(widened(wanted, { subject: "in\u200bvoice" })).toEqual([]);
  });
});

describe("a rule of its own, before what takes the message", () => {
  const toBooks = (wanted: object, message: Partial<InlineMessage>, others: object[] = []) => {
    const domain = rehearsed({
      domain: "shop.example",
      routing_engine: "rules",
      rules: [...others, { ...wanted, rank: 5 }],
    });
    const facts = inlineFacts({ recipient: "me@shop.example", sender: "a@b.test", ...message });
    const target = { kind: "destination", destination: "x@else.test" } as const;
    return why(domain, facts, target).candidates[0]!.ruleEdits.at(-1);
  };

  test("for the sender", () => {
    const wanted = rule("regex", { regex: "a{3}", scopes: ["body"] });
    const config = { regex: "^a@b\\.test$", scopes: ["sender"], forward: "x@else.test" };
    expect(toBooks(wanted, {})).toMatchObject({
      kind: "add",
      before: "wanted",
      added: { type: "regex", rank: 4, config },
    });
  });

  test("for the address, beside an alias", () => {
    const wanted = rule("alias", { alias: "books" });
    const taker = { ...rule("alias", { alias: "*", forward: "y@else.test" }), id: "t", rank: 1 };
    expect(toBooks(wanted, {}, [taker])).toMatchObject({
      kind: "add",
      before: "t",
      added: { type: "alias", rank: 0, config: { alias: "me", forward: "x@else.test" } },
      decision: { decidedBy: { kind: "rule" } },
    });
  });

  test("not where the message names no sender", () => {
    const wanted = rule("regex", { regex: "a{3}", scopes: ["body"] });
    expect(toBooks(wanted, { sender: "" })).toBeUndefined();
  });

  test("not where the rule itself was asked for", () => {
    const wanted = rule("regex", { regex: "a{3}", scopes: ["body"] });
    expect(ask(wanted, {}).ruleEdits).toEqual([]);
  });
});

test("an edit leaves out the changes that a later one makes unnecessary", () => {
  const both = {
    id: "both",
    type: "cel",
    config: {
      expression: 'subject.contains("offer") && recipient.startsWith("me@")',
      forward: "y@else.test",
    },
  };
  const alias = { id: "alias", type: "alias", config: { alias: "me", forward: "z@else.test" } };
  const wanted = rule("regex", { regex: "hello", scopes: ["body"] });
  const { messageEdits } = ask(wanted, { subject: "an offer", body: "hello" }, [both, alias]);
  expect(messageEdits.length).toBeGreaterThan(0);
  // Another recipient is enough; the subject that made the first rule match can stay.
  for (const { changes } of messageEdits)
    expect(changes.map(({ fact }) => fact)).toEqual(["recipient"]);
});

test("no clause of an expression is taken away: what it was written for would be lost", () => {
  const wanted = rule("cel", { expression: 'size > 0 && subject == "x"' });
  expect(ask(wanted, {}).ruleEdits).toMatchObject([
    { changes: [{ to: 'size > 0 && subject == "x" || sender == "a@b.test"' }] },
  ]);
});

describe("a destination that captures fill", () => {
  const toLedger = (subject: string, destination: string, forward: string) => {
    const config = { regex: "(?i)\\binvoice (\\d+)\\b", scopes: ["subject"], forward };
    const domain = rehearsed({
      domain: "shop.example",
      routing_engine: "rules",
      rules: [{ id: "invoices", type: "regex", config }],
    });
    const facts = inlineFacts({ recipient: "me@shop.example", subject });
    return why(domain, facts, { kind: "destination", destination }).candidates[0]!;
  };

  test("says what to capture", () => {
    const { messageEdits } = toLedger("Lunch", "ledger+99@books.test", "ledger+$1@books.test");
    expect(messageEdits[0]?.changes).toMatchObject([
      { fact: "subject", op: "add", text: "invoice 99" },
    ]);
  });

  test("of a webhook, percent-encoded", () => {
    const forward = "https://hooks.test/$1?n=$1";
    const { messageEdits } = toLedger("Lunch", "https://hooks.test/7?n=7", forward);
    expect(messageEdits[0]?.changes).toMatchObject([{ text: "invoice 7" }]);
  });

  test("instead of what it captured", () => {
    const missed = toLedger("Your invoice 7", "ledger+8@books.test", "ledger+$1@books.test");
    expect(missed).toMatchObject({ verdict: "sent-elsewhere", failed: [], takenBy: null });
    expect(missed.messageEdits[0]?.changes).toMatchObject([
      { fact: "subject", op: "replace", replaced: "invoice 7", text: "invoice 8" },
    ]);
  });

  test("is out of reach where the pattern cannot capture it", () => {
    const { messageEdits } = toLedger("Lunch", "ledger+x@books.test", "ledger+$1@books.test");
    expect(messageEdits).toEqual([]);
  });

  test("of an alias that is a pattern", () => {
    const domain = rehearsed({
      domain: "shop.example",
      routing_engine: "alias",
      aliases: [{ id: "t", alias: "ticket-(\\d+)", forward: "t+$1@desk.test" }],
    });
    const facts = inlineFacts({ recipient: "me@shop.example" });
    const answered = why(domain, facts, { kind: "destination", destination: "t+52@desk.test" });
    expect(answered.candidates[0]?.messageEdits[0]?.changes).toMatchObject([
      { fact: "recipient", to: "ticket-52@shop.example" },
    ]);
  });
});
