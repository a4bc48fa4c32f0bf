/**
 * Every message of the dataset under three domains, as a server would resolve it: stage by stage. After a change
 * that is meant, run this file with KEEP_DECISIONS=1 and say in the commit why the decisions changed.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type CompiledDomain, compileDomain } from "../../src/engine/routing/compile-domain.ts";
import type { Decision } from "../../src/engine/routing/resolution.ts";
import { resolve } from "../../src/engine/routing/resolve.ts";
import { headerFacts, messageFacts, toFacts } from "../../src/message/index.ts";
import { DATASET, DATASET_MESSAGES, datasetFiles } from "./dataset.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const KEPT_FILE = join(HERE, "decisions.json");
const DOMAINS = ["alias", "regex", "cel"] as const;

interface Kept {
  /** Decisions by domain and decider. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Messages decided at each stage, by domain. */
  readonly stages: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly sha256: string;
}

function load(name: string): CompiledDomain {
  const config: unknown = JSON.parse(readFileSync(join(HERE, "domains", `${name}.json`), "utf8"));
  const result = compileDomain(config);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.domain;
}

/** The local part of the first address in To, so that recipients vary as real ones do. */
function recipientOf(to: string): string {
  const localPart = /([\w.+-]+)@[\w.-]+/.exec(to)?.[1] ?? "nobody";
  return `${localPart}@own.test`;
}

async function decide(): Promise<Kept> {
  const domains = DOMAINS.map((name) => ({ name, domain: load(name) }));
  const counts: Record<string, Record<string, number>> = {};
  const stages: Record<string, Record<string, number>> = {};
  const add = (table: Record<string, Record<string, number>>, name: string, key: string): void => {
    table[name] ??= {};
    table[name][key] = (table[name][key] ?? 0) + 1;
  };
  const hash = createHash("sha256");
  for (const file of datasetFiles()) {
    const bytes = readFileSync(join(DATASET, file));
    const [header, message] = [await headerFacts(bytes), await messageFacts(bytes)];
    const envelope = { recipient: recipientOf(header.headers.get("to")?.[0] ?? ""), sender: "" };
    const early = [
      { stage: "envelope", facts: toFacts(envelope) },
      { stage: "header", facts: toFacts(envelope, header) },
    ];
    for (const { name, domain } of domains) {
      const decision = resolve(domain, toFacts(envelope, message)) as Decision;
      expect(decision.verdict).toBe("decided");
      let decidedAt = "body";
      for (const { stage, facts } of early.toReversed()) {
        const resolution = resolve(domain, facts);
        if (resolution.verdict === "undecided") break;
        expect(resolution, file).toEqual(decision);
        decidedAt = stage;
      }
      add(counts, name, decision.decidedBy?.id ?? decision.reason);
      add(stages, name, decidedAt);
      hash.update(JSON.stringify([file, name, decision]));
    }
  }
  return { counts, stages, sha256: hash.digest("hex") };
}

test("6,046 messages go where they went before, under each of three domains", async () => {
  expect(datasetFiles()).toHaveLength(DATASET_MESSAGES);
  const decided = await decide();
  if (process.env.KEEP_DECISIONS === "1") {
    writeFileSync(KEPT_FILE, `${JSON.stringify(decided, null, 2)}\n`);
  }
  const kept: Kept = JSON.parse(readFileSync(KEPT_FILE, "utf8"));
  expect(decided).toEqual(kept);
  for (const name of DOMAINS) expect(Object.keys(kept.counts[name]!).length).toBeGreaterThan(4);
});
