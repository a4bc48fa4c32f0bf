/** What became of every message, read from the store itself once nobody serves it any more. */
import { LOGS, type LogRow, RECEIVED } from "../../src/simulator/model/records.ts";
import { openSqlStore, type StorePlace } from "../../src/simulator/store/sql/open-sql-store.ts";
import type { Row, Table } from "../../src/simulator/store/store.ts";

export interface Verdict {
  readonly acknowledged: number;
  /** Acknowledged, and not in the log. */
  readonly lost: number;
  /** Accepted messages without a final event. */
  readonly unfinished: number;
  /** The events of the first few of them, one text each. */
  readonly unfinishedExamples: readonly string[];
  /** Handed over more than once for one attempt, or without an attempt in the log that says so. */
  readonly unexplained: number;
  /** Attempts that were cut off, and made again. */
  readonly interrupted: number;
  /** From the acceptance of such a message until its attempt was found cut off: the longest, in milliseconds. */
  readonly takenOverMs: number;
  /** Log entries for messages that were not acknowledged: their clients try again. */
  readonly unacknowledged: number;
}

const FINAL = new Set(["DELIVERED", "HARD-BOUNCE", "BOUNCED", "REFUSED"]);
const ROWS_AT_ONCE = 1_000;
const EXAMPLES_MAX = 5;

async function* allRows<R extends Row & { readonly id: string }>(
  table: Table<R>,
): AsyncGenerator<R> {
  let after = "";
  for (;;) {
    const order = { column: "id", direction: "asc" } as const;
    const from = { value: after, key: after };
    const page = await table.find({ where: {}, order, from, limit: ROWS_AT_ONCE } as never);
    for (const row of page) if (row.id !== after) yield row;
    if (page.length < ROWS_AT_ONCE) return;
    after = page.at(-1)!.id;
  }
}

/** How many attempts the log speaks of: every event after the first, which says that it was queued. */
const attemptsOf = (log: LogRow): number =>
  log.events.filter(({ status }) => status !== "QUEUED").length;

const eventsOf = (log: LogRow): string =>
  log.events
    .map(
      ({ status, code, message, createdMs }) =>
        `${createdMs - log.createdMs} ms ${status} ${code} ${message}`,
    )
    .join("; ");

export async function judge(
  place: StorePlace,
  acknowledged: ReadonlySet<string>,
): Promise<Verdict> {
  const { store } = await openSqlStore(place);
  try {
    const handed = new Map<string, number[]>();
    for await (const { logId, attempt } of allRows(store.table(RECEIVED))) {
      handed.set(logId, [...(handed.get(logId) ?? []), attempt]);
    }
    const found = new Set<string>();
    const unfinishedExamples: string[] = [];
    let takenOverMs = 0;
    let [unfinished, unexplained, interrupted, unacknowledged] = [0, 0, 0, 0];
    for await (const log of allRows(store.table(LOGS))) {
      found.add(log.subject);
      if (!acknowledged.has(log.subject)) unacknowledged++;
      if (!log.statuses.some((status) => FINAL.has(status))) {
        unfinished++;
        if (unfinishedExamples.length < EXAMPLES_MAX) unfinishedExamples.push(eventsOf(log));
      }
      for (const { message, createdMs } of log.events) {
        if (!message.includes("interrupted")) continue;
        interrupted++;
        takenOverMs = Math.max(takenOverMs, createdMs - log.createdMs);
      }
      const attempts = handed.get(log.id) ?? [];
      const isTwice = new Set(attempts).size < attempts.length;
      if (isTwice || attempts.some((attempt) => attempt > attemptsOf(log))) unexplained++;
    }
    const lost = [...acknowledged].filter((subject) => !found.has(subject)).length;
    return {
      acknowledged: acknowledged.size,
      lost,
      unfinished,
      unfinishedExamples,
      unexplained,
      interrupted,
      takenOverMs,
      unacknowledged,
    };
  } finally {
    await store.close();
  }
}
