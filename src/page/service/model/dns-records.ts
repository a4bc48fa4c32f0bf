/** The DNS records of a domain as lines to set: name, type, value, and what is in DNS now. */
import type { DnsRecords, RecordCheck } from "../../../simulator/model/domains/verify.ts";

export type { DnsRecords };

export interface RecordLine {
  readonly type: "MX" | "TXT" | "CNAME";
  readonly name: string;
  readonly value: string;
  /** `other`: DNS has another value. */
  readonly state: "found" | "other" | "missing";
  /** What is in DNS. */
  readonly actual: string;
}

function stateOf(check: Pick<RecordCheck<unknown>, "valid" | "values">): RecordLine["state"] {
  return check.valid ? "found" : check.values === null ? "missing" : "other";
}

/**
 * MX hosts in their order of preference get 10, 20, …. A DKIM record's name begins with the selector that its target begins
 * with.
 */
export function recordLines(domain: string, records: DnsRecords): readonly RecordLine[] {
  const { mx, spf, dkim1, dkim2, dmarc } = records;
  const found = new Set((mx.values ?? []).map((host) => host.toLowerCase().replace(/\.$/, "")));
  const hosts = mx.expected.map((host, index): RecordLine => {
    const isFound = found.has(host.toLowerCase());
    const state = isFound ? "found" : mx.values === null ? "missing" : "other";
    const actual = isFound ? "" : (mx.values ?? []).join(", ");
    return { type: "MX", name: domain, value: `${(index + 1) * 10} ${host}`, state, actual };
  });
  const line = (
    type: RecordLine["type"],
    name: string,
    check: RecordCheck<string>,
  ): RecordLine => ({
    type,
    name,
    value: check.expected,
    state: stateOf(check),
    actual: check.valid ? "" : (check.values ?? ""),
  });
  const dkim = (check: RecordCheck<string>): RecordLine =>
    line("CNAME", `${check.expected.split(".", 1)[0]}._domainkey.${domain}`, check);
  return [
    ...hosts,
    line("TXT", domain, spf),
    dkim(dkim1),
    dkim(dkim2),
    line("TXT", `_dmarc.${domain}`, dmarc),
  ];
}
