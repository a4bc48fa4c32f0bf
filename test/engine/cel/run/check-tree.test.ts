/** The type of every kind of expression, and what is said where types do not go together. */
import { describe, expect, test } from "vitest";
import { compileExpression } from "../../../../src/engine/cel/compile-expression.ts";

interface Found {
  /** Left out if it is `cel/type`. */
  readonly code?: string;
  readonly message: string;
  readonly at: string;
}

function problemsOf(source: string): readonly Found[] {
  const result = compileExpression(source);
  if (result.ok) return [];
  return result.problems.map(({ code, message, span }) => ({
    ...(code !== "cel/type" && { code }),
    message,
    at: source.slice(span?.start, span?.end),
  }));
}

/** The type as the checker writes it, found by a comparison that only `dyn` allows. */
function typeOf(source: string): string {
  const [only, ...more] = problemsOf(`(${source}) == attachments[0]`);
  if (only === undefined) return "dyn";
  expect(more).toEqual([]);
  return /^an? (.*) never equals an attachment: /.exec(only.message)?.[1] ?? only.message;
}

describe("the type of", () => {
  test.each([
    ["[]", "list<dyn>"],
    ["[1, 2]", "list<int>"],
    ["[1, 'a']", "list<dyn>"],
    ["[[1], ['a']]", "list<list<dyn>>"],
    ["{}", "map<dyn, dyn>"],
    ["{'a': 1}", "map<string, int>"],
    ["{'a': 1, 2: 'b'}", "map<dyn, dyn>"],
    ["{true: [1], false: []}", "map<bool, list<dyn>>"],
    ["{1u: dyn(1)}", "map<uint, dyn>"],
    ["{dyn('a'): b'a'}", "map<dyn, bytes>"],
    ["true ? 1.5 : 2.5", "double"],
    ["true ? [1] : ['a']", "list<dyn>"],
    ["true ? 1 : dyn(1)", "dyn"],
  ])("a literal or a choice: %s is %s", (source, type) => {
    expect(typeOf(source)).toBe(type);
  });

  test.each([
    ["headers.from", "list<string>"],
    ["headers['from']", "list<string>"],
    ["headers.from[0]", "string"],
    ["headers.?from", "optional<list<string>>"],
    ["headers[?'from']", "optional<list<string>>"],
    ["headers.?from[0]", "optional<string>"],
    ["attachments[0].size", "int"],
    ["attachments[?0].filename", "optional<string>"],
    ["{1: 'a'}[1]", "string"],
    ["{dyn(1): 'a'}.b", "string"],
    ["dyn(1).a", "dyn"],
    ["dyn(1)[0]", "dyn"],
    ["dyn(1).?a", "optional<dyn>"],
    ["dyn(1)[?0]", "optional<dyn>"],
    ["optional.of(dyn(1))[0]", "optional<dyn>"],
    ["string", "type"],
    ["google.protobuf.Timestamp", "type"],
    ["cel.bind(string, 1, string)", "int"],
  ])("a name, a field or an entry: %s is %s", (source, type) => {
    expect(typeOf(source)).toBe(type);
  });

  test.each([
    "1 < 2",
    "1 == 2",
    "1 in [1]",
    "1 in dyn([1])",
    "true && true",
    "has(headers.a)",
    "!true",
  ])("a condition: %s is bool", (source) => {
    expect(typeOf(source)).toBe("bool");
    expect(problemsOf(source)).toEqual([]);
  });

  test.each([
    ["[1].map(x, 'a')", "list<string>"],
    ["[1].map(x, x > 0, 'a')", "list<string>"],
    ["['a'].filter(x, true)", "list<string>"],
    ["{'a': 1}.map(key, key)", "list<string>"],
    ["{'a': 1}.filter(key, true)", "list<string>"],
    ["['a'].transformList(index, value, [index])", "list<list<int>>"],
    ["['a'].transformList(index, value, value)", "list<string>"],
    ["{'a': true}.transformList(key, value, value)", "list<bool>"],
    ["{'a': true}.transformList(key, value, key)", "list<string>"],
    ["{'a': 1}.transformMap(key, value, [value])", "map<string, list<int>>"],
    ["['a'].transformMap(index, value, value)", "map<int, string>"],
    ["{'a': 1}.transformMapEntry(key, value, {value: key})", "map<int, string>"],
    ["[1].transformMapEntry(index, value, dyn(value))", "map<dyn, dyn>"],
    ["dyn([1]).map(x, x)", "list<dyn>"],
    ["dyn([1]).transformMap(key, value, value)", "map<dyn, dyn>"],
    ["[1].all(x, true)", "bool"],
    ["[1].exists(x, dyn(x))", "bool"],
    ["[1].exists_one(x, true)", "bool"],
    ["[1].map(x, ['a'].map(x, x))", "list<list<string>>"],
    ["[1].map(x, ['a'].map(y, x))", "list<list<int>>"],
  ])("a loop: %s is %s", (source, type) => {
    expect(typeOf(source)).toBe(type);
  });

  test.each([
    ["optional.of(1)", "optional<int>"],
    ["optional.of(1).or(optional.of(2))", "optional<int>"],
    ["optional.of([1]).or(optional.of(['a']))", "optional<list<dyn>>"],
    ["optional.of(1).orValue(2)", "int"],
    ["optional.of([1]).orValue(['a'])", "list<dyn>"],
    ["optional.of(1).optMap(x, [x])", "optional<list<int>>"],
    ["optional.of(1).optFlatMap(x, optional.of([x]))", "optional<list<int>>"],
    ["dyn(1).orValue(2)", "dyn"],
    ["dyn(1).optMap(x, x)", "optional<dyn>"],
    ["optional.of(1).optFlatMap(x, dyn(x))", "optional<dyn>"],
  ])("an optional: %s is %s", (source, type) => {
    expect(typeOf(source)).toBe(type);
  });
});

