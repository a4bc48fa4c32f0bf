/** The filters of email logs in both API versions; an entry must match all given ones (API v4 §4 Email logs, v3 §4). */
import { canonicalAddress } from "../../../engine/facts/address.ts";
import type { Filter } from "../../store/store.ts";
import type { LogRow, LogStatus, Transport } from "../records.ts";

export interface LogFilter {
  /** Whole addresses in any spelling: letter case, needless quotes, U-labels or A-labels. */
  readonly sender?: string;
  readonly recipient?: string;
  readonly forward?: string;
  /** Entries with an event of any of these. */
  readonly statuses?: readonly LogStatus[];
  readonly transport?: Transport;
  /** Milliseconds, exclusive. */
  readonly afterMs?: number;
  readonly beforeMs?: number;
}

const ADDRESSES = {
  sender: "senderEmail",
  recipient: "recipientEmail",
  forward: "forwardEmail",
} as const;

type AddressName = keyof typeof ADDRESSES;
const ADDRESS_NAMES = Object.keys(ADDRESSES) as AddressName[];

type RowFilter = Omit<Filter<LogRow>, "where" | "anyOf" | "contains">;

/** All but the addresses; entries are younger than `youngerThanMs`. */
function commonFilter(filter: LogFilter, youngerThanMs: number): RowFilter {
  const { statuses, afterMs, beforeMs } = filter;
  const above = Math.max(youngerThanMs, afterMs ?? Number.MIN_SAFE_INTEGER);
  return {
    range: {
      column: "createdMs",
      above,
      ...(beforeMs === undefined ? {} : { below: beforeMs }),
    },
    ...(statuses === undefined ? {} : { overlaps: { column: "statuses", values: statuses } }),
  };
}

function transportOf({ transport }: LogFilter): { readonly transport?: readonly Transport[] } {
  return transport === undefined ? {} : { transport: [transport] };
}

/** Addresses are compared whole. */
export function exactFilter(
  where: Partial<LogRow>,
  filter: LogFilter,
  youngerThanMs: number,
): Filter<LogRow> {
  const anyOf: Record<string, readonly unknown[]> = { ...transportOf(filter) };
  for (const name of ADDRESS_NAMES) {
    const address = filter[name];
    if (address !== undefined) anyOf[ADDRESSES[name]] = [canonicalAddress(address)];
  }
  return { where, anyOf, ...commonFilter(filter, youngerThanMs) };
}

/** Addresses are searched as substrings. */
export function substringFilter(
  where: Partial<LogRow>,
  filter: LogFilter,
  youngerThanMs: number,
): Filter<LogRow> {
  const contains = ADDRESS_NAMES.flatMap((name) => {
    const text = filter[name];
    return text === undefined || text === "" ? [] : [{ columns: [ADDRESSES[name]], text }];
  });
  return { where, anyOf: transportOf(filter), contains, ...commonFilter(filter, youngerThanMs) };
}
