/** Reading messages: the body, attachments, bounds, and how little of a stream a stage reads. */
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { headerFacts, type MessageSource, messageFacts } from "../../src/message/index.ts";

const facts = (text: string) => messageFacts(Buffer.from(text, "latin1"));
const codes = ({ problems }: { problems: readonly { code: string }[] }) =>
  problems.map(({ code }) => code);

const alternative = (...parts: string[]): string =>
  `Content-Type: multipart/alternative; boundary=b\n\n${parts.map((part) => `--b\n${part}\n`).join("")}--b--\n`;

describe("body-text", () => {
  test.each([
    ["no type", "A: b\n\nhi\r\nthere\r\n", "hi\nthere\n"],
    [
      "the plain text, then that of the HTML",
      alternative("\nplain\n", "Content-Type: text/html\n\n<p>html"),
      "plain\n\nhtml",
    ],
    [
      "the HTML's text where the plain text has no width",
      alternative("\n\xe2\x80\x8b\xc2\xad\xef\xbb\xbf", "Content-Type: text/html\n\n<p>html"),
      "html",
    ],
    ["a type without a semicolon", "Content-Type: text/html charset=koi8-r\n\n<p>\xd0", "п"],
    ["unknown-text: a text of an unknown type", "Content-Type: text/enriched\n\nx", "x"],
    [
      "the charset that the HTML names where MIME names none",
      "Content-Type: text/html\n\n<meta http-equiv=x content='text/html; charset=koi8-r'><p>\xd0",
      "п",
    ],
    ["text among the fields", "Subject: s\nHello there\nX: y\n\nmore", "Hello there\nX: y\nmore"],
    ["no text of a multipart without parts", "Content-Type: multipart/mixed; boundary=b\n\nx", ""],
    ["the HTML's text without plain text", "Content-Type: text/html\n\n<p>a<p>b", "a\nb"],
    [
      "the HTML's text where the plain text is blank",
      alternative("\n \n\t", "Content-Type: text/html\n\n<p>html"),
      "html",
    ],
    ["all plain texts", alternative("\none", "\ntwo"), "one\ntwo"],
    ["no text that is attached", "Content-Disposition: attachment\n\nx", ""],
    ["no text of another type", "Content-Type: text/calendar\n\nx", ""],
    ["nothing", "", ""],
    ["no body", "A: b\n\n", ""],
    ["base64", "Content-Transfer-Encoding: base64\n\naGV sbG8\n=", "hello"],
    ["quoted-printable", "Content-Transfer-Encoding: quoted-printable\n\nh=65l=\nlo", "hello"],
    ["a charset", "Content-Type: text/plain; charset=koi8-r\n\n\xd0", "п"],
    [
      "a charset behind base64",
      "Content-Type: text/plain; charset=utf-16le\nContent-Transfer-Encoding: base64\n\nYQANAAoAYgA=",
      "a\nb",
    ],
    [
      "undeclared octets behind quoted-printable",
      "Content-Transfer-Encoding: quoted-printable\n\n=E9",
      "é",
    ],
    ["a charset nobody knows", "Content-Type: text/plain; charset=nobody\n\n\xe9", "é"],
    [
      "a charset that would break a head",
      'Content-Type: text/plain; charset="x\\"; y"\n\n\xe9',
      "é",
    ],
    [
      "flowed text",
      "Content-Type: text/plain; format=flowed\n\na \nb\n\n> c \n> d",
      "a b\n\n> c d",
    ],
    ["flowed text with delsp", "Content-Type: text/plain; format=flowed; delsp=yes\n\na \nb", "ab"],
    [
      "an HTML charset",
      "Content-Type: text/html; charset=iso-8859-1\n\n<b>caf\xe9 &eacute;</b>",
      "café é",
    ],
    ["lone CR lines", "Content-Type: text/html\r\r<b>a\rb</b>\r", "a b"],
  ])("is %s", async (_name, text, body) => {
    expect((await facts(text)).body).toBe(body);
  });
});

