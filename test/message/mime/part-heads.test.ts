/** What the heads of one message's parts may take. */
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { messageFactsOf } from "../../../src/message/index.ts";
import { wholeMessageOf } from "../../../src/message/whole-message.ts";

test("file names of all parts are decoded, however many charsets they name", () => {
  const part = (name: string): string =>
    `--b\nContent-Disposition: attachment; filename="${name}"\n\n\n`;
  const words = "=?big5?Q?=A4=A4?= =?gbk?Q?=D6=D0?= ".repeat(1_000);
  const text = `Content-Type: multipart/mixed; boundary=b\n\n${part(words).repeat(3)}`;
  const { attachments, problems } = messageFactsOf(Buffer.from(text, "latin1"));
  expect(attachments.map(({ filename }) => filename)).toEqual(Array(3).fill("中".repeat(2_000)));
  expect(problems).toEqual([]);
});

test("the heads of all parts share one bound, and the beginning of each is read", () => {
  const head = `Content-Disposition: attachment; filename=a\nX: ${"y".repeat(60_000)}\nContent-Id: <b>\n`;
  const count = Math.ceil((LIMITS.partHeadsBytesMax * 2) / head.length);
  const text = `Content-Type: multipart/mixed; boundary=b\n\n${`--b\n${head}\nbody\n`.repeat(count)}--b--\n`;
  const { attachments, problems } = wholeMessageOf(Buffer.from(text, "latin1"));
  expect(attachments.map(({ filename, size }) => `${filename} ${size}`)).toEqual(
    Array.from({ length: count }, () => "a 4"),
  );
  const whole = attachments.filter(({ contentId }) => contentId === "b").length;
  expect(whole).toBe(Math.floor(LIMITS.partHeadsBytesMax / (head.length + 1)));
  expect(problems.map(({ code }) => code)).toContain("header-too-long");
});

test("each head has its share of the bound", () => {
  const part = "--b\nContent-Type: text/html\nX: y\n\n<b>x</b>\n";
  const text = `Content-Type: multipart/mixed; boundary=b\n\n${part.repeat(3)}--b--\n`;
  const bodyWithin = (partHeadsBytesMax: number): string =>
    messageFactsOf(Buffer.from(text), { limits: { partHeadsBytesMax, mimePartsMax: 3 } }).body;
  // The fields of a head have 24 and 5 octets, and all of it 30. Of the second and the third, the first field is not whole.
  const [field, head] = [24, 30];
  expect(bodyWithin(3 * field)).toBe("x x x");
  expect(bodyWithin(head)).toContain("Content-Type");
});
