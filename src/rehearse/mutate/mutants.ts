/** Small changes of a rule set, one at a time, like slips of its author. */
import { aliasEntries, type RehearsedDomain, rehearse, ruleEntries } from "../rehearsed-domain.ts";
import { toolsOfType } from "../rules/tools-table.ts";
import { aliasSlips, type Slip } from "./slips.ts";

/** One change of one rule or alias. */
export interface Mutation {
  readonly of: "rule" | "alias";
  readonly id: string;
  readonly kind: Slip["kind"] | "rank" | "off";
  /** What was changed, in a few words: `` `&&` became `||` ``. */
  readonly change: string;
}

export interface Mutant extends Mutation {
  readonly rehearsed: RehearsedDomain;
}

type JsonRecord = RehearsedDomain["config"];

function* ruleMutants(rehearsed: RehearsedDomain): Generator<Mutant> {
  const entries = ruleEntries(rehearsed);
  const active = rehearsed.domain.rules.filter((rule) => rule.active);
  const ranks = new Map(rehearsed.domain.rules.map(({ id, rank }) => [id, rank]));
  const build = (
    mutation: Mutation,
    change: (id: string, values: JsonRecord) => JsonRecord,
  ): Mutant[] => {
    const rules = entries.map(({ id, values }) =>
      change(id, { ...values, id, rank: ranks.get(id) }),
    );
    const result = rehearse({ ...rehearsed.config, rules }, rehearsed.options);
    return result.ok ? [{ ...mutation, rehearsed: result.rehearsed }] : [];
  };
  for (const [place, { id, rank }] of active.entries()) {
    const mutation = { of: "rule", id } as const;
    const { values, config } = entries.find((entry) => entry.id === id)!;
    yield* build({ ...mutation, kind: "off", change: "it was switched off" }, (each, own) =>
      each === id ? { ...own, active: false } : own,
    );
    const next = active[place + 1];
    if (next !== undefined && next.rank !== rank) {
      const swapped = new Map([
        [id, next.rank],
        [next.id, rank],
      ]);
      const change = `it changed ranks with \`${next.id}\``;
      yield* build({ ...mutation, kind: "rank", change }, (each, own) => ({
        ...own,
        rank: swapped.get(each) ?? own.rank,
      }));
    }
    for (const slip of toolsOfType(values.type).slips(config)) {
      const { kind, change } = slip;
      yield* build({ ...mutation, kind, change }, (each, own) =>
        each === id ? { ...own, config: slip.config } : own,
      );
    }
  }
}

function* aliasMutants(rehearsed: RehearsedDomain): Generator<Mutant> {
  const entries = aliasEntries(rehearsed).map(({ id, values }) => ({ ...values, id }));
  const build = (mutation: Mutation, aliases: readonly JsonRecord[]): Mutant[] => {
    const result = rehearse({ ...rehearsed.config, aliases }, rehearsed.options);
    return result.ok ? [{ ...mutation, rehearsed: result.rehearsed }] : [];
  };
  for (const entry of entries) {
    const mutation = { of: "alias", id: entry.id } as const;
    const off = entries.filter((each) => each !== entry);
    yield* build({ ...mutation, kind: "off", change: "it was removed" }, off);
    for (const { kind, change, config } of aliasSlips(entry)) {
      const changed = entries.map((each) => (each === entry ? config : each));
      yield* build({ ...mutation, kind, change }, changed);
    }
  }
}

/** Every small change that compiles, in the order of trial. */
export function mutantsOf(rehearsed: RehearsedDomain): Generator<Mutant> {
  return rehearsed.domain.engine === "alias" ? aliasMutants(rehearsed) : ruleMutants(rehearsed);
}
