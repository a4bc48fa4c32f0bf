/** What a change of configuration costs: one rule edited, or everything compiled. */
import type { CompiledDomain } from "../src/engine/routing/compile-domain.ts";
import { resolve } from "../src/engine/routing/resolve.ts";
import {
  type Absent,
  type Answers,
  absent,
  type Bench,
  type MeasuredWork,
  type Work,
} from "./bench.ts";
import { compileAlone, compilerOf } from "./compilers.ts";
import { ownCpuNs } from "./cpu-time.ts";
import { type Mail, parsedMail } from "./material/mail.ts";
import {
  type MixedRule,
  mixedDomain,
  mixedRuleConfig,
  mixedRules,
} from "./material/mixed-rules.ts";
import { buildNativeRe2 } from "./native-re2.ts";
import { jsonRulesEngine, type MixedCase, nativeSets } from "./rules-rivals.ts";

const MESSAGES = 12;
const COUNTS = [10, 100, 1_000, 10_000];

interface Setting {
  readonly rules: readonly MixedRule[];
  readonly mail: readonly Mail[];
}

async function setting(caseName: string): Promise<Setting> {
  const rules = await mixedRules(Number.parseInt(caseName, 10), "mix", "realistic");
  return { rules, mail: parsedMail(MESSAGES, "sample") };
}

/** The rules with the middle one edited: a text that was never seen, and that matches nothing. */
function edited(rules: readonly MixedRule[], turn: number): readonly MixedRule[] {
  return rules.with(rules.length >> 1, {
    id: "edited",
    kind: "subject",
    text: `zq${turn}x \\d{2}`,
  });
}

/** Times only what `change` gives back to be run; what it does first is preparation. */
function changeWork(
  change: (turn: number) => () => Promise<void> | void,
  tell: () => Answers | Promise<Answers>,
): MeasuredWork {
  let turn = 0;
  return {
    operations: 1,
    async measure(runs) {
      let cost = 0;
      for (let run = 0; run < runs; run++) {
        const timed = change(turn++);
        const start = ownCpuNs();
        await timed();
        cost += ownCpuNs() - start;
      }
      return { cost, answers: await tell() };
    },
  };
}

function decide(domain: CompiledDomain, facts: Mail): string {
  const resolution = resolve(domain, facts);
  return resolution.verdict === "decided" ? (resolution.decidedBy?.id ?? "none") : "undecided";
}

/** `kept`: the configuration's objects are the same but for the edited rule; `anew`: all are made again. */
function compileWork(
  { rules, mail }: Setting,
  compile: (config: unknown) => CompiledDomain,
  objects: "kept" | "anew",
  then: "a message" | "no message",
): MeasuredWork {
  const config = mixedDomain(rules);
  const configs = config.rules as readonly unknown[];
  const middle = rules.length >> 1;
  let domain = compile(config);
  decide(domain, mail[0]!);
  return changeWork(
    (turn) => {
      const rule = mixedRuleConfig(edited(rules, turn)[middle]!, middle);
      const changed = { ...config, rules: configs.with(middle, rule) };
      const given: unknown = objects === "kept" ? changed : structuredClone(changed);
      return () => {
        domain = compile(given);
        if (then === "a message") decide(domain, mail[0]!);
      };
    },
    () => mail.map((facts) => decide(domain, facts)),
  );
}

/** A rival that has to be built anew from all rules, and then takes a message. */
function rebuilt(
  { rules, mail }: Setting,
  build: (set: MixedCase) => Work | Absent | Promise<Work | Absent>,
): MeasuredWork {
  let last = rules;
  return changeWork(
    (turn) => {
      last = edited(rules, turn);
      return async () => {
        const work = await build({ rules: last, mail: mail.slice(0, 1) });
        if ("run" in work) await work.run();
      };
    },
    async () => {
      const work = await build({ rules: last, mail });
      return "run" in work ? ((await work.run()) as Answers) : [];
    },
  );
}

export const compileBench: Bench = {
  name: "compile",
  title: "a domain of N mixed rules compiled, or one of its rules edited",
  operation: "change",
  cases: (scale) => (scale === "tiny" ? [20] : COUNTS).map((count) => `${count} rules`),
  contestants: [
    {
      name: "mailflow, one rule edited, then a message",
      prepare: async (caseName) =>
        compileWork(await setting(caseName), compilerOf(), "kept", "a message"),
    },
    {
      name: "mailflow, one edited, configuration read anew",
      prepare: async (caseName) =>
        compileWork(await setting(caseName), compilerOf(), "anew", "a message"),
    },
    {
      name: "mailflow, all compiled, then a message",
      prepare: async (caseName) =>
        compileWork(await setting(caseName), compileAlone, "anew", "a message"),
    },
    {
      name: "mailflow, all compiled",
      prepare: async (caseName) =>
        compileWork(await setting(caseName), compileAlone, "anew", "no message"),
    },
    {
      name: "native RE2.Set built, then a message",
      async prepare(caseName) {
        const set = await setting(caseName);
        const built = nativeSets(set);
        return "absent" in built ? built : rebuilt(set, nativeSets);
      },
    },
    {
      name: "json-rules-engine built, then a message",
      async prepare(caseName) {
        const set = await setting(caseName);
        if (set.rules.length > 1_000) return absent("more than 1,000 rules take it minutes");
        return rebuilt(set, jsonRulesEngine);
      },
    },
  ],
  charts: [
    {
      file: "compile",
      title: "A change of configuration",
      axis: "rules",
      points: COUNTS.map((x) => ({ x, caseName: `${x} rules` })),
    },
  ],
  build: buildNativeRe2,
};