test("attachments are told in order, with their size after decoding", async () => {
  const read = await facts(
    alternative(
      "\ntext",
      'Content-Type: Application/PDF; name="a b.pdf"\nContent-Transfer-Encoding: base64\n\naGVsbG8=',
      "Content-Disposition: attachment; filename==?utf-8?Q?=C3=A9?=\n\nhello",
      "Content-Type: image/png\n\n",
    ),
  );
  expect(read.attachments).toEqual([
    { filename: "a b.pdf", contentType: "application/pdf", size: 5 },
    { filename: "é", contentType: "text/plain", size: 5 },
    { filename: "", contentType: "image/png", size: 0 },
  ]);
});

test("the size counts octets as received", async () => {
  for (const text of ["", "a", "A: b\r\n\r\nc\r\n", "\xef\xbb\xbfA: b\n\nx", "A: b\r\rc\r"]) {
    expect((await facts(text)).size).toBe(text.length);
  }
});

describe("bounds", () => {
  test("30 MB of text: the body is cut, and told", async () => {
    const read = await messageFacts(Buffer.alloc(30_000_000, "From: a@b.test\n\n"));
    expect(read.body).toHaveLength(LIMITS.factUnitsMax);
    expect([read.from, read.size, codes(read)]).toEqual(["a@b.test", 30_000_000, ["body-cut"]]);
  });

  test.each([
    ["lines", "", "\n"],
    ["a line", "", "x"],
    ["blanks", "Content-Transfer-Encoding: quoted-printable\n", " "],
    ["equals signs", "Content-Transfer-Encoding: quoted-printable\n", "="],
    ["base64", "Content-Transfer-Encoding: base64\n", "YWFh\n"],
    ["flowed blanks", "Content-Type: text/plain; format=flowed\n", " \n"],
    ["HTML", "Content-Type: text/html\n", "<div>x"],
    ["an attachment", "Content-Type: a/b\nContent-Transfer-Encoding: quoted-printable\n", "= "],
  ])("30 MB of %s", async (_name, head, content) => {
    const start = Buffer.from(`From: a@b.test\n${head}\n`);
    const read = await messageFacts(Buffer.concat([start, Buffer.alloc(30_000_000, content)]));
    expect(read.from).toBe("a@b.test");
    expect(read.body.length).toBeLessThanOrEqual(LIMITS.factUnitsMax);
  });

  test("a cut does not leave half a character", async () => {
    const { body } = await messageFacts(Buffer.from(`A: b\n\nx${"\u{1f600}".repeat(600_000)}`));
    expect(body).toHaveLength(LIMITS.factUnitsMax);
    expect(body.isWellFormed()).toBe(true);
  });

  test("1 MB of nested HTML", async () => {
    const read = await facts(`Content-Type: text/html\n\n${"<div>".repeat(200_000)}x`);
    expect([read.body, codes(read)]).toEqual(["x", []]);
  });

  test("100,000 header fields", async () => {
    const text = `From: a@b.test\n${"X: y\n".repeat(100_000)}Subject: too late\n\nbody`;
    const read = await facts(text);
    expect([read.from, read.subject, read.body]).toEqual(["a@b.test", "", "body"]);
    expect(codes(read)).toEqual(["too-many-fields", "header-too-long"]);
  });

  test("a header without end", async () => {
    const read = await facts(`From: a@b.test\nX: ${"y".repeat(5_000_000)}\n\nbody`);
    expect([read.from, read.body, codes(read)]).toEqual(["a@b.test", "body", ["header-too-long"]]);
  });

  test("100,000 parts, and 100,000 multiparts within each other", async () => {
    const flat = `Content-Type: multipart/mixed; boundary=b\n\n${"--b\nContent-Type: a/b\n\nx\n".repeat(100_000)}`;
    const many = await facts(flat);
    expect([many.attachments.length, codes(many)]).toEqual([
      LIMITS.mimePartsMax,
      ["too-many-parts"],
    ]);
    let deep = "From: a@b.test\nContent-Type: multipart/mixed; boundary=b0\n\n";
    for (let at = 0; at < 100_000; at++) {
      deep += `--b${at}\nContent-Type: multipart/mixed; boundary=b${at + 1}\n\n`;
    }
    const read = await facts(deep);
    expect([read.from, read.body, codes(read)]).toEqual(["a@b.test", "", ["parts-too-deep"]]);
  });

  test("a message beyond its bound is read to the bound, and told", async () => {
    const chunk = Buffer.alloc(1_048_576, "x");
    async function* large(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("From: a@b.test\nContent-Type: a/b\n\n");
      for (let at = 0; at < 65; at++) yield chunk;
    }
    const read = await messageFacts(large());
    expect(read.size).toBe(34 + 65 * chunk.length);
    expect(read.attachments[0]?.size).toBe(LIMITS.messageBytesMax - 34);
    expect([read.from, codes(read)]).toEqual(["a@b.test", ["message-too-large"]]);
  });
});

