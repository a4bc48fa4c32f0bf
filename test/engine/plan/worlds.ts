/** Domains of many rules over small alphabets, with every kind of gate, and messages that often open them. */
import fc from "fast-check";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { type CompiledDomain, compileDomain } from "../../../src/engine/routing/compile-domain.ts";

export interface PlannedRule {
  readonly type: "alias" | "regex" | "cel";
  readonly config: Readonly<Record<string, unknown>>;
  readonly groups: number;
}

const ALIASES: readonly (readonly [alias: string, groups: number])[] = [
  ["ann", 0],
  ["sales*", 0],
  ["*desk", 0],
  ["*", 0],
  ["(ann|bob)", 1],
  ["[a-z]{3}", 0],
  ["sales-(\\d+)", 1],
];

const REGEXES: readonly (readonly [regex: string, groups: number])[] = [
  ["invoice", 0],
  ["(?i)invoice \\d+", 0],
  ["(?i)kelvin|straße", 0],
  ["inv(oice|ite)s? (\\d+)", 2],
  ["^from", 0],
  ["\\bdesk\\b", 0],
  ["\\d{2,}", 0],
  ["[aeiou]{3}", 0],
  ["(\\w+)@x", 1],
  ["$^", 0],
  ["^invoice", 0],
  ["^(?:from|see) inv(\\w+)", 1],
  ["(?i)^STRASSE", 0],
  ["^[a-z]", 0],
  ["a.{3,}z", 0],
  ["(?s)start.*end", 0],
];

const EXPRESSIONS: readonly string[] = [
  'sender == "ann@x.test"',
  '"bob@y.test" == sender && subject.contains("invoice")',
  'sender in ["ann@x.test", "own@x.test"] && body.contains("7")',
  'sender.endsWith("@y.test")',
  'recipient.startsWith("sales")',
  'subject.startsWith("Invoice") || body.contains("invoice 42")',
  'body.contains("desk") && size > 10',
  'size > 10 && (subject.contains("desk") || body.contains("kelvin"))',
  'subject.lowerAscii().contains("invoice")',
  'body.matches("(?i)kelvin")',
  'body.contains("7") && headers["x-spam"][0] == "yes"',
  '"x-spam" in headers',
  'has(headers.list) && body.contains("a")',
  'headers["list"].exists(v, v.contains("a"))',
  'headers.list[0].startsWith("a") || sender == "ann@x.test"',
  '!subject.contains("invoice")',
  "size(body) > 12",
  'attachments.exists(a, a.filename.endsWith(".exe")) && subject.contains("desk")',
  '[1, 2, 3].all(n, body.contains(string(n))) && subject == ""',
  '(body.contains("x") || [1, 2].all(n, subject.contains("desk"))) && sender == "bob@y.test"',
  'subject.contains("desk") ? body.contains("7") : sender == "ann@x.test"',
  'body == "" && (sender.contains("ann") && recipient.contains("desk"))',
  "true",
  "false && body.contains('invoice')",
];

const SCOPE_SETS: readonly (readonly string[])[] = [
  ["subject"],
  ["body"],
  ["subject", "body"],
  ["sender", "recipient"],
  ["recipient", "sender", "subject", "body"],
];

const ruleArb: fc.Arbitrary<PlannedRule> = fc.oneof(
  fc
    .constantFrom(...ALIASES)
    .map(([alias, groups]) => ({ type: "alias" as const, config: { alias }, groups })),
  fc
    .tuple(fc.constantFrom(...REGEXES), fc.constantFrom(...SCOPE_SETS))
    .map(([[regex, groups], scopes]) => ({
      type: "regex" as const,
      config: { regex, scopes },
      groups,
    })),
  fc
    .constantFrom(...EXPRESSIONS)
    .map((expression) => ({ type: "cel" as const, config: { expression }, groups: 0 })),
);

/** A forward with a capture fails where the text captured makes no mailbox: the next rule goes on. */
const forwardArb = (groups: number): fc.Arbitrary<string> =>
  fc.constantFrom("m@x.test", "null", ...(groups > 0 ? ["$1@x.test", "m@$1.test"] : []));

/** The API's shape of a rule. */
export const apiRuleArb: fc.Arbitrary<Record<string, unknown>> = ruleArb.chain((rule) =>
  fc.record({ forward: forwardArb(rule.groups), active: fc.nat(9) }).map(({ forward, active }) => ({
    type: rule.type,
    active: active > 0,
    config: { ...rule.config, forward },
  })),
);

