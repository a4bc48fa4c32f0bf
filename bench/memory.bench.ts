/** What a host of many domains holds in memory. */
import type { CompiledDomain } from "../src/engine/routing/compile-domain.ts";
import { resolve } from "../src/engine/routing/resolve.ts";
import { absent, type Bench, type MeasuredWork, type Work } from "./bench.ts";
import { compileAlone, compilerOf } from "./compilers.ts";
import { type Mail, parsedMail } from "./material/mail.ts";
import { type MixedRule, mixedDomain, mixedRules } from "./material/mixed-rules.ts";

const RULES = 20;
/** Rules that many domains have alike, such as those copied from a guide. */
const SHARED_RULES = 1_000;
const COUNTS = [1_000, 10_000, 100_000];
/** Domains that are asked for decisions, to prove that they work. */
const ASKED = 100;

/** Half the rules of a domain are drawn from those that others have too, half are its own. */
function* configsOf(count: number, shared: readonly MixedRule[]): Generator<unknown> {
  for (let domain = 0; domain < count; domain++) {
    const rules = Array.from({ length: RULES }, (_, index) => {
      const rule = shared[(domain * 7 + index * 53) % shared.length]!;
      const text = index % 2 === 0 ? rule.text : `${rule.text}${domain.toString(36)}`;
      return { ...rule, id: `r${domain}-${index}`, text };
    });
    yield structuredClone(mixedDomain(rules));
  }
}

function bytesHeld(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function decide(domain: CompiledDomain, facts: Mail): string {
  const resolution = resolve(domain, facts);
  return resolution.verdict === "decided" ? (resolution.decidedBy?.id ?? "none") : "undecided";
}

/** Fills memory once; every round tells the same bytes. `use`: each domain has resolved a message. */
async function held(
  caseName: string,
  compile: (config: unknown) => CompiledDomain,
  use: "used" | "unused",
): Promise<Work> {
  const count = Number.parseInt(caseName, 10);
  const shared = await mixedRules(SHARED_RULES, "mix", "realistic");
  const mail = parsedMail(ASKED, "sample");
  const before = bytesHeld();
  const domains: CompiledDomain[] = [];
  for (const config of configsOf(count, shared)) {
    const domain = compile(config);
    if (use === "used") decide(domain, mail[domains.length % mail.length]!);
    domains.push(domain);
  }
  const bytes = bytesHeld() - before;
  const work: MeasuredWork = {
    operations: count,
    async measure() {
      const asked = domains.slice(0, ASKED);
      return { cost: bytes, answers: asked.map((domain, at) => decide(domain, mail[at]!)) };
    },
  };
  return work;
}

export const memoryBench: Bench = {
  name: "memory",
  title: `domains of ${RULES} mixed rules, half of which other domains have too`,
  operation: "domain",
  unit: "bytes",
  cases: (scale) => (scale === "tiny" ? [50] : COUNTS).map((count) => `${count} domains`),
  contestants: [
    {
      name: "mailflow, one compiler, each domain used",
      prepare: (caseName) => held(caseName, compilerOf(), "used"),
    },
    {
      name: "mailflow, one compiler, none used yet",
      prepare: (caseName) => held(caseName, compilerOf(), "unused"),
    },
    {
      name: "mailflow, each compiled alone and used",
      prepare: (caseName) =>
        Number.parseInt(caseName, 10) > 10_000
          ? absent("it tells nothing that fewer domains do not")
          : held(caseName, compileAlone, "used"),
    },
  ],
};
