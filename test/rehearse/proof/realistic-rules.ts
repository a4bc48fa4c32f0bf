/**
 * Rule sets as people write them: what API examples show, filters as in Sieve and Gmail, support desks, shops, schools.
 * Every rule has words of its own, so that none covers another: `check` has nothing to find in any of them.
 */
import { pick, randomFrom } from "./random-domain.ts";

const REALISTIC_DOMAIN = "studio.example";

type Rule = Readonly<Record<string, unknown>>;
/** Words that no other rule of the set has: a phrase, a host, a person. */
interface Words {
  readonly phrase: string;
  readonly host: string;
  readonly person: string;
  readonly number: number;
}

const QUALITIES =
  "amber broad copper dusty early faded gentle hollow indigo jagged knotted linen mellow narrow olive plain quiet rustic silver tidy urban velvet woven young zinc".split(
    " ",
  );
const THINGS =
  "anchor basket candle drawer engine flute garden hammer island jacket kettle ladder mirror needle orchard pencil quarry ribbon saddle teapot umbrella violin wagon yacht".split(
    " ",
  );
const PEOPLE = "ann bob carla dev ema fritz gus hana ines jon".split(" ");

function wordsOf(index: number): Words {
  const quality = QUALITIES[index % QUALITIES.length]!;
  const thing = THINGS[Math.floor(index / QUALITIES.length) % THINGS.length]!;
  const round = Math.floor(index / (QUALITIES.length * THINGS.length));
  const phrase = `${quality} ${thing}${round === 0 ? "" : ` ${"abcdefgh"[round]!}`}`;
  const host = `${phrase.replaceAll(" ", "-")}.example`;
  return { phrase, host, person: PEOPLE[index % PEOPLE.length]!, number: 10_000 + index };
}

const FORWARDS = [
  "team@desk.example",
  "archive@books.example, team@desk.example",
  "https://hooks.desk.example/mail",
  "null",
  "ann.reads@homepost.example",
];

const cel = (expression: string): Rule => ({ type: "cel", config: { expression } });
const regex = (pattern: string, scopes: readonly string[], forward?: string): Rule => ({
  type: "regex",
  config: { regex: pattern, scopes, ...(forward !== undefined && { forward }) },
});
const alias = (name: string): Rule => ({ type: "alias", config: { alias: name } });
const local = ({ phrase }: Words): string => phrase.replaceAll(" ", "-");

