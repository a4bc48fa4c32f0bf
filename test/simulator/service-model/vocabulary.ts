/** The words that the model's commands are made of, and which of them the API texts allow where. */
import fc from "fast-check";

export const NAMES = ["one.test", "two.test", "three.test", "four.test"] as const;

export interface DomainFields {
  readonly notification_email?: string | null;
  readonly whitelabel?: string | null;
  readonly routing_engine?: "alias" | "rules" | null;
  readonly rules_fallback_email?: string | null;
}

export interface AliasWords {
  readonly alias: string;
  readonly forward: string;
}

export interface RuleWords {
  readonly id: string;
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>> & { readonly forward: string };
  readonly rank?: number;
  readonly active?: boolean;
}

export type RuleChange = Partial<Pick<RuleWords, "config" | "rank" | "active">>;

export interface Mail {
  readonly sender: string;
  readonly subject: string;
  readonly body: string;
}

interface Condition {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly holds: (mail: Mail, recipient: string) => boolean;
}

const local = (recipient: string): string => recipient.slice(0, recipient.indexOf("@"));

/** What rules ask, each with the same question in other words. */
const CONDITIONS: readonly Condition[] = [
  { type: "alias", config: { alias: "*" }, holds: () => true },
  {
    type: "alias",
    config: { alias: "info" },
    holds: (_mail, recipient) => local(recipient).split("+")[0] === "info",
  },
  {
    type: "regex",
    config: { regex: "inv[0-9]+", scopes: ["subject"] },
    holds: ({ subject }) => /inv\d+/.test(subject),
  },
  {
    type: "regex",
    config: { regex: "hello", scopes: ["subject", "body"] },
    holds: ({ subject, body }) => subject.includes("hello") || body.includes("hello"),
  },
  {
    type: "regex",
    config: { regex: "^ann@", scopes: ["sender"] },
    holds: ({ sender }) => sender.startsWith("ann@"),
  },
  {
    type: "cel",
    config: { expression: 'recipient.startsWith("sales") && !subject.contains("inv")' },
    holds: ({ subject }, recipient) => recipient.startsWith("sales") && !subject.includes("inv"),
  },
  {
    type: "cel",
    config: { expression: 'sender == "bob@source.test" || body.contains("hello")' },
    holds: ({ sender, body }) => sender === "bob@source.test" || body.includes("hello"),
  },
];

const WRONG_CONDITIONS: readonly Pick<Condition, "type" | "config">[] = [
  { type: "regex", config: { regex: "(", scopes: ["subject"] } },
  { type: "regex", config: { regex: "x", scopes: ["colour"] } },
  { type: "cel", config: { expression: "subject" } },
  { type: "cel", config: {} },
  { type: "magic", config: { alias: "info" } },
];

function conditionOf({ type, config }: Pick<RuleWords, "type" | "config">): Condition | undefined {
  const { forward: _, ...asked } = config;
  const wanted = JSON.stringify(asked);
  return CONDITIONS.find((each) => each.type === type && JSON.stringify(each.config) === wanted);
}

export function ruleHolds(rule: RuleWords, mail: Mail, recipient: string): boolean {
  return conditionOf(rule)!.holds(mail, recipient);
}

const FORWARDS = [
  "ann@dest.test",
  "bob@dest.test, https://hooks.test/in",
  "ann@dest.test, 450@bounce.test",
  "550@bounce.test",
  "null",
  // Other domains of the account: routed there.
  "info@one.test",
  "sales@two.test",
  "info@two.test, https://hooks.test/in",
];
const WRONG_FORWARDS = ["nowhere", "", "ftp://files.test/"];
const ALIASES = ["info", "Sales", "s*", "*", "info+x"];
const WRONG_ALIASES = ["two words", "a@b", ""];

export const isRightAlias = (alias: string): boolean => !WRONG_ALIASES.includes(alias);

