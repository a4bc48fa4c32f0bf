/** Canonical addresses and domain names. */
import { describe, expect, test } from "vitest";
import {
  canonicalAddress,
  canonicalDestination,
  isDomainName,
  parseAddrSpec,
} from "../../../src/engine/facts/address.ts";

describe("one mailbox in its spellings", () => {
  test.each([
    ["ok@a.example", ['"ok"@a.example', '"OK"@A.example', '"o\\k"@a.example', "Ok@a.example"]],
    ["a.b+c@a.example", ['"a.b+c"@a.example']],
    ['"a b"@a.example', ['"a\\ b"@a.example', '"A b"@a.example']],
    ['"a\\"b\\\\"@a.example', ['"\\a\\"b\\\\"@a.example']],
    ['"a@b"@a.example', ['"a\\@B"@a.example']],
    ['""@a.example', []],
    ['"a..b"@a.example', []],
    ["jos\u00e9@a.example", ["JOSE\u0301@a.example", '"jose\u0301"@a.example']],
    ['"open@a.example', []],
    ['"a"b"@a.example', []],
    ["ok", ["OK"]],
  ])("%s", (canonical, spellings) => {
    for (const each of [canonical, ...spellings]) expect(canonicalAddress(each)).toBe(canonical);
  });

  test("a URL is one place in one spelling only", () => {
    const url = "https://Hooks.example/@B?e\u0301";
    expect(canonicalDestination(url)).toBe(url);
  });

  test("what is read has no needless quotes", () => {
    expect(parseAddrSpec('"Ok"@A.example')).toEqual({ localPart: "Ok", domain: "A.example" });
    expect(parseAddrSpec('"a\\ b"@A.example')?.localPart).toBe('"a b"');
  });
});

test("a name whose last label is a number is an address of IP, not of mail (RFC 3696 §2)", () => {
  for (const name of ["1.2.3.4", "example.1", "a.127", "\uff11.\uff12"]) {
    expect([name, isDomainName(name)]).toEqual([name, false]);
  }
  for (const name of ["1.2.3.4.example", "1.2.3.4x", "163.com", "a.0x1"]) {
    expect([name, isDomainName(name)]).toEqual([name, true]);
  }
  expect(parseAddrSpec("a@1.2.3.4")).toBe(null);
});
