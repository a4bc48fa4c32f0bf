import { describe, expect, test } from "vitest";
import { decisionOn, factsOf } from "../../../src/rehearse/proof/message/witness-message.ts";
import { type Proof, prove, witness } from "../../../src/rehearse/proof/prove.ts";
import { rehearsed } from "../demo.ts";

const BASE = {
  domain: "shop.example",
  routing_engine: "rules",
  rules_fallback_email: "f@else.test",
};
const FORWARD = "x@else.test";

const regex = (pattern: string, scopes: readonly string[], forward = FORWARD): object => ({
  type: "regex",
  config: { regex: pattern, scopes, forward },
});
const cel = (expression: string): object => ({
  type: "cel",
  config: { expression, forward: FORWARD },
});
const alias = (name: string): object => ({
  type: "alias",
  config: { alias: name, forward: FORWARD },
});

function withIds(rules: readonly object[]): object {
  return {
    ...BASE,
    rules: rules.map((rule, index) => ({ id: `r${index + 1}`, rank: index, ...rule })),
  };
}

function shown(proof: Proof): string {
  const { of } = proof.question;
  const name = of.kind === "end" ? "end" : of.id;
  if (proof.verdict === "refuted") return `${name} reached`;
  if (proof.verdict === "unknown") return `${name} unknown`;
  const by = proof.coveredBy.map((owner) => (owner.kind === "end" ? "end" : owner.id));
  return `${name} never (${by.join(" ")})`;
}

async function proofs(config: object): Promise<string[]> {
  return (await prove(rehearsed(config))).map(shown);
}

test.each<[string, object[], string[]]>([
  [
    "one word within another",
    [regex("invoice", ["subject"]), regex("invoices", ["subject"])],
    ["r1 reached", "r2 never (r1)", "end reached"],
  ],
  [
    "the other way round",
    [regex("invoices", ["subject"]), regex("invoice", ["subject"])],
    ["r1 reached", "r2 reached", "end reached"],
  ],
  [
    "two earlier ones together",
    [regex("^[a-m]", ["subject"]), regex("^[^a-m]", ["subject"]), regex("x", ["subject"])],
    ["r1 reached", "r2 reached", "r3 never (r1 r2)", "end reached"],
  ],
  [
    "across rule types and variables",
    [alias("sales*"), cel('recipient.startsWith("sales-") && sender.endsWith("@partner.example")')],
    ["r1 reached", "r2 never (r1)", "end reached"],
  ],
  [
    "a wildcard compares letters with marks in NFC, as every alias does",
    [cel('recipient != "x\u00e9@shop.example"'), alias("*e\u0301")],
    ["r1 reached", "r2 reached", "end never (r1 r2)"],
  ],
  [
    "conditions that contradict each other",
    [cel('subject.startsWith("a") && subject.startsWith("b")'), cel("size > 10 && size < 5")],
    ["r1 never ()", "r2 never ()", "end reached"],
  ],
  ["a fallback behind all mail", [regex("(?s)^.*$", ["body"])], ["r1 reached", "end never (r1)"]],
  [
    "headers and attachments",
    [
      cel('"list-id" in headers'),
      cel('headers["list-id"].exists(v, v.contains("x"))'),
      cel('attachments.exists(a, a.filename.endsWith(".pdf"))'),
    ],
    ["r1 reached", "r2 never (r1)", "r3 reached", "end reached"],
  ],
  [
    "an expression that errs is not true",
    [
      cel('headers["x"][0] == "1" || !(headers["x"][0] == "1")'),
      cel('"x" in headers'),
      cel('!("x" in headers)'),
    ],
    ["r1 reached", "r2 never (r1)", "r3 reached", "end never (r1 r3)"],
  ],
  [
    "a bound value that errs counts only where its name is used",
    [
      cel('"x" in headers'),
      cel('cel.bind(v, headers["x"][0], subject == "a" || v == "b")'),
      cel('cel.bind(v, headers["x"][0] == "a", v && subject == "b")'),
      cel('cel.bind(v, headers["x"][0], true)'),
    ],
    ["r1 reached", "r2 reached", "r3 never (r1)", "r4 reached", "end never (r4)"],
  ],
  [
    "what is not understood stays open, and proves what does not hang on it",
    [cel("sender == recipient"), regex("a", ["subject"]), regex("ab", ["subject"])],
    ["r1 unknown", "r2 reached", "r3 never (r2)", "end reached"],
  ],
])("%s", async (_name, rules, expected) => {
  expect(await proofs(withIds(rules))).toEqual(expected);
});

