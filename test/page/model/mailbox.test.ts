/** Mailboxes on the page: split as the reader of mail stores splits them, kept in a worker, compared there. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { mboxMessages } from "../../../src/mailbox/mbox/mbox.ts";
import type { Changes } from "../../../src/page/model/changes.ts";
import type { ShownOutcome } from "../../../src/page/model/decide.ts";
import { changeRule } from "../../../src/page/model/domain.ts";
import { foldRuns } from "../../../src/page/model/fold-runs.ts";
import { readMailFile, splitMbox } from "../../../src/page/model/mail.ts";
import { type CompareAnswer, createComparer } from "../../../src/page/worker/compare-worker.ts";
import { patchBetween, patched } from "../../../src/page/worker/mail-patch.ts";
import { compileOn } from "./example.ts";

const { draft, mails } = compileOn();

async function byReader(bytes: Uint8Array): Promise<string[]> {
  const found: string[] = [];
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  for await (const message of mboxMessages(whole())) {
    found.push(Buffer.from(message.bytes).toString("latin1"));
  }
  return found;
}

const onPage = (bytes: Uint8Array): string[] =>
  [...splitMbox(bytes)].map((each) => Buffer.from(each).toString("latin1"));

const line = fc.constantFrom(
  "hello",
  "",
  "From here on",
  ">From ann",
  ">>From 12:30:00 2026",
  ">not quoted",
  "grün",
  " From the margin",
);
const message = fc
  .record({ subject: fc.constantFrom("one", "two"), body: fc.array(line, { maxLength: 8 }) })
  .map(({ subject, body }) => [
    `Subject: ${subject}`,
    "",
    ...body.map((each) => each.replace(/^(>*From )/, ">$1")),
  ]);

test("an mbox is split, and unquoted, as by the reader of mail stores", async () => {
  const mbox = fc.record({
    messages: fc.array(message, { minLength: 1, maxLength: 5 }),
    end: fc.constantFrom("\n", "\r\n"),
  });
  await fc.assert(
    fc.asyncProperty(mbox, async ({ messages, end }) => {
      const separator = "From ann@x.example Thu Jan  1 09:30:00 2026";
      const lines = messages.flatMap((each) => [separator, ...each, ""]);
      const bytes = Buffer.from(lines.join(end) + end);
      expect(onPage(bytes)).toEqual(await byReader(bytes));
    }),
    { numRuns: 300 },
  );
});

test("an mbox that is cut off gives what there is; a file that is none gives nothing", () => {
  expect(onPage(Buffer.from("From a 09:30 2026\nSubject: x"))).toEqual(["Subject: x"]);
  expect(onPage(Buffer.from("From a 09:30 2026"))).toEqual([""]);
  expect(onPage(Buffer.alloc(0))).toEqual([]);
  const two =
    "From a 09:30 2026\nTo: b@x.example\n\nhi\n\nFrom a 09:31 2026\nTo: c@x.example\n\nho\n";
  const read = [...readMailFile(Buffer.from(two), "box", "x.example")].flat();
  expect(read.map(({ name, recipient, body }) => [name, recipient, body.trim()])).toEqual([
    ["box 1", "b@x.example", "hi"],
    ["box 2", "c@x.example", "ho"],
  ]);
});

test("an mbox in any of its variants, and whatever it begins with", () => {
  const line = "From a@x.example Thu Jan  1 09:30:00 2026";
  const subjects = (text: string): string[] =>
    [...readMailFile(Buffer.from(text, "latin1"), "box", "x.example")]
      .flat()
      .map(({ subject, body }) => `${subject}: ${body.trim().replaceAll("\n", " / ")}`);
  const two = (body: string, more: string = ""): string =>
    `${line}\nSubject: one\n${more}\n${body}\n\n${line}\nSubject: two\n\nbye\n`;
  expect(subjects(two(">From here"))).toEqual(["one: From here", "two: bye"]);
  expect(subjects(two(">>From here"))).toEqual(["one: >From here", "two: bye"]);
  // Lines that were not quoted: no date, or a length that holds the message together.
  expect(subjects(two("From here on"))).toEqual(["one: From here on", "two: bye"]);
  const body = `hi\n\n${line}\nSubject: inner\n\nhello`;
  const length = `Content-Length: ${body.length + 1}\n`;
  expect(subjects(two(body, length))).toEqual([
    `one: hi /  / ${line} / Subject: inner /  / hello`,
    "two: bye",
  ]);
  expect(subjects(`\xef\xbb\xbf\n${two("hi").replaceAll("\n", "\r\n")}`)).toEqual([
    "one: hi",
    "two: bye",
  ]);
  // As Eudora writes it, without blank lines.
  expect(subjects(two("hi").replace(`\n\n${line}`, `\n${line}`))).toEqual(["one: hi", "two: bye"]);
});

test("a worker gets what changed of the mail, and has the same", () => {
  expect(patchBetween(mails, mails)).toBeNull();
  const typed = mails.map((each, index) => (index === 1 ? { ...each, subject: "typed" } : each));
  const patch = patchBetween(mails, typed)!;
  expect([patch.added.length, patch.changed.map(({ index }) => index)]).toEqual([0, [1]]);
  const steps = fc.array(fc.array(fc.nat(5), { maxLength: 6 }), { maxLength: 6 });
  fc.assert(
    fc.property(steps, (lists) => {
      let [page, worker] = [mails.slice(0, 0), mails.slice(0, 0)];
      for (const list of lists) {
        const next = list.map((index) => mails[index]!);
        const each = patchBetween(page, next);
        if (each !== null) worker = patched(worker, each) as typeof worker;
        page = next;
        expect(worker).toEqual(page);
      }
    }),
  );
});

test("a comparison in a worker ends with the whole; a later request ends an earlier one", () => {
  const answers: CompareAnswer[] = [];
  const waiting: (() => void)[] = [];
  const many = Array.from({ length: 400 }, () => mails).flat();
  const compare = createComparer({
    post: (answer) => answers.push(answer),
    later: (work) => waiting.push(work),
  });
  const run = (): void => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) work();
  };
  const off = changeRule(draft, "invoices", { active: false });
  compare({ kind: "compare", id: 1, patch: patchBetween([], many), before: draft, after: draft });
  compare({ kind: "compare", id: 2, patch: null, before: draft, after: off });
  run();
  const last: Changes = answers.at(-1)!.changes;
  expect([answers.at(-1)!.id, last.decisions, last.of]).toEqual([2, many.length, many.length]);
  expect(last.changedCount).toBe(400);
  expect(
    answers.filter(({ id }) => id === 1).every(({ changes }) => changes.changedCount === 0),
  ).toBe(true);
  // Rules that do not compile are not compared.
  const count = answers.length;
  compare({
    kind: "compare",
    id: 3,
    patch: null,
    before: draft,
    after: changeRule(draft, "invoices", { type: "no" }),
  });
  run();
  expect(answers).toHaveLength(count);
});

test("long runs of rules that took no part are folded, and opened one by one", () => {
  const outcome = (verdict: string): ShownOutcome => ({ verdict }) as unknown as ShownOutcome;
  const outcomes = [
    ...Array.from({ length: 500 }, () => outcome("missed")),
    outcome("matched"),
    ...Array.from({ length: 499 }, () => outcome("unreached")),
  ];
  const folded = foldRuns(outcomes, new Set());
  expect(folded.map((item) => (item.kind === "fold" ? item.words : item.outcome.verdict))).toEqual([
    ...Array(4).fill("missed"),
    "492 more rules missed",
    ...Array(4).fill("missed"),
    "matched",
    ...Array(4).fill("unreached"),
    "491 more rules were not reached",
    ...Array(4).fill("unreached"),
  ]);
  expect(foldRuns(outcomes, new Set([4, 505])).length).toBe(1_000);
  expect(foldRuns(outcomes.slice(490, 510), new Set()).length).toBe(20);
});
