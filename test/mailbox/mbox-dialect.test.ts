/** What begins a message in mboxes of several writers, found from the whole file, and where that is doubtful. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readMbox } from "../../src/mailbox/mbox/mbox.ts";
import { dialectOfHead, dialectText } from "../../src/mailbox/mbox/mbox-dialect.ts";
import { dialectOfFile } from "../../src/mailbox/mbox/mbox-file-dialect.ts";

const DATE = "Mon Nov 16 00:00:00 2026";
const message = (number: number, body = "hi\n"): string =>
  `From a@b.test ${DATE}\nSubject: ${number}\n\n${body}`;

interface Read {
  readonly messages: string[];
  readonly dialect: string;
  readonly doubts: Record<string, number>;
}

async function read(text: string): Promise<Read> {
  const reading = readMbox(Buffer.from(text, "latin1"));
  const messages: string[] = [];
  for (;;) {
    const next = await reading.next();
    if (next.done === true) {
      const { dialect, doubts } = next.value;
      return { messages, dialect: dialectText(dialect), doubts: Object.fromEntries(doubts) };
    }
    messages.push(Buffer.from(next.value.bytes).toString("latin1"));
  }
}

const subjects = ({ messages }: Read): (string | undefined)[] =>
  messages.map((text) => /^Subject: (.*)$/m.exec(text)?.[1]);

describe("what begins a message", () => {
  test.each([
    ["blank lines before the first line", `\n\r\n${message(1)}\n${message(2)}`, ["1", "2"]],
    ["blank lines of a space", `${message(1)} \n${message(2)}\t\r\n${message(3)}`, ["1", "2", "3"]],
    [
      "no blank lines, as of Eudora",
      [1, 2, 3, 4].map((number) => message(number)).join(""),
      ["1", "2", "3", "4"],
    ],
    [
      "no blank lines and no dates",
      [1, 2, 3].map((number) => `From x\nSubject: ${number}\n\nhi\n`).join(""),
      ["1", "2", "3"],
    ],
    [
      "unescaped `From ` after a blank line, in a file with dates",
      `${message(1, "Hello\n\nFrom here on it goes.\nFrom there.\n\nFrom: you\n\n")}${message(2)}`,
      ["1", "2"],
    ],
    [
      "unescaped `From ` after a blank line, in a file without dates",
      "From x\nSubject: 1\n\nHello\n\nFrom here on it goes.\n\nFrom y\nSubject: 2\n\nhi\n",
      ["1", "2"],
    ],
    [
      "a patch of git within a message",
      `${message(1, `see\n\nFrom ${"a1".repeat(20)} Mon Sep 17 00:00:00 2001\nFrom: me\nSubject: patch\n\ndiff\n\n`)}${message(2)}`,
      ["1", "2"],
    ],
    [
      "a series of patches",
      [1, 2]
        .map(
          (number) =>
            `From ${"a1".repeat(20)} Mon Sep 17 00:00:00 2001\nSubject: ${number}\n\nx\n\n`,
        )
        .join(""),
      ["1", "2"],
    ],
    [
      "lines of Takeout and of Thunderbird",
      `From 1712345678901234567@xxx Mon Nov 16 00:00:00 +0000 2026\nSubject: 1\n\nhi\n\nFrom - ${DATE}\nX-Mozilla-Status: 0001\nSubject: 2\n\nho\n`,
      ["1", "2"],
    ],
    ["a message without a header", `From a@b ${DATE}\n\nbody\n\n${message(2)}`, [undefined, "2"]],
  ])("%s", async (_what, text, expected) => {
    expect(subjects(await read(text))).toEqual(expected);
  });

  test("the whole file decides: one undated line among dated ones, and the other way", async () => {
    const dated = Array.from({ length: 20 }, (_, index) => `${message(index)}\n`).join("");
    const undated = Array.from(
      { length: 20 },
      (_, index) => `From x\nSubject: u${index}\n\nhi\n\n`,
    );
    const text = "Some text\n\nFrom now on\ntext\n\n";
    const one = await read(`${dated}${undated[0]}${text}${dated}`);
    expect(subjects(one)).toHaveLength(41);
    const other = await read(`${undated.join("")}${message(1)}\n${undated.join("")}`);
    expect(subjects(other)).toHaveLength(41);
  });
});

describe("doubts are counted", () => {
  test.each([
    [
      "a patch",
      `${message(1, `see\n\nFrom ${"a1".repeat(20)} Mon Sep 17 00:00:00 2001\nFrom: me\n\n`)}`,
    ],
    ["no blank line before", `${message(1)}\n${message(2)}\n${message(3)}${message(4)}`],
    ["no date", `${message(1)}\n${message(2)}\nFrom x\nSubject: 3\n\nhi\n`],
    ["no header after", `${message(1)}\nFrom a@b ${DATE}\nnot a header\n`],
    ["left in the text", "From x\nSubject: 1\n\nHello\n\nFrom here on it goes.\n"],
  ])("%s", async (doubt, text) => {
    expect((await read(text)).doubts).toEqual({ [doubt]: 1 });
  });

  test("and none where nothing is doubtful", async () => {
    const text = `${message(1, ">From me\nFrom within a paragraph\n\n")}${message(2)}`;
    expect((await read(text)).doubts).toEqual({});
  });
});

test("a dialect has a name", async () => {
  const eudora = await read([1, 2, 3].map((number) => message(number)).join(""));
  expect(eudora.dialect).toBe("dated `From ` lines without blank lines before them");
  const usual = await read(`${message(1)}\n${message(2)}`);
  expect(usual.dialect).toBe("dated `From ` lines after blank lines");
});

describe("of a large file windows are looked at", () => {
  const folder = mkdtempSync(join(tmpdir(), "mbox-dialect-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("which give what the whole gives", () => {
    const path = join(folder, "m");
    const many = (one: string): string => one.repeat(Math.ceil(9_000_000 / one.length));
    for (const text of [
      many(message(1, "x\n".repeat(200))),
      many("From x\nSubject: s\n\nhi\n\n"),
    ]) {
      writeFileSync(path, text);
      const whole = dialectOfHead(Buffer.from(text), "ended");
      expect(dialectOfFile(path, text.length)).toEqual(whole);
    }
    expect(dialectOfFile(path, 0)).toMatchObject({ senders: "people" });
  });
});
