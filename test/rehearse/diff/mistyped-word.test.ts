import { expect, test } from "vitest";
import { mistypedWord } from "../../../src/rehearse/diff/mistyped-word.ts";

test.each([
  ['headers["lst-id"][0] == "a"', 'headers["list-id"][0] == "a"', ['"lst-id"', '"list-id"']],
  ["subject.startsWth('x')", "subject.startsWith('x')", ["startsWth", "startsWith"]],
  ['sender == "Ann@b.test"', 'sender == "ann@b.test"', ['"Ann@b.test"', '"ann@b.test"']],
  ['subject=="teh" ', ' subject == "the"', ['"teh"', '"the"']],
  ['"a \\" b" in headers', '"a \\" c" in headers', ['"a \\" b"', '"a \\" c"']],
])("%s → %s is a typo", (before, after, [from, to]) => {
  expect(mistypedWord(before, after)).toEqual({ from, to });
});

test.each([
  ["nothing", 'subject == "a"', 'subject  ==  "a"'],
  ["another text", 'subject == "invoice"', 'subject == "order"'],
  ["two words", 'subject == "invoice"', 'sbject == "invoce"'],
  ["an operand more", 'subject == "invoice"', 'subject == "invoice" && size < 5'],
  ["a number", "size > 1000", "size > 10000"],
  ["an operator", "size > 1000", "size < 1000"],
  ["a string for a name", 'subject == "sender"', "subject == sender"],
])("%s differs: no typo", (_, before, after) => {
  expect(mistypedWord(before, after)).toBeNull();
});
