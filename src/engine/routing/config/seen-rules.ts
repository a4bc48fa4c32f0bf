/** Recognises rules by their configuration, so that after an edit of a domain only edited rules are read. */
import type { CompiledRule } from "../rules/compiled-rule.ts";
import type { RuleType } from "../rules/rule-type.ts";

type Values = Readonly<Record<string, unknown>>;

export interface SeenRule {
  readonly rule: CompiledRule;
  /** Everything that the rule was made from, in the order of `everyPart`. */
  readonly parts: readonly unknown[];
}

export type RulesById = ReadonlyMap<unknown, SeenRule>;

const NO_RULES: RulesById = new Map();

const FIELDS = ["id", "rank", "active", "created_at", "type"] as const;

/** Whether all fields of the object are its own. */
function isPlain(value: unknown): value is Values {
  if (value === null || typeof value !== "object") return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** Calls `test` with each part, and each entry of a list, until it returns false. Returns whether it never did. */
function everyPart(
  values: Values,
  config: Values,
  { fields }: RuleType,
  test: (part: unknown) => boolean,
): boolean {
  for (const name of FIELDS) if (!test(values[name])) return false;
  if (!test(config.forward)) return false;
  for (const name in fields) {
    const part = config[name];
    if (!Array.isArray(part)) {
      if (!test(part)) return false;
      continue;
    }
    if (!test(part.length)) return false;
    for (const entry of part) if (!test(entry)) return false;
  }
  return true;
}

/** What to keep of a rule that compiled without diagnostics; `null` if the rule depends on its place. */
export function seenRule(values: Values, rule: CompiledRule): SeenRule | null {
  const { id, rank, config } = values;
  if (typeof id !== "string" || typeof rank !== "number") return null;
  if (!isPlain(values) || !isPlain(config)) return null;
  const parts: unknown[] = [];
  everyPart(values, config, rule.type, (part) => parts.push(part) > 0);
  return { rule, parts };
}

/** The rules of the most recently compiled domains. */
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

/** The rule of the same id, if it was made from the same configuration. */
export function findAlike(rules: RulesById, values: Values): SeenRule | undefined {
  const seen = rules.get(values.id);
  const { config } = values;
  if (seen === undefined || !isPlain(values) || !isPlain(config)) return undefined;
  let at = 0;
  const isAlike = everyPart(values, config, seen.rule.type, (part) => part === seen.parts[at++]);
  return isAlike && at === seen.parts.length ? seen : undefined;
}
