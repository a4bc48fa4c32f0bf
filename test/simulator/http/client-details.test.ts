/** The small print that programs written for this API rely on: methods, ranks, limits, times, what version 3 shows. */
import { describe, expect, test } from "vitest";
import { headerFaults } from "../api/fixtures.ts";
import { type Answer, EXAMPLE, type Fields, openSite, type Site } from "./fixture.ts";

const OWN = "/domains/own.test";
const RULE = "6f1c2f0e-4b58-4d0c-9a55-0c9d1c8b7a10";
const config = { alias: "x", forward: "x@dest.test" };

describe.each(["v4", "v3"] as const)("%s", (version) => {
  const call = (site: Site, method: string, path: string, json?: unknown): Promise<Answer> =>
    site.send(method, `/${version}${path}`, json === undefined ? {} : { json });

  test("a method that a path has not is refused with the documented body and the rate headers", async () => {
    const site = await openSite();
    for (const [method, path] of [
      ["PATCH", "/domains"],
      ["DELETE", "/account"],
      ["POST", `${OWN}/logs`],
      ["PUT", `${OWN}/aliases`],
      ["PATCH", `${OWN}/rules/${RULE}`],
      ["BREW", "/account"],
    ]) {
      const refused = await call(site, method!, path!);
      expect([refused.status, headerFaults(refused)], `${method} ${path}`).toEqual([405, []]);
      const message = `this path does not take the method: use ${refused.headers.get("allow")}`;
      expect(refused.body).toEqual(
        version === "v4"
          ? { message, errors: {} }
          : { errors: { method: [message] }, success: false, error: message, code: 405 },
      );
    }
  });

  test.each([0, 1, 0.5, 41.9, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 2 ** 60, 1e22, 1e300])(
    "the next rank is larger than %d",
    async (rank) => {
      const site = await openSite();
      await call(site, "PUT", `${OWN}/rules/${RULE}`, { rank });
      const single = await call(site, "POST", `${OWN}/rules`, { type: "alias", config });
      const first = (single.body.rule as { rank: number }).rank;
      const rules = [1, 2].map(() => ({ type: "alias", config }));
      const batch = await call(site, "POST", `${OWN}/rules/batch`, { rules });
      const added = (batch.body.added as { rank: number }[]).map(({ rank }) => rank);
      const ranks = [Math.max(rank, 2), first, ...added];
      expect(ranks).toEqual([...new Set(ranks)].sort((a, b) => a - b));
      expect(ranks).toHaveLength(4);
    },
  );

  test.each([
    ["domains_limit", "domain", "/domains", { domain: "two.test" }],
    ["aliases_limit", "alias", `${OWN}/aliases`, { alias: "new", forward: "x@dest.test" }],
    ["rules_limit", "rule", `${OWN}/rules`, { type: "alias", config }],
  ])("what is beyond the plan's %s says so first", async (limit, about, path, sent) => {
    for (const most of [1, 2]) {
      const [domain] = EXAMPLE.domains!;
      const aliases = domain!.aliases!.slice(0, most);
      const rules = domain!.rules!.slice(0, most);
      const more = limit === "domains_limit" && most === 2 ? [{ domain: "more.test" }] : [];
      const domains = [{ ...domain!, aliases, rules }, ...more];
      const site = await openSite({ plan: { [limit]: most }, domains });
      const refused = await call(site, "POST", path, sent);
      const plural = about === "alias" ? "aliases" : `${about}s`;
      const told = new RegExp(
        `^Your account is limited to ${most} ${most === 1 ? about : plural}\\b`,
      );
      expect(refused.status).toBe(403);
      const { message, error, errors } = refused.body as Fields & { errors: Fields };
      expect(version === "v4" ? message : error).toMatch(told);
      if (version === "v3") expect(errors).toEqual({ [about]: [error] });
    }
  });

  test("`updated_at` moves on with every change of a batch, too, while time stands", async () => {
    const site = await openSite();
    const times: string[] = [];
    for (const rank of [5, 6, 7]) {
      const rules = [{ id: RULE, rank }];
      const { body } = await call(site, "PUT", `${OWN}/rules/batch`, { rules });
      times.push((body.updated as { updated_at: string }[])[0]!.updated_at);
    }
    expect([...new Set(times)].sort()).toEqual(times);
  });
});

test("version 3 shows aliases and `routing_engine` whatever routes, alone and in the list", async () => {
  const site = await openSite();
  for (const engine of ["rules", "alias", null]) {
    await site.send("PUT", `/v4${OWN}`, { json: { routing_engine: engine } });
    const { domain } = (await site.send("GET", `/v3${OWN}`)).body as { domain: Fields };
    const { domains } = (await site.send("GET", "/v3/domains")).body as { domains: Fields[] };
    expect(domains).toEqual([domain]);
    expect(domain.routing_engine).toBe(engine);
    expect((domain.aliases as Fields[]).map(({ alias }) => alias)).toEqual(["info", "sales"]);
  }
});

test("version 3's `created` of a rule is in seconds in every answer", async () => {
  const site = await openSite();
  const seconds = Math.floor(site.clock.nowMs() / 1_000);
  const path = `/v3${OWN}/rules`;
  const json = { type: "alias", config };
  const bulk = (behavior: string, rules: unknown): Promise<Answer> =>
    site.send("POST", `${path}/bulk`, { json: { rules, behavior } });
  const answers = [
    await site.send("GET", path),
    await site.send("GET", `${path}/${RULE}`),
    await site.send("POST", path, { json }),
    await site.send("PUT", `${path}/${RULE}`, { json: { rank: 9 } }),
    await bulk("add", [json]),
    await bulk("update", [{ id: RULE, rank: 3 }]),
    await bulk("delete", [RULE]),
  ];
  for (const { text } of answers) {
    const created = [...text.matchAll(/"created":(\d+)/g)].map(([, number]) => Number(number));
    expect(created.length, text).toBeGreaterThan(0);
    expect(new Set(created)).toEqual(new Set([seconds]));
  }
});

test("search finds each word with any two of its letters swapped", async () => {
  const words = ["receipt", "payment", "invoice", "delivery", "password"];
  const site = await openSite();
  for (const word of words) await site.receive("info@own.test", `Your ${word} is here`);
  const missed: string[] = [];
  for (const word of words) {
    for (let at = 0; at + 1 < word.length; at++) {
      const swapped = word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
      const path = `/v4${OWN}/logs/search?query=${swapped}`;
      const { logs } = (await site.send("GET", path)).body as { logs: { subject: string }[] };
      if (logs[0]?.subject !== `Your ${word} is here`) missed.push(swapped);
      await site.clock.advance(10_000);
    }
  }
  expect(missed).toEqual([]);
});
