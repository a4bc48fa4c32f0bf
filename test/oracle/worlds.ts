/** Random and enumerated worlds over small alphabets, in which aliases and rules often meet. */
import fc from "fast-check";
import type { Facts } from "../../src/engine/facts/facts.ts";
import type { Scope } from "../../src/engine/routing/resolution.ts";
import type { KnownFacts, World, WorldAlias, WorldMatcher, WorldRule } from "./naive-resolver.ts";

const OWN = "own.test";
const TIMES = [undefined, "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"] as const;

export const RECIPIENTS: readonly string[] = [
  "a",
  "b",
  "ab",
  "A+x",
  "b+",
  "a+b+c",
  "zzz",
  "+a",
].map((local) => `${local}@${OWN}`);
export const SENDERS: readonly string[] = ["ann@x.test", "Bob@Y.test", "own@x.test", ""];
export const SUBJECTS: readonly string[] = ["", "invoice 42", "Invoice", "a b@d"];
export const BODIES: readonly string[] = ["", "42", "see invoice 7\nline"];

const PLAIN_FORWARDS = [
  "m@x.test",
  "null",
  "me@gmail.com, m@x.test",
  "m@x.test,m@x.test",
  "me+own@gmail.com",
  "https://hook.test/in",
];
const CAPTURE_FORWARDS = ["$1@x.test", "q@x.test, m@$1.test", "https://hook.test/$1?q=$2"];

const ALIASES: readonly [alias: string, groups: number][] = [
  ["a", 0],
  ["B", 0],
  ["a+b", 0],
  ["a*", 0],
  ["*b*", 0],
  ["*", 0],
  ["(a|b)", 1],
  ["(a?)(b.*)", 2],
  ["[ab]+", 0],
];

const REGEXES: readonly [regex: string, groups: number][] = [
  ["invoice", 0],
  ["(\\d)(\\d?)", 2],
  ["^(.+)@(\\w)", 2],
  ["(?:^|\\s)b", 0],
  ["^$", 0],
];

const CELS: readonly Extract<WorldMatcher, { type: "cel" }>[] = [
  {
    type: "cel",
    expression: 'subject.contains("invoice")',
    holds: (f) => f.subject.includes("invoice"),
  },
  {
    type: "cel",
    expression: 'body.contains("7") || sender == "ann@x.test"',
    holds: (f) => f.body.includes("7") || f.sender === "ann@x.test",
  },
  {
    type: "cel",
    expression: '!(body.contains("42") && recipient.startsWith("a"))',
    holds: (f) => !(f.body.includes("42") && f.recipient.startsWith("a")),
  },
  {
    type: "cel",
    expression: 'size(subject) > 3 ? body == "" : 1 / size(subject) == 0',
    holds: (f) => {
      if (f.subject.length > 3) return f.body === "";
      if (f.subject.length === 0) throw new RangeError("division by zero");
      return Math.trunc(1 / f.subject.length) === 0;
    },
  },
  {
    type: "cel",
    expression: 'subject.matches("^[A-Z]") && true',
    holds: (f) => /^[A-Z]/.test(f.subject),
  },
];

const SCOPE_SETS: readonly (readonly Scope[])[] = [
  ["subject"],
  ["body", "subject"],
  ["sender", "recipient"],
  ["body", "sender", "subject", "recipient"],
];

const forwardFor = (groups: number): fc.Arbitrary<string> =>
  fc.constantFrom(
    ...PLAIN_FORWARDS,
    ...CAPTURE_FORWARDS.filter((text) => groups >= (text.includes("$2") ? 2 : 1)),
  );

const stamp = fc.constantFrom(...TIMES);
const at = (created_at: string | undefined): { created_at?: string } =>
  created_at === undefined ? {} : { created_at };

const aliasArb: fc.Arbitrary<Omit<WorldAlias, "id">> = fc
  .constantFrom(...ALIASES)
  .chain(([alias, groups]) =>
    fc.record({ alias: fc.constant(alias), forward: forwardFor(groups), time: stamp }),
  )
  .map(({ time, ...alias }) => ({ ...alias, ...at(time) }));

