/** Random well-typed expressions over the facts, as source, and random facts. */
import fc from "fast-check";
import type { Facts } from "../../../src/engine/facts/facts.ts";

const WORDS = ["", "a", "b", "ab", "ba", "abc", "invoice", "x@y.z", "A"];

const word = fc.constantFrom(...WORDS);
const literal = word.map((text) => `"${text}"`);

/** Far below the limits of expressions, so that none is refused. */
const SOURCE_UNITS_MAX = 600;

interface Sources {
  readonly bool: string;
  readonly int: string;
  readonly text: string;
  readonly texts: string;
  readonly ints: string;
}

/** An expression of type bool. Macros' variables are `v` (string) and `n` (int), used only where bound. */
export const boolSource: fc.Arbitrary<string> = fc
  .letrec<Sources>((tie) => {
    const infix = (left: keyof Sources, operators: readonly string[], right: keyof Sources) =>
      fc
        .tuple(tie(left), fc.constantFrom(...operators), tie(right))
        .map(([a, operator, b]) => `(${a} ${operator} ${b})`);
    const choice = (kind: keyof Sources) =>
      fc.tuple(tie("bool"), tie(kind), tie(kind)).map(([test, a, b]) => `(${test} ? ${a} : ${b})`);
    const method = (receiver: keyof Sources, name: string, ...args: readonly (keyof Sources)[]) =>
      fc
        .tuple(tie(receiver), ...args.map((arg) => tie(arg)))
        .map(([on, ...given]) => `${on}.${name}(${given.join(", ")})`);
    return {
      bool: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom("true", "false"),
        infix("bool", ["&&", "||", "==", "!="], "bool"),
        infix("int", ["==", "!=", "<", "<=", ">", ">="], "int"),
        infix("text", ["==", "!=", "<", "<=", ">", ">="], "text"),
        infix("texts", ["==", "!="], "texts"),
        infix("text", ["in"], "texts"),
        infix("int", ["in"], "ints"),
        infix("text", ["in"], "texts"),
        tie("bool").map((test) => `!${test}`),
        choice("bool"),
        method("text", "contains", "text"),
        method("text", "startsWith", "text"),
        method("text", "endsWith", "text"),
        fc
          .tuple(tie("texts"), fc.constantFrom("all", "exists", "exists_one"), tie("text"))
          .map(([range, macro, other]) => `${range}.${macro}(v, v == ${other} || v.contains("a"))`),
        fc
          .tuple(tie("ints"), fc.constantFrom("all", "exists", "exists_one"), tie("int"))
          .map(([range, macro, other]) => `${range}.${macro}(n, 6 / n > ${other})`),
        fc.constantFrom('("k" in headers)', "has(headers.k)", '(headers["k"].size() == 1)'),
      ),
      int: fc.oneof(
        { maxDepth: 3 },
        fc.integer({ min: -3, max: 12 }).map(String),
        fc.constantFrom(
          "9223372036854775807",
          "-9223372036854775808",
          "4611686018427387904",
          "size",
        ),
        infix("int", ["+", "-", "*", "/", "%"], "int"),
        choice("int"),
        method("text", "size"),
        method("texts", "size"),
        method("text", "indexOf", "text"),
        tie("ints").map((list) => `${list}[0]`),
        fc.constantFrom("7", "-3", "x", "99999999999999999999").map((text) => `int("${text}")`),
      ),
      text: fc.oneof(
        { maxDepth: 3 },
        literal,
        fc.constantFrom("sender", "recipient", "subject", "body", 'headers["k"][0]'),
        infix("text", ["+"], "text"),
        choice("text"),
        tie("int").map((number) => `string(${number})`),
        tie("texts").map((list) => `${list}[1]`),
        method("texts", "join"),
        fc
          .tuple(tie("text"), tie("int"), tie("int"))
          .map(([text, a, b]) => `${text}.substring(${a}, ${b})`),
      ),
      texts: fc.oneof(
        { maxDepth: 2 },
        fc
          .array(tie("text"), { minLength: 1, maxLength: 3 })
          .map((items) => `[${items.join(", ")}]`),
        fc.constantFrom('headers["k"]', 'headers["j"]'),
        infix("texts", ["+"], "texts"),
        tie("texts").map((list) => `${list}.filter(v, v.contains("a"))`),
        tie("texts").map((list) => `${list}.map(v, v + "b")`),
        method("text", "split", "text"),
      ),
      ints: fc.oneof(
        { maxDepth: 2 },
        fc
          .array(tie("int"), { minLength: 1, maxLength: 3 })
          .map((items) => `[${items.join(", ")}]`),
        infix("ints", ["+"], "ints"),
        tie("ints").map((list) => `${list}.filter(n, n > 1)`),
        tie("texts").map((list) => `${list}.map(v, v.size())`),
      ),
    };
  })
  .bool.filter((source) => source.length <= SOURCE_UNITS_MAX);

/** Facts that are all known. */
export const knownFacts: fc.Arbitrary<Required<Facts>> = fc.record({
  sender: word.map((text) => text.toLowerCase()),
  recipient: word.map((text) => text.toLowerCase()),
  subject: word,
  body: word,
  headers: fc
    .dictionary(fc.constantFrom("k", "j"), fc.array(word, { maxLength: 3 }))
    .map((fields) => new Map(Object.entries(fields))),
  attachments: fc.constant([]),
  size: fc.nat(20),
});
