import { expect, test } from "vitest";
import { exampleFixture } from "../fixture.ts";

test("the zone answers what domains of the account are asked for, and nothing else", async () => {
  const { zone } = await exampleFixture();
  expect(await zone.mx("Example.COM.")).toEqual(["mx1.mailflow.example", "mx2.mailflow.example"]);
  expect(await zone.txt("example.com")).toEqual(["v=spf1 include:spf.mailflow.example ~all"]);
  expect(await zone.txt("_dmarc.example.com")).toEqual(["v=DMARC1; p=none;"]);
  expect(await zone.cname("dkim2._domainkey.example.com")).toEqual(["dkim2.mailflow.example"]);
  for (const name of ["_dmarc.example.com", "www.example.com", "other.example", ""]) {
    expect(await zone.mx(name)).toEqual([]);
    expect(await zone.cname(name)).toEqual([]);
  }
  expect(await zone.cname("dkim3._domainkey.example.com")).toEqual([]);
});

test("entries take the place of defaults, name by name and type by type", async () => {
  const { zone } = await exampleFixture();
  zone.set({ type: "MX", name: "EXAMPLE.com.", values: ["mx.other.example"] });
  zone.set({ type: "TXT", name: "anything.example", values: ["a", "b"] });
  expect(await zone.mx("example.com")).toEqual(["mx.other.example"]);
  expect(await zone.txt("example.com")).toHaveLength(1);
  expect(await zone.txt("anything.example")).toEqual(["a", "b"]);
  const entries = zone.entries();
  expect(entries).toEqual([
    { type: "MX", name: "example.com", values: ["mx.other.example"] },
    { type: "TXT", name: "anything.example", values: ["a", "b"] },
  ]);
  expect(zone.unset("MX", "example.com")).toBe(true);
  expect(zone.unset("MX", "example.com")).toBe(false);
  expect(await zone.mx("example.com")).toHaveLength(2);
  zone.restore(entries);
  expect(zone.entries()).toEqual(entries);
  zone.restore([]);
  expect(await zone.txt("anything.example")).toEqual([]);
});
