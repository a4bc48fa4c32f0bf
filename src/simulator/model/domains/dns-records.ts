/** The DNS records that a domain should have (API v4 §2 DNS verification result). */
import type { DomainRow } from "../records.ts";
import type { ServiceSettings } from "../service.ts";

export interface TextRecord {
  readonly name: string;
  readonly value: string;
}

export interface ExpectedRecords {
  /** Hosts that the domain's MX records name. */
  readonly mx: readonly string[];
  /** TXT. */
  readonly spf: TextRecord;
  /** CNAME. */
  readonly dkim1: TextRecord;
  readonly dkim2: TextRecord;
  /** TXT. */
  readonly dmarc: TextRecord;
}

/** The host's own label below another parent. */
function hostBelow(host: string, parent: string): string {
  return `${host.split(".", 1)[0]}.${parent}`;
}

// ASSUMPTION(expected-records): names are below the whitelabel; without one they are those of the service's settings, by default below the parent domain of the first MX host
export function expectedRecords(
  { domain, whitelabel, dkimSelector }: DomainRow,
  { mxHosts, dkimHost, spfHost }: ServiceSettings,
): ExpectedRecords {
  const own = (mxHosts[0] ?? "").replace(/^[^.]*\./, "");
  const dkimParent = whitelabel ?? dkimHost ?? own;
  const spf = whitelabel === null ? (spfHost ?? `spf.${own}`) : `spf.${whitelabel}`;
  const dkim = (number: 1 | 2): TextRecord => ({
    name: `${dkimSelector}${number}._domainkey.${domain}`,
    value: `${dkimSelector}${number}.${dkimParent}`,
  });
  return {
    mx: whitelabel === null ? mxHosts : mxHosts.map((host) => hostBelow(host, whitelabel)),
    spf: { name: domain, value: `v=spf1 include:${spf} ~all` },
    dkim1: dkim(1),
    dkim2: dkim(2),
    dmarc: { name: `_dmarc.${domain}`, value: "v=DMARC1; p=none;" },
  };
}
