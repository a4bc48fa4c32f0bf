/** Random rule sets over so few words that rules often cover each other, and small texts that reach into all of them. */

/** A small generator of numbers (mulberry32): the same seed gives the same rule sets. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = () => number;

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

export const DOMAIN = "own.test";

const ALIASES = "a b ab a+b b+ a* *b *a* * a*b [ab]+ ^(a|b)$ (a)(b?) a.* \\w b{1,2} ab?".split(" ");
const PATTERNS = [
  ..."a b ab ^a a$ ^a$ ^ab ^$ . .* .+ a|b ab|ba [ab] [^a] a+ (?:ab)+ a.b \\ba\\b \\Ba a\\b ^b*$".split(
    " ",
  ),
  ..."(?i)A (?i)aB (?s)a.b (?m)^b (?m)a$ \\s \\S \\d @ ^.{2}$ ^.{0,2}$ ^a*b*$ (a)(b) ^(b+)$ k \\pL \\PL".split(
    " ",
  ),
];
const TEXTS = ["a", "b", "ab", "ba", "", "a b", "A", "k"];
const ADDRESSES = [
  "a@own.test",
  "b@own.test",
  "a@x.test",
  "b@y.test",
  "@x.test",
  "@own.test",
  "@",
  "a",
];
const VARIABLES = ["subject", "body", "sender", "recipient"];
const HEADERS = ["x", "list-id"];

function quote(text: string): string {
  return JSON.stringify(text);
}

function term(random: Random): { term: string; texts: readonly string[] } {
  const variable = pick(random, VARIABLES);
  const texts = variable === "subject" || variable === "body" ? TEXTS : ADDRESSES;
  const change = pick(random, ["", "", "", "", ".lowerAscii()", ".upperAscii()"]);
  return { term: variable + change, texts };
}

function condition(random: Random, depth: number): string {
  const kind = Math.floor(random() * (depth > 0 ? 15 : 11));
  const { term: of, texts } = term(random);
  const text = quote(pick(random, texts));
  switch (kind) {
    case 0:
      return `${of} == ${text}`;
    case 1:
      return `${of}.startsWith(${text})`;
    case 2:
      return `${of}.endsWith(${text})`;
    case 3:
      return `${of}.contains(${text})`;
    case 4:
      return `${of}.matches(${quote(pick(random, PATTERNS))})`;
    case 5:
      return `${of} in [${text}, ${quote(pick(random, texts))}]`;
    case 6:
      return `size(${of}) ${pick(random, ["<", "<=", ">", ">=", "==", "!="])} ${pick(random, [0, 1, 2, 3])}`;
    case 7: {
      const header = quote(pick(random, HEADERS));
      return pick(random, [
        `${header} in headers`,
        `headers[${header}].exists(v, v.contains(${quote(pick(random, TEXTS))}))`,
        `headers[${header}].all(v, v == ${quote(pick(random, TEXTS))} || v.startsWith("a"))`,
        `headers[${header}][0] == ${quote(pick(random, TEXTS))}`,
        `${quote(pick(random, TEXTS))} in headers[${header}]`,
        `headers[${header}].exists_one(v, v == "a")`,
      ]);
    }
    case 8:
      return pick(random, [
        `size ${pick(random, ["<", ">="])} ${pick(random, [100, 2_000])}`,
        `attachments.exists(a, a.filename.endsWith(${quote(pick(random, TEXTS))}))`,
        "attachments.size() > 0",
        "size(attachments) == 0",
        'attachments.exists(a, a.size > 1000 && a.contentType == "text/csv")',
        'attachments[0].filename == "a"',
      ]);
    case 9:
      return pick(random, [
        "sender == recipient",
        "subject == body",
        'subject.split("a").size() > 1',
        "true",
        "false",
      ]);
    case 10:
      return `["a", "b"].${pick(random, ["exists", "all"])}(w, ${of}.${pick(random, ["contains", "startsWith"])}(w))`;
    case 11:
      return `!(${condition(random, depth - 1)})`;
    case 12:
      return `cel.bind(v, ${of}, v.contains(${text}) || ${condition(random, depth - 1)})`;
    case 13:
      return `(${condition(random, depth - 1)} ? ${condition(random, depth - 1)} : ${condition(random, depth - 1)})`;
    default:
      return `(${condition(random, depth - 1)} ${pick(random, ["&&", "||"])} ${condition(random, depth - 1)})`;
  }
}

const FORWARDS = ["x@else.test", "y@else.test", "null", "z@gmail.com", "x@else.test, y@else.test"];

export function randomRule(random: Random, id: string, rank: number): Record<string, unknown> {
  const kind = random();
  const forward = pick(random, FORWARDS);
  const rule = { id, rank, ...(random() < 0.05 && { active: false }) };
  if (kind < 0.25)
    return { ...rule, type: "alias", config: { alias: pick(random, ALIASES), forward } };
  if (kind < 0.6) {
    const scopes = ["sender", "recipient", "subject", "body"].filter(() => random() < 0.4);
    const regex = pick(random, PATTERNS);
    const hasGroup = /^\^?\([^?]/.test(regex);
    const filled =
      hasGroup && random() < 0.5
        ? pick(random, ["$1@else.test", "q$1@a.$1.test", "https://h.test/$1"])
        : forward;
    const config = { regex, scopes: scopes.length === 0 ? ["subject"] : scopes, forward: filled };
    return { ...rule, type: "regex", config };
  }
  return { ...rule, type: "cel", config: { expression: condition(random, 2), forward } };
}

export function randomConfig(random: Random): Record<string, unknown> {
  const base = { domain: DOMAIN, rules_fallback_email: random() < 0.7 ? "f@else.test" : null };
  if (random() < 0.15) {
    const names = [
      ...new Set(Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(random, ALIASES))),
    ];
    const aliases = names.map((alias, index) => ({
      id: `a${index}`,
      alias,
      forward: pick(random, FORWARDS),
    }));
    return { ...base, routing_engine: "alias", aliases };
  }
  const count = 1 + Math.floor(random() * 7);
  const rules = Array.from({ length: count }, (_, index) =>
    randomRule(random, `r${index}`, index + 1),
  );
  return { ...base, routing_engine: "rules", rules };
}

/** The rule set with one or two small changes, among them renumberings that keep the order. */
export function randomEdit(
  random: Random,
  config: Record<string, unknown>,
): Record<string, unknown> {
  const rules = structuredClone(config.rules) as Record<string, unknown>[] | undefined;
  if (rules === undefined) return { ...config, rules_fallback_email: "g@else.test" };
  const times = 1 + Math.floor(random() * 2);
  for (let time = 0; time < times; time++) {
    const at = Math.floor(random() * rules.length);
    const kind = Math.floor(random() * 6);
    if (kind === 0) for (const rule of rules) rule.rank = (rule.rank as number) * 10;
    if (kind === 1) {
      rules[at] = randomRule(random, String(rules[at]!.id), rules[at]!.rank as number);
    }
    if (kind === 2) rules[at]!.active = rules[at]!.active === false;
    if (kind === 3) rules[at]!.rank = random() * 10;
    if (kind === 4) rules.push(randomRule(random, `n${time}`, random() * 10));
    if (kind === 5 && rules.length > 1) rules.splice(at, 1);
  }
  return { ...config, rules };
}

