/** The differences between two versions of a domain, and the old version with some of them applied. */
import { aliasEntries, type RehearsedDomain, rehearse, ruleEntries } from "../rehearsed-domain.ts";
import { type Order, orderOf } from "./rank-order.ts";

type JsonRecord = RehearsedDomain["config"];

/** One difference. `from` is null for an added entry, `to` for a removed one. */
export interface Delta {
  readonly of: "rule" | "alias" | "domain";
  /** Id of the rule or alias; `""` for the domain. */
  readonly id: string;
  /** Name of the entry: a rule's id, or an alias. */
  readonly name: string;
  /** `added`, `removed`, `replaced` (by a rule of another type), or the field that differs. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** An entry with its defaults written out, so that moving it does not change it. */
interface ComparedEntry {
  readonly id: string;
  readonly values: JsonRecord;
  readonly config: JsonRecord;
  /** For a rule: its place on a scale that both versions share. */
  readonly place: number;
  /** The fields of `config` to compare. */
  readonly fields: readonly string[];
}

interface DomainParts {
  readonly domain: JsonRecord;
  readonly rules: ReadonlyMap<string, ComparedEntry>;
  readonly aliases: ReadonlyMap<string, ComparedEntry>;
}

/** Fields of the domain that decide where mail goes. */
const DOMAIN_FIELDS = ["routing_engine", "rules_fallback_email"] as const;

function partsOf(rehearsed: RehearsedDomain, places: ReadonlyMap<string, number>): DomainParts {
  const { config, domain } = rehearsed;
  const own = typeof config.domain === "object" ? (config.domain as JsonRecord) : config;
  const compiled = new Map(domain.rules.map((rule) => [rule.id, rule]));
  const rules = ruleEntries(rehearsed).map(
    ({ id, values, config: inner }): [string, ComparedEntry] => {
      const { rank, active, type } = compiled.get(id)!;
      const fields = [...Object.keys(type.fields), "forward"];
      const place = places.get(id)!;
      return [id, { id, values: { ...values, id, rank, active }, config: inner, place, fields }];
    },
  );
  const aliases = aliasEntries(rehearsed).map(({ id, values }): [string, ComparedEntry] => [
    id,
    { id, values: { ...values, id }, config: {}, place: 0, fields: [] },
  ]);
  const fields = DOMAIN_FIELDS.map((field) => [field, own[field] ?? null]);
  const name = { domain: domain.name };
  return {
    domain: { ...name, ...Object.fromEntries(fields) },
    rules: new Map(rules),
    aliases: new Map(aliases),
  };
}

const ALIAS_FIELDS = ["alias", "forward"] as const;

function differs(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

function ruleDeltas(before: ComparedEntry, after: ComparedEntry, order: Order): Delta[] {
  const { id } = before;
  const delta = (field: string, from: unknown, to: unknown): Delta => ({
    of: "rule",
    id,
    name: id,
    field,
    from: from ?? null,
    to: to ?? null,
  });
  const moved = order.moved.has(id) ? [delta("rank", before.values.rank, after.values.rank)] : [];
  const switched = differs(before.values.active, after.values.active)
    ? [delta("active", before.values.active, after.values.active)]
    : [];
  if (before.values.type !== after.values.type) {
    return [...moved, ...switched, delta("replaced", before.values, after.values)];
  }
  const changed = after.fields
    .filter((field) => differs(before.config[field], after.config[field]))
    .map((field) => delta(field, before.config[field], after.config[field]));
  return [...moved, ...switched, ...changed];
}

function aliasDeltas(before: ComparedEntry, after: ComparedEntry): Delta[] {
  const { id, values: from } = before;
  const name = String(from.alias);
  return ALIAS_FIELDS.filter((field) => differs(from[field], after.values[field])).map((field) => ({
    of: "alias",
    id,
    name,
    field,
    from: from[field],
    to: after.values[field],
  }));
}

function entryDeltas(
  of: "rule" | "alias",
  before: ReadonlyMap<string, ComparedEntry>,
  after: ReadonlyMap<string, ComparedEntry>,
  order: Order,
): Delta[] {
  const nameOf = ({ id, values }: ComparedEntry): string =>
    of === "rule" ? id : String(values.alias);
  const deltas: Delta[] = [];
  for (const [id, entry] of before) {
    const other = after.get(id);
    if (other === undefined) {
      deltas.push({ of, id, name: nameOf(entry), field: "removed", from: entry.values, to: null });
    } else {
      deltas.push(...(of === "rule" ? ruleDeltas(entry, other, order) : aliasDeltas(entry, other)));
    }
  }
  for (const [id, entry] of after) {
    if (before.has(id)) continue;
    deltas.push({ of, id, name: nameOf(entry), field: "added", from: null, to: entry.values });
  }
  return deltas;
}

/** Fields of a rule besides its `config`. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["active"]);

function changeEntry(
  entry: ComparedEntry | undefined,
  other: ComparedEntry | undefined,
  delta: Delta,
): ComparedEntry | null {
  const { field, to } = delta;
  if (field === "removed") return null;
  if (entry === undefined) return other ?? null;
  if (field === "rank") return { ...entry, place: other!.place };
  if (field === "replaced") {
    const { rank, active } = entry.values;
    return { ...entry, values: { ...other!.values, rank, active }, config: other!.config };
  }
  if (delta.of === "rule" && !OWN_FIELDS.has(field)) {
    return { ...entry, config: { ...entry.config, [field]: to ?? undefined } };
  }
  return { ...entry, values: { ...entry.values, [field]: to } };
}

/**
 * Two versions of a domain. Entries with the same id are the same; a rule's rank counts only through the order it
 * gives.
 */
export class Versions {
  /** All differences that can affect where mail goes. */
  readonly deltas: readonly Delta[];
  readonly #before: DomainParts;
  readonly #after: DomainParts;
  readonly #options: RehearsedDomain["options"];

  constructor(before: RehearsedDomain, after: RehearsedDomain) {
    const order = orderOf(before.domain, after.domain);
    this.#options = after.options;
    const [from, to] = [partsOf(before, order.before), partsOf(after, order.after)];
    [this.#before, this.#after] = [from, to];
    const ofDomain = DOMAIN_FIELDS.filter((field) => differs(from.domain[field], to.domain[field]));
    this.deltas = [
      ...ofDomain.map(
        (field): Delta => ({
          of: "domain",
          id: "",
          name: "",
          field,
          from: from.domain[field],
          to: to.domain[field],
        }),
      ),
      ...entryDeltas("alias", from.aliases, to.aliases, order),
      ...entryDeltas("rule", from.rules, to.rules, order),
    ];
  }

  #entries(kind: "rules" | "aliases", deltas: readonly Delta[]): readonly ComparedEntry[] {
    const changed = new Map(this.#before[kind]);
    for (const delta of deltas) {
      const next = changeEntry(changed.get(delta.id), this.#after[kind].get(delta.id), delta);
      if (next === null) changed.delete(delta.id);
      else changed.set(delta.id, next);
    }
    return [...changed.values()];
  }

  /** The old version with only these differences applied, or `null` if that does not compile. */
  with(deltas: readonly Delta[]): RehearsedDomain | null {
    const of = (kind: Delta["of"]): readonly Delta[] => deltas.filter((delta) => delta.of === kind);
    const fields = of("domain").map(({ field, to }) => [field, to]);
    const rules = [...this.#entries("rules", of("rule"))].sort((a, b) => a.place - b.place);
    const config = {
      ...this.#before.domain,
      ...Object.fromEntries(fields),
      aliases: this.#entries("aliases", of("alias")).map(({ values }) => values),
      rules: rules.map(({ values, config }, rank) => ({ ...values, rank, config })),
    };
    const result = rehearse(config, this.#options);
    return result.ok ? result.rehearsed : null;
  }
}

/** All differences between two versions that can affect where mail goes. */
export function deltasBetween(before: RehearsedDomain, after: RehearsedDomain): readonly Delta[] {
  return new Versions(before, after).deltas;
}
