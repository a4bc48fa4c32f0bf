/** Which rules a plan tries, how often and in which order, with facts known and unknown. */
import { describe, expect, test } from "vitest";
import { resolve } from "../../../../src/engine/routing/resolve.ts";
import { createResolveStats } from "../../../../src/engine/routing/resolve-stats.ts";
import { compiled, domainOf } from "../../plan/worlds.ts";
import { aliasRule, celRule, FIRST_ON_BODY, planOf, regexRule } from "./planned.ts";

describe("a rule that its subject opens, and that has not matched there", () => {
  test("is tried on its body after all others, if the body opens it too", () => {
    const plan = planOf([
      ...FIRST_ON_BODY,
      regexRule("order \\d", ["subject", "body"]),
      aliasRule("a"),
    ]);
    expect(plan({ subject: "order x", body: "order x" })).toMatchObject({
      by: "r5",
      candidates: 3,
    });
    expect(plan({ subject: "order x", body: "order 7" })).toMatchObject({ by: "r4" });
  });

  test("is not tried on its body once its forward has failed", () => {
    const plan = planOf([
      ...FIRST_ON_BODY,
      regexRule("order (.+)", ["subject", "body"], "$1@x.test"),
      regexRule("order", ["body"]),
    ]);
    expect(plan({ subject: "order ((", body: "order ann" })).toMatchObject({ by: "r5" });
    expect(plan({ subject: "", body: "order ann" })).toMatchObject({ by: "r4" });
  });

  test("is not tried again if it is an expression, which was evaluated whole", () => {
    const both = 'subject.contains("aaa") && size > 5 || body.contains("bbb") && size > 5';
    const plan = planOf([...FIRST_ON_BODY, celRule(both)]);
    const { by, candidates } = plan({ subject: "aaa", body: "bbb" });
    expect([by, candidates]).toEqual(["fallback", 1]);
  });
});

test("a rule is tried once, however many of its texts occur in the body", () => {
  const plan = planOf([...FIRST_ON_BODY, regexRule("aaa \\d|bbb \\d", ["body"])]);
  const { by, candidates } = plan({ body: "bbb aaa bbb" });
  expect([by, candidates]).toEqual(["fallback", 1]);
});

test("a rule that its sender opens is searched in the subject only once that opens it too", () => {
  const plan = planOf([regexRule("order\\W\\d", ["sender", "subject"])]);
  const sender = "order@x.test";
  expect(plan({ sender, subject: "order 7" })).toMatchObject({ by: "r0", candidates: 1 });
  expect(plan({ sender, subject: "order x" })).toMatchObject({ candidates: 1, fullScans: 2 });
  expect(plan({ sender, subject: "-" })).toMatchObject({ candidates: 1, fullScans: 1 });
});

test("a rule that its subject opens is searched in the body only once that opens it too", () => {
  const plan = planOf([...FIRST_ON_BODY, regexRule("order \\d", ["subject", "body"])]);
  const subject = "order x";
  expect(plan({ subject, body: "-" }).fullScans).toBe(1);
  expect(plan({ subject, body: "order x" }).fullScans).toBe(2);
});

test("a body is searched only where the subject says that the rule can match, if that is where it looks", () => {
  const plan = planOf([
    ...FIRST_ON_BODY,
    regexRule("order \\d", ["subject", "body"]),
    celRule('sender == "q@x.test"'),
  ]);
  const subject = `${"-".repeat(60)}order 7`;
  const body = `order x ${"-".repeat(200)}`;
  expect(plan({ sender: undefined, subject, body })).toMatchObject({ by: "r4" });
});

describe("with a fact unknown", () => {
  const sender = undefined;

  test("a rule that waits for it is undecided, and no later rule decides", () => {
    const plan = planOf([
      ...FIRST_ON_BODY,
      celRule('sender == "q@x.test"'),
      regexRule("order \\d", ["body"]),
    ]);
    expect(plan({ sender, body: "order 7" })).toMatchObject({ by: "needs header" });
    expect(plan({ body: "order 7" })).toMatchObject({ by: "r5" });
  });

  test("a rule that waits for it may match by the body", () => {
    const plan = planOf([...FIRST_ON_BODY, regexRule("order \\d", ["sender", "body"])]);
    expect(plan({ sender, body: "order 7" })).toMatchObject({ by: "r4" });
    expect(plan({ sender, body: "order x" })).toMatchObject({ by: "needs header" });
  });

  test("rules on the body wait for it behind those that other facts rule out", () => {
    const ruledOut = celRule('body.contains("aaa") && size > 5');
    const plan = planOf([ruledOut, ruledOut, ruledOut, regexRule("order", ["body"])]);
    expect(plan({ body: undefined })).toMatchObject({ by: "needs body" });
    expect(plan({ body: "order" })).toMatchObject({ by: "r3" });
  });

  test("rules wait for headers, and for a subject that patterns without a literal search", () => {
    const names = planOf([celRule('"x-a" in headers'), aliasRule("a")]);
    expect(names({ headers: undefined })).toMatchObject({ by: "needs header" });
    expect(names({ headers: new Map() })).toMatchObject({ by: "r1" });
    const digits = [1, 2, 3, 4, 5, 6].map((count) => regexRule(`[0-9]{${count}}`, ["subject"]));
    expect(planOf(digits)({ subject: undefined })).toMatchObject({ by: "needs header" });
  });

  test("rules wait for what could spend their fuel, and are not tried once it is known", () => {
    const loop = (variable: string) => `[1].all(n, size(${variable}) > n)`;
    const waiting = (fact: string) =>
      celRule(`(${fact}.contains("qqq") || ${loop(fact)}) && subject.contains("absent")`);
    const plan = planOf([
      waiting("recipient"),
      waiting("sender"),
      waiting("sender"),
      waiting("body"),
    ]);
    expect(plan({})).toMatchObject({ by: "fallback", candidates: 0 });
    expect(plan({ sender })).toMatchObject({ candidates: 2 });
  });

  test("a rule that waits for it in two ways is tried once", () => {
    const ways = ['sender == "q@x.test"', 'sender.contains("qqq")', 'recipient == "q@own.test"'];
    const plan = planOf([celRule(ways.map((way) => `${way} && size > 5`).join(" || "))]);
    const { by, candidates } = plan({ sender, recipient: undefined });
    expect([by, candidates]).toEqual(["fallback", 1]);
  });
});

