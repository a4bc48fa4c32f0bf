/** Rules recognised by the configuration's own objects: a host that edits one rule hands in the others as they were. */
import type { CompiledRule } from "./compiled-rule.ts";

type Values = Readonly<Record<string, unknown>>;

interface Seen {
  readonly rule: CompiledRule;
  readonly ownDomain: string;
  /** All that the rule was made from, in the order of `partsOf`. */
  readonly parts: readonly unknown[];
}

const FIELDS = ["id", "rank", "active", "created_at", "type", "config"] as const;
const CONFIG_FIELDS = ["forward", "alias", "regex", "expression", "scopes"] as const;

function partsOf(values: Values): unknown[] {
  const parts: unknown[] = FIELDS.map((name) => values[name]);
  const config = values.config as Values;
  for (const name of CONFIG_FIELDS) parts.push(config[name]);
  if (Array.isArray(config.scopes)) parts.push(...config.scopes);
  return parts;
}

/** Whether an object is as it was: it may have been written to since. */
function isUnchanged(values: Values, parts: readonly unknown[]): boolean {
  let at = 0;
  for (const name of FIELDS) if (values[name] !== parts[at++]) return false;
  const config = values.config as Values;
  for (const name of CONFIG_FIELDS) if (config[name] !== parts[at++]) return false;
  const { scopes } = config;
  if (!Array.isArray(scopes)) return true;
  if (scopes.length !== parts.length - at) return false;
  return scopes.every((scope, nth) => scope === parts[at + nth]);
}

export class SeenRules {
  readonly #seen = new WeakMap<Values, Seen>();

  find(values: Values, ownDomain: string): CompiledRule | undefined {
    const seen = this.#seen.get(values);
    if (seen === undefined || seen.ownDomain !== ownDomain) return undefined;
    return isUnchanged(values, seen.parts) ? seen.rule : undefined;
  }

  /** Keeps a rule without diagnostics, unless its place in the configuration went into it. */
  keep(values: Values, ownDomain: string, rule: CompiledRule): void {
    if (typeof values.id !== "string" || typeof values.rank !== "number") return;
    this.#seen.set(values, { rule, ownDomain, parts: partsOf(values) });
  }
}
