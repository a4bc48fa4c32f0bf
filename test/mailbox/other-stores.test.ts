/** MMDF and Babyl files, however their octets come in chunks. */
import { expect, test } from "vitest";
import { babylMessages, mmdfMessages } from "../../src/mailbox/other-stores.ts";

const LINE = "\x01\x01\x01\x01\n";
const MMDF = `${LINE}From a@b\nA: 1\n\nx\n${LINE}${LINE}${LINE}${LINE}A: 2\n\nx ${LINE}y\n${LINE}${LINE}A: 3`;
const BABYL =
  "BABYL OPTIONS:\n\x1f\x0c\n1,,\nA: 1\n\n*** EOOH ***\nB: 1\n\nx\n\x1f\x0c\n0,,\n*** EOOH ***\nA: 2\n\ny\n\x1f";

async function read(
  messagesOf: typeof mmdfMessages,
  text: string,
  chunkBytes: number,
  bytesMax = 1_000,
): Promise<string[]> {
  async function* source(): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text, "latin1");
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const found: string[] = [];
  for await (const message of messagesOf(source(), bytesMax)) {
    found.push(Buffer.from(message).toString("latin1"));
  }
  return found;
}

test.each([1, 2, 3, 5, 7, 16, 1_000])("in chunks of %i octets", async (chunkBytes) => {
  const mmdf = ["A: 1\n\nx\n", `A: 2\n\nx ${LINE}y\n`, "A: 3"];
  expect(await read(mmdfMessages, MMDF, chunkBytes)).toEqual(mmdf);
  expect(await read(babylMessages, BABYL, chunkBytes)).toEqual(["A: 1\n\nx\n", "A: 2\n\ny\n"]);
});

test("a message beyond the bound is cut after it, and the next is whole", async () => {
  const text = `${LINE}${"a".repeat(500)}\n${LINE}${LINE}b\n${LINE}`;
  for (const chunkBytes of [7, 1_000]) {
    expect(await read(mmdfMessages, text, chunkBytes, 20)).toEqual(["a".repeat(21), "b\n"]);
  }
});

test("a million separators in one chunk are passed in linear time", async () => {
  expect(await read(mmdfMessages, LINE.repeat(1_000_000), 8_388_608)).toEqual([]);
});
