/** A captured message is let out to a real server. */
import { expect, test } from "vitest";
import { releaseMessage } from "../../../src/simulator/control/inbox/release.ts";
import { json } from "../client.ts";
import { allReceived, mailFixture, receiveFor } from "../receive/receive-fixture.ts";
import { open, receive } from "./open.ts";

interface Released {
  readonly released: readonly {
    recipient: string;
    code: number;
    message: string;
    server: string;
  }[];
}

test("a message is released octet by octet to a server, to its own address or to others", async () => {
  const other = await open({
    world: {
      domains: [{ domain: "real.test", aliases: [{ alias: "*", forward: "in@box.test" }] }],
    },
  });
  const { mxPort: port } = await other.listen();
  const simulator = await open();
  await receive(simulator, ["info@own.test"], "let me out");
  const [message] = await simulator.control.messages({ destination: "ann@dest.test" });
  const path = `POST /_sim/messages/${message!.id}/release`;
  const to = ["one@real.test", "two@elsewhere.test"];
  const { released } = await json<Released>(simulator, path, {
    body: { to, host: "127.0.0.1", port },
  });
  expect(released.map(({ recipient, code }) => [recipient, code])).toEqual([
    ["one@real.test", 250],
    ["two@elsewhere.test", 550],
  ]);
  const arrived = await other.control.waitForMessage({ subject: "let me out" });
  const { text } = await simulator.control.message(message!.id);
  expect(arrived.text.endsWith(text)).toBe(true);
  // It stays, and by itself it goes where it arrived.
  const again = await json<Released>(simulator, path, { body: { host: "127.0.0.1", port } });
  expect(again.released).toMatchObject([{ recipient: "ann@dest.test", code: 550 }]);
});

test("a server that is not there is an answer too; the relay is asked by default", async () => {
  const simulator = await open();
  await receive(simulator, ["info@own.test"]);
  const [message] = await simulator.control.messages({ destination: "ann@dest.test" });
  const path = `POST /_sim/messages/${message!.id}/release`;
  const { released } = await json<Released>(simulator, path, {
    body: { host: "127.0.0.1", port: 1 },
  });
  expect(released).toMatchObject([{ recipient: "ann@dest.test", code: 451 }]);
});

test("without a server it goes to the relay, or to the mail exchangers of its address, one after the other", async () => {
  const world = {
    domains: ["one.test", "two.test", "bare.test"].map((domain) => ({
      domain,
      aliases: [{ alias: "*", forward: "in@box.test" }],
    })),
  };
  const other = await open({ world });
  const { mxPort: port } = await other.listen();
  const fixture = await mailFixture();
  const { service } = fixture;
  await receiveFor(fixture, ["one@example.com"]);
  await fixture.clock.advance(0);
  const id = (await allReceived(fixture))[0]!.id;
  // Nobody listens at the first of `two.test`; `none.test` takes no mail (RFC 7505).
  const exchangers: Record<string, string[]> = {
    "one.test": ["127.0.0.1"],
    "two.test": ["127.0.0.2", "127.0.0.1"],
    "bare.test": [],
    "none.test": [""],
    "refusing.test": ["127.0.0.1", "127.0.0.2"],
  };
  const asked: string[] = [];
  const dns = {
    async mx(domain: string): Promise<readonly string[]> {
      asked.push(domain);
      const hosts = exchangers[domain];
      if (hosts === undefined) throw new Error("SERVFAIL");
      return hosts;
    },
  };
  const to = Object.keys({ ...exchangers, "broken.test": [] }).map((domain) => `ann@${domain}`);
  const released = await releaseMessage(service, id, { to }, { dns, port });
  expect(released.map(({ recipient, code, server }) => [recipient, code, server])).toEqual([
    ["ann@one.test", 250, `127.0.0.1:${port}`],
    ["ann@two.test", 250, `127.0.0.1:${port}`],
    // No mail exchanger: the domain's own address, which this name has not.
    ["ann@bare.test", 451, `bare.test:${port}`],
    ["ann@none.test", 556, ""],
    ["ann@refusing.test", 550, `127.0.0.1:${port}`],
    ["ann@broken.test", 451, ""],
  ]);
  expect(await other.control.messages()).toHaveLength(2);
  // A domain in Unicode is looked up as the DNS has it.
  await releaseMessage(service, id, { to: ["ann@bücher.test"] }, { dns, port });
  expect(asked.at(-1)).toBe("xn--bcher-kva.test");
  const settings = { ...service.settings, relay: { host: "127.0.0.1", port } };
  asked.length = 0;
  const relayed = await releaseMessage(
    { ...service, settings },
    id,
    { to: ["x@two.test"] },
    { dns, port: 1 },
  );
  expect([relayed[0]!.code, asked]).toEqual([250, []]);
});

test("a domain that hangs delays no other domain's recipients", async () => {
  const world = {
    domains: [{ domain: "fast.test", aliases: [{ alias: "*", forward: "in@box.test" }] }],
  };
  const other = await open({ world });
  const { mxPort: port } = await other.listen();
  const fixture = await mailFixture();
  await receiveFor(fixture, ["one@example.com"]);
  await fixture.clock.advance(0);
  const id = (await allReceived(fixture))[0]!.id;
  let end: (hosts: string[]) => void = () => {};
  const hanging = new Promise<string[]>((resolve) => {
    end = resolve;
  });
  const dns = {
    mx: async (domain: string) => (domain === "slow.test" ? hanging : ["127.0.0.1"]),
  };
  const to = ["a@slow.test", "b@slow.test", "c@fast.test", "d@fast.test"];
  const released = releaseMessage(fixture.service, id, { to }, { dns, port });
  await expect.poll(async () => other.control.messages(), { timeout: 10_000 }).toHaveLength(2);
  end([""]);
  expect((await released).map(({ recipient, code }) => [recipient, code])).toEqual([
    ["a@slow.test", 556],
    ["b@slow.test", 556],
    ["c@fast.test", 250],
    ["d@fast.test", 250],
  ]);
});

test("what cannot be released is refused", async () => {
  const simulator = await open();
  await receive(simulator, ["info@own.test"]);
  const [hook] = await simulator.control.messages({ destination: "https://hooks.test/in" });
  const [mail] = await simulator.control.messages({ destination: "ann@dest.test" });
  await json(simulator, "POST /_sim/messages/none/release", { body: {}, status: 404 });
  await json(simulator, `POST /_sim/messages/${hook!.id}/release`, { body: {}, status: 400 });
  for (const body of [
    { to: [] },
    { to: ["no address"] },
    { port: 26 },
    { host: "" },
    { other: 1 },
  ]) {
    await json(simulator, `POST /_sim/messages/${mail!.id}/release`, { body, status: 400 });
  }
});
