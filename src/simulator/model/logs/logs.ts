/** The queries of email logs that both API versions need (API v4 §4 Email logs, v3 §4 Email logs). */
import { foldLocalPart } from "../../../engine/facts/address.ts";
import type { Filter, Query } from "../../store/store.ts";
import { getDomain } from "../domains/domains.ts";
import { found } from "../problem.ts";
import { LOGS, type LogRow, type LogStatus } from "../records.ts";
import type { Service } from "../service.ts";
import { exactFilter, type LogFilter, substringFilter } from "./log-filter.ts";
import { oldestLogMs } from "./log-retention.ts";

export type LogOrder = "created_asc" | "created_desc";

/** A log id, and whether the page begins with that entry (v4's `cursor`) or after it (v3's `next_cursor`). */
export interface LogCursor {
  readonly id: string;
  readonly page: "from" | "after";
}

export interface LogPage {
  readonly rows: readonly LogRow[];
  /** The entry that the next page begins with; `null` at the end. */
  readonly nextId: string | null;
}

export interface LogListing {
  readonly filter?: LogFilter;
  readonly order: LogOrder;
  readonly limit: number;
  readonly cursor?: LogCursor | undefined;
  /** Only mail for this local part, in any case: v3's logs of one alias. */
  readonly alias?: string;
}

/** Where to search: a domain of the account, and the age from which its entries are gone. */
interface LogScope {
  readonly domain: string;
  readonly youngerThanMs: number;
}

async function scopeOf(service: Service, domain: string): Promise<LogScope> {
  const { domain: name } = await getDomain(service, domain);
  return { domain: name, youngerThanMs: await oldestLogMs(service) };
}

const orderOf = (order: LogOrder): Query<LogRow>["order"] => ({
  column: "createdMs",
  direction: order === "created_asc" ? "asc" : "desc",
});

async function entryOf(service: Service, scope: LogScope, id: string): Promise<LogRow | undefined> {
  const row = await service.store.table(LOGS).get(id);
  const isThere = row?.domain === scope.domain && row.createdMs > scope.youngerThanMs;
  return isThere ? row : undefined;
}

// ASSUMPTION(log-cursor): a cursor that is not, or no longer, a log entry of the domain is past the last page
export async function listLogs(
  service: Service,
  domain: string,
  { filter = {}, order, limit, cursor, alias }: LogListing,
): Promise<LogPage> {
  const scope = await scopeOf(service, domain);
  const start = cursor === undefined ? undefined : await entryOf(service, scope, cursor.id);
  if (cursor !== undefined && start === undefined) return { rows: [], nextId: null };
  const where: Filter<LogRow>["where"] =
    alias === undefined
      ? { domain: scope.domain }
      : { domain: scope.domain, recipientLocal: foldLocalPart(alias) };
  const skipped = cursor?.page === "after" ? 1 : 0;
  const found = await service.store.table(LOGS).find({
    ...exactFilter(where, filter, scope.youngerThanMs),
    order: orderOf(order),
    ...(start === undefined ? {} : { from: { value: start.createdMs, key: start.id } }),
    limit: limit + 1 + skipped,
  });
  const rows = skipped === 1 && found[0]?.id === start?.id ? found.slice(1) : found;
  return { rows: rows.slice(0, limit), nextId: rows[limit]?.id ?? null };
}

export async function countLogs(
  service: Service,
  domain: string,
  filter: LogFilter,
): Promise<number> {
  const scope = await scopeOf(service, domain);
  const where = { domain: scope.domain };
  return service.store.table(LOGS).count(exactFilter(where, filter, scope.youngerThanMs));
}

/** Throws 404 if it is not in the log of this domain. */
export async function getLog(service: Service, domain: string, id: string): Promise<LogRow> {
  return found(await entryOf(service, await scopeOf(service, domain), id), "log");
}

export interface FoundLogs {
  readonly rows: readonly LogRow[];
  readonly total: number;
  /** `null` when there are no more. */
  readonly nextOffset: number | null;
}

const SEARCHED = ["subject", "senderEmail", "recipientEmail", "forwardEmail"] as const;

/** Typo-tolerant; addresses of the filter are substrings. */
export async function searchLogs(
  service: Service,
  domain: string,
  search: {
    readonly text: string;
    readonly filter: LogFilter;
    readonly order: LogOrder | "relevance";
    readonly limit: number;
    readonly offset: number;
  },
): Promise<FoundLogs> {
  const scope = await scopeOf(service, domain);
  const { text, filter, order, limit, offset } = search;
  const { rows, total } = await service.store.table(LOGS).search({
    ...substringFilter({ domain: scope.domain }, filter, scope.youngerThanMs),
    columns: SEARCHED,
    text,
    ...(order === "relevance" ? {} : { order: orderOf(order) }),
    limit,
    offset,
  });
  const end = offset + rows.length;
  return { rows, total, nextOffset: rows.length > 0 && end < total ? end : null };
}

/** Version 3's `filter=failure`. */
// ASSUMPTION(v3-search-failure): failures are entries with a soft or hard bounce or a bounce, not refused ones
export const FAILURES: readonly LogStatus[] = ["SOFT-BOUNCE", "HARD-BOUNCE", "BOUNCED"];

/** Version 3's search: a substring of any of four fields, within whole seconds that are both inclusive. */
// ASSUMPTION(v3-search-second): `before` takes in all of its second
export async function findLogs(
  service: Service,
  domain: string,
  search: {
    readonly text?: string;
    readonly which: "all" | "failure";
    readonly afterSeconds: number;
    readonly beforeSeconds: number;
    readonly order: LogOrder;
    readonly limit: number;
  },
): Promise<readonly LogRow[]> {
  const scope = await scopeOf(service, domain);
  const { text = "", which, afterSeconds, beforeSeconds, order, limit } = search;
  const filter: LogFilter = {
    afterMs: afterSeconds * 1_000 - 1,
    beforeMs: (beforeSeconds + 1) * 1_000,
    ...(which === "all" ? {} : { statuses: FAILURES }),
  };
  return service.store.table(LOGS).find({
    ...exactFilter({ domain: scope.domain }, filter, scope.youngerThanMs),
    ...(text === "" ? {} : { contains: [{ columns: SEARCHED, text }] }),
    order: orderOf(order),
    limit,
  });
}
