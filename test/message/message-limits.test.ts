/** Bounds that a caller sets: each is kept to, told when it is reached, and checked. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import {
  headerFacts,
  headerFactsOf,
  type MessageFacts,
  type MessageLimits,
  type MessageProblemCode,
  messageFacts,
  messageFactsOf,
  type ReadOptions,
  recipientsOf,
  wholeMessage,
} from "../../src/message/index.ts";

const PARTS = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n";
const NESTED =
  "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n";

const FROM = "From: ";
const FLAT = "From: a@b.test\nSubject: abc\n\nbody";

interface Case {
  readonly max: number;
  readonly text: string;
  readonly code: MessageProblemCode;
  /** What is read within the bound, and without it. */
  readonly within: Partial<MessageFacts>;
  readonly beyond: Partial<MessageFacts>;
}

const CASES: Readonly<Record<keyof MessageLimits, Case>> = {
  messageBytesMax: {
    max: FLAT.length - 4,
    text: FLAT,
    code: "message-too-large",
    within: { from: "a@b.test", body: "", size: FLAT.length },
    beyond: { from: "a@b.test", body: "body", size: FLAT.length },
  },
  headerBlockBytesMax: {
    max: 16,
    text: FLAT,
    code: "header-too-long",
    within: { from: "a@b.test", subject: "", body: "body" },
    beyond: { from: "a@b.test", subject: "abc", body: "body" },
  },
  headerFieldsMax: {
    max: 1,
    text: `X: y\nTo: z\n${FLAT}`,
    code: "too-many-fields",
    within: { from: "a@b.test", subject: "abc", body: "body" },
    beyond: { from: "a@b.test", subject: "abc", body: "body" },
  },
  headerFieldBytesMax: {
    max: 3,
    text: "Subject: abc\n\nbody",
    code: "field-too-long",
    within: { subject: "ab", body: "body" },
    beyond: { subject: "abc", body: "body" },
  },
  sendersMax: {
    max: 2,
    text: `${FROM}<a>, <b>\n${FROM}a@b.test\nSubject: abc\n\n`,
    code: "too-many-senders",
    within: { from: null, subject: "abc" },
    beyond: { from: "a@b.test", subject: "abc" },
  },
  commentDepthMax: {
    max: 1,
    text: `${FROM}((a)) a@b.test\nSubject: abc\n\n`,
    code: "comments-too-deep",
    within: { from: null, subject: "abc" },
    beyond: { from: "a@b.test", subject: "abc" },
  },
  mimeParametersMax: {
    max: 1,
    text: "Content-Type: text/plain; a=b; charset=koi8-r\n\n\xd0",
    code: "too-many-parameters",
    within: { body: "\u00d0" },
    beyond: { body: "\u043f" },
  },
  mimePartsMax: {
    max: 1,
    text: PARTS,
    code: "too-many-parts",
    within: { body: "one" },
    beyond: { body: "one\ntwo" },
  },
  mimeDepthMax: {
    max: 1,
    text: NESTED,
    code: "parts-too-deep",
    within: { body: "" },
    beyond: { body: "one\n" },
  },
  partHeadsBytesMax: {
    max: 12,
    text: "Content-Type: multipart/mixed; boundary=b\n\n--b\nX: abcdefgh\nContent-Type: text/html\n\n<b>one\n--b--\n",
    code: "header-too-long",
    within: { body: "<b>one" },
    beyond: { body: "one" },
  },
  textPartsMax: {
    max: 1,
    text: PARTS,
    code: "body-cut",
    within: { body: "one" },
    beyond: { body: "one\ntwo" },
  },
  textBytesMax: {
    max: 3,
    text: FLAT,
    code: "body-cut",
    within: { body: "bod" },
    beyond: { body: "body" },
  },
  htmlUnitsMax: {
    max: 6,
    text: "Content-Type: text/html\n\n<b>body",
    code: "body-cut",
    within: { body: "bod" },
    beyond: { body: "body" },
  },
  factUnitsMax: {
    max: 3,
    text: FLAT,
    code: "body-cut",
    within: { body: "bod" },
    beyond: { body: "body" },
  },
};
const ALL = Object.entries(CASES) as [keyof MessageLimits, Case][];
const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");

