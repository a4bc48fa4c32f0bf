/** For whom a stored message was. */
import { describe, expect, test } from "vitest";
import { readHeaderFacts } from "../../../src/message/header/header-facts.ts";
import { recipientsOf } from "../../../src/message/header/recipients.ts";
import { decodeCharset } from "../../../src/message/text/charset.ts";

const recipients = (header: string, domain = "own.test") =>
  recipientsOf(readHeaderFacts(Buffer.from(`${header}\n\n`), decodeCharset), domain);

describe("recipients-of-stored-mail", () => {
  test.each([
    ["To and Cc", "To: A <a@own.test>, x@y.test\nCc: b@own.test", ["a@own.test", "b@own.test"]],
    ["Delivered-To goes first", "To: a@own.test\nDelivered-To: b@own.test", ["b@own.test"]],
    [
      "Delivered-To, then X-Original-To, then X-Envelope-To",
      "X-Envelope-To: c@own.test\nX-Original-To: b@own.test",
      ["b@own.test"],
    ],
    ["X-Envelope-To", "To: a@own.test\nX-Envelope-To: <c@own.test>", ["c@own.test"]],
    [
      "a delivery field of another domain",
      "Delivered-To: b@x.test\nTo: a@own.test",
      ["a@own.test"],
    ],
    [
      "several Delivered-To",
      "Delivered-To: a@own.test\nDelivered-To: b@own.test",
      ["a@own.test", "b@own.test"],
    ],
    ["no duplicates, in lower case", "To: A@own.test, a@OWN.test\nCc: a@own.test", ["a@own.test"]],
    ["groups", "To: Team: a@own.test, b@own.test;", ["a@own.test", "b@own.test"]],
    ["a subdomain is another domain", "To: a@sub.own.test", []],
    ["nothing", "Bcc: a@own.test", []],
  ])("%s", (_name, header, expected) => {
    expect(recipients(header)).toEqual(expected);
  });

  test("the domain is compared as A-labels in lower case", () => {
    expect(recipients("To: a@bücher.test", "xn--bcher-kva.test")).toEqual(["a@xn--bcher-kva.test"]);
    expect(recipients("To: a@xn--bcher-kva.test", "BÜCHER.test")).toEqual(["a@xn--bcher-kva.test"]);
  });
});
