/** Rules recognised by what their configuration says: of a domain that was edited, only what was edited is read. */
import type { CompiledRule } from "./compiled-rule.ts";

type Values = Readonly<Record<string, unknown>>;

export interface SeenRule {
  readonly rule: CompiledRule;
  /** All that the rule was made from, in the order of `partsOf`. */
  readonly parts: readonly unknown[];
}

export type RulesById = ReadonlyMap<unknown, SeenRule>;

const NO_RULES: RulesById = new Map();

const FIELDS = ["id", "rank", "active", "created_at", "type"] as const;
const CONFIG_FIELDS = ["forward", "alias", "regex", "expression"] as const;

/** Whether what is found in it is its own. */
function isPlain(value: unknown): value is Values {
  if (value === null || typeof value !== "object") return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

function scopesOf({ scopes }: Values): readonly unknown[] {
  return Array.isArray(scopes) ? scopes : [];
}

function partsOf(values: Values, config: Values): unknown[] {
  const parts: unknown[] = FIELDS.map((name) => values[name]);
  for (const name of CONFIG_FIELDS) parts.push(config[name]);
  parts.push(...scopesOf(config));
  return parts;
}

function isAlike(values: Values, config: Values, parts: readonly unknown[]): boolean {
  let at = 0;
  for (const name of FIELDS) if (values[name] !== parts[at++]) return false;
  for (const name of CONFIG_FIELDS) if (config[name] !== parts[at++]) return false;
  const scopes = scopesOf(config);
  if (scopes.length !== parts.length - at) return false;
  for (const scope of scopes) if (scope !== parts[at++]) return false;
  return true;
}

/** What compiling a rule without a diagnostic leaves for the next time; `null` if its place went into it. */
export function seenRule(values: Values, rule: CompiledRule): SeenRule | null {
  const { id, rank, config } = values;
  if (typeof id !== "string" || typeof rank !== "number") return null;
  return isPlain(values) && isPlain(config) ? { rule, parts: partsOf(values, config) } : null;
}

/** The rules of the domains that were compiled last. */
export class SeenRules {
  readonly #rulesMax: number;
  readonly #domains = new Map<string, RulesById>();
  #count = 0;

  constructor(rulesMax: number) {
    this.#rulesMax = rulesMax;
  }

  of(domain: string): RulesById {
    return this.#domains.get(domain) ?? NO_RULES;
  }

  keep(domain: string, rules: RulesById): void {
    this.#drop(domain);
    this.#domains.set(domain, rules);
    this.#count += rules.size;
    for (const oldest of this.#domains.keys()) {
      if (this.#count <= this.#rulesMax) return;
      this.#drop(oldest);
    }
  }

  #drop(domain: string): void {
    this.#count -= this.of(domain).size;
    this.#domains.delete(domain);
  }
}

/** The rule of the same id, if the same configuration made it. */
export function findAlike(rules: RulesById, values: Values): SeenRule | undefined {
  const seen = rules.get(values.id);
  const { config } = values;
  if (seen === undefined || !isPlain(values) || !isPlain(config)) return undefined;
  return isAlike(values, config, seen.parts) ? seen : undefined;
}