describe("a bound that is reached is told, and what is within it is read", () => {
  test.each(ALL)("%s", async (name, { max, text, code, within, beyond }) => {
    const options = { limits: { [name]: max } };
    const facts = await messageFacts(bytesOf(text), options);
    expect(facts.problems.map((found) => found.code)).toEqual([code]);
    expect(facts.problems[0]?.message).toMatch(name === "headerFieldBytesMax" ? /cut/ : `${max}`);
    expect(facts).toMatchObject(within);
    expect(messageFactsOf(bytesOf(text), options)).toEqual(facts);
    // The usual bounds, and one that is just wide enough.
    for (const limits of [{}, { [name]: 1_000 }]) {
      const { problems, ...read } = messageFactsOf(bytesOf(text), { limits });
      expect([problems, read]).toMatchObject([[], beyond]);
    }
  });

  test("all bounds of reading can be set", () => {
    const names = Object.keys(LIMITS);
    const ofReading = names.slice(
      names.indexOf("messageBytesMax"),
      names.indexOf("htmlUnitsMax") + 1,
    );
    // Addresses other than the sender's are no facts: whoever reads them sets their bound.
    const settable = [...Object.keys(CASES), "mailboxesMax"].filter(
      (name) => name !== "factUnitsMax",
    );
    expect(settable.sort()).toEqual(ofReading.sort());
    const read = headerFactsOf(bytesOf("To: a@own.test, b@own.test\n\n"));
    expect(recipientsOf(read, "own.test")).toEqual(["a@own.test", "b@own.test"]);
    expect(recipientsOf(read, "own.test", { ...LIMITS, mailboxesMax: 1 })).toEqual(["a@own.test"]);
  });

  test("by the header stage as by the body stage", () => {
    let told = 0;
    for (const [name, { max, text }] of ALL) {
      const options = { limits: { [name]: max } };
      const { problems } = headerFactsOf(bytesOf(text), options);
      if (problems.length === 0) continue;
      told++;
      expect(messageFactsOf(bytesOf(text), options).problems, name).toEqual(problems);
    }
    expect(told).toBe(5);
  });

  test("a sender that is found is not looked for any further", () => {
    const many = `${FROM}a@b.test, ${"<>, ".repeat(1_000)}\n\n`;
    expect(headerFactsOf(bytesOf(many))).toMatchObject({ from: "a@b.test", problems: [] });
    const none = `${FROM}${"<>, ".repeat(LIMITS.sendersMax)}a@b.test\n\n`;
    const problems = [{ code: "too-many-senders" }];
    expect(headerFactsOf(bytesOf(none))).toMatchObject({ from: null, problems });
    const fields = `${`${FROM}nobody\n`.repeat(LIMITS.sendersMax)}${FROM}a@b.test\n\n`;
    expect(headerFactsOf(bytesOf(fields))).toMatchObject({ from: null, problems });
  });

  test("empty parameters are none: spam has hundreds", () => {
    const text = `Content-Type: text/plain${" ;".repeat(5_000)}; charset=koi8-r;\n\n\xd0`;
    expect(messageFactsOf(bytesOf(text))).toMatchObject({ body: "\u043f", problems: [] });
  });

  test("a stream is read no further than the bound of its header", async () => {
    let given = 0;
    async function* lines(): AsyncGenerator<Uint8Array> {
      for (; given < 1_000; given++) yield Buffer.from("X: y\n");
    }
    await headerFacts(lines(), { limits: { headerBlockBytesMax: 50 } });
    expect(given).toBe(10);
  });
});

describe("bounds are checked", () => {
  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "9"])(
    "%s is none",
    async (value) => {
      const options = { limits: { mimePartsMax: value } } as ReadOptions;
      expect(() => headerFactsOf(Buffer.from(""), options)).toThrow("`mimePartsMax` is");
      await expect(wholeMessage(Buffer.from(""), options)).rejects.toThrow(TypeError);
    },
  );

  test("so are their names", async () => {
    const options = { limits: { partsMax: 3 } } as ReadOptions;
    await expect(messageFacts(Buffer.from(""), options)).rejects.toThrow("`partsMax`");
    expect(() => messageFactsOf(Buffer.from(""), { max: 1 } as ReadOptions)).toThrow("`max`");
  });
});
