/** Aliases of a domain, one at a time (API v4 §4 Aliases); batches are in `alias-batches.ts`. */
import { LIMITS } from "../../../base/limits.ts";
import { canonicalAlias } from "../../../engine/routing/rules/alias-rule.ts";
import { type Room, roomFor } from "../account.ts";
import { change } from "../change.ts";
import { getDomain, type NameOrder } from "../domains/domains.ts";
import { containing, type Listed, listRows, type Page } from "../list.ts";
import { fieldProblem, found } from "../problem.ts";
import { ALIASES, type AliasRow, type DomainRow } from "../records.ts";
import type { Service } from "../service.ts";
import { laterThan } from "../updated-at.ts";
import { validateAlias } from "../validate.ts";

export interface AliasFilter {
  /** Substring of alias or destinations. */
  readonly query?: string;
  /** Only aliases that begin like this (API v3). */
  readonly prefix?: string;
}

function ordered(order: NameOrder): {
  column: "name" | "createdMs";
  direction: "asc" | "desc";
} {
  const [by, direction] = order.split("_") as ["name" | "created", "asc" | "desc"];
  return { column: by === "name" ? "name" : "createdMs", direction };
}

export async function listAliases(
  service: Service,
  domain: string,
  filter: AliasFilter,
  order: NameOrder,
  page: Page,
): Promise<Listed<AliasRow>> {
  const row = await getDomain(service, domain);
  const table = service.store.table(ALIASES);
  const wanted = {
    where: { domain: row.domain },
    ...containing<AliasRow>(["alias", "forward"], filter.query),
  };
  if (filter.prefix === undefined || filter.prefix === "") {
    return listRows(table, wanted, ordered(order), page);
  }
  const prefix = canonicalAlias(filter.prefix);
  // The store searches only substrings, of aliases as they were sent; few enough rows contain the prefix to test each of them.
  const text = /^[\0-\x7f]*/.exec(prefix)![0];
  const contains = [...(wanted.contains ?? []), { columns: ["alias"] as const, text }];
  const limit = LIMITS.aliasesMax;
  const held = await table.find({ ...wanted, contains, order: ordered(order), limit });
  const rows = held.filter(({ name }) => name.startsWith(prefix));
  return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length };
}

async function findNamed(
  service: Service,
  domain: string,
  name: string,
): Promise<AliasRow | undefined> {
  const [row] = await service.store.table(ALIASES).find({
    where: { domain, name: canonicalAlias(name) },
    order: { column: "id", direction: "asc" },
    limit: 1,
  });
  return row;
}

async function findById(
  service: Service,
  domain: string,
  id: string,
): Promise<AliasRow | undefined> {
  const row = await service.store.table(ALIASES).get(id);
  return row?.domain === domain ? row : undefined;
}

export async function getAlias(service: Service, domain: string, id: string): Promise<AliasRow> {
  const { domain: name } = await getDomain(service, domain);
  return found(await findById(service, name, id), "alias");
}

export async function getAliasNamed(
  service: Service,
  domain: string,
  alias: string,
): Promise<AliasRow> {
  const { domain: name } = await getDomain(service, domain);
  return found(await findNamed(service, name, alias), "alias");
}

/** API v3's `:alias`, the name or the id. */
// ASSUMPTION(alias-name-or-id): if the name of an alias is the id of another one, the name counts
export async function getAliasByNameOrId(
  service: Service,
  domain: string,
  nameOrId: string,
): Promise<AliasRow> {
  const { domain: name } = await getDomain(service, domain);
  return found(
    (await findNamed(service, name, nameOrId)) ?? (await findById(service, name, nameOrId)),
    "alias",
  );
}

/** Values as clients send them. */
export interface AliasInput {
  readonly alias?: unknown;
  readonly forward?: unknown;
}

/** Ids have one length, so that aliases of the same millisecond sort in the order of creation. */
const ALIAS_ID_BASE = 10_000_000;

/** Call it inside a transaction. */
export async function addAlias(
  service: Service,
  { domain }: DomainRow,
  input: AliasInput,
  room: Room,
): Promise<AliasRow> {
  const entry = { alias: input.alias, forward: input.forward };
  const { alias, name, forward } = validateAlias(domain, entry);
  if ((await findNamed(service, domain, alias)) !== undefined) {
    const message = `\`${alias}\` is already an alias of \`${domain}\`: update it instead`;
    throw fieldProblem({ alias: [message] });
  }
  room.take();
  const nowMs = service.clock.nowMs();
  const id = String(ALIAS_ID_BASE + service.ids.next("alias"));
  const row = { id, domain, alias, name, forward, createdMs: nowMs, updatedMs: nowMs };
  await service.store.table(ALIASES).insert(row);
  return row;
}

/** Call it inside a transaction. */
export async function changeAlias(
  service: Service,
  row: AliasRow,
  input: Pick<AliasInput, "forward">,
): Promise<AliasRow> {
  const { forward } = validateAlias(row.domain, { alias: row.alias, forward: input.forward });
  const changed = { ...row, forward, updatedMs: laterThan(row.updatedMs, service) };
  await service.store.table(ALIASES).replace(changed);
  return changed;
}

export function createAlias(
  service: Service,
  domain: string,
  input: AliasInput,
): Promise<AliasRow> {
  return change(service, domain, "aliases", async () => {
    const row = await getDomain(service, domain);
    return addAlias(service, row, input, await roomFor(service, "aliases"));
  });
}

/** Replaces the destinations; an alias keeps its name. */
export function updateAlias(
  service: Service,
  domain: string,
  id: string,
  input: Pick<AliasInput, "forward">,
): Promise<AliasRow> {
  return change(service, domain, "aliases", async () =>
    changeAlias(service, await getAlias(service, domain, id), input),
  );
}

export function deleteAlias(service: Service, domain: string, id: string): Promise<void> {
  return change(service, domain, "aliases", async () => {
    await getAlias(service, domain, id);
    await service.store.table(ALIASES).delete(id);
  });
}

/** Deletes all aliases, and returns how many there were. */
export function deleteAllAliases(service: Service, domain: string): Promise<number> {
  return change(service, domain, "aliases", async () => {
    const row = await getDomain(service, domain);
    return service.store.table(ALIASES).deleteWhere({ domain: row.domain });
  });
}
