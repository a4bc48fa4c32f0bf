/** Address lists: RFC 5322's forms, its obsolete ones, and what senders do instead. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { parseMailboxes } from "../../../src/message/header/address-list.ts";

describe("parseMailboxes", () => {
  test.each([
    ["a bare address", "a@b.test", ["a@b.test"]],
    ["a name", "Ada Lovelace <Ada@B.test>", ["ada@b.test"]],
    ["a quoted name", '"Lovelace, Ada" <a@b.test>', ["a@b.test"]],
    ["several", "a@b.test, C <c@d.test>,e@f.test", ["a@b.test", "c@d.test", "e@f.test"]],
    ["a bare name and a comma", "Milka, <x@y.test>", ["x@y.test"]],
    ["a quoted address as the name", '"a@b.test", <c@d.test>', ["c@d.test"]],
    ["a quoted address as the name of one mailbox", '"a@b.test" <c@d.test>', ["c@d.test"]],
    ["an unquoted address as the name", "a@b.test <c@d.test>", ["c@d.test"]],
    ["a group", "Team: a@b.test, c@d.test;, e@f.test", ["a@b.test", "c@d.test", "e@f.test"]],
    ["an empty group", "undisclosed-recipients:;", []],
    ["a comment for a name", "a@b.test (Ada (the first))", ["a@b.test"]],
    ["comments everywhere", "(x)a(y)@(z)b.test(, c@d.test)", ["a@b.test"]],
    ["an escaped parenthesis in a comment", "(\\() a@b.test", ["a@b.test"]],
    ["a comment that never closes", "a@b.test (c@d.test", ["a@b.test"]],
    ["a comma in a comment", "a@b.test (x, y), c@d.test", ["a@b.test", "c@d.test"]],
    ["a quoted local part", '"Ada L"@b.test', ['"ada l"@b.test']],
    ["a quoted local part that needs no quotes", '<"Ada.L"@b.test>', ["ada.l@b.test"]],
    ["an @ in a quoted local part", '"a@x"@b.test', ['"a@x"@b.test']],
    ["an escaped quote in a name", '"a \\" <x@y.test>" <c@d.test>', ["c@d.test"]],
    ["an obsolete route", "<@x.test,@y.test:a@b.test>", ["a@b.test"]],
    ["obsolete blanks", "a . b @ c . test", ["a.b@c.test"]],
    ["blanks within angle brackets", "<  a@b.test  >", ["a@b.test"]],
    ["doubled angle brackets", "<<a@b.test>>", ["a@b.test"]],
    ["angle brackets that never close", "A <a@b.test", ["a@b.test"]],
    ["a quoted name that never closes", '"A <a@b.test>', ["a@b.test"]],
    ["an address as the name of what is none", "a@b.test <nobody>", []],
    ["two angle addresses", "<nobody> <a@b.test>", ["a@b.test"]],
    ["a name and no brackets", "Ada a@b.test", ["a@b.test"]],
    ["a domain in U-labels", "a@bücher.test", ["a@xn--bcher-kva.test"]],
    ["a local part above ASCII", "ädä@b.test", ["ädä@b.test"]],
    ["semicolons between", "a@b.test; c@d.test", ["a@b.test", "c@d.test"]],
    ["empty elements", ", ,a@b.test,,", ["a@b.test"]],
    ["a null reverse-path", "<>", []],
    ["no domain", "root", []],
    ["a domain of one label", "root@localhost", []],
    ["an address literal", "a@[127.0.0.1]", []],
    ["two @", "a@b@c.test", []],
    ["an encoded word as the local part", "=?utf-8?Q?a=40b.test?=@c.test", []],
    ["nothing", "", []],
  ])("%s", (_name, text, expected) => {
    expect(parseMailboxes(text)).toEqual(expected);
  });

  test("comments nest to a bound, and no call stack is spent on them", () => {
    const nested = (depth: number): string => `${"(".repeat(depth)}${")".repeat(depth)} a@b.test`;
    expect(parseMailboxes(nested(LIMITS.commentDepthMax))).toEqual(["a@b.test"]);
    expect(parseMailboxes(nested(LIMITS.commentDepthMax + 1))).toEqual([]);
    expect(parseMailboxes(nested(100_000))).toEqual([]);
  });

  test("no more mailboxes are read than the bound", () => {
    const text = "a@b.test,".repeat(LIMITS.mailboxesMax + 5);
    expect(parseMailboxes(text)).toHaveLength(LIMITS.mailboxesMax);
  });

  test("64 KB of blanks cost linear time", () => {
    expect(parseMailboxes(`a${" ".repeat(65_000)}b@c.test`)).toEqual(["b@c.test"]);
    expect(parseMailboxes(`a@${" ".repeat(65_000)}b.test`)).toEqual(["a@b.test"]);
  });
});
