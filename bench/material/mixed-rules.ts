/** Rules of the mix: 40 % alias, 30 % subject pattern, 20 % body contains, 10 % sender pattern. */
import { randomFrom } from "../random.ts";
import { type Mail, parsedMail } from "./mail.ts";

export type RuleKind = "alias" | "subject" | "body" | "sender";

export interface MixedRule {
  readonly id: string;
  readonly kind: RuleKind;
  /** A local part, a pattern that RE2 and JavaScript read alike, a text, a pattern. */
  readonly text: string;
}

/** `unmatched`: made of words of real mail, but no message matches; `realistic`: as they stand in other mail. */
export type Outcome = "unmatched" | "realistic";

/** Messages that rules are made of. */
const SOURCES = 512;

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** All runs of `count` words, in an order that mixes the texts. */
function phrases(texts: readonly string[], count: number, each: number): string[] {
  const random = randomFrom(20261120);
  const found = texts.flatMap((text) => {
    const words = text.match(/[A-Za-z][a-z]{2,11}/g) ?? [];
    return Array.from({ length: Math.min(each, words.length) }, () => {
      const at = Math.floor(random() * words.length);
      return words.slice(at, at + count);
    });
  });
  const joined = found.filter((words) => words.length === count).map((words) => words.join(" "));
  return [...new Set(joined)].sort((a, b) => order(a) - order(b));
}

/** A fixed shuffle: FNV-1a of the text. */
function order(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text !== ""))].sort((a, b) => order(a) - order(b));
}

/** Subject patterns as people write them. */
const SUBJECT_FORMS: readonly ((phrase: string) => string)[] = [
  (phrase) => `\\b${phrase}\\b`,
  (phrase) => `^(?:Re: |Fwd: )*${phrase}`,
  (phrase) => `${phrase.replace(" ", " +")}.*\\d{2,6}`,
  (phrase) => `\\[${phrase}\\]|${phrase}$`,
];

/** What the index-th rule of each kind is made of; never runs out. */
function drawTexts(
  mail: readonly Mail[],
  outcome: Outcome,
): Record<RuleKind, (n: number) => string> {
  const locals = distinct(mail.map(({ recipient }) => recipient.split("@")[0]!));
  const senders = distinct(mail.map(({ sender }) => sender));
  const bodies = mail.map(({ body }) => body);
  const subjects = phrases(
    mail.map(({ subject }) => subject),
    2,
    4,
  );
  const bodyPairs = phrases(bodies, 2, 24);
  const bodyPhrases = phrases(bodies, 3, 24);
  const pair = (n: number): string =>
    subjects[n] ?? `${bodyPairs[n % bodyPairs.length]!}${n < bodyPairs.length ? "" : ` ${n}`}`;
  const phrase = (n: number): string =>
    `${bodyPhrases[n % bodyPhrases.length]!}${n < bodyPhrases.length ? "" : ` ${n}`}`;
  const pick = (texts: readonly string[], n: number): string =>
    `${texts[n % texts.length]!}${n < texts.length ? "" : n}`;
  // The mark stands in no message, so that nothing matches although the words do.
  const mark = (n: number): string => (outcome === "unmatched" ? ` zq${n.toString(36)}x` : "");
  return {
    alias: (n) => `${pick(locals, n)}${mark(n).trim()}`,
    subject: (n) => SUBJECT_FORMS[n % SUBJECT_FORMS.length]!(`${pair(n)}${mark(n)}`),
    body: (n) => `${phrase(n)}${mark(n)}`,
    sender: (n) => {
      const [local = "", host = ""] = pick(senders, n).split("@");
      return `^${escapePattern(local)}${mark(n).trim()}@(?:[a-z0-9-]+\\.)*${escapePattern(host)}$`;
    },
  };
}

/** `count` rules, of the mix or all of one kind, in the order of their rank. */
export async function mixedRules(
  count: number,
  kinds: "mix" | RuleKind,
  outcome: Outcome,
): Promise<MixedRule[]> {
  const draw = drawTexts(parsedMail(SOURCES, "other"), outcome);
  const drawn: Record<RuleKind, number> = { alias: 0, subject: 0, body: 0, sender: 0 };
  return Array.from({ length: count }, (_, index): MixedRule => {
    const part = index % 10;
    const mixed = part < 4 ? "alias" : part < 7 ? "subject" : part < 9 ? "body" : "sender";
    const kind = kinds === "mix" ? mixed : kinds;
    return { id: `r${index}`, kind, text: draw[kind](drawn[kind]++) };
  });
}

/** The rules as a domain's configuration. */
export function mixedDomain(rules: readonly MixedRule[]): Readonly<Record<string, unknown>> {
  return {
    domain: "own.test",
    routing_engine: "rules",
    rules_fallback_email: null,
    rules: rules.map(mixedRuleConfig),
  };
}

/** As the API returns rules, rank included. */
export function mixedRuleConfig(
  { id, kind, text }: MixedRule,
  index: number,
): Readonly<Record<string, unknown>> {
  const forward = "m@x.test";
  const rank = index + 1;
  if (kind === "alias") return { id, rank, type: "alias", config: { alias: text, forward } };
  if (kind === "body") {
    const expression = `body.contains(${JSON.stringify(text)})`;
    return { id, rank, type: "cel", config: { expression, forward } };
  }
  return { id, rank, type: "regex", config: { regex: text, scopes: [kind], forward } };
}
