/** A long decision is made by a worker: the newest question wins, and an older decision is never the current one. */
import { signal } from "@preact/signals";
import { describe, expect, test } from "vitest";
import { createDeciding, type Deciding, type ToDecide } from "../../../src/page/deciding.ts";
import { createDraftCompiler } from "../../../src/page/model/compile.ts";
import { decide } from "../../../src/page/model/decide.ts";
import { changeRule, readDomain } from "../../../src/page/model/domain.ts";
import { type Mail, typedMail } from "../../../src/page/model/mail.ts";
import { createAsker } from "../../../src/page/model/newest.ts";
import { Pace, unitsToSearch } from "../../../src/page/model/pace.ts";
import { packDecision, unpackDecision } from "../../../src/page/model/packed-decision.ts";
import {
  changedFields,
  createDecider,
  type DecideRequest,
} from "../../../src/page/worker/decide-worker.ts";

const RULES = 100;
const words = (index: number): string => `number ${index}`;
const rules = Array.from({ length: RULES }, (_, index) => ({
  id: `rule-${index}`,
  rank: index + 1,
  ...(index % 2 === 0
    ? { type: "regex", config: { regex: `(${words(index)})\\b`, scopes: ["subject", "body"] } }
    : { type: "cel", config: { expression: `body.contains("${words(index)}") && size > 0` } }),
})).map((rule) => ({ ...rule, config: { ...rule.config, forward: "a@b.example" } }));
const draft = readDomain({ domain: "x.example", rules });
const short: Mail = { ...typedMail("x.example"), subject: "a letter", size: 100 };
const long: Mail = { ...short, body: "some words in a line\n".repeat(15_000) };

const compiler = createDraftCompiler();
function ask(mail: Mail, deciding = draft): ToDecide {
  return { domain: compiler.compile(deciding).domain!, deciding, mail };
}

interface Bench extends Deciding {
  readonly question: { value: ToDecide | null };
  readonly requests: DecideRequest[];
  readonly opened: () => number;
  /** The worker takes its oldest request. */
  work(): void;
  fail(): void;
}

function bench(first: ToDecide): Bench {
  const question = signal<ToDecide | null>(first);
  let clockMs = 0;
  const deciding = createDeciding(question, () => {
    clockMs += 50;
    return clockMs;
  });
  const requests: DecideRequest[] = [];
  const decider = createDecider();
  let taken = 0;
  let opened = 0;
  let [answer, fail]: [(of: DecideRequest) => void, () => void] = [
    () => undefined,
    () => undefined,
  ];
  deciding.decideLongIn((on) => {
    opened++;
    answer = (of) => on.answer({ ...structuredClone(decider(of)), ms: 50 });
    fail = on.failure;
    return (request) => void requests.push(structuredClone(request));
  });
  const work = (): void => answer(requests[taken++]!);
  return { ...deciding, question, requests, opened: () => opened, work, fail: () => fail() };
}

const deciderOf = ({ decided }: Deciding): string | undefined =>
  decided.value?.decision.decidedBy?.id;