test("proof-texts: addresses in lower case with an `@`, recipients with a local part, subjects of one line", async () => {
  const rules = [
    cel('sender != "" && !sender.contains("@")'),
    regex("[A-Z]", ["sender", "recipient"]),
    cel("size(recipient) <= 13"),
    regex("\\n", ["subject"]),
    regex("\\n", ["body"]),
  ];
  expect(await proofs(withIds(rules))).toEqual([
    "r1 never ()",
    "r2 never ()",
    "r3 never ()",
    "r4 never ()",
    "r5 reached",
    "end reached",
  ]);
});

test("proofs speak of senders with nothing on one side of the `@`, which reading keeps", async () => {
  const config = withIds([cel('sender.startsWith("@")'), cel('sender.endsWith("@")')]);
  const { domain } = rehearsed(config);
  for (const [index, sender] of ["@x.example", "a@"].entries()) {
    const facts = factsOf({ recipient: "a@shop.example", text: `From: ${sender}\r\n\r\n` });
    expect(decisionOn(domain, facts).decidedBy).toMatchObject({ id: `r${index + 1}` });
  }
  expect(await proofs(config)).toEqual(["r1 reached", "r2 reached", "end reached"]);
});

test("proofs speak of every recipient with a local part, of control characters too", async () => {
  expect(await proofs(withIds([regex("\\t", ["recipient"])]))).toEqual([
    "r1 reached",
    "end reached",
  ]);
});

test("aliases: a wildcard behind a wider one of the same length never wins", async () => {
  const aliases = ["a*", "*a*", "a", "b+c", "*"].map((name, index) => ({
    id: `${index}`,
    alias: name,
    forward: FORWARD,
    created_at: `2026-01-0${5 - index}T00:00:00Z`,
  }));
  const config = { ...BASE, routing_engine: "alias", aliases };
  expect(await proofs(config)).toEqual([
    "2 reached",
    "3 reached",
    "1 reached",
    "0 never (1)",
    "4 reached",
  ]);
});

describe("a short expression that repeats itself very often is answered, or left open", () => {
  const nested = (levels: number, value: (index: number) => string, end: string): string =>
    Array.from({ length: levels }, (_, index) => `cel.bind(v${index}, ${value(index)}, `).join("") +
    end +
    ")".repeat(levels);
  test.each<[string, string]>([
    [
      "tests of choices",
      `${"(".repeat(40)}subject == "a"${" ? body == 'a' : body == 'b')".repeat(40)}`,
    ],
    [
      "conditions by name",
      nested(
        30,
        (index) => (index === 0 ? 'subject == "a"' : `v${index - 1} && v${index - 1}`),
        "v29",
      ),
    ],
    [
      "numbers by name",
      nested(30, (index) => (index === 0 ? "1" : `v${index - 1} + v${index - 1}`), "size > v29"),
    ],
    [
      "names of parts that are not understood",
      nested(30, () => "sender == recipient", "v29 && body == subject"),
    ],
    [
      "lists in lists",
      `${Array.from({ length: 20 }, (_, at) => `["a", "b", "c"].exists(v${at}, subject.contains(v${at}) && `).join("")}true${")".repeat(20)}`,
    ],
  ])("%s", async (_name, expression) => {
    const [first, other] = await prove(rehearsed(withIds([cel(expression), regex("a", ["body"])])));
    expect(first!.verdict).not.toBe("proved");
    expect(other!.verdict).toBe("refuted");
  });
});

describe("witness", () => {
  test("is a message like real mail", async () => {
    const config = withIds([
      cel('sender.endsWith("@bank.example") && subject.lowerAscii().contains("statement")'),
    ]);
    const found = await witness(rehearsed(config), { kind: "rule", id: "r1" });
    expect(found.kind === "message" && found.message).toMatchInlineSnapshot(`
      {
        "recipient": "hello@shop.example",
        "text": "From: ann@bank.example
      To: hello@shop.example
      Subject: statement
      Date: Mon, 02 Mar 2026 09:00:00 +0000
      Message-ID: <witness@example.org>
      MIME-Version: 1.0
      Content-Type: text/plain; charset=utf-8

      Hello",
      }
    `);
  });

  test("a rule that there is not is an error", async () => {
    const domain = rehearsed(withIds([alias("a")]));
    await expect(witness(domain, { kind: "rule", id: "zzz" })).rejects.toThrow(
      "not route by rule zzz",
    );
    await expect(prove(domain, { statesMax: -1 })).rejects.toThrow(RangeError);
  });

  test("a budget that is too small ends in unknown", async () => {
    const config = withIds([regex("a.{20}[cd]", ["subject"]), regex("a.{10}x.{9}c", ["subject"])]);
    const answers = await prove(rehearsed(config), { statesMax: 30 });
    expect(answers.map(shown)).toContain("r2 unknown");
  });
});
