/** Logs of internationalised domains: names, exact filters, the list of domains. */
import { expect, test } from "vitest";
import { createSimulator } from "../../../../src/simulator/index.ts";
import { json } from "../../client.ts";

test("address-case: logs and domains are found by U-labels and by A-labels", async () => {
  const aliases = [{ alias: "jörg", forward: "Hans@müller.example" }];
  const simulator = await createSimulator({
    world: { domains: [{ domain: "bücher.example", aliases }] },
  });
  for (const from of ["From: Jörg Ö <Jörg@Bücher.example>\n", ""]) {
    await simulator.receive({
      envelope: { sender: "eva@straße.example", recipients: ["jörg@bücher.example"] },
      message: `${from}Subject: s\n\nx\n`,
    });
  }
  const path = "/v4/domains/b%C3%BCcher.example/logs";
  const { logs } = await json<{ logs: { sender: unknown }[] }>(
    simulator,
    `GET ${path}?order=created_asc`,
  );
  expect(logs.map(({ sender }) => sender)).toEqual([
    { email: "jörg@xn--bcher-kva.example", name: "Jörg Ö" },
    { email: "eva@straße.example", name: null },
  ]);
  for (const [filter, total] of [
    ["recipient=JÖRG@Bücher.example", 2],
    ["recipient=jörg@xn--bcher-kva.example", 2],
    ["forward=hans@müller.example", 2],
    ["forward=hans@xn--mller-kva.example", 2],
    ["sender=jörg@bücher.example", 1],
    ["sender=eva@Straße.example", 1],
    ["sender=eva@strase.example", 0],
  ] as const) {
    const found = await json(simulator, `GET ${path}/count?${encodeURI(filter)}`);
    expect([filter, found]).toEqual([filter, { total }]);
  }
  for (const [query, total] of [
    ["Bücher", 1],
    ["bücher.ex", 1],
    ["xn--b", 1],
    ["bucher", 0],
  ] as const) {
    for (const list of ["v4/domains?query", "v3/domains?q"]) {
      const found = await json(simulator, `GET /${list}=${encodeURI(query)}`);
      expect([query, found]).toMatchObject([query, { total }]);
    }
  }
  await simulator.close();
});
