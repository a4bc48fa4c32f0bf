/** Verifies a domain's DNS records, and stores whether it may forward and send (API v4 §2, §4 verify). */
import { canonicalDomain } from "../../../engine/facts/address.ts";
import { change } from "../change.ts";
import { CREDENTIALS, DOMAINS, type DomainRow } from "../records.ts";
import type { Service } from "../service.ts";
import { laterThan } from "../updated-at.ts";
import { expectedRecords } from "./dns-records.ts";
import { getDomain } from "./domains.ts";

export interface RecordCheck<Value> {
  readonly expected: Value;
  readonly valid: boolean;
  /** The value in DNS; null if there is none. */
  readonly values: Value | null;
}

/** In the API's own shape. */
export interface DnsRecords {
  readonly provider: string;
  readonly advanced: boolean;
  readonly dkim1: RecordCheck<string>;
  readonly dkim2: RecordCheck<string>;
  readonly dmarc: RecordCheck<string>;
  readonly mx: RecordCheck<readonly string[]>;
  readonly spf: RecordCheck<string>;
  /** What is wrong with MX. */
  readonly error: string | null;
  readonly valid: boolean;
}

type Lookup = readonly string[] | "unanswered";

/** A failing name server is neither an empty answer nor a defect. */
async function ask(lookup: Promise<readonly string[]>): Promise<Lookup> {
  return lookup.catch(() => "unanswered" as const);
}

const hostName = (text: string): string => canonicalDomain(text.trim().replace(/\.$/, ""));

// ASSUMPTION(mx-valid): MX is right when every expected host is named, and, with `strict_mxes`, no other
function mxError(row: DomainRow, expected: readonly string[], found: Lookup): string | null {
  const { domain } = row;
  if (found === "unanswered") return `the DNS did not answer for MX of \`${domain}\`: try again`;
  const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
  if (found.length === 0) return `\`${domain}\` has no MX record: add ${list(expected)}`;
  const named = found.map(hostName);
  const missing = expected.filter((host) => !named.includes(hostName(host)));
  if (missing.length > 0) return `MX of \`${domain}\` lacks ${list(missing)}: add it`;
  const others = named.filter((host) => !expected.some((own) => hostName(own) === host));
  if (!row.strictMxes || others.length === 0) return null;
  return `MX of \`${domain}\` names other hosts: remove ${list(others)}`;
}

/** The records of one kind among the TXT records of a name; more than one counts as none (RFC 7208 §4.5). */
function checkText(
  expected: string,
  found: Lookup,
  kind: RegExp,
  fits: (text: string) => boolean,
): RecordCheck<string> {
  const texts = found === "unanswered" ? [] : found.filter((text) => kind.test(text));
  const [only, ...more] = texts;
  if (only === undefined) return { expected, valid: false, values: null };
  return { expected, valid: more.length === 0 && fits(only), values: texts.join(", ") };
}

// ASSUMPTION(spf-valid): SPF is right when there is one record and it includes the service's, whatever else it says
function checkSpf(expected: string, found: Lookup): RecordCheck<string> {
  const include = expected.split(" ")[1]!;
  return checkText(expected, found, /^v=spf1(?: |$)/i, (text) =>
    text.toLowerCase().split(/ +/).includes(include),
  );
}

// ASSUMPTION(dmarc-valid): DMARC is right when there is one record, whatever its policy
function checkDmarc(expected: string, found: Lookup): RecordCheck<string> {
  return checkText(expected, found, /^v=DMARC1\s*(?:;|$)/i, () => true);
}

function checkCname(expected: string, found: Lookup): RecordCheck<string> {
  const [only] = found === "unanswered" ? [] : found;
  const valid = only !== undefined && hostName(only) === hostName(expected);
  return { expected, valid, values: only ?? null };
}

async function checkRecords(service: Service, row: DomainRow): Promise<DnsRecords> {
  const { dns } = service;
  const expected = expectedRecords(row, service.settings);
  const [mx, spf, dkim1, dkim2, dmarc] = await Promise.all([
    ask(dns.mx(row.domain)),
    ask(dns.txt(expected.spf.name)),
    ask(dns.cname(expected.dkim1.name)),
    ask(dns.cname(expected.dkim2.name)),
    ask(dns.txt(expected.dmarc.name)),
  ]);
  const credentials = await service.store
    .table(CREDENTIALS)
    .count({ where: { domain: row.domain } });
  const error = mxError(row, expected.mx, mx);
  const values = mx === "unanswered" || mx.length === 0 ? null : mx;
  return {
    // ASSUMPTION(records-provider): the DNS provider is always called `other`; `advanced` says that the domain has SMTP credentials
    provider: "other",
    advanced: credentials > 0,
    dkim1: checkCname(expected.dkim1.value, dkim1),
    dkim2: checkCname(expected.dkim2.value, dkim2),
    dmarc: checkDmarc(expected.dmarc.value, dmarc),
    mx: { expected: expected.mx, valid: error === null, values },
    spf: checkSpf(expected.spf.value, spf),
    error,
    // ASSUMPTION(records-valid): `valid` is, like `error`, about MX only
    valid: error === null,
  };
}

export interface Verification {
  readonly row: DomainRow;
  readonly records: DnsRecords;
}

/** Queries DNS and stores the outcome in `forwardingReady` and `sendReady`; `stamp` gives the time of the change. */
// ASSUMPTION(send-ready): a domain may send when both DKIM records and DMARC are right
export async function verifyDomain(
  service: Service,
  domain: string,
  stamp: typeof laterThan = laterThan,
): Promise<Verification> {
  const asked = await getDomain(service, domain);
  const records = await checkRecords(service, asked);
  const { mx, dkim1, dkim2, dmarc } = records;
  const ready = {
    forwardingReady: mx.valid,
    sendReady: dkim1.valid && dkim2.valid && dmarc.valid,
  };
  return change(service, asked.domain, "domain", async () => {
    const row = await getDomain(service, domain);
    if (row.forwardingReady === ready.forwardingReady && row.sendReady === ready.sendReady) {
      return { row, records };
    }
    const changed = { ...row, ...ready, updatedMs: stamp(row.updatedMs, service) };
    await service.store.table(DOMAINS).replace(changed);
    return { row: changed, records };
  });
}
