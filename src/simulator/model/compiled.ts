/** The compiled form of a stored domain, made when mail first needs it and kept until the domain changes. */
import assert from "node:assert";
import { LIMITS } from "../../base/limits.ts";
import { canonicalDomain } from "../../engine/facts/address.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { getDomain } from "./domains/domains.ts";
import { ALIASES, RULES } from "./records.ts";
import type { Service } from "./service.ts";

/** The years that a timestamp can express; a clock's other years count as the first or the last. */
const TIMESTAMP_MS = { first: Date.UTC(1, 0), last: Date.UTC(9999, 11, 31) } as const;

function timestamp(createdMs: number): string {
  const { first, last } = TIMESTAMP_MS;
  return new Date(Math.min(Math.max(createdMs, first), last)).toISOString();
}

/** A stored domain, in the shape that the engine compiles. */
export interface StoredConfig {
  readonly domain: string;
  readonly routing_engine: "alias" | "rules" | null;
  readonly rules_fallback_email: string | null;
  readonly aliases: readonly { readonly id: string }[];
  readonly rules: readonly { readonly id: string }[];
}

/** Throws 404 if the domain is not in the account. All rows are from one moment. */
export function storedConfig(service: Service, domain: string): Promise<StoredConfig> {
  return service.store.read(() => readConfig(service, domain));
}

async function readConfig(service: Service, domain: string): Promise<StoredConfig> {
  const row = await getDomain(service, domain);
  const where = { domain: row.domain };
  const order = { column: "createdMs", direction: "asc" } as const;
  const aliases = await service.store
    .table(ALIASES)
    .find({ where, order, limit: LIMITS.aliasesMax });
  const rules = await service.store.table(RULES).find({ where, order, limit: LIMITS.rulesMax });
  return {
    domain: row.domain,
    routing_engine: row.routingEngine,
    rules_fallback_email: row.rulesFallbackEmail,
    aliases: aliases.map((alias) => ({ ...alias, created_at: timestamp(alias.createdMs) })),
    rules: rules.map((rule) => ({ ...rule, created_at: timestamp(rule.createdMs) })),
  };
}

async function compileStored(service: Service, domain: string): Promise<CompiledDomain> {
  const config = await storedConfig(service, domain);
  const compiled = service.compiler.compileDomain(config);
  const first = compiled.ok ? undefined : compiled.diagnostics[0]?.message;
  assert(compiled.ok, `the stored domain ${config.domain} does not compile: ${first}`);
  return compiled.domain;
}

/**
 * Ready to resolve messages for `domain`; throws 404 if it is not in the account. Do not use it within a transaction: it may
 * wait for reads that wait for the end of the transaction. The promise itself is cached, so that a compilation begun before a
 * change is not used after it.
 */
export function compiledDomain(service: Service, domain: string): Promise<CompiledDomain> {
  const name = canonicalDomain(domain);
  const kept = service.compiled.get(name);
  if (kept !== undefined) return kept;
  const compiling = compileStored(service, name);
  service.compiled.set(name, compiling);
  compiling.catch(() => {
    if (service.compiled.get(name) === compiling) service.compiled.delete(name);
  });
  return compiling;
}
