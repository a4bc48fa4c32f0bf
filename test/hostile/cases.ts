/** Inputs made to hang, crash or overflow: what a tenant could write as a rule, or a stranger send as mail. */
import type { Facts } from "../../src/engine/facts/facts.ts";

interface HostileRule {
  readonly type: string;
  readonly config: object;
}

export interface HostileCase {
  readonly name: string;
  readonly rule: HostileRule;
  readonly facts?: Facts;
  /** What must come of it: refused when compiled, failed on the message, or an ordinary verdict. */
  readonly outcome: "refused" | "failed" | "missed" | "matched";
}

const cel = (expression: string): HostileRule => ({ type: "cel", config: { expression } });
const regex = (pattern: string): HostileRule => ({
  type: "regex",
  config: { regex: pattern, scopes: ["subject", "body"] },
});
const LONG = 30_000_000;
const nested = (depth: number): string => {
  const list = `[${Array.from({ length: 100 }, (_, index) => index).join()}]`;
  let expression = "true";
  for (let level = 0; level < depth; level++) expression = `L.all(v${level}, ${expression})`;
  return `cel.bind(L, ${list}, ${expression})`;
};
const doubling = (seed: string, times: number): string => {
  let expression = "size(x0) > 1";
  for (let step = 1; step <= times; step++)
    expression = `cel.bind(x${step - 1}, x${step} + x${step}, ${expression})`;
  return `cel.bind(x${times}, ${seed}, ${expression})`;
};
const mapOf = (...names: string[]): Map<string, readonly string[]> =>
  new Map(names.map((name) => [name, ["value"]]));

