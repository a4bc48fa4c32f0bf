/** What the fields of one message and its parts may cost. */
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { boundedDecoder } from "../../../src/message/header/bounded-decoder.ts";
import { messageFactsOf } from "../../../src/message/index.ts";
import { wholeMessageOf } from "../../../src/message/whole-message.ts";

test("what exceeds the bound is read as UTF-8", () => {
  let calls = 0;
  const decode = boundedDecoder(() => {
    calls++;
    return "?";
  });
  for (let count = 0; count < 100; count++)
    decode(new Uint8Array(LIMITS.encodedOctetsMax), "utf-8");
  for (let count = 0; count < 10_000; count++) decode(new Uint8Array(1), `x${count}`);
  expect(calls).toBe(100 + Math.floor(LIMITS.encodedOctetsMax / 257));
  expect(decode(new Uint8Array([0xc3, 0xa9]), "big5")).toBe("é");
});

test("file names of all parts share one bound", () => {
  const part = (name: string): string =>
    `--b\nContent-Disposition: attachment; filename="${name}"\n\n\n`;
  const words = "=?big5?Q?=A4=A4?= =?gbk?Q?=D6=D0?= ".repeat(1_000);
  const text = `Content-Type: multipart/mixed; boundary=b\n\n${part(words)}${part(words)}${part(words)}`;
  const names = messageFactsOf(Buffer.from(text, "latin1")).attachments.map(
    ({ filename }) => [...filename].filter((letter) => letter === "中").length,
  );
  expect(names[0]).toBe(2_000);
  expect(names[1]! + names[2]!).toBeLessThan(LIMITS.encodedOctetsMax / 256 - 2_000 + 1);
  expect(names[1]! + names[2]!).toBeGreaterThan(1_900);
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