/** A forward to one's own domain is a loop. */
export function isRightForward(domain: string, forward: string): boolean {
  const isLoop = forward.split(", ").some((each) => each.endsWith(`@${domain}`));
  return FORWARDS.includes(forward) && !isLoop;
}

export function isRightRule(domain: string, rule: RuleWords): boolean {
  return conditionOf(rule) !== undefined && isRightForward(domain, rule.config.forward);
}

export function isRightDomainFields(domain: string, fields: DomainFields): boolean {
  const { notification_email: email, rules_fallback_email: fallback, whitelabel } = fields;
  return email !== "nobody" && whitelabel !== "no brand" && fallback !== `x@${domain}`;
}

/** Mostly of `right`, now and then of `wrong`. */
function mostly<Word>(right: readonly Word[], wrong: readonly Word[]): fc.Arbitrary<Word> {
  return fc.oneof(
    { weight: 7, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
}

/** Mostly one of the two that every run begins with. */
export const name: fc.Arbitrary<string> = fc.constantFrom(
  ...NAMES,
  ...[NAMES[0], NAMES[1], NAMES[0], NAMES[1]],
);
export const forward: fc.Arbitrary<string> = mostly(FORWARDS, WRONG_FORWARDS);

export const domainFields: fc.Arbitrary<DomainFields> = fc.record(
  {
    notification_email: fc.constantFrom("desk@dest.test", null, "", "nobody"),
    whitelabel: fc.constantFrom("brand.test", null, "", "no brand"),
    routing_engine: fc.constantFrom("alias" as const, "rules" as const, "rules" as const, null),
    rules_fallback_email: fc.constantFrom("rest@dest.test", null),
  },
  { requiredKeys: [] },
);

export const aliasWords: fc.Arbitrary<AliasWords> = fc.record({
  alias: mostly(ALIASES, WRONG_ALIASES),
  forward,
});

const ruleId: fc.Arbitrary<string> = fc
  .nat(5)
  .map((digit) => `0000000${digit}-0000-4000-8000-000000000000`);
const rank = fc.constantFrom(-1, 0.5, 1, 2, 10);

const config: fc.Arbitrary<Pick<RuleWords, "type" | "config">> = fc
  .tuple(mostly<Pick<Condition, "type" | "config">>(CONDITIONS, WRONG_CONDITIONS), forward)
  .map(([condition, to]) => ({
    type: condition.type,
    config: { ...condition.config, forward: to },
  }));

export const ruleWords: fc.Arbitrary<RuleWords> = fc
  .tuple(config, fc.record({ id: ruleId, rank, active: fc.boolean() }, { requiredKeys: ["id"] }))
  .map(([asked, rest]) => ({ ...asked, ...rest }));

export const ruleChange: fc.Arbitrary<RuleChange> = fc.record(
  {
    config: fc.oneof(
      config.map((each) => each.config),
      forward.map((to) => ({ forward: to })),
    ),
    rank,
    active: fc.boolean(),
  },
  { requiredKeys: [] },
);
export { ruleId };

export const mail: fc.Arbitrary<Mail> = fc.record({
  sender: fc.constantFrom("ann@source.test", "bob@source.test"),
  subject: fc.constantFrom("inv12", "hello", "plain"),
  body: fc.constantFrom("hello there", "nothing"),
});

/** One to three of them, each once. */
export const recipients: fc.Arbitrary<readonly string[]> = fc.uniqueArray(
  fc
    .tuple(
      fc.constantFrom("info", "sales", "info+x", "sales+y", "nobody"),
      fc.constantFrom(...NAMES, NAMES[0], NAMES[0]),
    )
    .map(([part, at]) => `${part}@${at}`),
  { minLength: 1, maxLength: 3 },
);

/** What a fault matches. */
export const target: fc.Arbitrary<string> = fc.constantFrom(
  "ann@dest.test",
  "*@dest.test",
  "https://hooks.test/in",
  "*",
);
