/** What holds for any mail. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitMbox } from "../../src/mailbox/index.ts";
import { countFields, fieldValues } from "../../src/message/header/header-facts.ts";
import { headerFacts, type MessageFacts, messageFacts, toFacts } from "../../src/message/index.ts";
import { anyMail, tokenMail } from "./any-mail.ts";

const CHUNK_LENGTHS = [1, 7, 61, 1_024];

async function* chunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  // Each chunk in memory that is written over afterwards, as some streams do.
  for (let at = 0; at < bytes.length; at += length) {
    const chunk = new Uint8Array(bytes.subarray(at, at + length));
    yield chunk;
    chunk.fill(0x58);
  }
}

async function collect(messages: AsyncIterable<Uint8Array>): Promise<string[]> {
  const texts: string[] = [];
  for await (const message of messages) texts.push(Buffer.from(message).toString("latin1"));
  return texts;
}

const bodyStageOnly = ({ body, attachments, size, ...header }: MessageFacts) => header;

describe("any bytes", () => {
  test("give facts that are text, and are the same every time", async () => {
    await fc.assert(
      fc.asyncProperty(anyMail, async (bytes) => {
        const facts = await messageFacts(bytes);
        expect(facts.size).toBe(bytes.length);
        expect(await messageFacts(bytes)).toEqual(facts);
        const values = [...facts.headers.values()].flat();
        for (const text of [facts.subject, facts.from ?? "", ...values]) {
          expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
          expect(text.isWellFormed()).toBe(true);
        }
        expect(facts.body.isWellFormed()).toBe(true);
        expect(toFacts({ recipient: "r@own.test" }, facts).sender).toBe(facts.from ?? "");
      }),
      { seed: 20261120, numRuns: 1_000 },
    );
  });

  test("the header stage knows what the body stage says of the header", async () => {
    await fc.assert(
      fc.asyncProperty(anyMail, async (bytes) => {
        const { problems, ...header } = await headerFacts(bytes);
        const { problems: all, ...rest } = bodyStageOnly(await messageFacts(bytes));
        expect(rest).toEqual(header);
        expect(all.slice(0, problems.length)).toEqual(problems);
      }),
      { seed: 20261120, numRuns: 1_000 },
    );
  });

  test("a field that is asked for by its name is as `headers` has it", async () => {
    await fc.assert(
      fc.asyncProperty(anyMail, async (bytes) => {
        const names = [...(await headerFacts(bytes)).headers.keys(), "not there"];
        const header = await headerFacts(bytes);
        const asked = names.map((name) => fieldValues(header, name));
        const counts = names.map((name) => countFields(header, name));
        expect(asked).toEqual(names.map((name) => header.headers.get(name) ?? []));
        expect(counts).toEqual(asked.map((values) => values.length));
        expect(asked).toEqual(names.map((name) => fieldValues(header, name)));
        expect(asked).toEqual(names.map((name) => fieldValues({ ...header }, name)));
      }),
      { seed: 20261120, numRuns: 1_000 },
    );
  });

  test.each(CHUNK_LENGTHS)("give the same facts in chunks of %i", async (length) => {
    await fc.assert(
      fc.asyncProperty(anyMail, async (bytes) => {
        expect(await headerFacts(chunks(bytes, length))).toEqual(await headerFacts(bytes));
        expect(await messageFacts(chunks(bytes, length))).toEqual(await messageFacts(bytes));
      }),
      { seed: 20261120, numRuns: 200 },
    );
  });

  test.each(CHUNK_LENGTHS)("split into the same messages in chunks of %i", async (length) => {
    const mbox = fc.array(fc.oneof(tokenMail, fc.constantFrom("\nFrom x\n", "\n>From x\n")));
    await fc.assert(
      fc.asyncProperty(mbox, async (texts) => {
        const bytes = Buffer.from(`From x\n${texts.join("")}`, "latin1");
        const whole = await collect(splitMbox(bytes));
        expect(whole.length).toBeGreaterThan(0);
        expect(await collect(splitMbox(chunks(bytes, length)))).toEqual(whole);
      }),
      { seed: 20261120, numRuns: 100 },
    );
  });
});

describe("what random structures of mail found", () => {
  test("a sender has no control characters, even if mail cannot be sent to it", async () => {
    for (const from of ["\0a@b.test", "a@b.test@\0", "a\x7f@\x01b"]) {
      const facts = await headerFacts(Buffer.from(`From: ${from}\n\n`, "latin1"));
      expect(facts.from).toMatch(/^[a@b.tes]+$/);
    }
    // As a name alone, this is no address.
    expect((await headerFacts(Buffer.from("From: \x7f@\n\n", "latin1"))).from).toBeNull();
  });

  test("quotes are found by one pass: a pattern took 28 s for 64 KB of escaped quotes", async () => {
    // The pattern ended no quoted string with an escaped line separator.
    const text = Buffer.from('From: <"a . \\\u2028b"@c.test>\n\n');
    expect((await headerFacts(text)).from).toBe('"a . \\\u2028b"@c.test');
    const many = Buffer.from(`From: ${'\\"'.repeat(30_000)}@c.test\n\n`);
    expect((await headerFacts(many)).from).toHaveLength(60_007);
  });

  test("the problems of the header come first, and are not replaced", async () => {
    const texts = [
      "From: <>\nFrom: <>\nContent-Type: multipart/mixed\n\n",
      `X: ${"x".repeat(50)}\nContent-Type: multipart/mixed; boundary=b\n\n--b\nY: ${"y".repeat(50)}\n\n`,
    ];
    for (const text of texts) {
      const options = { limits: { sendersMax: 1, headerFieldBytesMax: 40 } };
      const { problems } = await headerFacts(Buffer.from(text), options);
      expect(problems).toHaveLength(1);
      const all = (await messageFacts(Buffer.from(text), options)).problems;
      expect(all.slice(0, 1)).toEqual(problems);
    }
  });

  test("a header is read no further than the message", async () => {
    const text = Buffer.from("From: a@b.test\r\nSubject: word\r\n\r\nbody");
    for (let messageBytesMax = 1; messageBytesMax <= text.length; messageBytesMax++) {
      const options = { limits: { messageBytesMax } };
      const { problems, ...header } = bodyStageOnly(await messageFacts(text, options));
      for (const source of [text, chunks(text, 1), chunks(text, 9)]) {
        const { problems: ofHeader, ...read } = await headerFacts(source, options);
        expect(read).toEqual(header);
        expect(problems.slice(0, ofHeader.length)).toEqual(ofHeader);
      }
    }
  });
});

test("LF and CRLF lines give the same facts", async () => {
  await fc.assert(
    fc.asyncProperty(tokenMail, async (text) => {
      const lf = text.replaceAll("\r", "");
      const [a, b] = await Promise.all(
        [lf, lf.replaceAll("\n", "\r\n")].map((each) => messageFacts(Buffer.from(each, "latin1"))),
      );
      // Sizes count octets, so those of what is not encoded differ by the line endings.
      const names = ({ attachments }: MessageFacts) =>
        attachments.map(({ filename, contentType }) => [filename, contentType]);
      expect(names(b!)).toEqual(names(a!));
      expect({ ...b, size: 0, attachments: [] }).toEqual({ ...a, size: 0, attachments: [] });
    }),
    { seed: 20261120, numRuns: 1_000 },
  );
});
