/** Small messages that try to break a proof: all texts of a few letters, and the neighbours of messages known to matter. */
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { DOMAIN, randomFacts } from "./random-domain.ts";

const LETTERS = ["a", "b"];
/** Letters of the longest text that is tried. */
const LETTERS_MAX = 3;

function texts(): readonly string[] {
  let longest: readonly string[] = [""];
  const all = [...longest];
  for (let length = 1; length <= LETTERS_MAX; length++) {
    longest = longest.flatMap((text) => LETTERS.map((letter) => text + letter));
    all.push(...longest);
  }
  return all;
}

/** Fifteen: the empty one, and all of one to three letters. */
const TEXTS = texts();
const LOCALS = [...TEXTS.filter((text) => text !== ""), "a+b", "b+a", "c"];
const SENDERS = [
  "",
  ...["a", "b", "ab"].flatMap((local) => [`${local}@x.test`, `${local}@y.test`]),
];

/** Every pair of a recipient and a subject, and of a sender and a body; what else a message has is random. */
export function* allSmall(random: () => number): Generator<Facts> {
  for (const local of LOCALS) {
    for (const subject of TEXTS) {
      yield { ...randomFacts(random), recipient: `${local}@${DOMAIN}`, subject };
    }
  }
  for (const sender of SENDERS) {
    for (const body of TEXTS) yield { ...randomFacts(random), sender, body };
  }
}

/** The message with one fact after the other as each small text: a search around what a rule takes. */
export function* neighbours(facts: Facts): Generator<Facts> {
  yield facts;
  for (const local of LOCALS) yield { ...facts, recipient: `${local}@${DOMAIN}` };
  for (const sender of SENDERS) yield { ...facts, sender };
  for (const subject of TEXTS) yield { ...facts, subject };
  for (const body of TEXTS) yield { ...facts, body };
}
