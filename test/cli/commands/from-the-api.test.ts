/** What a new user does: takes a domain from the API, tests its rules, sees what a new one would do, pins and checks. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSimulator } from "../../../src/simulator/index.ts";
import { folderWith, message } from "../folder.ts";
import { mailflow } from "../memory-io.ts";

interface Rule {
  readonly id: string;
}
type Exported = { rules: Rule[] } & Readonly<Record<string, unknown>>;

/** As `jq -s add` puts the answers of the three lists together. */
async function exported(): Promise<Exported> {
  const simulator = await createSimulator({ apiKey: "secret" });
  const authorization = `Basic ${btoa("api:secret")}`;
  const call = async (path: string, fields?: object): Promise<object> => {
    const body = fields === undefined ? {} : { method: "POST", body: JSON.stringify(fields) };
    const url = `http://localhost/v4/domains${path}`;
    const answer = await simulator.fetch(new Request(url, { headers: { authorization }, ...body }));
    expect(answer.status).toBe(200);
    return (await answer.json()) as object;
  };
  await call("", { domain: "shop.example", routing_engine: "rules" });
  const order = { regex: "order #(\\d+)", scopes: ["subject"], forward: "orders+$1@else.test" };
  await call("/shop.example/rules", { type: "regex", config: order });
  const bank = { expression: 'sender.endsWith("@bank.example")', forward: "office@else.test" };
  await call("/shop.example/rules", { type: "cel", config: bank });
  const lists = ["", "/aliases?limit=200", "/rules?limit=200"];
  const answers = await Promise.all(lists.map((list) => call(`/shop.example${list}`)));
  await simulator.close();
  return Object.assign({}, ...answers) as Exported;
}

test("from the API to a rule tested, its effect seen, and a pinned suite", async () => {
  const domain = await exported();
  const refunds = {
    id: "refunds",
    type: "regex",
    config: { regex: "(?i)refund", scopes: ["subject", "body"], forward: "help@else.test" },
  };
  const cwd = folderWith({
    "shop.json": domain,
    "alone.json": { domain: domain.domain },
    "refunds.json": refunds,
    "shop.mailtest.json": {
      tests: [
        {
          name: "the number of an order becomes part of the warehouse's address",
          message: "mail/order.eml",
          expect: { rule: domain.rules[0]!.id, destinations: "orders+2231@else.test" },
        },
      ],
    },
    "mail/order.eml": message({ To: "sales@shop.example", Subject: "order #2231" }),
    "mail/refund.eml": message({ To: "sales@shop.example", Subject: "Refund for order #17" }),
    "mail/account.eml": message({ From: "a@bank.example", To: "ann@shop.example" }),
  });
  const run = (...argv: string[]) => mailflow(argv, { cwd });

  expect((await run("check", "shop.json")).stdout).toBe(
    "shop.example: routing engine rules, 1 alias, 2 rules, no errors\n",
  );
  // The domain's own answer lacks its rules: said, not taken for a domain without any.
  expect((await run("check", "alone.json")).stdout).toContain(
    "warning[domain/no-entries] domain.routing_engine: is `rules`, but the file has no `rules`: add those that the API answers at `/domains/shop.example/rules`",
  );
  expect(await run("test")).toMatchObject({ code: 0 });
  expect((await run("shadow", "shop.json", "refunds.json", "mail")).stdout).toBe(
    "rule refunds at rank 3 would change nothing on 3 decisions\n  2 rules before it; `--rank 0` would put it first\n",
  );
  const shadowed = await run("shadow", "shop.json", "refunds.json", "mail", "--rank", "0");
  expect(shadowed.stdout).toContain(
    `it takes 1 of the 2 messages that rule ${domain.rules[0]!.id}`,
  );

  await run("diff", "shop.json", "shop.json", "mail", "--pin", "pinned.mailtest.json");
  writeFileSync(join(cwd, "main.json"), readFileSync(join(cwd, "shop.json")));
  const changed = { ...domain, rules: [...domain.rules, { ...refunds, rank: 0 }] };
  writeFileSync(join(cwd, "shop.json"), JSON.stringify(changed));
  expect(await run("diff", "main.json", "shop.json", "mail")).toMatchObject({ code: 1 });
  const broken = await run("test");
  expect([broken.code, broken.stdout]).toEqual([
    1,
    expect.stringContaining("1 test failed, 3 pass"),
  ]);
  // Accepted: pinned anew.
  await run("diff", "shop.json", "shop.json", "mail", "--pin", "pinned.mailtest.json", "--force");
  expect(await run("test", "--fail-under", "70")).toMatchObject({ code: 0 });
});