export const HOSTILE: readonly HostileCase[] = [
  {
    name: "10,000 parentheses in an expression",
    rule: cel(`${"(".repeat(10_000)}true${")".repeat(10_000)}`),
    outcome: "refused",
  },
  {
    name: "1,400 parentheses in an expression",
    rule: cel(`${"(".repeat(1_400)}true${")".repeat(1_400)}`),
    outcome: "refused",
  },
  { name: "20,000 &&", rule: cel(Array(20_001).fill("true").join("&&")), outcome: "refused" },
  { name: "400 &&", rule: cel(Array(401).fill("true").join("&&")), outcome: "matched" },
  { name: "10,000 !", rule: cel(`${"!".repeat(10_000)}true`), outcome: "refused" },
  { name: "2,900 !", rule: cel(`${"!".repeat(2_900)}true`), outcome: "refused" },
  { name: "2,900 -", rule: cel(`${"-".repeat(2_900)}1 == 1`), outcome: "refused" },
  {
    name: "1,400 lists",
    rule: cel(`${"[".repeat(1_400)}${"]".repeat(1_400)} == []`),
    outcome: "refused",
  },
  {
    name: "700 conditions",
    rule: cel(`${"true?".repeat(290)}true${":false".repeat(290)}`),
    outcome: "refused",
  },
  { name: "five nested loops of 100", rule: cel(nested(5)), outcome: "failed" },
  { name: "list doubling", rule: cel(doubling("[1]", 26)), outcome: "failed" },
  { name: "string doubling", rule: cel(doubling('"ab"', 26)), outcome: "failed" },
  {
    name: "joining what was split, again and again",
    rule: cel(`${Array(9).fill('subject.split("").join("0123456789")').join(" + ")} == ""`),
    facts: { subject: "ab".repeat(400_000) },
    outcome: "failed",
  },
  {
    name: "replace that grows",
    rule: cel(
      `${"body.replace('', 'aaaaaaaaaaaaaaaa')"}.replace('', 'bbbbbbbbbbbbbbbb').replace('', 'cccccccccccc') == ""`,
    ),
    facts: { body: "x".repeat(1_000_000) },
    outcome: "failed",
  },
  {
    name: "a pattern from the message",
    rule: cel("body.matches(subject)"),
    facts: { subject: "(?:\\pL\\pN){400}", body: "a1".repeat(9_000) },
    outcome: "failed",
  },
  {
    name: "(a+)+$ in matches",
    rule: cel('body.matches("(a+)+$")'),
    facts: { body: `${"a".repeat(900_000)}!` },
    outcome: "missed",
  },
  {
    name: "(a+)+$",
    rule: regex("(a+)+$"),
    facts: { body: `${"a".repeat(900_000)}!` },
    outcome: "missed",
  },
  {
    name: "(x+x+)+y",
    rule: regex("(x+x+)+y"),
    facts: { body: "x".repeat(900_000) },
    outcome: "missed",
  },
  { name: "(?:\\pL\\pN){400}", rule: regex("(?:\\pL\\pN){400}"), outcome: "refused" },
  { name: ".{1000} three times", rule: regex(".{1000}.{1000}.{1000}"), outcome: "refused" },
  { name: "((a{100}){100}){100}", rule: regex("((a{100}){100}){100}"), outcome: "refused" },
  {
    name: "10,000 groups deep",
    rule: regex(`${"(".repeat(10_000)}a${")".repeat(10_000)}`),
    outcome: "refused",
  },
  {
    name: "500 groups deep",
    rule: regex(`${"(".repeat(500)}a${")".repeat(500)}`),
    outcome: "refused",
  },
  {
    name: "[^x]{30}y over a megabyte",
    rule: regex("[^x]{30}y"),
    facts: { body: "ab ".repeat(350_000) },
    outcome: "missed",
  },
  {
    name: "a.{30}[cd] over a megabyte of a and b",
    rule: regex("a.{30}[cd]"),
    facts: { body: "abbabaab".repeat(131_072) },
    outcome: "missed",
  },
  {
    name: "a header named constructor",
    rule: cel('headers["constructor"].exists(v, v == "value")'),
    facts: { headers: mapOf("constructor") },
    outcome: "matched",
  },
  {
    name: "a header named __proto__",
    rule: cel('headers["__proto__"][0] == "value" && !("tostring" in headers)'),
    facts: { headers: mapOf("__proto__") },
    outcome: "matched",
  },
  {
    name: "no header named __proto__",
    rule: cel('headers["__proto__"][0] == "value"'),
    facts: { headers: mapOf("subject") },
    outcome: "failed",
  },
  {
    name: "lone surrogates do not hide a word",
    rule: regex("buy"),
    facts: { subject: "\ud83dbuy", body: "" },
    outcome: "matched",
  },
  {
    name: "lone surrogates do not hide a word from CEL",
    rule: cel('subject.matches("buy")'),
    facts: { subject: "\udc00buy\ud83d" },
    outcome: "matched",
  },
  {
    name: "NUL in the subject",
    rule: regex("a\\x00b"),
    facts: { subject: "a\0b" },
    outcome: "matched",
  },
  {
    name: "a body of 30 MB, searched",
    rule: regex("needle \\d+"),
    facts: { subject: "", body: "haystack ".repeat(LONG / 9) },
    outcome: "missed",
  },
  {
    name: "a body of 30 MB in CEL",
    rule: cel('body.contains("needle")'),
    facts: { body: "haystack ".repeat(LONG / 9) },
    outcome: "missed",
  },
  {
    name: "a subject of 30 MB",
    rule: regex("^needle$"),
    facts: { subject: "n".repeat(LONG), body: "" },
    outcome: "missed",
  },
  {
    name: "a recipient of 1 MB",
    rule: { type: "alias", config: { alias: "a*b*c*d*e*f*g*h" } },
    facts: { recipient: `${"abcdefg".repeat(150_000)}@own.test` },
    outcome: "missed",
  },
  {
    name: "100,000 headers",
    rule: cel('headers.exists(name, headers[name].exists(v, v == "no"))'),
    facts: { headers: mapOf(...Array.from({ length: 100_000 }, (_, index) => `x-${index}`)) },
    outcome: "missed",
  },
];