/** A rule with words of its own may be in a set many times. */
const OWN_WORDS: Readonly<Record<string, readonly ((words: Words) => Rule)[]>> = {
  api: [
    (w) => regex(`(?i)${w.phrase} #?(\\d+)`, ["subject"], "ledger+$1@books.example"),
    (w) => regex(`@${w.host.replaceAll(".", "\\.")}$`, ["sender"]),
    (w) => regex(`(?i)\\b${w.phrase}\\b`, ["subject", "body"]),
    (w) => cel(`subject.contains("${w.phrase}") && size < 5000000`),
    (w) => cel(`sender.endsWith("@${w.host}") && attachments.size() > 0`),
    (w) => alias(`${local(w)}*`),
  ],
  sieve: [
    (w) => cel(`sender.endsWith("@${w.host}")`),
    (w) => cel(`"list-id" in headers && headers["list-id"][0].contains("${w.host}")`),
    (w) => cel(`"x-mailer" in headers && headers["x-mailer"].exists(v, v.contains("${w.phrase}"))`),
    (w) => cel(`"cc" in headers && headers["cc"].exists(v, v.contains("${w.person}@${w.host}"))`),
    (w) => cel(`subject.startsWith("[${w.phrase}]") || subject.startsWith("Re: [${w.phrase}]")`),
    (w) => cel(`body.contains("${w.phrase}") && !sender.endsWith("@${w.host}")`),
    (w) => regex(`^\\[?${w.phrase}\\]?:`, ["subject"]),
  ],
  gmail: [
    (w) => cel(`sender in ["news@${w.host}", "deals@${w.host}", "hello@${w.host}"]`),
    (w) => cel(`sender.contains("${w.host}") && subject.lowerAscii().contains("${w.phrase}")`),
    (w) => cel(`recipient == "${local(w)}@${REALISTIC_DOMAIN}"`),
    (w) => cel(`subject.contains("${w.phrase}") && !body.contains("unsubscribe")`),
    (w) => regex(`(?i)${w.phrase}|${w.phrase.replace(" ", "-")}`, ["subject"]),
    (w) => alias(`ann+${local(w)}`),
  ],
  desk: [
    (w) => regex(`\\[${w.phrase}-(\\d{4,6})\\]`, ["subject"], "tickets+$1@desk.example"),
    (w) => cel(`sender.matches("^[^@]+@(?:[a-z0-9-]+\\\\.)?${w.host.replaceAll(".", "\\\\.")}$")`),
    (w) => cel(`subject.matches("(?i)${w.phrase}.*(down|outage|broken)")`),
    (w) => cel(`recipient.startsWith("${local(w)}@") && !("auto-submitted" in headers)`),
    (w) => cel(`attachments.exists(a, a.filename.endsWith("${local(w)}.log") && a.size < 1000000)`),
    (w) => alias(`${local(w)}-support`),
  ],
  shop: [
    (w) => regex(`(?i)order (?:no\\.? ?)?#?${w.number}\\d{2,4}`, ["subject", "body"]),
    (w) =>
      cel(
        `subject.contains("${w.phrase}") && attachments.exists(a, a.contentType == "application/pdf")`,
      ),
    (w) =>
      cel(
        `sender == "no-reply@${w.host}" && (subject.contains("shipped") || body.contains("tracking number"))`,
      ),
    (w) => regex(`(?i)(?:refund|return) of (?:the |your )?${w.phrase}`, ["subject"]),
    (w) => alias(`${local(w)}.orders`),
    (w) => cel(`body.matches("(?i)sku[: ]+${w.number}")`),
  ],
  school: [
    (w) =>
      cel(
        `sender.endsWith("@${w.host}") && (subject.contains("trip") || subject.contains("visit"))`,
      ),
    (w) => regex(`(?i)(?:absence|sick note).*${w.phrase}`, ["subject"]),
    (w) =>
      cel(
        `recipient in ["${local(w)}@${REALISTIC_DOMAIN}", "${w.person}.${local(w)}@${REALISTIC_DOMAIN}"]`,
      ),
    (w) => cel(`attachments.exists(a, a.filename.matches("(?i)${w.phrase}.*\\\\.(docx?|odt)$"))`),
    (w) => cel(`subject.contains("${w.phrase}") ? size < 2000000 : body.startsWith("${w.phrase}")`),
    (w) => alias(`class-${local(w)}-(\\d[a-d])`),
  ],
};

/** These are in a set once at most. */
const ONCE: readonly Rule[] = [
  cel('"x-spam-flag" in headers && headers["x-spam-flag"][0] == "YES"'),
  cel('"auto-submitted" in headers && headers["auto-submitted"][0] != "no"'),
  cel('"list-unsubscribe" in headers'),
  cel("size > 10000000"),
  cel("size(attachments) > 5"),
  cel('sender == ""'),
  regex("^(?:no-?reply|do-not-reply)@", ["sender"]),
  regex("(?i)\\b(?:urgent|asap)\\b", ["subject"]),
  cel('subject == ""'),
  cel("size(subject) > 200"),
  cel('"x-spam-score" in headers && double(headers["x-spam-score"][0]) > 5.0'),
  cel('subject.trim().startsWith("Fwd:")'),
  cel('subject.split(" ").size() > 40'),
];

export const SHAPES: readonly string[] = Object.keys(OWN_WORDS);

/** The shapes take turns; the same seed and count give the same set. */
export function realisticConfig(seed: number, count: number): Record<string, unknown> {
  const random = randomFrom(seed);
  const shape = OWN_WORDS[SHAPES[seed % SHAPES.length]!]!;
  const others = Object.values(OWN_WORDS).flat();
  const once = ONCE.filter(() => random() < 0.25);
  const own = Array.from({ length: Math.max(1, count - once.length) }, (_, index) => {
    const make = random() < 0.8 ? pick(random, shape) : pick(random, others);
    return make(wordsOf((seed * 7 + index * 11) % (QUALITIES.length * THINGS.length * 2)));
  });
  const rules = [...own, ...once].map((rule, index) => ({
    id: `rule-${index + 1}`,
    rank: (index + 1) * 10,
    ...rule,
    config: { forward: pick(random, FORWARDS), ...(rule.config as object) },
  }));
  const base = { domain: REALISTIC_DOMAIN, routing_engine: "rules" };
  return { ...base, rules_fallback_email: "rest@homepost.example", rules };
}
