/** What differs between two configurations of a domain, part by part, and the configuration with some of it changed. */
import { aliasEntries, type RehearsedDomain, rehearse, ruleEntries } from "./rehearsed-domain.ts";

type JsonRecord = RehearsedDomain["config"];

/** One difference. Of an entry that was added `from` is null, of one that was removed `to` is. */
export interface Delta {
  readonly of: "rule" | "alias" | "domain";
  /** Of the rule or alias; `""` of the domain. */
  readonly id: string;
  /** `added`, `removed`, `replaced` (a rule of another type), or the field that differs. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** An entry with its defaults written out, so that it stays as it is wherever it stands. */
interface Entry {
  readonly id: string;
  readonly values: JsonRecord;
  readonly config: JsonRecord;
}

interface Parts {
  readonly domain: JsonRecord;
  readonly rules: ReadonlyMap<string, Entry>;
  readonly aliases: ReadonlyMap<string, Entry>;
}

/** Fields of the domain that decide where mail goes. */
const DOMAIN_FIELDS = ["routing_engine", "rules_fallback_email"] as const;

function partsOf(rehearsed: RehearsedDomain): Parts {
  const { config, domain } = rehearsed;
  const own = typeof config.domain === "object" ? (config.domain as JsonRecord) : config;
  const ranks = new Map(domain.rules.map(({ id, rank, active }) => [id, { rank, active }]));
  const rules = ruleEntries(rehearsed).map(({ id, values, config: inner }): [string, Entry] => [
    id,
    { id, values: { ...values, id, ...ranks.get(id) }, config: inner },
  ]);
  const aliases = aliasEntries(rehearsed).map(({ id, values }): [string, Entry] => [
    id,
    { id, values: { ...values, id }, config: {} },
  ]);
  const fields = DOMAIN_FIELDS.map((field) => [field, own[field] ?? null]);
  const name = { domain: domain.name };
  return {
    domain: { ...name, ...Object.fromEntries(fields) },
    rules: new Map(rules),
    aliases: new Map(aliases),
  };
}

const RULE_FIELDS = ["rank", "active"] as const;
const CONFIG_FIELDS = ["alias", "regex", "scopes", "expression", "forward"] as const;
const ALIAS_FIELDS = ["alias", "forward"] as const;

function differs(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

function ruleDeltas(before: Entry, after: Entry): Delta[] {
  const { id } = before;
  if (before.values.type !== after.values.type) {
    return [{ of: "rule", id, field: "replaced", from: before.values, to: after.values }];
  }
  const compare = (names: readonly string[], from: JsonRecord, to: JsonRecord): Delta[] =>
    names
      .filter((name) => differs(from[name], to[name]))
      .map((field) => ({
        of: "rule",
        id,
        field,
        from: from[field] ?? null,
        to: to[field] ?? null,
      }));
  return [
    ...compare(RULE_FIELDS, before.values, after.values),
    ...compare(CONFIG_FIELDS, before.config, after.config),
  ];
}

function aliasDeltas(before: Entry, after: Entry): Delta[] {
  const { id, values: from } = before;
  return ALIAS_FIELDS.filter((name) => differs(from[name], after.values[name])).map((field) => ({
    of: "alias",
    id,
    field,
    from: from[field],
    to: after.values[field],
  }));
}

function entryDeltas(
  of: "rule" | "alias",
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
): Delta[] {
  const deltas: Delta[] = [];
  for (const [id, entry] of before) {
    const other = after.get(id);
    if (other === undefined) {
      deltas.push({ of, id, field: "removed", from: entry.values, to: null });
    } else {
      deltas.push(...(of === "rule" ? ruleDeltas(entry, other) : aliasDeltas(entry, other)));
    }
  }
  for (const [id, entry] of after) {
    if (!before.has(id)) deltas.push({ of, id, field: "added", from: null, to: entry.values });
  }
  return deltas;
}

/** All that differs and can decide where mail goes; entries are the same when their ids are. */
export function deltasBetween(before: RehearsedDomain, after: RehearsedDomain): readonly Delta[] {
  const [from, to] = [partsOf(before), partsOf(after)];
  const ofDomain = DOMAIN_FIELDS.filter((name) => differs(from.domain[name], to.domain[name])).map(
    (field): Delta => ({
      of: "domain",
      id: "",
      field,
      from: from.domain[field],
      to: to.domain[field],
    }),
  );
  return [
    ...ofDomain,
    ...entryDeltas("alias", from.aliases, to.aliases),
    ...entryDeltas("rule", from.rules, to.rules),
  ];
}

function changeEntry(entry: Entry, delta: Delta): Entry | null {
  const { field, to } = delta;
  if (field === "removed") return null;
  if (field === "added" || field === "replaced") {
    const values = to as JsonRecord;
    return { ...entry, values, config: (values.config ?? {}) as JsonRecord };
  }
  const isOfRule = delta.of === "rule" && (CONFIG_FIELDS as readonly string[]).includes(field);
  if (isOfRule) return { ...entry, config: { ...entry.config, [field]: to } };
  return { ...entry, values: { ...entry.values, [field]: to } };
}

function withDeltas(
  entries: ReadonlyMap<string, Entry>,
  deltas: readonly Delta[],
): readonly Entry[] {
  const changed = new Map(entries);
  for (const delta of deltas) {
    const entry = changed.get(delta.id) ?? { id: delta.id, values: {}, config: {} };
    const next = changeEntry(entry, delta);
    if (next === null) changed.delete(delta.id);
    else changed.set(delta.id, next);
  }
  return [...changed.values()];
}

/** The domain `before` with only these differences made, or `null` if it does not compile so. */
export function applyDeltas(
  before: RehearsedDomain,
  deltas: readonly Delta[],
): RehearsedDomain | null {
  const parts = partsOf(before);
  const of = (kind: Delta["of"]): readonly Delta[] => deltas.filter((delta) => delta.of === kind);
  const fields = of("domain").map(({ field, to }) => [field, to]);
  const result = rehearse({
    ...parts.domain,
    ...Object.fromEntries(fields),
    aliases: withDeltas(parts.aliases, of("alias")).map(({ values }) => values),
    rules: withDeltas(parts.rules, of("rule")).map(({ values, config }) => ({ ...values, config })),
  });
  return result.ok ? result.rehearsed : null;
}
