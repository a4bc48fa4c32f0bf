/** A domain file as the page edits it: plain JSON, and the edits that keep ranks in order. */
import type { RuleEdit } from "../../rehearse/why/edit-rule.ts";

/** A rule as a domain file has it. */
export interface RuleDraft {
  readonly id: string;
  readonly type: string;
  readonly rank: number;
  readonly active: boolean;
  readonly config: Readonly<Record<string, unknown>>;
}

/** A domain file; fields that the page does not know are kept. */
export interface DomainDraft {
  readonly domain: string;
  readonly routing_engine: "rules" | "alias" | null;
  readonly rules_fallback_email: string | null;
  readonly aliases: readonly Readonly<Record<string, unknown>>[];
  readonly rules: readonly RuleDraft[];
  readonly [field: string]: unknown;
}

const RANK_STEP = 10;
/** Most decimal places of a rank between two others. */
const RANK_DIGITS_MAX = 6;

type JsonRecord = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readRule(value: unknown, index: number): RuleDraft {
  const rule = isRecord(value) ? value : {};
  return {
    ...rule,
    id: typeof rule.id === "string" ? rule.id : `rule-${index + 1}`,
    type: typeof rule.type === "string" ? rule.type : "",
    rank: typeof rule.rank === "number" ? rule.rank : (index + 1) * RANK_STEP,
    active: rule.active !== false,
    config: isRecord(rule.config) ? rule.config : {},
  };
}

/** Reads a domain file, or an answer of the API that wraps one. Throws an `Error` that says what is wrong. */
export function readDomain(value: unknown): DomainDraft {
  if (!isRecord(value)) throw new Error("a domain file is a JSON object with `domain` and `rules`");
  const flat = isRecord(value.domain) ? { ...value, ...value.domain } : value;
  const name = flat.domain;
  if (typeof name !== "string") throw new Error("`domain` is missing: write the domain's name");
  const { routing_engine: engine, rules_fallback_email: fallback } = flat;
  return {
    ...flat,
    domain: name,
    routing_engine: engine === "alias" || engine === null ? engine : "rules",
    rules_fallback_email: typeof fallback === "string" ? fallback : null,
    aliases: Array.isArray(flat.aliases) ? flat.aliases.filter(isRecord) : [],
    rules: Array.isArray(flat.rules) ? flat.rules.map(readRule) : [],
  };
}

/** The rules in the order in which they are tried: by rank, then by place in the file. */
export function rulesInOrder({ rules }: DomainDraft): readonly RuleDraft[] {
  return [...rules].sort((a, b) => a.rank - b.rank);
}

/** The roundest number between two ranks; `undefined` means no neighbour. */
export function rankBetween(before: number | undefined, after: number | undefined): number {
  if (before === undefined) {
    return after === undefined ? RANK_STEP : after > 1 ? Math.ceil(after / 2) : after - 1;
  }
  if (after === undefined) return Math.floor(before / RANK_STEP) * RANK_STEP + RANK_STEP;
  const middle = (before + after) / 2;
  for (let digits = 0; digits <= RANK_DIGITS_MAX; digits++) {
    const rounded = Number(middle.toFixed(digits));
    if (rounded > before && rounded < after) return rounded;
  }
  return middle;
}

function withRules(domain: DomainDraft, rules: readonly RuleDraft[]): DomainDraft {
  return { ...domain, rules };
}

/** The domain with fields of one rule changed; a changed `id` renames it. */
export function changeRule(
  domain: DomainDraft,
  id: string,
  change: Partial<RuleDraft>,
): DomainDraft {
  return withRules(
    domain,
    domain.rules.map((rule) => (rule.id === id ? { ...rule, ...change } : rule)),
  );
}

/** Moves a rule to a place in the order (0 is first); only its rank changes, if there is room. */
export function moveRule(domain: DomainDraft, id: string, place: number): DomainDraft {
  const others = rulesInOrder(domain).filter((rule) => rule.id !== id);
  const at = Math.max(0, Math.min(place, others.length));
  const [before, after] = [others[at - 1]?.rank, others[at]?.rank];
  const moved = changeRule(domain, id, { rank: rankBetween(before, after) });
  if (before === undefined || after === undefined || before < after) return moved;
  // Neighbours of equal rank leave no room: number all rules again.
  const rule = domain.rules.find((each) => each.id === id)!;
  const order = [...others.slice(0, at), rule, ...others.slice(at)];
  const ranks = new Map(order.map((each, index) => [each.id, (index + 1) * RANK_STEP]));
  return withRules(
    domain,
    domain.rules.map((each) => ({ ...each, rank: ranks.get(each.id)! })),
  );
}

/** A name that no rule has yet: the wanted name, with a number if it is taken. */
export function freeName({ rules }: DomainDraft, wish: string): string {
  const taken = new Set(rules.map(({ id }) => id));
  if (!taken.has(wish)) return wish;
  for (let number = 2; ; number++) if (!taken.has(`${wish}-${number}`)) return `${wish}-${number}`;
}

/** Adds a rule at the end of the order. */
export function addRule(
  domain: DomainDraft,
  rule: Pick<RuleDraft, "type" | "config"> & { readonly id?: string },
): { readonly domain: DomainDraft; readonly id: string } {
  const id = freeName(domain, rule.id ?? "new-rule");
  const last = rulesInOrder(domain).at(-1);
  const added = { ...rule, id, rank: rankBetween(last?.rank, undefined), active: true };
  return { domain: withRules(domain, [...domain.rules, added]), id };
}

/** Fields of a rule that are not in its `config`. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["active", "rank"]);

/** The domain with a change that `why` found. */
export function withRuleEdit(domain: DomainDraft, edit: RuleEdit): DomainDraft {
  if (edit.kind === "add") {
    const { domain: more, id } = addRule(domain, edit.added);
    return changeRule(more, id, { rank: edit.added.rank });
  }
  const rule = domain.rules.find(({ id }) => id === edit.rule);
  if (rule === undefined) return domain;
  const fields = edit.changes.map(({ field, to }): [string, unknown] => [field, to]);
  const own = fields.filter(([field]) => OWN_FIELDS.has(field));
  const inner = fields.filter(([field]) => !OWN_FIELDS.has(field));
  const config = { ...rule.config, ...Object.fromEntries(inner) };
  return changeRule(domain, rule.id, { ...Object.fromEntries(own), config });
}

export function removeRule(domain: DomainDraft, id: string): DomainDraft {
  return withRules(
    domain,
    domain.rules.filter((rule) => rule.id !== id),
  );
}

/** The text of the saved file, with the rules in order. */
export function domainFile(domain: DomainDraft): string {
  return `${JSON.stringify({ ...domain, rules: rulesInOrder(domain) }, null, 2)}\n`;
}
