/** Rules of a domain, one at a time (API v4 §4 Rules); batches are in `rule-batches.ts`. */
import { isRecord } from "../../../engine/routing/config/config-fields.ts";
import { type Room, roomFor } from "../account.ts";
import { change } from "../change.ts";
import { getDomain } from "../domains/domains.ts";
import { containing, type Listed, listRows, type Page } from "../list.ts";
import { fieldProblem, found } from "../problem.ts";
import { type DomainRow, RULES, type RuleRow } from "../records.ts";
import type { Service } from "../service.ts";
import { laterThan } from "../updated-at.ts";
import { isFieldOfOtherType, validateRule } from "../validate.ts";

export type RankOrder = "rank_asc" | "rank_desc" | "created_asc" | "created_desc";

export interface RuleFilter {
  /** Substring of the type or of a text of the config. */
  readonly query?: string;
}

export async function listRules(
  service: Service,
  domain: string,
  filter: RuleFilter,
  order: RankOrder,
  page: Page,
): Promise<Listed<RuleRow>> {
  const row = await getDomain(service, domain);
  const [by, direction] = order.split("_") as ["rank" | "created", "asc" | "desc"];
  return listRows(
    service.store.table(RULES),
    {
      where: { domain: row.domain },
      ...containing<RuleRow>(["type", "configText"], filter.query),
    },
    { column: by === "rank" ? "rank" : "createdMs", direction },
    page,
  );
}

const keyOf = (domain: string, id: string): string => `${domain}/${id.toLowerCase()}`;

export async function getRule(service: Service, domain: string, id: string): Promise<RuleRow> {
  const { domain: name } = await getDomain(service, domain);
  return found(await service.store.table(RULES).get(keyOf(name, id)), "rule");
}

/** Values as clients send them. */
export interface RuleInput {
  readonly type?: unknown;
  readonly config?: unknown;
  /** Default: the largest of the domain, plus one. */
  readonly rank?: unknown;
  /** Default: true. */
  readonly active?: unknown;
  /** A UUID; default: a new one. */
  readonly id?: unknown;
}

/** Absent fields (`undefined`) do not change. A rule keeps its id and its type. */
export type RuleChanges = Pick<RuleInput, "config" | "rank" | "active">;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function readId(service: Service, id: unknown): string {
  if (id === undefined) return service.ids.uuid();
  if (typeof id === "string" && UUID.test(id)) return id.toLowerCase();
  const shown = typeof id === "string" ? `\`${id.slice(0, 80)}\`` : "this";
  throw fieldProblem({ id: [`${shown} is not a UUID: give one, or leave \`id\` out`] });
}

/** The next number that a double can hold: at 2^53 and beyond, adding 1 changes nothing. */
function above(rank: number): number {
  if (rank + 1 > rank) return rank + 1;
  const cell = new BigInt64Array([0n]);
  const double = new Float64Array(cell.buffer);
  double[0] = rank;
  cell[0] = cell[0]! + 1n;
  return double[0]!;
}

/** The rank that the engine gives rules without one, from 1. Throws 400 beyond the largest number. */
async function nextRank(service: Service, domain: string): Promise<number> {
  const [last] = await service.store.table(RULES).find({
    where: { domain },
    order: { column: "rank", direction: "desc" },
    limit: 1,
  });
  const rank = above(Math.max(0, last?.rank ?? 0));
  if (Number.isFinite(rank)) return rank;
  throw fieldProblem({ rank: ["no number is larger than the largest rank: give a `rank`"] });
}

/** The texts of a config, one per line. */
function configText(config: RuleRow["config"]): string {
  return Object.values(config).flat().join("\n");
}

/** Call it inside a transaction. */
export async function addRule(
  service: Service,
  { domain }: DomainRow,
  input: RuleInput,
  room: Room,
): Promise<RuleRow> {
  const given = {
    type: input.type,
    config: input.config,
    rank: input.rank,
    active: input.active,
  };
  const { type, config } = validateRule(domain, given, service.ruleTypes);
  const id = readId(service, input.id);
  const table = service.store.table(RULES);
  const key = keyOf(domain, id);
  if ((await table.get(key)) !== undefined) {
    throw fieldProblem({ id: [`\`${id}\` is already the id of a rule: update it instead`] });
  }
  room.take();
  const nowMs = service.clock.nowMs();
  const row: RuleRow = {
    key,
    id,
    domain,
    type,
    config,
    configText: configText(config),
    rank: (input.rank as number | undefined) ?? (await nextRank(service, domain)),
    active: (input.active as boolean | undefined) ?? true,
    createdMs: nowMs,
    updatedMs: nowMs,
  };
  await table.insert(row);
  return row;
}

/** Fields of the config that a change leaves out stay as they are; the checks refuse anything but an object. */
// ASSUMPTION(rule-config-merged): an update changes the fields that its `config` has, and keeps the others
function mergedConfig(kept: RuleRow["config"], changes: unknown): unknown {
  if (changes === undefined) return kept;
  return isRecord(changes) ? { ...kept, ...changes } : changes;
}

/** Throws 400 for fields that only another type of rule has: an update keeps the type. */
function refuseOtherType({ ruleTypes }: Service, type: string, changes: unknown): void {
  if (typeof changes !== "object" || changes === null) return;
  const foreign = Object.keys(changes).filter((name) => isFieldOfOtherType(type, name, ruleTypes));
  if (foreign.length === 0) return;
  const errors = foreign.map((name) => {
    const message = `\`${name}\` is not a field of a rule of type \`${type}\`, and an update keeps the type`;
    return [`config.${name}`, [message]];
  });
  throw fieldProblem(Object.fromEntries(errors));
}

/** Call it inside a transaction. */
export async function changeRule(
  service: Service,
  row: RuleRow,
  changes: RuleChanges,
): Promise<RuleRow> {
  const given = {
    type: row.type,
    config: mergedConfig(row.config, changes.config),
    rank: changes.rank === undefined ? row.rank : changes.rank,
    active: changes.active === undefined ? row.active : changes.active,
  };
  refuseOtherType(service, row.type, changes.config);
  const { config } = validateRule(row.domain, given, service.ruleTypes);
  const changed: RuleRow = {
    ...row,
    config,
    configText: configText(config),
    rank: given.rank as number,
    active: given.active as boolean,
    updatedMs: laterThan(row.updatedMs, service),
  };
  await service.store.table(RULES).replace(changed);
  return changed;
}

export function createRule(service: Service, domain: string, input: RuleInput): Promise<RuleRow> {
  return change(service, domain, "rules", async () => {
    const row = await getDomain(service, domain);
    return addRule(service, row, input, await roomFor(service, "rules"));
  });
}

export function updateRule(
  service: Service,
  domain: string,
  id: string,
  changes: RuleChanges,
): Promise<RuleRow> {
  return change(service, domain, "rules", async () =>
    changeRule(service, await getRule(service, domain, id), changes),
  );
}

export function deleteRule(service: Service, domain: string, id: string): Promise<void> {
  return change(service, domain, "rules", async () => {
    const { key } = await getRule(service, domain, id);
    await service.store.table(RULES).delete(key);
  });
}

/** Deletes all rules, and returns how many there were. */
export function deleteAllRules(service: Service, domain: string): Promise<number> {
  return change(service, domain, "rules", async () => {
    const row = await getDomain(service, domain);
    return service.store.table(RULES).deleteWhere({ domain: row.domain });
  });
}
