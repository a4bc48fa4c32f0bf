/** From what was read to what rules see. */
import { describe, expect, test } from "vitest";
import { readHeaderFacts } from "../../../src/message/header/header-facts.ts";
import {
  type MessageFacts,
  type ToFactsOptions,
  toFacts,
} from "../../../src/message/header/message-facts.ts";
import { decodeCharset } from "../../../src/message/text/charset.ts";

const header = readHeaderFacts(Buffer.from("From: a@b.test\nTo: t@x.test\n\n"), decodeCharset);
const nobody = readHeaderFacts(Buffer.from("From: <>\n\n"), decodeCharset);
const whole: MessageFacts = { ...header, body: "text", attachments: [], size: 40 };
const envelope = { recipient: "r@own.test", sender: "bounce@e.test" };

describe("sender-source", () => {
  test("is unknown until the header is read", () => {
    expect(toFacts(envelope)).toEqual({ recipient: "r@own.test" });
  });

  test("is the From mailbox", () => {
    expect(toFacts(envelope, header).sender).toBe("a@b.test");
  });

  test("is the envelope sender where there is no usable From", () => {
    expect(toFacts(envelope, nobody).sender).toBe("bounce@e.test");
    expect(toFacts({ recipient: "r@own.test" }, nobody).sender).toBe("");
  });

  test("is the envelope sender at every stage where that is asked for", () => {
    const options = { senderSource: "envelope" } as const;
    expect(toFacts(envelope, undefined, options).sender).toBe("bounce@e.test");
    expect(toFacts(envelope, header, options).sender).toBe("bounce@e.test");
    expect(toFacts({ recipient: "r@own.test" }, undefined, options).sender).toBeUndefined();
    expect(toFacts({ recipient: "r@own.test" }, header, options).sender).toBe("");
    expect(toFacts({ recipient: "r@own.test", sender: "" }, undefined, options).sender).toBe("");
  });

  test("options are closed", () => {
    const unknown = { senderSauce: "header" } as ToFactsOptions;
    expect(() => toFacts(envelope, header, unknown)).toThrow("unknown option `senderSauce`");
    const wrong = { senderSource: "to" } as unknown as ToFactsOptions;
    expect(() => toFacts(envelope, header, wrong)).toThrow("`senderSource` is `to`");
  });
});

test("recipient-source: the recipient is the envelope's", () => {
  expect(toFacts(envelope, header).recipient).toBe("r@own.test");
});

test("the header stage leaves the body unknown", () => {
  expect(Object.keys(toFacts(envelope, header)).sort()).toEqual([
    "headers",
    "recipient",
    "sender",
    "subject",
  ]);
});

test("the body stage knows all facts", () => {
  expect(toFacts(envelope, whole)).toEqual({
    recipient: "r@own.test",
    sender: "a@b.test",
    subject: "",
    headers: header.headers,
    body: "text",
    attachments: [],
    size: 40,
  });
});

const noEnvelope = "give `{ recipient, sender }`, each a string";
const noMessage = "await what `headerFacts` or `messageFacts` returns, and give that";

test.each<[unknown, unknown, string]>([
  ["a@own.test", undefined, `the envelope is a string: ${noEnvelope}`],
  [null, undefined, `the envelope is null: ${noEnvelope}`],
  [["a@own.test"], undefined, `\`recipient\` of the envelope is undefined: ${noEnvelope}`],
  [Promise.resolve(envelope), undefined, `the envelope is a Promise: ${noEnvelope}`],
  [{ ...envelope, sender: null }, undefined, `\`sender\` of the envelope is null: ${noEnvelope}`],
  [envelope, null, `the message is null: ${noMessage}`],
  [envelope, "mail", `the message is a string: ${noMessage}`],
  [envelope, Promise.resolve({}), `the message is a Promise: ${noMessage}`],
  [envelope, {}, `\`from\` of the message is undefined: ${noMessage}`],
  [envelope, { from: null }, `\`subject\` of the message is undefined: ${noMessage}`],
  [envelope, { from: 7, subject: "" }, `\`from\` of the message is a number: ${noMessage}`],
])("facts of %j and %j are refused", (of, read, message) => {
  expect(() => toFacts(of as never, read as never)).toThrow(new TypeError(message));
});
