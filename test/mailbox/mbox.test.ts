/** Mbox files. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import {
  looksLikeMbox,
  type MboxOptions,
  mboxMessages,
  splitMbox,
} from "../../src/mailbox/index.ts";
import { messageFacts } from "../../src/message/index.ts";

async function split(text: string): Promise<string[]> {
  const messages: string[] = [];
  for await (const message of splitMbox(Buffer.from(text, "latin1"))) {
    messages.push(Buffer.from(message).toString("latin1"));
  }
  return messages;
}

describe("splitMbox", () => {
  test.each([
    ["nothing", "", []],
    ["one message", "From x\nA: b\n\nhi\n\n", ["A: b\n\nhi\n"]],
    [
      "two messages",
      "From x\nA: b\n\nhi\n\nFrom y\nA: c\n\nho\n",
      ["A: b\n\nhi\n", "A: c\n\nho\n"],
    ],
    [
      "CRLF",
      "From x\r\nA: b\r\n\r\nhi\r\n\r\nFrom y\r\nA: c\r\n",
      ["A: b\r\n\r\nhi\r\n", "A: c\r\n"],
    ],
    ["no line ending at the end", "From x\nA: b\n\nhi", ["A: b\n\nhi"]],
    [
      "quoted `From `",
      "From x\nA: b\n\n>From x\n>>From y\n> From\n>Fromage\n",
      ["A: b\n\nFrom x\n>From y\n> From\n>Fromage\n"],
    ],
    [
      "mbox-separator: `From ` within a paragraph",
      "From x\nA: b\n\nhi\nFrom x\n\nFrom y\nB: c\n",
      ["A: b\n\nhi\nFrom x\n", "B: c\n"],
    ],
    [
      "blank lines stay but for one",
      "From x\nA: b\n\nhi\n\n\n\nFrom y\nB: c\n",
      ["A: b\n\nhi\n\n\n", "B: c\n"],
    ],
    ["empty messages", "From x\n\nFrom y\n\n", ["", ""]],
    ["a byte order mark", "\xef\xbb\xbfFrom x\nA: b\n", ["A: b\n"]],
    ["no `From ` line: one message as it is", "A: b\n\n>From x\n\n", ["A: b\n\n>From x\n\n"]],
    ["something before the first `From ` line", "A: b\n\nFrom y\nB: c\n", ["A: b\n\n", "B: c\n"]],
  ])("%s", async (_name, text, messages) => {
    expect(await split(text)).toEqual(messages);
  });

  test("a long line is kept whole", async () => {
    const line = `${">".repeat(5_000)}From ${"x".repeat(100_000)}`;
    async function* source(): AsyncGenerator<Uint8Array> {
      const bytes = Buffer.from(`From x\n\n${line}\n`);
      for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700);
    }
    const messages: string[] = [];
    for await (const message of splitMbox(source())) messages.push(Buffer.from(message).toString());
    expect(messages).toEqual([`\n${line.slice(1)}\n`]);
  });

  test("holds one message at a time, and cuts one beyond the bound so that reading it tells", async () => {
    const chunk = Buffer.alloc(1_048_576, "x");
    let given = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("From x\nA: b\n\n");
      for (; given < 66; given++) yield chunk;
      yield Buffer.from("\n\nFrom y\nA: c\n");
    }
    const found: [string | undefined, number, readonly string[]][] = [];
    for await (const message of splitMbox(source())) {
      const { headers, size, problems } = await messageFacts(message);
      found.push([headers.get("a")?.[0], size, problems.map(({ code }) => code)]);
    }
    expect(found).toEqual([
      ["b", LIMITS.messageBytesMax + 1, ["message-too-large", "body-cut"]],
      ["c", 5, []],
    ]);
  });

  test("the bound can be set, and is checked", async () => {
    const text = Buffer.from("From x\nA: b\n\n0123456789\n\nFrom y\nA: c\n");
    const found: string[] = [];
    for await (const bytes of splitMbox(text, { limits: { messageBytesMax: 8 } })) {
      found.push(Buffer.from(bytes).toString());
    }
    expect(found).toEqual(["A: b\n\n012", "A: c\n"]);
    const wrong = splitMbox(text, { limits: { messageBytesMax: 0 } });
    await expect(wrong.next()).rejects.toThrow("`messageBytesMax` is `0`");
  });

  test("closes its source when no more messages are wanted", async () => {
    let closed = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from("From x\nA: b\n\n");
      } finally {
        closed++;
      }
    }
    for await (const message of splitMbox(source())) {
      expect(Buffer.from(message).toString()).toBe("A: b\n");
      break;
    }
    expect(closed).toBe(1);
  });
});

test.each([
  ["From a@b Thu Jan  1 00:00:00 1970\n", true],
  ["\xef\xbb\xbfFrom a", true],
  ["From: a@b\n", false],
  ["From : a@b\n", false],
  ["From \t: a@b\n", false],
  ["from a\n", false],
  ["From", false],
  ["", false],
  ["Return-Path: <a@b>\n", false],
])("looksLikeMbox %j: %s", (text, expected) => {
  expect(looksLikeMbox(Buffer.from(text, "latin1"))).toBe(expected);
});

describe("variants", () => {
  const CL = (length: number, body: string): string =>
    `From x\nContent-Length: ${length}\n\n${body}`;

  async function read(text: string, options?: MboxOptions): Promise<[string, number, number][]> {
    const found: [string, number, number][] = [];
    for await (const { bytes, start, end } of mboxMessages(Buffer.from(text), options)) {
      found.push([
        Buffer.from(bytes)
          .toString()
          .replace(/^(?:.+\n)*\n/, ""),
        start,
        end,
      ]);
    }
    return found;
  }
  const bodies = async (text: string, options?: MboxOptions): Promise<string[]> =>
    (await read(text, options)).map(([body]) => body);

  test("mbox-content-length: counts where a separator or the end follows", async () => {
    const inner = "a\n\nFrom b\n\n>From c\n";
    const text = `${CL(inner.length, inner)}\nFrom y\n\nlast\n`;
    expect(await bodies(text)).toEqual([inner, "last\n"]);
    expect(await bodies(CL(inner.length, inner))).toEqual([inner]);
    expect(await bodies(text, { variant: "mboxcl2" })).toEqual([inner, "last\n"]);
    expect(await bodies(text, { variant: "mboxcl" })).toEqual([
      "a\n\nFrom b\n\nFrom c\n",
      "last\n",
    ]);
    expect(await bodies(text, { variant: "mboxrd" })).toEqual(["a\n", "From c\n", "last\n"]);
  });

  test.each([-1, 5, 50, 5_000_000, 900_000_000])(
    "mbox-content-length: wrong by %i, it counts for nothing",
    async (by) => {
      const inner = "a\n\nFrom b\n\nc\n";
      const text = `${CL(inner.length + by, inner)}\nFrom y\n\n${"x\n".repeat(200)}`;
      expect(await bodies(text)).toEqual(["a\n", "c\n", "x\n".repeat(200)]);
    },
  );

  test("a wrong length covers nothing of the messages after it", async () => {
    const text = `${CL(40, "a\n\n")}${CL(2, "b\n\n")}${CL(2, "c\n\n")}`;
    expect(await bodies(text)).toEqual(["a\n", "b\n", "c\n"]);
  });

  test("mboxo quotes once", async () => {
    const text = "From x\n\n>From a\n>>From b\n";
    expect(await bodies(text, { variant: "mboxo" })).toEqual(["From a\n>>From b\n"]);
    expect(await bodies(text)).toEqual(["From a\n>From b\n"]);
  });

  test("messages say where they stand, quoted", async () => {
    const text = "From x\n\n>From a\n\nFrom y\n\nb\n";
    const found = await read(text);
    expect(found.map(([, start, end]) => text.slice(start, end))).toEqual(["\n>From a\n", "\nb\n"]);
  });

  test("one that nobody knows is refused", async () => {
    const options = { variant: "mbx" } as unknown as MboxOptions;
    await expect(read("", options)).rejects.toThrow("`variant` is `mbx`");
    await expect(read("", { kind: 1 } as MboxOptions)).rejects.toThrow("`kind`");
  });

  test("a first line of many chunks is passed once", async () => {
    async function* source(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("From a");
      for (let at = 0; at < 300; at++) yield Buffer.alloc(65_536, "a");
      yield Buffer.from("\nA: b\n\nhi\n");
    }
    const messages: string[] = [];
    for await (const message of splitMbox(source())) messages.push(Buffer.from(message).toString());
    expect(messages).toEqual(["A: b\n\nhi\n"]);
  });

  test("10,000 lengths that each cover all that follows are read in one go", async () => {
    const message = CL(1_000_000, "a\n\n");
    expect(await bodies(message.repeat(10_000))).toHaveLength(10_000);
  });
});
