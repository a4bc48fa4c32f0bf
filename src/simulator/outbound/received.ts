/** Keeps what arrived outside, so that people can look at it. */
import { canonicalDestination } from "../../engine/facts/address.ts";
import { headerFactsOf } from "../../message/index.ts";
import { keepNewestMessages } from "../model/kept.ts";
import { RECEIVED, RECEIVED_CONTENTS, type ReceivedRow } from "../model/records.ts";
import type { Parcel } from "../model/service.ts";
import { type ShownHeader, shownHeader } from "../model/shown-header.ts";
import { bytesOf, type HeldContent } from "../store/held-content.ts";
import type { Outside } from "./outside.ts";

/** Most rows of one log entry to look through: one for each attempt or event. */
const ROWS_OF_ENTRY_MAX = 100;

function shownOf(parcel: Parcel): ShownHeader {
  if (parcel.kind === "event") return { subject: "", fromText: "", toText: "" };
  return parcel.shown ?? shownHeader(headerFactsOf(parcel.message));
}

/** Keeps what a destination received, once for each attempt, and notifies watchers. `content` is what was handed over. */
export async function keepReceived(
  outside: Outside,
  parcel: Parcel,
  content: HeldContent,
): Promise<void> {
  const { logId, attempt, domain, envelopeSender, kind } = parcel;
  const destination = canonicalDestination(parcel.destination);
  const shown = shownOf(parcel);
  const bytes = bytesOf(content);
  const row = await outside.store.transactionOn(async (store) => {
    const table = store.table(RECEIVED);
    const order = { column: "id", direction: "asc" } as const;
    const before = await table.find({ where: { logId }, order, limit: ROWS_OF_ENTRY_MAX });
    if (before.some((each) => each.attempt === attempt)) return undefined;
    const receivedMs = outside.clock.nowMs();
    const arrived: ReceivedRow = {
      id: outside.ids.logId(receivedMs),
      logId,
      attempt,
      destination,
      receivedMs,
      envelopeSender,
      ...shown,
      kind,
      domain,
      bytes,
      read: false,
      tags: [],
    };
    const writtenDestination = parcel.destination;
    const isCanonical = writtenDestination === destination;
    const kept = isCanonical ? arrived : { ...arrived, writtenDestination };
    await table.insert(kept);
    await store.table(RECEIVED_CONTENTS).insert({ id: kept.id, ...content });
    await keepNewestMessages({ ...outside, store }, bytes);
    return kept;
  });
  if (row === undefined) return;
  outside.notify({ kind: "received", atMs: row.receivedMs, domain, id: row.id });
}
