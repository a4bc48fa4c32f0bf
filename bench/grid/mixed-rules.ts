/** Rules of the grid: regex rules over the body alone, or a mix of rule types; and the messages they decide. */
import type { Mail } from "../material/mail.ts";
import { escapePattern } from "../material/mixed-rules.ts";
import { randomFrom } from "../random.ts";
import { gridPatterns } from "./body-patterns.ts";
import { type GridCase, seedOf } from "./grid.ts";
import { readPool } from "./pools.ts";
import { textsOf } from "./texts.ts";
import { type WordPair, Words } from "./words.ts";

/** In which fact a rule looks, and for what: a local part, or a pattern that RE2 reads. */
export interface GridRule {
  readonly fact: "recipient" | "sender" | "subject" | "body";
  readonly pattern: string;
  /** Of a rule of the type `cel`: the text that `body.contains` looks for. */
  readonly text?: string;
}

const SUBJECT_UNITS = 60;

/** Subject patterns as people write them. */
const SUBJECT_FORMS: readonly ((pair: WordPair) => string)[] = [
  ({ one, two }) => `\\b${one} ${two}\\b`,
  ({ one }) => `^(?:Re: |Fwd: )*${one}`,
  ({ one, two }) => `${one}.*${two}`,
  ({ one, two }) => `\\[${one}\\]|${two}$`,
  ({ one }) => `(?i)${one}`,
];

/** 40 % alias, 30 % subject pattern, 20 % body contains, 10 % sender pattern, by rank. */
function mixed({ kind, outcome, count }: GridCase): readonly GridRule[] {
  const random = randomFrom(seedOf(`mixed, ${kind}, ${outcome}, ${count}`));
  const words = new Words(kind, outcome, random);
  const [recipients, senders] = [readPool("recipients"), readPool("senders")];
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  // Addresses of other people at the same hosts.
  const mark = (): string =>
    outcome === "nothing" ? `.${Math.floor(random() * 36 ** 3).toString(36)}` : "";
  const locals = new Set<string>();
  const local = (): string => {
    for (let tries = 0; ; tries++) {
      const text = `${one(recipients).split("@")[0]!}${mark()}${tries > 3 ? locals.size : ""}`;
      if (locals.size < locals.add(text).size) return text;
    }
  };
  return Array.from({ length: count }, (): GridRule => {
    const part = random();
    if (part < 0.4) return { fact: "recipient", pattern: local() };
    if (part < 0.7) return { fact: "subject", pattern: one(SUBJECT_FORMS)(words.pair()) };
    if (part < 0.9) {
      const { one: text } = words.pair();
      return { fact: "body", pattern: escapePattern(text), text };
    }
    const [user = "", host = ""] = one(senders).split("@");
    const pattern = `^${escapePattern(`${user}${mark()}`)}@(?:[a-z0-9-]+\\.)*${escapePattern(host)}$`;
    return { fact: "sender", pattern };
  });
}

export function gridRules(of: GridCase): readonly GridRule[] {
  if (of.share === null) return mixed(of);
  return gridPatterns(of).map((pattern) => ({ fact: "body", pattern }));
}

/** Addresses as mail clients write them: one in three with capitals. */
function written(address: string, random: () => number): string {
  return random() < 1 / 3 ? address.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) : address;
}

/** Messages without end, whose subject is of the same kind of text as their body. */
export function* gridMail({ kind, size }: GridCase, seed: string): Generator<Mail> {
  const random = randomFrom(seedOf(seed));
  const [recipients, senders] = [readPool("recipients"), readPool("senders")];
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const subjects = textsOf(kind, SUBJECT_UNITS * 2, random);
  const bodies = textsOf(kind, size, random);
  for (;;) {
    const subject = subjects.next().value.slice(0, SUBJECT_UNITS).toWellFormed();
    yield {
      recipient: written(one(recipients), random),
      sender: written(one(senders), random),
      // One line; flat, as a reader of mail makes it.
      subject: Buffer.from(subject.replaceAll("\n", " ")).toString(),
      body: bodies.next().value,
    };
  }
}