describe("a decision", () => {
  test("of a short message is made at once, without a worker", () => {
    const page = bench(ask(short));
    page.question.value = ask({ ...short, subject: "number 8" });
    expect([deciderOf(page), page.isDeciding.value, page.opened()]).toEqual(["rule-8", false, 0]);
  });

  test("of a long message follows, and until then the one before is known to be older", () => {
    const page = bench(ask(long));
    expect(page.isDeciding.value).toBe(false);
    page.question.value = ask({ ...long, subject: "number 8" });
    expect([deciderOf(page), page.isDeciding.value]).toEqual([undefined, true]);
    page.work();
    expect([deciderOf(page), page.isDeciding.value]).toEqual(["rule-8", false]);
    expect(page.decideMs.value).toBe(50);
  });

  test("that was overtaken is never current: the newest question wins", () => {
    const page = bench(ask(long));
    for (const number of [2, 4, 6]) {
      page.question.value = ask({ ...long, subject: words(number) });
    }
    page.work();
    // The answer to the first of the three; the second one was never asked.
    expect([deciderOf(page), page.isDeciding.value]).toEqual(["rule-2", true]);
    expect(page.marks.value).toEqual({});
    page.work();
    expect([deciderOf(page), page.isDeciding.value]).toEqual(["rule-6", false]);
    expect(page.marks.value.subject?.span).toEqual({ start: 0, end: 8 });
    expect(page.requests.length).toBe(2);
  });

  test("that a shorter message overtakes is dropped when it comes", () => {
    const page = bench(ask(long));
    page.question.value = ask({ ...long, subject: "number 8" });
    page.question.value = ask({ ...short, subject: "number 4" });
    expect([deciderOf(page), page.isDeciding.value]).toEqual(["rule-4", false]);
    page.work();
    expect([deciderOf(page), page.isDeciding.value]).toEqual(["rule-4", false]);
    page.question.value = ask({ ...long, subject: "number 2" });
    page.work();
    expect([deciderOf(page), page.isDeciding.value]).toEqual(["rule-2", false]);
  });

  test("is none where the domain has an error, and none comes late", () => {
    const page = bench(ask(long));
    page.question.value = ask({ ...long, subject: "number 8" });
    page.question.value = null;
    page.work();
    expect([page.decided.value, page.isDeciding.value]).toEqual([null, false]);
  });

  test("is made at once when the worker fails", () => {
    const page = bench(ask(long));
    page.question.value = ask({ ...long, subject: "number 8" });
    page.fail();
    expect([deciderOf(page), page.isDeciding.value]).toEqual(["rule-8", false]);
    page.question.value = ask({ ...long, subject: "number 4" });
    expect([deciderOf(page), page.isDeciding.value]).toEqual(["rule-4", false]);
  });

  test("sends the worker only what changed", () => {
    const page = bench(ask(long));
    const send = (question: ToDecide): void => {
      page.question.value = question;
      page.work();
    };
    send(ask({ ...long, subject: "number 8" }));
    send(ask({ ...long, subject: "number 4" }));
    const edited = changeRule(draft, "rule-0", { active: false });
    send(ask({ ...long, subject: "number 4" }, edited));
    expect(page.requests.map(({ domain, mail }) => [domain?.rules.length, mail])).toEqual([
      [RULES, { ...long, subject: "number 8" }],
      [undefined, { subject: "number 4" }],
      [RULES, {}],
    ]);
    expect(changedFields(null, short)).toBe(short);
  });

  test.each([
    ["a match", { ...long, subject: "see number 8" }],
    ["none", long],
    ["an address that the engine makes canonical", { ...long, sender: "Ann@Mail.Example" }],
  ])("comes from the worker as it is made here: %s", (_, mail) => {
    const { domain } = ask(mail);
    const here = decide(domain, mail);
    const packed = packDecision(here, mail);
    const there = unpackDecision(structuredClone(packed), mail);
    const plain = ({ outcomes, ...rest }: typeof here): unknown => ({
      ...rest,
      outcomes: outcomes.map(({ entry, verdict, held, failed, clauses }) => {
        return { entry, verdict, held, failed, clauses };
      }),
    });
    expect(plain(there)).toEqual(plain(here));
    expect(JSON.stringify(packed).length).toBeLessThan(mail.body.length);
  });
});

describe("the pace", () => {
  test("counts what active rules may have to search", () => {
    const mail = { ...short, headers: new Map([["x-a", ["12345", "678"]]]) };
    const own = mail.recipient.length + mail.sender.length + mail.subject.length + 8;
    expect(unitsToSearch(draft, mail)).toBe(RULES * own);
    expect(unitsToSearch(changeRule(draft, "rule-0", { active: false }), mail)).toBe(
      (RULES - 1) * own,
    );
  });

  test("follows what decisions took, but for short ones", () => {
    const pace = new Pace();
    expect([1_000, 30_000_000].map((units) => pace.isLong(units))).toEqual([false, true]);
    pace.took(30_000_000, 2);
    expect(pace.isLong(30_000_000)).toBe(false);
    pace.took(30_000_000, 60);
    // The faster one of the last two counts.
    expect(pace.isLong(30_000_000)).toBe(false);
    pace.took(30_000_000, 60);
    expect(pace.isLong(30_000_000)).toBe(true);
    pace.took(1_000, 1_000);
    expect(pace.isLong(1_000)).toBe(false);
  });
});

test("one question is asked at a time, and of those that wait the newest", () => {
  const [sent, shown]: [number[], string[]] = [[], []];
  const asker = createAsker<number, string>({
    send: (question) => void sent.push(question),
    show: (question, answer) => void shown.push(`${question}: ${answer}`),
  });
  for (const question of [1, 2, 3]) asker.ask(question);
  expect(sent).toEqual([1]);
  asker.answered("one");
  expect([sent, shown]).toEqual([[1, 3], ["1: one"]]);
  asker.forget();
  asker.ask(4);
  asker.answered("three");
  expect([sent, shown]).toEqual([[1, 3, 4], ["1: one"]]);
  asker.answered("four");
  expect(shown).toEqual(["1: one", "4: four"]);
});