export function domainOf(rules: readonly Record<string, unknown>[]): unknown {
  return {
    domain: "own.test",
    routing_engine: "rules",
    rules_fallback_email: "fall@x.test",
    rules: rules.map((rule, index) => ({ id: `r${index}`, rank: index, ...rule })),
  };
}

const QUIET_RULES_MAX = 400;
/** Rules that match no message of these worlds. */
const QUIET: readonly ((nth: number) => Record<string, unknown>)[] = [
  (nth) => ({ type: "regex", config: { regex: `quiet ${nth}x`, scopes: ["body"] } }),
  (nth) => ({ type: "regex", config: { regex: `[0-9]{${9 + (nth % 5)}}q`, scopes: ["body"] } }),
  (nth) => ({ type: "regex", config: { regex: `(?i)quiet${nth}`, scopes: ["subject", "body"] } }),
  (nth) => ({ type: "cel", config: { expression: `body.contains("quiet ${nth}")` } }),
  (nth) => ({ type: "alias", config: { alias: `quiet${nth}` } }),
];

/** A few of `rules` among so many others that the body is searched for rules of early rank first. */
export function amongQuietRules(
  rules: readonly Record<string, unknown>[],
  below: (count: number) => number,
): readonly Record<string, unknown>[] {
  const all = Array.from({ length: 1 + below(QUIET_RULES_MAX) }, (_, nth) => {
    const { type, config } = QUIET[below(QUIET.length)]!(nth) as { type: string; config: object };
    return { type, config: { ...config, forward: "quiet@x.test" } } as Record<string, unknown>;
  });
  for (const rule of rules.slice(0, 1 + below(3))) all.splice(below(all.length + 1), 0, rule);
  return all;
}

export function compiled(config: unknown): CompiledDomain {
  const result = compileDomain(config);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.domain;
}

const filler = "lorem ipsum ".repeat(80);
const BODIES: readonly string[] = [
  "",
  "42",
  "see invoice 42\nand 7 desks",
  "the \u212Aelvin scale, xkelvinx",
  `${filler}invoice 42`,
  `start\n${filler}\nKELVIN invites 7\n${filler} end a123z`,
  "invoice 7 ".repeat(60),
  "1 2 3 desk x",
  // Long enough for its start to be looked through first.
  `from invoice 4 by own\n${"lorem ipsum dolor\n".repeat(900)}invites 7 desk`,
  `${"lorem ipsum invoice dolor ".repeat(700)}42`,
];

/** Facts of which none is unknown. */
export type KnownFacts = {
  readonly [Name in keyof Facts]-?: Exclude<Facts[Name], undefined>;
};

/** All facts known. */
export const factsArb: fc.Arbitrary<KnownFacts> = fc.record({
  recipient: fc.constantFrom(
    "ann@own.test",
    "Ann+x@own.test",
    "sales-12@own.test",
    "helpdesk@own.test",
    "zed@own.test",
    "+q@own.test",
  ),
  sender: fc.constantFrom("ann@x.test", "Bob@Y.test", "own@x.test", "", "a@z.test"),
  subject: fc.constantFrom(
    "",
    "Invoice 42",
    "invoice",
    "a desk",
    "from",
    "invites 7",
    "STRASSE straße aaaz",
  ),
  body: fc.constantFrom(...BODIES),
  headers: fc.constantFrom<ReadonlyMap<string, readonly string[]>>(
    new Map(),
    new Map([["x-spam", ["yes"]]]),
    new Map([
      ["list", ["a", "b"]],
      ["x-spam", ["no"]],
      ["to", ["x"]],
      ["cc", ["y"]],
    ]),
    new Map([["list", []]]),
  ),
  attachments: fc.constantFrom([], [{ filename: "a.exe", contentType: "application/x", size: 9 }]),
  size: fc.constantFrom(5, 5_000),
});

/** Which facts to forget: as a server meets them, or any. */
export const forgottenArb: fc.Arbitrary<readonly (keyof Facts)[]> = fc.oneof(
  fc.constantFrom<readonly (keyof Facts)[]>(
    ["sender", "subject", "headers", "body", "attachments", "size"],
    ["body", "attachments", "size"],
    ["body", "attachments"],
  ),
  fc.subarray<keyof Facts>([
    "recipient",
    "sender",
    "subject",
    "body",
    "headers",
    "attachments",
    "size",
  ]),
);

export function forget(facts: Facts, names: readonly (keyof Facts)[]): Facts {
  return Object.fromEntries(
    Object.entries(facts).filter(([name]) => !names.includes(name as keyof Facts)),
  );
}