/** Gives the chunks, and counts what is asked for. */
class CountingSource implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  asked = 0;
  returned = 0;
  readonly #chunks: readonly string[];
  constructor(chunks: readonly string[]) {
    this.#chunks = chunks;
  }
  [Symbol.asyncIterator](): this {
    return this;
  }
  async next(): Promise<IteratorResult<Uint8Array>> {
    const chunk = this.#chunks[this.asked++];
    if (chunk === undefined) return { done: true, value: undefined };
    return { done: false, value: Buffer.from(chunk) };
  }
  async return(): Promise<IteratorResult<Uint8Array>> {
    this.returned++;
    return { done: true, value: undefined };
  }
}

describe("the header stage", () => {
  test.each([
    ["LF", ["From: a@b.test\n", "\n", "never"], 2],
    ["CRLF", ["From: a@b.test\r\n\r", "\nbody", "never"], 2],
    ["lone CR", ["From: a@b.test\r", "\r", "x", "never"], 3],
    ["all in one chunk", ["From: a@b.test\n\nbody", "never"], 1],
  ])("reads a stream no further than the blank line: %s", async (_name, chunks, asked) => {
    const source = new CountingSource(chunks);
    expect((await headerFacts(source)).from).toBe("a@b.test");
    expect([source.asked, source.returned]).toEqual([asked, 1]);
  });

  test("reads a header without end no further than its bound", async () => {
    const line = `X: ${"y".repeat(1_020)}\n`;
    const source = new CountingSource(["From: a@b.test\n", ...Array(2_000).fill(line)]);
    const read = await headerFacts(source);
    expect([read.from, codes(read)]).toEqual(["a@b.test", ["header-too-long"]]);
    expect(source.asked).toBe(1 + LIMITS.headerBlockBytesMax / line.length);
    expect(source.returned).toBe(1);
  });

  test("closes a Node.js stream", async () => {
    const stream = Readable.from([Buffer.from("From: a@b.test\n\n"), Buffer.from("body")]);
    await headerFacts(stream);
    expect(stream.destroyed).toBe(true);
  });

  test("reads a message that ends in its header", async () => {
    const read = await headerFacts(new CountingSource(["From: a@b.", "test"]));
    expect([read.from, read.problems]).toEqual(["a@b.test", []]);
  });
});

describe("a source that fails", () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("From: a@b.test\n\n");
    throw new Error("the disk is gone");
  }

  test("rejects with its error, where it was read that far", async () => {
    await expect(messageFacts(failing())).rejects.toThrow("the disk is gone");
    expect((await headerFacts(failing())).from).toBe("a@b.test");
  });

  test("rejects when it gives no bytes", async () => {
    const text = Readable.from(["From: a@b.test"]) as MessageSource;
    await expect(messageFacts(text)).rejects.toThrow("a message is bytes");
  });
});
