/** Recognises rules by their configuration, so that after an edit of a domain only edited rules are read. */
import type { CompiledRule } from "../rules/compiled-rule.ts";
import type { RuleType } from "../rules/rule-type.ts";

type Values = Readonly<Record<string, unknown>>;

export interface SeenRule {
  readonly rule: CompiledRule;
  /** Everything that the rule was made from, in the order of `eachPart`. */
  readonly parts: readonly unknown[];
}

export type RulesById = ReadonlyMap<unknown, SeenRule>;

const NO_RULES: RulesById = new Map();

const FIELDS = ["id", "rank", "active", "created_at", "type"] as const;

/** Stands before the length and the entries of a list, so that no other value looks like one. */
const LIST = Symbol("list");

/** Whether all fields of the object are its own. */
function isPlain(value: unknown): value is Values {
  if (value === null || typeof value !== "object") return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** The `config` of a rule; `null` unless all its fields, and those of the rule, are their own. */
function plainConfig(values: Values): Values | null {
  const { config } = values;
  return isPlain(values) && isPlain(config) ? config : null;
}

/** Calls `visit` with each part, and with each entry of a list. */
function eachPart(
  values: Values,
  config: Values,
  { fields }: RuleType,
  visit: (part: unknown) => void,
): void {
  for (const name of FIELDS) visit(values[name]);
  visit(config.forward);
  for (const name in fields) {
    const part = config[name];
    if (!Array.isArray(part)) {
      visit(part);
      continue;
    }
    visit(LIST);
    visit(part.length);
    for (const entry of part) visit(entry);
  }
}

/** What to keep of a rule that compiled without diagnostics; `null` if the rule depends on its place. */
export function seenRule(values: Values, rule: CompiledRule): SeenRule | null {
  const config = plainConfig(values);
  if (config === null || typeof values.id !== "string" || typeof values.rank !== "number") {
    return null;
  }
  const parts: unknown[] = [];
  eachPart(values, config, rule.type, (part) => {
    parts.push(part);
  });
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
  const config = plainConfig(values);
  if (seen === undefined || config === null) return undefined;
  let at = 0;
  let isAlike = true;
  eachPart(values, config, seen.rule.type, (part) => {
    isAlike &&= part === seen.parts[at++];
  });
  return isAlike ? seen : undefined;
}