describe("refused is", () => {
  const compare = "compare it with something";
  test.each([
    [
      "size ? true : false",
      `the condition of \`?:\` takes a bool, found an int: ${compare}`,
      "size",
    ],
    [
      "(true ? 1 : 'a') == 1",
      "`?:` gives an int or a string: make both sides one type",
      "true ? 1 : 'a'",
    ],
    ["true || 'a'", `\`||\` takes a bool, found a string: ${compare}`, "'a'"],
    ["[1].all(x, x)", `\`all\` takes a bool, found an int: ${compare}`, "x"],
    ["[1].exists(x, 'a')", `\`exists\` takes a bool, found a string: ${compare}`, "'a'"],
    ["[1].exists_one(x, x)", `\`exists_one\` takes a bool, found an int: ${compare}`, "x"],
    ["[1].filter(x, x) == []", `\`filter\` takes a bool, found an int: ${compare}`, "x"],
    ["[1].map(x, x, x) == []", `\`map\` takes a bool, found an int: ${compare}`, "x"],
  ])("what is not a bool: %s", (source, message, at) => {
    expect(problemsOf(source)).toEqual([{ message, at }]);
  });

  test.each([
    ["1 == null", "an int never equals a null: only `dyn` values can be null"],
    ["null != 'a'", "a null never equals a string: only `dyn` values can be null"],
    ["1u == 1", "a uint never equals an int: convert one, as in `uint(…)`"],
    ["1.5 == 'a'", "a double never equals a string: compare values of one type"],
    ["'a' == 1.5", "a string never equals a double: compare values of one type"],
    [
      "headers.to == 'a'",
      "a header field has a list of values: write `headers.to[0]` for the first",
    ],
    [
      "'a' == headers['to']",
      'a header field has a list of values: write `headers["to"][0]` for the first',
    ],
    ["headers.to == 1", "a list<string> never equals an int: compare values of one type"],
    ["headers[subject] == 'a'", "a list<string> never equals a string: compare values of one type"],
    ["attachments[0] == 'a'", "an attachment never equals a string: compare values of one type"],
    ["{'a': 1}.a == 'a'", "an int never equals a string: compare values of one type"],
    [
      "headers == 'a'",
      "a map<string, list<string>> never equals a string: compare values of one type",
    ],
    ["[1] == ['a']", "a list<int> never equals a list<string>: compare values of one type"],
  ])("a comparison that is never true: %s", (source, message) => {
    expect(problemsOf(source)).toEqual([{ message, at: source }]);
  });

  test.each([
    ["1 in ['a']", "an int is never in a list<string>: compare values of one type", "['a']"],
    [
      "1 in headers",
      "an int is never in a map<string, list<string>>: compare values of one type",
      "headers",
    ],
    ["1 in 5", "`in` takes a list or a map, found an int: write a list", "5"],
    ["5.all(x, true)", "`all` goes over a list or a map, found an int: write a list", "5"],
  ])("a range of the wrong type: %s", (source, message, at) => {
    expect(problemsOf(source)).toEqual([{ message, at }]);
  });

  test.each([
    ["subject[0]", "a string cannot be indexed: only lists and maps can"],
    ["attachments['a']", "a list<attachment> is not indexed by a string: use an int"],
    ["headers[0]", "a map<string, list<string>> is not indexed by an int: use a string"],
    ["{1: 2}.a", "a map<int, int> has no field `a`: remove it"],
    ["subject.trim", "a string has no field `trim`: write `.trim(…)`"],
  ])("an entry that is not there: %s", (source, message) => {
    expect(problemsOf(`${source} == 1`)).toEqual([{ message, at: source }]);
  });

  const optional = "write `.?`, `[?…]` or `optional.of(…)`";
  test.each([
    ["size.orValue(1)", `\`orValue\` takes an optional, found an int: ${optional}`, "size"],
    ["optional.of(1).or(2)", `\`or\` takes an optional, found an int: ${optional}`, "2"],
    ["size.optMap(x, x)", `\`optMap\` takes an optional, found an int: ${optional}`, "size"],
    [
      "optional.of(1).optFlatMap(x, x)",
      `\`optFlatMap\` takes an optional, found an int: ${optional}`,
      "x",
    ],
    [
      "optional.of(1).orValue('a')",
      "`orValue` gives an int or a string: make both one type",
      "optional.of(1).orValue('a')",
    ],
    [
      "optional.of(1).or(optional.of('a'))",
      "`or` gives an int or a string: make both one type",
      "optional.of(1).or(optional.of('a'))",
    ],
    [
      "[1].transformMapEntry(i, v, v)",
      "`transformMapEntry` makes maps of one entry, found an int: write `{key: value}`",
      "v",
    ],
  ])("what is not optional, or not a map: %s", (source, message, at) => {
    expect(problemsOf(`${source} == dyn(1)`)).toEqual([{ message, at }]);
  });

  test.each([
    ["[1].exists(value, valeu == 1)", "unknown name `valeu`: did you mean `value`"],
    [
      "[1].exists(q, zzz == 1)",
      "unknown name `zzz`: use one of sender, recipient, subject, body, headers, attachments, size, q",
    ],
    [
      "[1].exists(value, true) && valeu == 1",
      "unknown name `valeu`: use one of sender, recipient, subject, body, headers, attachments, size",
    ],
  ])("a name that is not known there: %s", (source, message) => {
    expect(problemsOf(source).map((each) => each.message)).toEqual([message]);
  });

  const placesOf = (source: string): readonly string[] => problemsOf(source).map(({ at }) => at);

  test("a macro that does not exist, but not the names that it would declare", () => {
    expect(placesOf("[1].exist(v, v == 1 && subject[0] == 'a')")).toEqual(["exist", "subject[0]"]);
    expect(placesOf("valeu == 1 && [1].exist(v, v == 1)")).toEqual(["valeu", "exist"]);
  });

  test("a call, and what is wrong with its arguments", () => {
    expect(placesOf("subject.contains(valeu)")).toEqual(["valeu"]);
    const call = "subject.contains(valeu, 1)";
    expect(placesOf(call)).toEqual([call, "valeu"]);
  });
});
