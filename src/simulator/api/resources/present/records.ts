/** The outcome of verifying a domain's DNS records, the same in both versions (API v4 §2). */
import { z } from "zod";
import type { DnsRecords, RecordCheck } from "../../../model/domains/verify.ts";
import { field, type Presenter, presenter } from "../../presenter.ts";

const TEXT: Presenter<RecordCheck<string>> = presenter("TextRecord", {
  expected: field(z.string(), (check) => check.expected),
  valid: field(z.boolean(), (check) => check.valid),
  values: field(z.string().nullable(), (check) => check.values),
});

const HOSTS: Presenter<RecordCheck<readonly string[]>> = presenter("MxRecords", {
  expected: field(z.array(z.string()).readonly(), (check) => check.expected),
  valid: field(z.boolean(), (check) => check.valid),
  values: field(z.array(z.string()).readonly().nullable(), (check) => check.values),
});

export const RECORDS: Presenter<DnsRecords> = presenter("DnsRecords", {
  provider: field(z.string(), (records) => records.provider),
  advanced: field(z.boolean(), (records) => records.advanced),
  dkim1: field(TEXT.schema, ({ dkim1 }) => TEXT.present(dkim1)),
  dkim2: field(TEXT.schema, ({ dkim2 }) => TEXT.present(dkim2)),
  dmarc: field(TEXT.schema, ({ dmarc }) => TEXT.present(dmarc)),
  mx: field(HOSTS.schema, ({ mx }) => HOSTS.present(mx)),
  spf: field(TEXT.schema, ({ spf }) => TEXT.present(spf)),
  error: field(z.string().nullable(), (records) => records.error),
  valid: field(z.boolean(), (records) => records.valid),
});
