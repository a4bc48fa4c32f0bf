/** An mbox read in parts, wherever it is cut, gives the messages that reading it whole gives. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MboxMessage, mboxMessages } from "../../src/mailbox/mbox/mbox.ts";
import { MboxPart } from "../../src/mailbox/mbox/mbox-part.ts";
import type { MboxBorder } from "../../src/mailbox/mbox/mbox-splitter.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mbox-part-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const told = ({ bytes, start, end, quoting }: MboxMessage): unknown[] => [
  Buffer.from(bytes).toString("latin1"),
  start,
  end,
  quoting,
];

async function allOf(
  messages: AsyncIterable<MboxMessage> | Iterable<MboxMessage>,
): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const message of messages) all.push(told(message));
  return all;
}

async function* inChunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** Reads parts of `length` octets apart, and again those that took a wrong border for granted. */
async function inParts(
  path: string,
  bytes: Uint8Array,
  length: number,
): Promise<{ readonly messages: unknown[]; readonly readAgain: number }> {
  const messages: unknown[] = [];
  let readAgain = 0;
  let next: MboxBorder | null = { at: 0, distrusted: 0 };
  for (let start = 0; start < bytes.length; start += length) {
    const end = Math.min(start + length, bytes.length);
    const place = { path, start, end, fileEnd: bytes.length };
    const apart = new MboxPart(place);
    const guessed = await allOf(apart.messages());
    if (next === null || next.at >= place.end) continue;
    if (apart.first?.at === next.at && next.distrusted <= next.at) {
      messages.push(...guessed);
      next = apart.next;
      continue;
    }
    readAgain++;
    const again: MboxPart = new MboxPart(place, next);
    messages.push(...(await allOf(again.messages())));
    next = again.next;
  }
  expect(next).toBeNull();
  return { messages, readAgain };
}

const DATE = "Mon Nov 16 00:00:00 2026";
const DATED = [
  `From a@b ${DATE}\nSubject: d\n`,
  `From ???@??? ${DATE}\r\nX-y: d\r\n`,
  `From a@b ${DATE}\n\n`,
  `From - ${DATE}\ntext\n`,
  `From ${"0123456789".repeat(4)} Mon Sep 17 00:00:00 2001\nFrom: c@d\n`,
];

/** Pieces of which separators, lines that only look like them, and lengths that are right or wrong are made. */
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("From a\n", "From b@c Mon\r\n", "\nFrom x\n", "From ") },
  { weight: 6, arbitrary: fc.constantFrom("\n", "\r\n", "\n\n", "\r\n\r\n", "\r\r\n", "\r") },
  { weight: 3, arbitrary: fc.constantFrom(">From q\n", ">>From q\n", "a\nFrom b\n", " From c\n") },
  { weight: 2, arbitrary: fc.constantFrom("text\n", "Subject: s\n", `${"\r".repeat(80)}\n`) },
  { weight: 5, arbitrary: fc.constantFrom(...DATED, ...DATED.map((line) => `\n${line}`)) },
  { weight: 2, arbitrary: fc.constantFrom(" \n", "\t \n", "y: ", `From ${"x".repeat(1_100)}\n`) },
  {
    weight: 3,
    arbitrary: fc
      .nat({ max: 120 })
      .map((length) => `\nFrom l\nContent-Length: ${length}\nSubject: s\n\n`),
  },
);
/** Held together by a length that is right. */
const held = fc
  .constantFrom("x\n\nFrom i\n\n", "x\n\nFrom i\n\n\nFrom j\ny\n", "\r\nFrom i\r\n")
  .map((inner) => `\nFrom r\nContent-Length: ${inner.length}\n\n${inner}`);
const mbox = fc
  .tuple(
    fc.constantFrom("", "\xef\xbb\xbf"),
    fc.array(fc.oneof({ weight: 9, arbitrary: piece }, { weight: 1, arbitrary: held }), {
      maxLength: 60,
    }),
  )
  .map(([bom, pieces]) => Buffer.from(`${bom}From start\n${pieces.join("")}`, "latin1"));

test("random mboxes, cut anywhere", async () => {
  const path = join(folder, "random");
  let readAgain = 0;
  await fc.assert(
    fc.asyncProperty(mbox, fc.integer({ min: 1, max: 150 }), async (bytes, length) => {
      writeFileSync(path, bytes);
      const whole = await allOf(mboxMessages(bytes));
      expect(await allOf(mboxMessages(inChunks(bytes, length)))).toEqual(whole);
      const parts = await inParts(path, bytes, length);
      expect(parts.messages).toEqual(whole);
      readAgain += parts.readAgain;
    }),
    { seed: 20261120, numRuns: 800 },
  );
  // Guesses that were wrong have been among them.
  expect(readAgain).toBeGreaterThan(50);
});

test("every cut of one that has all kinds of borders", async () => {
  const inner = "x\n\nFrom inner\n\ny\n";
  const bytes = Buffer.from(
    [
      "From a\nA: 1\n\none\n>From me\nFrom in\n",
      `From b\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      `From c\nContent-Length: 60\n\nwrong\n\nFrom d\n\n`,
      "From e\n",
      "From f\r\n\r\n\r\n\r\r\nFrom g\n\nlast",
    ].join("\n"),
  );
  const path = join(folder, "every");
  writeFileSync(path, bytes);
  const whole = await allOf(mboxMessages(bytes));
  expect(whole.length).toBeGreaterThan(5);
  for (let length = 1; length <= bytes.length; length++) {
    expect((await inParts(path, bytes, length)).messages, `parts of ${length}`).toEqual(whole);
  }
});

test("a separator across two reads of a long file", async () => {
  const path = join(folder, "long");
  const message = (length: number): string => `From a\nSubject: s\n\n${"x".repeat(length)}\n\n`;
  for (let by = -12; by <= 12; by++) {
    const bytes = Buffer.from([message(1_048_576 + by), message(5), message(1_048_555)].join(""));
    writeFileSync(path, bytes);
    const parts = await inParts(path, bytes, 40_000);
    expect(parts.messages.map((each) => (each as unknown[]).slice(1))).toEqual(
      (await allOf(mboxMessages(bytes))).map((each) => (each as unknown[]).slice(1)),
    );
  }
});
