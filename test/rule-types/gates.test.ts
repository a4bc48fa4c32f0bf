/** A gate of a host's rule type says where its rules can match: the plan finds them there, whatever texts it names. */
import { expect, test } from "vitest";
import {
  compileDomain,
  type Facts,
  type Opening,
  type RuleMatcher,
  ruleType,
  textField,
} from "../../src/index.ts";
import { expectPlanEqualsWalk } from "../engine/plan/ways.ts";

const FACTS = ["localPart", "sender", "subject", "body"] as const;
const KINDS = ["values", "literals", "starts", "searched"] as const;
const TEXTS = [
  ["a", "ab", "abc", "日本", "😀", "\ufffd", "a b", "ABC", "straße"],
  [31, 32, 33, 200].flatMap((units) => ["x".repeat(units), `${"x".repeat(units - 1)}😀`]),
].flat();

interface Sought {
  readonly fact: (typeof FACTS)[number];
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  readonly fold: boolean;
}

function openingOf({ fact, kind, text, fold }: Sought): Opening {
  if (kind === "searched") return { fact, kind };
  return kind === "values"
    ? { fact, kind, values: [text] }
    : { fact, kind, literals: [{ text, fold }] };
}

function matcherOf(sought: Sought): RuleMatcher {
  const { fact, kind, fold } = sought;
  const cased = (text: string): string => (fold ? text.toLowerCase() : text);
  const wanted = cased(sought.text);
  const detail = { type: "sought" };
  const matcher: RuleMatcher = {
    groupCount: 0,
    gate: () => ({ openings: [openingOf(sought)], alsoNeeds: [] }),
    match(message) {
      const known = message[fact];
      if (known === undefined) return { verdict: "undecided", needs: "body" };
      const text = cased(known.toWellFormed());
      const holds = {
        values: known === sought.text,
        starts: text.startsWith(wanted),
        literals: text.includes(wanted),
        searched: text.includes(wanted),
      };
      return holds[kind] ? { verdict: "matched", parts: {} } : { verdict: "missed" };
    },
    explain: (message, trial) => ({ outcome: matcher.match(message, trial), detail }),
    untried: () => detail,
  };
  return matcher;
}

const soughtType = ruleType<{ sought: Sought }>({
  type: "sought",
  fields: { sought: textField(1_000, (text) => JSON.parse(text) as Sought) },
  compile: ({ sought }) => matcherOf(sought),
});

const filler = Array.from({ length: 8 }, (_, nth) => ({
  type: "regex",
  config: { regex: `zz${nth}y`, scopes: ["subject", "body"], forward: "m@x.test" },
}));

/** Facts that are, begin with, hold, or lack the text, in the fact and in the others. */
function messagesFor({ fact, text }: Sought): Facts[] {
  const texts = [
    text,
    `${text}tail`,
    `${text.toUpperCase()}日`,
    `head${text}`,
    `\ud800${text}`,
    "",
  ];
  return texts.map((one) => {
    const facts = { recipient: "r@own.test", sender: "s@x.test", subject: "-", body: "-" };
    if (fact === "localPart") return { ...facts, recipient: `${one}@own.test` };
    return { ...facts, [fact]: one };
  });
}

test.each(FACTS.flatMap((fact) => KINDS.map((kind) => [fact, kind] as const)))(
  "%s: %s",
  (fact, kind) => {
    let decided = 0;
    for (const text of TEXTS) {
      for (const fold of kind === "starts" || kind === "literals" ? [false, true] : [false]) {
        const sought: Sought = { fact, kind, text, fold };
        const config = { sought: JSON.stringify(sought), forward: "found@x.test" };
        const rules = [...filler, { type: "sought", config }];
        const domain = { domain: "own.test", routing_engine: "rules", rules };
        const result = compileDomain(domain, { ruleTypes: [soughtType] });
        if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
        for (const facts of messagesFor(sought)) {
          const resolution = expectPlanEqualsWalk(result.domain, facts);
          if (resolution.verdict === "decided" && resolution.action === "forward") decided++;
          expectPlanEqualsWalk(result.domain, { ...facts, body: undefined });
        }
      }
    }
    expect(decided).toBeGreaterThan(TEXTS.length / 2);
  },
);