const matcherArb: fc.Arbitrary<{ matcher: WorldMatcher; forward: string }> = fc.oneof(
  fc.constantFrom(...ALIASES).chain(([alias, groups]) =>
    fc.record({
      matcher: fc.constant<WorldMatcher>({ type: "alias", alias }),
      forward: forwardFor(groups),
    }),
  ),
  fc
    .tuple(fc.constantFrom(...REGEXES), fc.constantFrom(...SCOPE_SETS))
    .chain(([[regex, groups], scopes]) =>
      fc.record({
        matcher: fc.constant<WorldMatcher>({ type: "regex", regex, scopes }),
        forward: forwardFor(groups),
      }),
    ),
  fc.record({ matcher: fc.constantFrom<WorldMatcher>(...CELS), forward: forwardFor(0) }),
);

const ruleArb: fc.Arbitrary<Omit<WorldRule, "id">> = fc
  .record({
    match: matcherArb,
    rank: fc.constantFrom(-1, 1, 1.5, 2),
    active: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    time: stamp,
  })
  .map(({ match, time, ...rule }) => ({ ...rule, ...match, ...at(time) }));

/** Up to 6 aliases and 6 rules; ids are in no order. */
export const worldArb: fc.Arbitrary<World> = fc
  .record({
    engine: fc.constantFrom("alias" as const, "rules" as const, "rules" as const),
    fallback: fc.constantFrom(null, "fall@x.test"),
    aliases: fc.uniqueArray(aliasArb, { maxLength: 6, selector: ({ alias }) => alias }),
    rules: fc.array(ruleArb, { maxLength: 6 }),
    ids: fc.shuffledSubarray([..."pqrstu"], { minLength: 6 }),
  })
  .map(({ engine, fallback, aliases, rules, ids }) => ({
    domain: OWN,
    routing_engine: engine,
    rules_fallback_email: fallback,
    aliases: aliases.map((alias, index) => ({ id: ids[index]!, ...alias })),
    rules: rules.map((rule, index) => ({ id: ids[index]!, ...rule })),
  }));

export const factsArb: fc.Arbitrary<KnownFacts> = fc.record({
  recipient: fc.constantFrom(...RECIPIENTS),
  sender: fc.constantFrom(...SENDERS),
  subject: fc.constantFrom(...SUBJECTS),
  body: fc.constantFrom(...BODIES),
});

/** Which facts to forget. */
export const forgetArb: fc.Arbitrary<readonly (keyof Facts)[]> = fc.subarray([
  "recipient",
  "sender",
  "subject",
  "body",
]);

export function forget(facts: Facts, names: readonly (keyof Facts)[]): Facts {
  return Object.fromEntries(
    Object.entries(facts).filter(([name]) => !names.includes(name as keyof Facts)),
  );
}

function* upToTwo<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  yield [];
  for (const first of items) {
    yield [first];
    for (const second of items) yield [first, second];
  }
}

/** Every world of at most two aliases over a tiny alphabet, without duplicates. */
export function* smallAliasWorlds(): Generator<World> {
  const alphabet = ["a", "a+b", "a*", "*", "(a)(.*)"].flatMap((alias) =>
    ["m@x.test", "me@gmail.com", "null"].map((forward) => ({ alias, forward })),
  );
  for (const chosen of upToTwo(alphabet)) {
    if (chosen.length === 2 && chosen[0]!.alias === chosen[1]!.alias) continue;
    const aliases = chosen.map((alias, index) => ({ id: "qp"[index]!, ...alias }));
    yield { domain: OWN, routing_engine: "alias", rules_fallback_email: null, aliases, rules: [] };
  }
}

/** Every world of at most two rules over a tiny alphabet, with and without a fallback. */
export function* smallRuleWorlds(): Generator<World> {
  const matchers: WorldMatcher[] = [
    { type: "alias", alias: "a" },
    { type: "regex", regex: "(4)2", scopes: ["subject"] },
    { type: "regex", regex: "(4)2", scopes: ["body", "sender"] },
    CELS[1]!,
    CELS[2]!,
  ];
  const alphabet = matchers.flatMap((matcher) =>
    [1, 2].flatMap((rank) =>
      [true, false].flatMap((active) =>
        (matcher.type === "regex" ? ["m@x.test", "c$1@x.test"] : ["m@x.test", "null"]).map(
          (forward) => ({ matcher, rank, active, forward }),
        ),
      ),
    ),
  );
  for (const chosen of upToTwo(alphabet)) {
    const rules = chosen.map((rule, index) => ({ id: "qp"[index]!, ...rule }));
    for (const fallback of [null, "fall@x.test"]) {
      yield {
        domain: OWN,
        routing_engine: "rules",
        rules_fallback_email: fallback,
        aliases: [],
        rules,
      };
    }
  }
}
