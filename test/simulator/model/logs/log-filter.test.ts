/** Logs of addresses in their spellings: names, exact filters, the list of domains. */
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
    { email: "eva@xn--strae-oqa.example", name: null },
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

test("address-case: logs and aliases are found with needless quotes and without, in NFC and in NFD", async () => {
  const [nfc, nfd] = ["jos\u00e9", "jose\u0301"];
  const aliases = [
    { alias: "ok", forward: '"Out"@dest.example' },
    { alias: nfd, forward: "b@dest.example" },
  ];
  const simulator = await createSimulator({
    world: { domains: [{ domain: "a.example", aliases }] },
  });
  const answers = await simulator.receive({
    envelope: { sender: '"Eva"@b.example', recipients: ['"ok"@a.example', "OK@a.example"] },
    message: 'To: Okay <"ok"@a.example>\nSubject: s\n\nx\n',
  });
  expect(answers.map(({ code }) => code)).toEqual([250, 250]);
  await simulator.receive({
    envelope: { sender: "", recipients: [`${nfc}@a.example`] },
    message: `To: Joe <${nfd}@a.example>\n\nx\n`,
  });
  const path = "/v4/domains/a.example/logs";
  const { logs } = await json<{ logs: object[] }>(simulator, `GET ${path}?order=created_asc`);
  expect(logs).toMatchObject([
    {
      sender: { email: "eva@b.example" },
      recipient: { email: "ok@a.example", name: "Okay" },
      forward: { email: "Out@dest.example" },
    },
    { recipient: { email: `${nfc}@a.example`, name: "Joe" } },
  ]);
  for (const filter of [
    ...["recipient=ok@a.example", 'recipient="ok"@a.example', 'sender="eva"@b.example'],
    ...["forward=out@dest.example", 'forward="OUT"@dest.example'],
    ...[`recipient=${nfc}@a.example`, `recipient=${nfd}@a.example`],
  ]) {
    const found = await json(simulator, `GET ${path}/count?${encodeURI(filter)}`);
    expect([filter, found]).toEqual([filter, { total: 1 }]);
  }
  const v3 = "/v3/domains/a.example";
  for (const spelled of [nfc, nfd]) {
    const name = encodeURIComponent(spelled);
    expect(await json(simulator, `GET ${v3}/logs/${name}`)).toMatchObject({ logs: [{}] });
    expect(await json(simulator, `GET ${v3}/aliases/${name}`)).toMatchObject({
      alias: { alias: nfd },
    });
    const listed = await json(simulator, `GET ${v3}/aliases?alias=${name}`);
    expect(listed).toMatchObject({ total: 1 });
  }
  const body = { alias: nfc, forward: "b@dest.example" };
  const refused = await json(simulator, "POST /v4/domains/a.example/aliases", {
    body,
    status: 400,
  });
  expect(refused).toMatchObject({ errors: { alias: [expect.stringContaining("already")] } });
  await simulator.close();
});

test("a domain whose name is an IPv4 address is refused", async () => {
  const simulator = await createSimulator();
  const body = { domain: "1.2.3.4" };
  const said = "`1.2.3.4` is not a domain name: write it as `example.com`";
  expect(await json(simulator, "POST /v4/domains", { body, status: 400 })).toEqual({
    message: said,
    errors: { domain: [said] },
  });
  expect(await json(simulator, "POST /v3/domains", { body, status: 400 })).toEqual({
    errors: { domain: [said] },
    success: false,
  });
  await simulator.close();
});
