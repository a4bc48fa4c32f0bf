/**
 * The plan on real mail, with rules drawn from its own words. Every rule that a message matches is taken away in
 * turn, so that each pair of rule and message is decided, and every domain but the first is an edited one.
 * PLAN_PAIRS=1000000 compares that many pairs.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCompiler } from "../../../src/engine/routing/compile-domain.ts";
import { messageFacts, toFacts } from "../../../src/message/index.ts";
import { DATASET, datasetFiles } from "../../dataset/dataset.ts";
import { expectPlanEqualsWalk } from "./ways.ts";
import { forget, type KnownFacts } from "./worlds.ts";

const PAIRS = Number(process.env.PLAN_PAIRS ?? 10_000);
const RULES = 200;
const MESSAGES = Math.ceil(PAIRS / RULES);
/** Messages that give one set of rules. */
const BATCH = 25;

/** A small generator, so that every run draws the same rules. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * below);
  };
}

const random = randomFrom(20261120);
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;

function wordsOf(text: string): readonly string[] {
  return text.slice(0, 200_000).match(/[\p{L}\d$@.'-]{3,20}/gu) ?? ["none"];
}

const quoted = (text: string): string => text.replace(/[$.^*+?()[\]{}|\\]/g, "\\$&");
const forward = "m@x.test";

type Draw = (facts: KnownFacts) => { type: string; config: Record<string, unknown> };

const regex = (source: string, ...scopes: string[]): ReturnType<Draw> => ({
  type: "regex",
  config: { regex: source, scopes, forward },
});
const cel = (expression: string): ReturnType<Draw> => ({
  type: "cel",
  config: { expression, forward },
});
const celText = (text: string): string => JSON.stringify(text);

/** Rules as people write them, each with a word or two of one message. */
const DRAWS: readonly Draw[] = [
  ({ body }) => regex(quoted(pick(wordsOf(body))), "body"),
  ({ body }) => regex(`(?i)\\b${quoted(pick(wordsOf(body)))}\\b`, "body", "subject"),
  ({ body }) => regex(`${quoted(pick(wordsOf(body)))}.*${quoted(pick(wordsOf(body)))}`, "body"),
  ({ body }) => regex(`(?m)^\\W*${quoted(pick(wordsOf(body)))}\\W`, "body"),
  ({ subject }) => regex(`(?i)^${quoted(pick(wordsOf(subject)))}`, "subject"),
  ({ subject }) =>
    regex(`${quoted(pick(wordsOf(subject)))}|${quoted(pick(wordsOf(subject)))}`, "subject"),
  ({ body }) =>
    regex(`[0-9]{${1 + random(6)},}[${pick(wordsOf(body)).replace(/[^a-z]/g, "x")}]`, "body"),
  ({ sender }) => regex(`${quoted(sender.split("@")[1] ?? "none")}$`, "sender"),
  ({ recipient }) => ({ type: "alias", config: { alias: recipient.split("@")[0]!, forward } }),
  ({ recipient }) => ({
    type: "alias",
    config: { alias: `${recipient.split("@")[0]!.slice(0, 3)}*`, forward },
  }),
  ({ sender }) => cel(`sender == ${celText(sender.toLowerCase())}`),
  ({ sender, subject }) =>
    cel(
      `sender in [${celText(sender.toLowerCase())}, "x@y.test"] && subject.contains(${celText(pick(wordsOf(subject)))})`,
    ),
  ({ body }) => cel(`body.contains(${celText(pick(wordsOf(body)))})`),
  ({ body }) =>
    cel(`body.lowerAscii().contains(${celText(pick(wordsOf(body)).toLowerCase())}) && size > 3000`),
  ({ headers }) => cel(`${celText(pick([...headers.keys(), "x-none"]))} in headers`),
  ({ headers }) => {
    const name = pick([...headers.keys(), "x-none"]);
    const word = pick(wordsOf(headers.get(name)?.[0] ?? "none"));
    return cel(`headers[${celText(name)}][0].contains(${celText(word)})`);
  },
  ({ subject, body }) =>
    cel(
      `subject.startsWith(${celText(subject.slice(0, 6))}) || body.matches(${celText(`${quoted(pick(wordsOf(body)))}\\s`)})`,
    ),
];

async function readFacts(file: string): Promise<KnownFacts> {
  const message = await messageFacts(readFileSync(join(DATASET, file)));
  const to = /([\w.-]+)@[\w.-]+/.exec(message.headers.get("to")?.[0] ?? "")?.[1] ?? "nobody";
  return toFacts({ recipient: `${to.slice(0, 60)}@own.test`, sender: "" }, message) as KnownFacts;
}

test("rules drawn from the dataset's own words decide alike", { timeout: 3_600_000 }, async () => {
  const files = datasetFiles();
  const step = Math.max(1, Math.floor(files.length / MESSAGES));
  const chosen = Array.from({ length: MESSAGES }, (_, nth) => files[(nth * step) % files.length]!);
  const compiler = createCompiler();
  let pairs = 0;
  let matches = 0;
  for (let from = 0; from < chosen.length; from += BATCH) {
    const messages = await Promise.all(chosen.slice(from, from + BATCH).map(readFacts));
    const drawn = Array.from({ length: RULES }, (_, nth) => ({
      id: `r${nth}`,
      rank: nth,
      ...DRAWS[nth % DRAWS.length]!(pick(messages)),
    }));
    for (const facts of messages) {
      pairs += RULES;
      let rules = drawn;
      for (;;) {
        const result = compiler.compileDomain({
          domain: "own.test",
          routing_engine: "rules",
          rules,
        });
        if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
        expectPlanEqualsWalk(result.domain, forget(facts, ["body", "attachments", "size"]));
        const resolution = expectPlanEqualsWalk(result.domain, facts);
        if (resolution.verdict !== "decided" || resolution.decidedBy === null) break;
        const { id } = resolution.decidedBy;
        matches++;
        rules = rules.filter((rule) => rule.id !== id);
      }
    }
  }
  expect(pairs).toBeGreaterThanOrEqual(PAIRS);
  expect(matches).toBeGreaterThan(pairs / 100);
});
