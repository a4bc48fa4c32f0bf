/** What a message must have for an expression to be true, as far as the expression shows it. */
import { describe, expect, test } from "vitest";
import { compiled } from "../evaluate.ts";

/** The openings: `is` one of some texts, `has` one of them within (`~`: in any case); then the facts that must be known too. */
function guardOf(source: string): string | null {
  const { guard } = compiled(source);
  if (guard === null) return null;
  const openings = guard.openings.map((opening) => {
    if ("values" in opening) return `${opening.fact} is ${opening.values.join("|")}`;
    const texts = opening.literals.map(({ text, fold }) => (fold ? `~${text}` : text));
    return `${opening.fact} has ${texts.sort().join("|")}`;
  });
  const needs = guard.alsoNeeds.length === 0 ? "" : `; knows ${guard.alsoNeeds.join(", ")}`;
  return openings.join(", ") + needs;
}

const NONE: readonly string[] = [
  ...["size > 3", "sender != 'a'", "sender < 'a'", "sender == recipient", "!(sender == 'a')"],
  ...["sender in ['a', subject]", "sender in headers", "1 in [size]"],
  ...["subject.contains('')", "subject.contains(sender)", "'abc'.contains(subject)"],
  ...["subject.trim().contains('abc')", "subject.matches('a.c')", "subject.matches(sender)"],
  ...["subject.indexOf('abc') > 2", "headers[subject][0] == 'a'", "has(attachments[0].size)"],
  ...["sender == 'a' || size > 3", "size > 3 || sender == 'a'", "size > 3 && !has(headers.a)"],
  ...["headers[?'a'].hasValue()", "headers.?a.hasValue()", "sender == 'a' ? true : false"],
  ...["[headers.a].size() > 0", "attachments.exists(a, a.filename == 'b')"],
];

test.each(NONE)("nothing is known of %s", (source) => {
  expect(guardOf(source)).toBeNull();
});

describe("one condition", () => {
  test.each([
    ["sender == 'a'", "sender is a"],
    ["'a' == recipient", "recipient is a"],
    ["subject in ['a', 'b']", "subject is a|b"],
    ["'a' in headers", "headers is a"],
    ["has(headers.a)", "headers is a"],
    ["body.contains('abc')", "body has abc"],
    ["subject.startsWith('abc')", "subject has abc"],
    ["recipient.endsWith('abc')", "recipient has abc"],
    ["subject.lowerAscii().contains('abc')", "subject has ~abc"],
    ["subject.upperAscii().endsWith('ABC')", "subject has ~ABC"],
  ])("that decides: %s needs %s", (source, guard) => {
    expect(guardOf(source)).toBe(guard);
    // It is false before the size is asked for.
    expect(guardOf(`${source} && size > 3`)).toBe(guard);
  });

  test.each([
    ["body.matches('(?:abc|bcd)e')", "body has abce|bcde"],
    ["headers['a'][0] == 'b'", "headers is a"],
    ["headers.a[0] == 'b'", "headers is a"],
    ["'b' == headers.a[0]", "headers is a"],
    ["headers.a[0].startsWith('b')", "headers is a"],
    ["headers.a[0].matches('b')", "headers is a"],
    ["headers.a.size() > 1", "headers is a"],
    ["headers.a.exists(v, v == 'b')", "headers is a"],
    ["headers.a[int(headers.b[0])] == 'c'", "headers is a"],
  ])("that may fail: %s needs %s", (source, guard) => {
    expect(guardOf(source)).toBe(guard);
    expect(guardOf(`${source} && size > 3`)).toBe(`${guard}; knows size`);
  });
});

describe("several conditions", () => {
  test.each([
    ["sender == 'a' || subject.contains('abc')", "sender is a, subject has abc"],
    ["sender == 'a' || headers.b[0] == 'c'", "sender is a, headers is b"],
    ["(sender == 'a' || subject == 'b') && size > 3", "sender is a, subject is b"],
    ["(sender == 'a' || headers.b[0] == 'c') && size > 3", "sender is a, headers is b; knows size"],
    ["(sender == 'a' && size > 3) || subject == 'b'", "sender is a, subject is b; knows size"],
    [
      "(size > 3 && (sender == 'a' && size < 9)) || subject == 'b'",
      "sender is a, subject is b; knows size",
    ],
    ["(size > 3 && size < 9) || subject == 'b'", null],
    ["attachments[int(headers.b[0])].size > 3", "headers is b; knows attachments"],
    ["subject in headers.a", "headers is a; knows subject"],
  ])("%s needs %s", (source, guard) => {
    expect(guardOf(source)).toBe(guard);
  });

  test.each([
    ["subject.contains('abc')", "sender == 'a'"],
    ["subject.contains('abc')", "recipient.contains('abcd')"],
    ["body == 'a'", "subject.contains('abc')"],
    ["body.contains('abcdefgh')", "subject.contains('abc')"],
    ["body.contains('abc')", "'a' in headers"],
    ["'a' in headers", "subject == 'b'"],
    ["subject.contains('abc')", "'a' in headers"],
    ["(sender == 'a' || sender == 'b')", "subject == 'c'"],
    ["(sender.contains('abcd') || sender.contains('abc'))", "subject.contains('abcd')"],
    ["subject.contains('abc')", `subject.contains('${"d".repeat(99)}')`],
  ])("of %s and %s the second rules out more", (less, more) => {
    const better = guardOf(more)!;
    for (const source of [`${less} && ${more}`, `${more} && ${less}`]) {
      expect(guardOf(source)?.replace(/; knows .*/, "")).toBe(better);
    }
  });
});

test("after many searches an expression may have spent its fuel before it is false", () => {
  const searches = (count: number): string =>
    Array.from({ length: count }, (_, nth) => `body.contains('a${nth}b')`).join(" || ");
  const last = "body == 'a'";
  expect(guardOf(`(${searches(3)}) && ${last} && size > 3`)).toBe("body is a");
  expect(guardOf(`(${searches(4)}) && ${last} && size > 3`)).toBe("body is a; knows size");
});
