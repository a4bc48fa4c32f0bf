/** Runs one hostile case, then an ordinary message in the same process; answers both to its parent. */
import { compileDomain } from "../../src/engine/routing/compile-domain.ts";
import { explain } from "../../src/engine/routing/explain.ts";
import { resolve } from "../../src/engine/routing/resolve.ts";
import { HOSTILE } from "./cases.ts";

export interface HostileAnswer {
  readonly outcome: string;
  /** What the resolution was after the hostile rule, and of an ordinary rule afterwards. */
  readonly decidedBy: string | null;
  readonly afterwards: string | null;
  readonly ms: number;
  readonly heapMegabytes: number;
}

const ORDINARY = { id: "ordinary", type: "alias", config: { alias: "*", forward: "m@x.test" } };

function decider(config: unknown, facts: object): string | null {
  const result = compileDomain(config);
  if (!result.ok) return null;
  const resolution = resolve(result.domain, facts);
  return resolution.verdict === "decided" ? (resolution.decidedBy?.id ?? null) : resolution.verdict;
}

const hostile = HOSTILE.find(({ name }) => name === process.argv[2]);
if (hostile === undefined) throw new Error(`no hostile case ${process.argv[2]}`);
const { type, config } = hostile.rule;
const domain = { domain: "own.test", routing_engine: "rules", rules_fallback_email: null };
const rule = { id: "hostile", type, config: { ...config, forward: "h@x.test" } };
const facts = {
  recipient: "a@own.test",
  sender: "s@x.test",
  subject: "hello",
  body: "text",
  headers: new Map(),
  attachments: [],
  size: 1,
  ...hostile.facts,
};

const start = performance.now();
const result = compileDomain({ ...domain, rules: [rule, ORDINARY] });
const answer: Omit<HostileAnswer, "afterwards" | "ms" | "heapMegabytes"> = result.ok
  ? {
      decidedBy: decider({ ...domain, rules: [rule, ORDINARY] }, facts),
      outcome: explain(result.domain, facts).trace[0]!.verdict,
    }
  : { decidedBy: null, outcome: result.diagnostics.length > 0 ? "refused" : "nothing said" };
const ms = Math.round(performance.now() - start);
const afterwards = decider({ ...domain, rules: [ORDINARY] }, { recipient: "a@own.test" });
const heapMegabytes = Math.round(process.memoryUsage().rss / 1e6);
process.send?.({ ...answer, afterwards, ms, heapMegabytes } satisfies HostileAnswer);
