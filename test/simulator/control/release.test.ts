/** A captured message is let out to a real server. */
import { expect, test } from "vitest";
import { json } from "../client.ts";
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
