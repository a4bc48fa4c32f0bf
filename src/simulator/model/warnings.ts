/** Certain warnings about a saved alias or rule. */
import { strict as assert } from "node:assert";
import { formatPath } from "../../base/diagnostic.ts";
import { findWarnings, rehearse, type Warning } from "../../rehearse/index.ts";
import { storedConfig } from "./compiled.ts";
import type { Service } from "./service.ts";

export interface SavedWarning {
  readonly code: Warning["code"];
  readonly message: string;
  /** The field with the problem, e.g. `config.regex`. */
  readonly field: string;
}

/** The warnings about one alias or rule, among all those of its domain; 404 when the domain is not in the account. */
export async function warningsOf(
  service: Service,
  domain: string,
  resource: "aliases" | "rules",
  id: string,
): Promise<readonly SavedWarning[]> {
  const config = await storedConfig(service, domain);
  const result = rehearse(config, { ruleTypes: service.ruleTypes });
  assert(result.ok, "what was saved compiles");
  const index = config[resource].findIndex((entry) => entry.id === id);
  return findWarnings(result.rehearsed)
    .filter(({ path }) => path[0] === resource && path[1] === index)
    .map(({ code, message, path }) => ({ code, message, field: formatPath(path.slice(2)) }));
}
