/** A parsed message against a domain of N mixed rules. */
import { type CompiledDomain, compileDomain } from "../src/routing/compile-domain.ts";
import { viewMessage } from "../src/routing/message-view.ts";
import type { Resolution } from "../src/routing/resolution.ts";
import { resolve } from "../src/routing/resolve.ts";
import { resolveByRule } from "../src/routing/walk-rules.ts";
import type { Bench, Chart, Scale, Work } from "./bench.ts";
import { type Mail, parsedMail } from "./material/mail.ts";
import { mixedDomain, mixedRules, type RuleKind } from "./material/mixed-rules.ts";
import { buildNativeRe2 } from "./native-re2.ts";
import {
  celLibrary,
  jsonRulesEngine,
  type MixedCase,
  nativeSets,
  regExpLoop,
} from "./rules-rivals.ts";

const MESSAGES: Readonly<Record<Scale, number>> = { full: 128, tiny: 12 };
const COUNTS = [10, 100, 1_000, 10_000];
const KINDS: readonly RuleKind[] = ["alias", "subject", "body", "sender"];

/** `mix, nothing matches, 1000 rules` → its rules and messages. */
async function setting(caseName: string, scale: Scale): Promise<MixedCase> {
  const [kinds, outcome, count] = caseName.split(", ") as ["mix" | RuleKind, string, string];
  const drawn = outcome === "realistic" ? "realistic" : "unmatched";
  return {
    rules: await mixedRules(Number.parseInt(count, 10), kinds, drawn),
    mail: parsedMail(MESSAGES[scale], "sample"),
  };
}

function engineWork(
  { rules, mail }: MixedCase,
  decide: (domain: CompiledDomain, facts: Mail) => Resolution,
): Work {
  const result = compileDomain(mixedDomain(rules));
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics[0]));
  const { domain } = result;
  const answer = (facts: Mail): string => {
    const resolution = decide(domain, facts);
    return resolution.verdict === "decided" ? (resolution.decidedBy?.id ?? "none") : "undecided";
  };
  return { operations: mail.length, run: () => mail.map(answer) };
}

function chartOf(kinds: "mix" | RuleKind, outcome: string): Chart {
  const points = COUNTS.map((x) => ({ x, caseName: `${kinds}, ${outcome}, ${x} rules` }));
  const title = `One parsed message: ${kinds === "mix" ? "mixed" : kinds} rules, ${outcome}`;
  const file = `rules-${kinds}-${outcome.replaceAll(" ", "-")}`;
  return { file, title, axis: "rules", points };
}

const CHARTS: readonly Chart[] = [
  chartOf("mix", "nothing matches"),
  chartOf("mix", "realistic"),
  ...KINDS.map((kind) => chartOf(kind, "nothing matches")),
];

export const rulesBench: Bench = {
  name: "rules",
  title:
    "a parsed message of the dataset against a domain of N rules (40 % alias, 30 % subject pattern, 20 % body contains, 10 % sender pattern, and each kind alone)",
  operation: "message",
  cases: (scale) =>
    scale === "tiny"
      ? ["mix, nothing matches, 10 rules", "mix, realistic, 100 rules"]
      : CHARTS.flatMap(({ points }) => points.map(({ caseName }) => caseName)),
  contestants: [
    {
      name: "mailflow",
      prepare: async (caseName, scale) => engineWork(await setting(caseName, scale), resolve),
    },
    {
      name: "mailflow, plain walk",
      prepare: async (caseName, scale) =>
        engineWork(await setting(caseName, scale), (domain, facts) =>
          resolveByRule(domain, viewMessage(facts)),
        ),
    },
    {
      name: "naive RegExp loop",
      prepare: async (caseName, scale) => regExpLoop(await setting(caseName, scale)),
    },
    {
      name: "native RE2.Set + alias map",
      prepare: async (caseName, scale) => nativeSets(await setting(caseName, scale)),
    },
    {
      name: "@marcbachmann/cel-js alone",
      prepare: async (caseName, scale) => celLibrary(await setting(caseName, scale)),
    },
    {
      name: "json-rules-engine",
      prepare: async (caseName, scale) => jsonRulesEngine(await setting(caseName, scale)),
    },
  ],
  charts: CHARTS,
  build: buildNativeRe2,
};