const LOCALS = 'a b ab ba aa bb aab a+b b+ b+a k c a.b abab a-b é "a b" +a'.split(/ (?!b")/);
const SENDERS = [
  "",
  "a@x.test",
  "b@y.test",
  "ab@x.test",
  "a@own.test",
  "c@c.test",
  "k@k.test",
  "b@x.test",
];
const SUBJECTS = [
  "",
  "a",
  "b",
  "ab",
  "ba",
  "a b",
  "aa",
  "bb",
  "A",
  "AB",
  "k",
  "\u212a",
  "é",
  "b a",
  "1",
  "aab",
  "c",
  "abb",
  "a 1",
];
const BODIES = [
  "",
  "a",
  "b",
  "ab",
  "a\nb",
  "b\na\n",
  "A",
  " ",
  "\n",
  "c",
  "ba",
  "aabb",
  "1 \u212a",
];
const HEADER_VALUES = [undefined, ["a"], ["b"], ["ab", "b"], ["", "a"], ["k"], ["a b"]];
const ATTACHMENTS = [
  [],
  [],
  [{ filename: "a", contentType: "text/csv", size: 2_000 }],
  [{ filename: "b", contentType: "text/plain", size: 10 }],
  [
    { filename: "a b", contentType: "text/csv", size: 1 },
    { filename: "a", contentType: "x/y", size: 5_000 },
  ],
];

/** The facts of a small message. */
export function randomFacts(random: Random): {
  recipient: string;
  sender: string;
  subject: string;
  body: string;
  headers: Map<string, readonly string[]>;
  attachments: readonly { filename: string; contentType: string; size: number }[];
  size: number;
} {
  const headers = new Map<string, readonly string[]>();
  for (const name of HEADERS) {
    const values = pick(random, HEADER_VALUES);
    if (values !== undefined) headers.set(name, values);
  }
  return {
    recipient: `${pick(random, LOCALS)}@${DOMAIN}`,
    sender: pick(random, SENDERS),
    subject: pick(random, SUBJECTS),
    body: pick(random, BODIES),
    headers,
    attachments: pick(random, ATTACHMENTS),
    size: pick(random, [50, 300, 1_999, 2_000, 10_000]),
  };
}
