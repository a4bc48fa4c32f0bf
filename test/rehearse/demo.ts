/** The example domain and its messages, for tests that rehearse it. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Facts } from "../../src/engine/facts/facts.ts";
import { headerFacts, messageFacts, recipientsOf, toFacts } from "../../src/message/index.ts";
import { type RehearsedDomain, rehearse } from "../../src/rehearse/rehearsed-domain.ts";

export const DEMO: string = fileURLToPath(new URL("../../corpus/demo/", import.meta.url));

interface Rule {
  id: string;
  rank: number;
  active?: boolean;
  config: Record<string, unknown>;
}

export interface DemoConfig {
  rules: Rule[];
  [field: string]: unknown;
}

export function demoConfig(): DemoConfig {
  return JSON.parse(readFileSync(`${DEMO}domain.json`, "utf8"));
}

/** Compiles, or fails the test. */
export function rehearsed(config: unknown): RehearsedDomain {
  const result = rehearse(config);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.rehearsed;
}

/** The demo with a rule changed. */
export function demoWith(id: string, change: (rule: Rule) => void): RehearsedDomain {
  const config = demoConfig();
  change(config.rules.find((rule) => rule.id === id)!);
  return rehearsed(config);
}

const FILES = readdirSync(`${DEMO}messages`).sort();

export async function* demoMessages(): AsyncGenerator<{ name: string; open(): Uint8Array }> {
  for (const file of FILES) {
    const bytes = readFileSync(`${DEMO}messages/${file}`);
    yield { name: `messages/${file}`, open: () => bytes };
  }
}

/** The facts of each message for each recipient. */
export async function demoFacts(): Promise<readonly Facts[]> {
  const facts: Facts[] = [];
  for (const file of FILES) {
    const bytes = readFileSync(`${DEMO}messages/${file}`);
    const read = await messageFacts(bytes);
    for (const recipient of recipientsOf(await headerFacts(bytes), "paperlane.example")) {
      facts.push(toFacts({ recipient }, read));
    }
  }
  return facts;
}
