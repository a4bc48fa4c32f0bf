/** What is refused when an expression is compiled: the code, the message, and the place. */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { compileExpression } from "../../../src/engine/cel/compile-expression.ts";

function problemsOf(source: string): readonly (readonly [string, string, string | undefined])[] {
  const result = compileExpression(source);
  if (result.ok) return [];
  return result.problems.map(({ code, message, span }) => [
    code,
    message,
    span === undefined ? undefined : source.slice(span.start, span.end),
  ]);
}

describe("compileExpression refuses", () => {
  it.each([
    [
      "snder == 'x'",
      "cel/unknown-identifier",
      "unknown name `snder`: did you mean `sender`",
      "snder",
    ],
    [
      "foo",
      "cel/unknown-identifier",
      "unknown name `foo`: use one of sender, recipient, subject, body, headers, attachments, size",
      "foo",
    ],
    [
      "subject.startWith('x')",
      "cel/unknown-function",
      "unknown function `startWith`: did you mean `startsWith`",
      "startWith",
    ],
    [
      "subject.foo()",
      "cel/unknown-function",
      expect.stringMatching(
        /^unknown function `foo`: use one of charAt, contains, .*trim, upperAscii$/,
      ),
      "foo",
    ],
    ["size.foo()", "cel/unknown-function", "unknown function `foo`: an int has no methods", "foo"],
    [
      "headers.received.exist(v, true)",
      "cel/unknown-function",
      "unknown function `exist`: did you mean `exists`",
      "exist",
    ],
    [
      "contains(subject, 'x')",
      "cel/unknown-function",
      "`contains` is a method: write `x.contains(…)`",
      "contains",
    ],
    [
      "subject.contains(1)",
      "cel/type",
      "`string.contains(int)` does not exist: write `string.contains(string)`",
      "subject.contains(1)",
    ],
    [
      "subject + 1 == 'a'",
      "cel/type",
      "`+` does not take a string and an int: convert one of them",
      "subject + 1",
    ],
    [
      "size == '3'",
      "cel/type",
      "an int never equals a string: compare values of one type",
      "size == '3'",
    ],
    [
      "1 == 1.0",
      "cel/type",
      "an int never equals a double: convert one, as in `int(…)`",
      "1 == 1.0",
    ],
    [
      "subject",
      "cel/not-bool",
      "the expression gives a string: a rule needs a bool, so compare it with something",
      "subject",
    ],
    [
      "dyn(true)",
      "cel/not-bool",
      "the expression gives a dyn: a rule needs a bool, so compare it with something",
      "dyn(true)",
    ],
    [
      "subject && true",
      "cel/type",
      "`&&` takes a bool, found a string: compare it with something",
      "subject",
    ],
    ["size.foo == 1", "cel/type", "an int has no field `foo`: remove it", "size.foo"],
    [
      "subject.size == 1",
      "cel/type",
      "a string has no field `size`: write `.size(…)`",
      "subject.size",
    ],
    [
      "attachments[0].name == ''",
      "cel/type",
      "an attachment has no field `name`: it has filename, contentType, size",
      "attachments[0].name",
    ],
    [
      "has(attachments[0].name)",
      "cel/type",
      "an attachment has no field `name`: it has filename, contentType, size",
      "attachments[0].name",
    ],
    [
      "'a' in subject",
      "cel/type",
      "`in` takes a list or a map, found a string: use `contains`",
      "subject",
    ],
    [
      "subject.exists(c, c == 'a')",
      "cel/type",
      "`exists` goes over a list or a map, found a string: use `contains` or `matches`",
      "subject",
    ],
    [
      "{1.5: 2} == {}",
      "cel/type",
      "a double cannot be the key of a map: use a string, int, uint or bool",
      "1.5",
    ],
    ["body.matches('(')", "pattern/syntax", expect.any(String), "'('"],
    ["subject = 'a'", "cel/syntax", "`=` is not an operator: compare with `==`", "="],
    ["subject == 'a' & true", "cel/syntax", "`&` is not an operator: write `&&`", "&"],
    ["(true", "cel/syntax", "expected `)`, found the end", ""],
    ["subject == 'a", "cel/syntax", "the string is not closed: add its quote", "'a"],
    [
      "subject == 'a\nb'",
      "cel/syntax",
      "a line ends within a string: close the string, or use three quotes",
      "\n",
    ],
    ["while == 1", "cel/syntax", "`while` is a reserved word: use another name", "while"],
    ["", "cel/syntax", "expected a value, found the end", ""],
    ["[1].all(1, true)", "cel/syntax", expect.stringContaining("plain variable name"), "1"],
    ["has(subject)", "cel/syntax", "`has` takes one field, such as `has(x.y)`", "has(subject)"],
    [
      "headers.`list-id` == []",
      "cel/syntax",
      'quoted field names are not supported: write `x["name"]`',
      "`",
    ],
    ["Foo{a: 1} == 1", "cel/syntax", "messages cannot be constructed here: remove the `{`", "{"],
    [
      "9223372036854775808 > 1",
      "cel/syntax",
      "`9223372036854775808` is not a 64-bit integer: write a smaller number",
      "9223372036854775808",
    ],
    [
      "-9223372036854775809 > 1",
      "cel/syntax",
      expect.stringContaining("64-bit"),
      "-9223372036854775809",
    ],
  ])("%s", (source, code, message, where) => {
    expect(problemsOf(source)).toEqual([[code, message, where]]);
  });

  it("tells every problem of types and patterns at once, in order", () => {
    const source = "snder == 1 || body.matches('(') || subject.foo() || size > 'x'";
    expect(problemsOf(source).map(([code]) => code)).toEqual([
      "cel/unknown-identifier",
      "pattern/syntax",
      "cel/unknown-function",
      "cel/type",
    ]);
  });

  it("writes every message in one line, lower case, without a full stop", () => {
    for (const source of [
      "1 +",
      "a b",
      "'\\q'",
      "'\\uD800'",
      "1e",
      "0x",
      "1u2",
      "x.map(1, 2)",
      "f(",
      "[",
      "{1}",
    ]) {
      const problems = problemsOf(source);
      expect(problems, source).toHaveLength(1);
      expect(problems[0]![1], source).toMatch(/^[a-z`'[{(].*[^.\n]$/);
      expect(problems[0]![1], source).not.toMatch(/\n/);
    }
  });
});

describe("what the parser reads otherwise than CEL is refused, never taken wrongly", () => {
  it.each([
    "1 == 2 < true",
    "sender == 'a' in [true]",
    "true == (1 == 1 < true)",
    "subject != 'a' >= false",
  ])("%s", (source) => {
    expect(problemsOf(source)[0]?.[0]).toBe("cel/unsupported");
  });

  it.each([
    "(1 == 2) == (1 < 2)",
    "1 < 2 == true",
    "1 == 2 || 1 < 2",
    "[1 == 2, 1 < 2].size() == 2",
    "'a' == 'b' ? 1 < 2 : 3 < 4",
    "true == (1 < 2)",
    "'==' < '<'",
    "true // == <\n == (1 < 2)",
  ])("%s stays allowed", (source) => {
    expect(problemsOf(source)).toEqual([]);
  });

  it("refuses a raw string that CEL would end earlier", () => {
    expect(problemsOf('r"a\\" == "b"')[0]?.[0]).toBe("cel/unsupported");
    expect(problemsOf('r"\\" in ["\\"]')[0]?.[0]).toBe("cel/unsupported");
    expect(problemsOf("r'\\\\' == 'a' && r'\\d\\\\' != ''")).toEqual([]);
    expect(problemsOf('br"a" == b"a"')[0]?.[0]).toBe("cel/unsupported");
  });
});

describe("bounds", () => {
  const deep = LIMITS.celDepthMax - 4;

  it.each([
    ["10,000 parentheses", "(".repeat(10_000), "cel/too-long"],
    ["20,000 &&", Array(20_000).fill("true").join(" && "), "cel/too-long"],
    ["10,000 !", `${"!".repeat(10_000)}true`, "cel/too-long"],
    ["10,000 -", `${"-".repeat(10_000)}1 == 1`, "cel/too-long"],
    ["parentheses", `${"(".repeat(1_400)}true${")".repeat(1_400)}`, "cel/too-deep"],
    ["!", `${"!".repeat(2_900)}true`, "cel/too-deep"],
    ["-", `${"-".repeat(2_900)}1 == 1`, "cel/too-deep"],
    ["lists", `${"[".repeat(1_400)}${"]".repeat(1_400)}`, "cel/too-deep"],
    ["maps", "{1:".repeat(900), "cel/too-deep"],
    ["calls", "f(".repeat(1_400), "cel/too-deep"],
    ["fields", `subject${".a".repeat(1_000)}`, "cel/too-deep"],
    ["indices", `headers${'["a"]'.repeat(500)}`, "cel/too-deep"],
    ["?:", `${"true ? true : ".repeat(200)}true`, "cel/too-deep"],
    ["+", `${Array(400).fill("1").join(" + ")} == 1`, "cel/too-deep"],
    ["parts", Array(700).fill("!1").join("||"), "cel/too-complex"],
    ["unclosed strings", "'".repeat(2_999), "cel/syntax"],
  ])("%s", (_, source, code) => {
    expect(problemsOf(source).map(([found]) => found)).toEqual([code]);
  });

  it("takes what is within them", () => {
    expect(problemsOf(`${"(".repeat(deep)}true${")".repeat(deep)}`)).toEqual([]);
    expect(problemsOf(`${"!".repeat(deep)}true`)).toEqual([]);
    expect(problemsOf(Array(400).fill("true").join("&&"))).toEqual([]);
    expect(problemsOf(Array(200).fill("size == 1").join(" || "))).toEqual([]);
    expect(problemsOf(`subject == "${"x".repeat(2_900)}"`)).toEqual([]);
  });

  it("answers a problem when the caller has left little stack", () => {
    const source = `${"(".repeat(deep)}true${")".repeat(deep)}`;
    const dive = (): readonly unknown[] => {
      try {
        return dive();
      } catch {
        return problemsOf(source);
      }
    };
    expect(Array.isArray(dive())).toBe(true);
  });
});
