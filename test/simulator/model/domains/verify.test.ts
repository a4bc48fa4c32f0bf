import { describe, expect, test } from "vitest";
import { createDomain } from "../../../../src/simulator/model/domains/create-domain.ts";
import { getDomain, updateDomain } from "../../../../src/simulator/model/domains/domains.ts";
import { verifyDomain } from "../../../../src/simulator/model/domains/verify.ts";
import { createCredential } from "../../../../src/simulator/model/sending/credentials.ts";
import type { Service } from "../../../../src/simulator/model/service.ts";
import { type Fixture, fixtureOf, problemOf, START_MS } from "../fixture.ts";

const DOMAIN = "example.com";
const MX = ["mx1.mailflow.example", "mx2.mailflow.example"];
const SPF = "v=spf1 include:spf.mailflow.example ~all";

async function registered(): Promise<Fixture> {
  const fixture = await fixtureOf({ whitelabels: ["brand.example"] });
  await createDomain(fixture.service, { domain: DOMAIN });
  return fixture;
}

describe("verifying a domain", () => {
  test("finds all right in the zone as it is, and makes the domain ready (records-provider, records-valid)", async () => {
    const { service, tick } = await registered();
    tick();
    const { row, records } = await verifyDomain(service, "EXAMPLE.com");
    const right = (expected: string): object => ({ expected, valid: true, values: expected });
    expect(records).toEqual({
      provider: "other",
      advanced: false,
      dkim1: right("dkim1.mailflow.example"),
      dkim2: right("dkim2.mailflow.example"),
      dmarc: right("v=DMARC1; p=none;"),
      mx: { expected: MX, valid: true, values: MX },
      spf: right(SPF),
      error: null,
      valid: true,
    });
    expect([row.forwardingReady, row.sendReady, row.updatedMs]).toEqual([
      true,
      true,
      START_MS + 1_000,
    ]);
    expect(await getDomain(service, DOMAIN)).toEqual(row);
    tick();
    expect((await verifyDomain(service, DOMAIN)).row).toEqual(row);
  });

  test("shows names below the whitelabel (expected-records)", async () => {
    const { service } = await registered();
    await updateDomain(service, DOMAIN, { whitelabel: "brand.example" });
    const { records } = await verifyDomain(service, DOMAIN);
    expect(records.mx).toEqual({
      expected: ["mx1.brand.example", "mx2.brand.example"],
      valid: true,
      values: ["mx1.brand.example", "mx2.brand.example"],
    });
    expect(records.spf.expected).toBe("v=spf1 include:spf.brand.example ~all");
    expect(records.dkim1.values).toBe("dkim1.brand.example");
  });

  test("calls a domain with SMTP credentials advanced (records-provider)", async () => {
    const { service } = await registered();
    await createCredential(service, DOMAIN, { username: "a", password: "long enough" });
    expect((await verifyDomain(service, DOMAIN)).records.advanced).toBe(true);
  });

  test.each<[string, string[], string | null]>([
    [
      "none",
      [],
      "`example.com` has no MX record: add `mx1.mailflow.example`, `mx2.mailflow.example`",
    ],
    [
      "one of two",
      ["MX1.mailflow.example."],
      "MX of `example.com` lacks `mx2.mailflow.example`: add it",
    ],
    ["both in any order and case", ["MX2.Mailflow.example.", "mx1.mailflow.example"], null],
    ["both and another", [...MX, "mx.other.example"], null],
  ])("MX: %s (mx-valid, records-valid)", async (_, values, error) => {
    const { service, zone } = await registered();
    zone.set({ type: "MX", name: DOMAIN, values });
    const { row, records } = await verifyDomain(service, DOMAIN);
    expect([records.error, records.valid, records.mx.valid]).toEqual([
      error,
      error === null,
      error === null,
    ]);
    expect(records.mx.values).toEqual(values.length === 0 ? null : values);
    expect(row.forwardingReady).toBe(error === null);
    expect(row.sendReady).toBe(true);
  });

  test("with strict MX no other host may be named (mx-valid)", async () => {
    const { service, zone } = await registered();
    await updateDomain(service, DOMAIN, { strict_mxes: true });
    expect((await verifyDomain(service, DOMAIN)).records.error).toBeNull();
    zone.set({ type: "MX", name: DOMAIN, values: [...MX, "mx.other.example"] });
    expect((await verifyDomain(service, DOMAIN)).records.error).toBe(
      "MX of `example.com` names other hosts: remove `mx.other.example`",
    );
  });

  test.each<[string[], boolean, string | null]>([
    [[], false, null],
    [["google-site-verification=x"], false, null],
    [["other", SPF], true, SPF],
    [
      ["V=SPF1  a INCLUDE:spf.mailflow.example -all"],
      true,
      "V=SPF1  a INCLUDE:spf.mailflow.example -all",
    ],
    [
      ["v=spf1 include:spf.mailflow.example.evil -all"],
      false,
      "v=spf1 include:spf.mailflow.example.evil -all",
    ],
    [["v=spf10 include:spf.mailflow.example"], false, null],
    [[SPF, "v=spf1 -all"], false, `${SPF}, v=spf1 -all`],
  ])("SPF of TXT %j: %j (spf-valid)", async (values, valid, shown) => {
    const { service, zone } = await registered();
    zone.set({ type: "TXT", name: DOMAIN, values });
    const { row, records } = await verifyDomain(service, DOMAIN);
    expect(records.spf).toEqual({ expected: SPF, valid, values: shown });
    expect([row.forwardingReady, row.sendReady]).toEqual([true, true]);
  });

  test.each<["TXT" | "CNAME", string, string[], boolean]>([
    ["TXT", "_dmarc.example.com", [], false],
    ["TXT", "_dmarc.example.com", ["v=DMARC1; p=reject"], true],
    ["TXT", "_dmarc.example.com", ["v=DMARC1; p=reject", "v=DMARC1; p=none"], false],
    ["CNAME", "dkim1._domainkey.example.com", [], false],
    ["CNAME", "dkim1._domainkey.example.com", ["DKIM1.mailflow.example."], true],
    ["CNAME", "dkim2._domainkey.example.com", ["dkim1.mailflow.example"], false],
  ])(
    "%s %s %j decides whether it may send: %j (send-ready, dmarc-valid)",
    async (type, name, values, ready) => {
      const { service, zone } = await registered();
      zone.set({ type, name, values });
      expect((await verifyDomain(service, DOMAIN)).row.sendReady).toBe(ready);
      expect(zone.unset(type, name)).toBe(true);
      expect((await verifyDomain(service, DOMAIN)).row.sendReady).toBe(true);
    },
  );

  test("takes a DNS that fails as one that has nothing, and says so", async () => {
    const { service: base } = await registered();
    const fail = (): Promise<never> => Promise.reject(new Error("SERVFAIL"));
    const service: Service = { ...base, dns: { mx: fail, txt: fail, cname: fail } };
    const { row, records } = await verifyDomain(service, DOMAIN);
    expect(records.error).toBe("the DNS did not answer for MX of `example.com`: try again");
    expect([records.mx.values, records.spf.values, row.forwardingReady, row.sendReady]).toEqual([
      null,
      null,
      false,
      false,
    ]);
  });

  test("answers 404 for a domain that is not in the account", async () => {
    const { service } = await registered();
    expect((await problemOf(service, () => verifyDomain(service, "no.example"))).status).toBe(404);
  });
});
