/** The body stage of a message that passes by gives the facts of one that is there, however it is cut. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { BodyStream } from "../../src/message/body-stream.ts";
import { type MessageFacts, messageFactsOf, type ReadOptions } from "../../src/message/index.ts";
import { messageLimits } from "../../src/message/message-limits.ts";
import { sizeCounter } from "../../src/message/mime/decoded-size.ts";
import { DATASET, datasetFiles } from "../dataset/dataset.ts";
import { anyMail } from "./any-mail.ts";
import { BOMBS } from "./bombs.ts";

function streamed(
  bytes: Uint8Array,
  window: number,
  chunk: number,
  options?: ReadOptions,
): MessageFacts {
  const body = new BodyStream(messageLimits(options), "displayed", window);
  for (let at = 0; at < bytes.length; at += chunk) {
    const piece = new Uint8Array(bytes.subarray(at, at + chunk));
    body.push(piece);
    piece.fill(0x58);
  }
  return body.facts();
}

/** All that is known, the decoded header fields among it. */
const plain = (facts: MessageFacts): unknown => ({ ...facts, headers: [...facts.headers] });

/** A line of each kind that a window may end in. */
const PIECES = [
  "--b\n",
  "--b\r\n",
  "--b--\r\n",
  "--b \r\n",
  "--bb\n",
  "--",
  "-",
  "-\n",
  "\r\n",
  "\r",
  "\n",
  "\r\r\n",
  "text",
  "=3D",
  "= \t\r\n",
  "=\r",
  "=4",
  "QUJD",
  "Content-Type: text/html\n",
  "Content-Type: image/png\n\n",
  "Content-Transfer-Encoding: base64\nContent-Type: a/b\n\n",
  "Content-Transfer-Encoding: quoted-printable\nContent-Disposition: attachment\n\n",
  "Content-Type: multipart/mixed; boundary=c\n\n",
  "no field\n",
  "--c\n",
  "--c--\n",
];
const multiparts = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 40 })
  .map((pieces) =>
    Buffer.from(`Content-Type: multipart/mixed; boundary=b\n\n--b\n${pieces.join("")}`, "latin1"),
  );
const cut = fc.record({
  window: fc.constantFrom(1, 2, 3, 7, 20, 64),
  chunk: fc.constantFrom(1, 5, 19, 1_000),
});

describe("a message that passes by", () => {
  test("has the facts of one that is there", () => {
    const mail = fc.oneof(multiparts, anyMail);
    fc.assert(
      fc.property(mail, cut, (bytes, { window, chunk }) => {
        expect(plain(streamed(bytes, window, chunk))).toEqual(plain(messageFactsOf(bytes)));
      }),
      { seed: 20_261_122, numRuns: 3_000 },
    );
  });

  test("within every bound, too", () => {
    const bounds = fc.record({
      messageBytesMax: fc.integer({ min: 1, max: 300 }),
      headerBlockBytesMax: fc.integer({ min: 1, max: 100 }),
      mimePartsMax: fc.integer({ min: 1, max: 4 }),
      mimeDepthMax: fc.integer({ min: 1, max: 2 }),
      textPartsMax: fc.integer({ min: 1, max: 3 }),
      textBytesMax: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(
        fc.oneof(multiparts, anyMail),
        cut,
        bounds,
        (bytes, { window, chunk }, limits) => {
          const facts = streamed(bytes, window, chunk, { limits });
          expect(plain(facts)).toEqual(plain(messageFactsOf(bytes, { limits })));
        },
      ),
      { seed: 20_261_122, numRuns: 3_000 },
    );
  });

  test("whatever it is of the dataset", () => {
    const files = datasetFiles();
    expect(files.length).toBeGreaterThan(6_000);
    for (const [index, file] of files.entries()) {
      const bytes = readFileSync(join(DATASET, file));
      const facts = streamed(bytes, 16 + (index % 500), 1 + (index % 1_000));
      expect(plain(facts), file).toEqual(plain(messageFactsOf(bytes)));
    }
  });

  test.each(BOMBS)("that is made to be costly: %s", (_name, bomb) => {
    const bytes = Buffer.from(bomb(9_000), "latin1");
    expect(plain(streamed(bytes, 128, 1_000))).toEqual(plain(messageFactsOf(bytes)));
  });

  test("is counted to its end, and no more is held than its texts", () => {
    const head =
      "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nabc\n--b\nContent-Type: a/b\n\n";
    const body = new BodyStream(LIMITS, "displayed");
    body.push(Buffer.from(head));
    const before = process.memoryUsage().arrayBuffers;
    const chunk = Buffer.alloc(1_048_576, "x".repeat(76).concat("\n"));
    let heldMax = 0;
    for (let times = 0; times < 60; times++) {
      body.push(chunk);
      heldMax = Math.max(heldMax, process.memoryUsage().arrayBuffers - before);
    }
    expect(heldMax).toBeLessThan(4 * 1_048_576);
    const { body: text, attachments, size } = body.facts();
    expect([text, size]).toEqual(["abc", head.length + 60 * 1_048_576]);
    expect(attachments).toEqual([{ filename: "", contentType: "a/b", size: 60 * 1_048_576 }]);
  });
});

test.each(["base64", "quoted-printable", "identity"] as const)(
  "the size of %s is counted alike in pieces",
  (encoding) => {
    const octets = fc
      .array(fc.constantFrom("=", "4", "D", "g", " ", "\t", "\r", "\n", "x"), { maxLength: 30 })
      .map((letters) => Buffer.from(letters.join("")));
    fc.assert(
      fc.property(octets, fc.nat({ max: 30 }), fc.nat({ max: 30 }), (bytes, first, second) => {
        const [whole, pieces] = [sizeCounter(encoding), sizeCounter(encoding)];
        whole.push(bytes);
        const [from, to] = [Math.min(first, second), Math.max(first, second)];
        for (const piece of [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)])
          pieces.push(piece);
        expect(pieces.end()).toBe(whole.end());
      }),
      { seed: 20_261_122, numRuns: 2_000 },
    );
  },
);
