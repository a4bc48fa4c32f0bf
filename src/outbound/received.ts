/** What arrived outside is kept, so that it can be looked at. */
import { headerFacts } from "../message/index.ts";
import { RECEIVED, type ReceivedRow } from "../service/records.ts";
import type { Parcel } from "../service/service.ts";
import type { Outside } from "./outside.ts";

/** Rows of one log entry that are looked through: an attempt each, or an event each. */
const ROWS_OF_ENTRY_MAX = 100;

/** Keeps what a destination took, once for each attempt, and tells watchers. `body` is what was handed over. */
export async function keepReceived(
  outside: Outside,
  parcel: Parcel,
  body: Uint8Array,
): Promise<void> {
  const { logId, attempt, destination, domain, envelopeSender, kind } = parcel;
  const { subject } = kind === "event" ? { subject: "" } : await headerFacts(parcel.message);
  const table = outside.store.table(RECEIVED);
  const row = await outside.store.transaction(async (): Promise<ReceivedRow | undefined> => {
    const order = { column: "id", direction: "asc" } as const;
    const before = await table.find({ where: { logId }, order, limit: ROWS_OF_ENTRY_MAX });
    if (before.some((each) => each.attempt === attempt)) return undefined;
    const receivedMs = outside.clock.nowMs();
    const id = outside.ids.logId(receivedMs);
    const base64 = Buffer.from(body).toString("base64");
    const kept = { id, logId, attempt, destination, receivedMs, envelopeSender, subject, base64 };
    await table.insert(kept);
    return kept;
  });
  if (row === undefined) return;
  outside.notify({ kind: "received", atMs: row.receivedMs, domain, id: row.id });
}
