/** The simulated DNS: every domain of the account has its expected records, unless others are set. */
import { canonicalDomain } from "../../../engine/facts/address.ts";
import type { Store } from "../../store/store.ts";
import { DOMAINS } from "../records.ts";
import type { Dns, ServiceSettings } from "../service.ts";
import { expectedRecords } from "./dns-records.ts";

export const RECORD_TYPES = ["MX", "TXT", "CNAME"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** The answer for a name in place of the default; without values, there is no such record. */
export interface ZoneEntry {
  readonly type: RecordType;
  readonly name: string;
  readonly values: readonly string[];
}

export interface DnsZone extends Dns {
  /** Replaces the default and any earlier entry. */
  set(entry: ZoneEntry): void;
  /** Goes back to the default; returns whether there was an entry. */
  unset(type: RecordType, name: string): boolean;
  /** In the order they were first set. */
  entries(): readonly ZoneEntry[];
  /** Replaces all entries. */
  restore(entries: readonly ZoneEntry[]): void;
}

/** `example.com` of `_dmarc.example.com` and `dkim1._domainkey.example.com`. */
function ownerOf(name: string): string {
  return name.replace(/^_dmarc\.|^[^.]+\._domainkey\./, "");
}

export function createDnsZone(store: Store, settings: ServiceSettings): DnsZone {
  const kept = new Map<string, ZoneEntry>();
  const canonical = (name: string): string => canonicalDomain(name.replace(/\.$/, ""));
  const keyOf = (type: RecordType, name: string): string => `${type} ${canonical(name)}`;

  async function defaults(type: RecordType, name: string): Promise<readonly string[]> {
    const row = await store.table(DOMAINS).get(ownerOf(name));
    if (row === undefined) return [];
    const { mx, spf, dkim1, dkim2, dmarc } = expectedRecords(row, settings);
    if (type === "MX") return name === row.domain ? mx : [];
    const records = type === "TXT" ? [spf, dmarc] : [dkim1, dkim2];
    return records.filter((record) => record.name === name).map(({ value }) => value);
  }

  async function answer(type: RecordType, name: string): Promise<readonly string[]> {
    return kept.get(keyOf(type, name))?.values ?? defaults(type, canonical(name));
  }

  function set(entry: ZoneEntry): void {
    const { type, name, values } = entry;
    kept.set(keyOf(type, name), { type, name: canonical(name), values: [...values] });
  }

  return {
    mx: (name) => answer("MX", name),
    txt: (name) => answer("TXT", name),
    cname: (name) => answer("CNAME", name),
    set,
    unset: (type, name) => kept.delete(keyOf(type, name)),
    entries: () => [...kept.values()],
    restore(entries) {
      kept.clear();
      for (const entry of entries) set(entry);
    },
  };
}
