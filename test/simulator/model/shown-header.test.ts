/** The fields that lists show are read once, where the message arrives: they must be those of the delivered message. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { headerFactsOf } from "../../../src/message/index.ts";
import { keepsHeader, shownHeader } from "../../../src/simulator/model/shown-header.ts";
import { addedFields } from "../../../src/simulator/receive/forward-message.ts";

const FORWARDING = {
  deliveredTo: "one@example.com",
  envelopeSender: "author@source.example",
  hostname: "mx1.mailflow.example",
};
const TRACE = "Received: from client\r\n\tby mx1.mailflow.example;\r\n\tnow\r\n";

const delivered = (message: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(addedFields(TRACE, FORWARDING)), message]);

function expectSame(message: Uint8Array): void {
  expect(shownHeader(headerFactsOf(message))).toEqual(
    shownHeader(headerFactsOf(delivered(message))),
  );
}

describe("a message is read again that the added fields could change", () => {
  test.each([
    ["begins with a fold", " folded\r\nSubject: x\r\n\r\n"],
    ["begins with a blank line", "\r\nSubject: x\r\n\r\n"],
    ["begins with a byte order mark", "\xef\xbb\xbfSubject: x\r\n\r\n"],
    ["begins with an mbox separator", "From ann@source.example\r\nSubject: x\r\n\r\n"],
    ["ends its lines with lone CRs", "Subject: x\rTo: one@example.com\r\r"],
    ["has no line", "Subject: x"],
    ["has a line that is no field", "no field\r\nSubject: x\r\n\r\n"],
    ["has a header near the limit", `X: ${"x".repeat(200_000)}\r\nSubject: x\r\n\r\n`],
    ["is empty", ""],
  ])("%s", (_, text) => {
    expect(keepsHeader(Buffer.from(text, "latin1"))).toBe(false);
  });
});

test("a message that begins with a field shows the same before and after it is forwarded", () => {
  const field = fc.constantFrom(
    "Subject: a subject",
    "Subject:",
    "subject : =?utf-8?q?caf=C3=A9?=",
    "From: Ann <ann@source.example>",
    "From: \xe9\xff <b@source.example>",
    "To: one@example.com,\r\n two@example.com",
    "To: three@example.com",
    " a fold",
    "From ann@source.example",
    "no field",
    "",
    "Delivered-To: one@example.com",
  );
  const breaks = fc.constantFrom("\r\n", "\n", "\r", "\r\r\n");
  const line = fc.tuple(field, breaks).map(([text, end]) => `${text}${end}`);
  let kept = 0;
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const message = Buffer.from(lines.join(""), "latin1");
      if (!keepsHeader(message)) return;
      kept++;
      expectSame(message);
    }),
    { numRuns: 500 },
  );
  expect(kept).toBeGreaterThan(50);
});
