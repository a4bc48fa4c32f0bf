/** Bounds that a caller sets: each is kept to, told when it is reached, and checked. */
import { describe, expect, test } from "vitest";
import {
  headerFacts,
  headerFactsOf,
  type MessageLimits,
  messageFacts,
  messageFactsOf,
  type ReadOptions,
  wholeMessage,
} from "../../src/message/index.ts";

const PARTS = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n";
const NESTED =
  "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n";

const CASES: readonly (readonly [keyof MessageLimits, number, string, string])[] = [
  ["messageBytesMax", 12, "Subject: a\n\nbody", "message-too-large"],
  ["headerBlockBytesMax", 12, "Subject: a\nX: yyyyyyy\n\nbody", "header-too-long"],
  ["headerFieldsMax", 1, "Subject: a\nX: y\n\nbody", "too-many-fields"],
  ["headerFieldBytesMax", 3, "Subject: abcdef\n\nbody", "field-too-long"],
  ["mimePartsMax", 1, PARTS, "too-many-parts"],
  ["mimeDepthMax", 1, NESTED, "parts-too-deep"],
  ["textBytesMax", 3, "Subject: a\n\nbody", "body-cut"],
  ["htmlUnitsMax", 3, "Content-Type: text/html\n\nbody", "body-cut"],
  ["factUnitsMax", 3, "Subject: a\n\nbody", "body-cut"],
];

describe("a bound that is reached is told", () => {
  test.each(CASES)("%s", async (name, max, text, code) => {
    const bytes = Buffer.from(text);
    const options = { limits: { [name]: max } };
    const facts = await messageFacts(bytes, options);
    expect(facts.problems.map((found) => found.code)).toContain(code);
    expect(messageFactsOf(bytes, options)).toEqual(facts);
    expect(messageFactsOf(bytes).problems).toEqual([]);
    const wide = { limits: { [name]: 1_000 } };
    expect(messageFactsOf(bytes, wide).problems).toEqual([]);
  });

  test("all of them are tried", () => {
    expect(new Set(CASES.map(([name]) => name)).size).toBe(9);
  });

  test("by the header stage as by the body stage", () => {
    for (const [name, max, text] of CASES.slice(1, 4)) {
      const options = { limits: { [name]: max } };
      const { problems } = headerFactsOf(Buffer.from(text), options);
      expect(messageFactsOf(Buffer.from(text), options).problems).toEqual(problems);
      expect(problems).toHaveLength(1);
    }
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