test("rules are tried by rank, whether they are opened by an address, a text or nothing", () => {
  const rules = [
    celRule("size > 5"),
    regexRule("order", ["subject"]),
    aliasRule("b"),
    ...FIRST_ON_BODY,
    celRule("size > 3"),
    regexRule("order", ["body"]),
    aliasRule("a"),
  ];
  const plan = planOf(rules);
  expect(plan({ size: 9, subject: "order", recipient: "b@own.test" })).toMatchObject({ by: "r0" });
  expect(plan({ subject: "order", recipient: "b@own.test" })).toMatchObject({ by: "r1" });
  expect(plan({ recipient: "b@own.test", body: "order" })).toMatchObject({ by: "r2" });
  expect(plan({ size: 4, body: "order" })).toMatchObject({ by: "r7" });
  expect(plan({ body: "order" })).toMatchObject({ by: "r8" });
  expect(plan({ body: "-" })).toMatchObject({ by: "r9" });
});

test("a rule that a later search of the body opens is tried before those of earlier searches", () => {
  const plan = planOf([
    ...FIRST_ON_BODY,
    regexRule("[qz][0-9]{3}x", ["body"]),
    regexRule("order", ["body"]),
  ]);
  expect(plan({ body: `z123x${"-".repeat(40)}order` })).toMatchObject({ by: "r4" });
  expect(plan({ body: `z12x${"-".repeat(40)}order` })).toMatchObject({ by: "r5" });
});

test("rules that several facts open are tried by rank", () => {
  const plan = planOf([
    regexRule("order", ["subject"]),
    celRule('sender == "s@x.test"'),
    regexRule("order", ["subject"]),
    celRule('recipient == "a@own.test"'),
  ]);
  expect(plan({ subject: "order" })).toMatchObject({ by: "r0", candidates: 1 });
  expect(plan({})).toMatchObject({ by: "r1", candidates: 1 });
  expect(plan({ sender: "t@x.test" })).toMatchObject({ by: "r3", candidates: 1 });
});

test("trying a rule costs 20 units, besides what the rule does", () => {
  expect(planOf([celRule("false"), celRule("false")])({}).fuel).toBe(2 * (20 + "false".length));
});

test("once an alias matches, no later rule is looked for or tried", () => {
  const plan = planOf([
    aliasRule("a"),
    celRule('sender == "s@x.test"'),
    celRule('"x-a" in headers'),
    regexRule("order", ["subject"]),
    regexRule("[0-9]{3}", ["subject"]),
    celRule('body.contains("order")'),
  ]);
  const headers = new Map([["x-a", ["1"]]]);
  const decided = plan({ subject: "order 123", body: "order", headers });
  expect(decided).toMatchObject({ by: "r0", candidates: 1, scans: 0, fullScans: 0 });
});

test("a message leaves nothing behind that another is tried with", () => {
  const rules = [celRule('subject.contains("aaa") && size > 5'), celRule('"x-a" in headers')];
  const domain = compiled(domainOf(rules));
  const facts = { recipient: "a@own.test", sender: "", body: "", attachments: [], size: 1 };
  const broken = {
    ...facts,
    subject: "aaa",
    get headers(): never {
      throw new Error("unread");
    },
  };
  expect(() => resolve(domain, broken)).toThrow("unread");
  const stats = createResolveStats();
  resolve(domain, { ...facts, subject: "", headers: new Map() }, { stats });
  expect(stats.candidates).toBe(0);
  const plan = planOf([...FIRST_ON_BODY, regexRule("order \\d", ["subject", "body"])]);
  const message = { subject: "order x", body: `order x${"-".repeat(200)}` };
  const [one, other] = [plan(message), plan(message)];
  expect(other).toEqual(one);
  expect(plan({ body: "-" }).candidates).toBe(0);
});
