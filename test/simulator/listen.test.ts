/** The simulator on real sockets, with the world outside it: webhooks, relays, several servers, and their end. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import nodemailer from "nodemailer";
import { afterEach, describe, expect, test } from "vitest";
import {
  createSimulator,
  type ListenOptions,
  type Simulator,
  type SimulatorOptions,
} from "../../src/simulator/index.ts";
import { mail, statuses, WORLD } from "./client.ts";

const opened: Simulator[] = [];
const servers: Server[] = [];
afterEach(async () => {
  for (const simulator of opened.splice(0)) await simulator.close();
  for (const server of servers.splice(0)) server.close();
});

async function open(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await createSimulator({ world: WORLD, ...options });
  opened.push(simulator);
  return simulator;
}

/** The log id of a message to the first address, which forwards to the one destination. */
async function forwardTo(simulator: Simulator, forward: string): Promise<string> {
  await simulator.control.seed({
    domains: [{ domain: "own.test", aliases: [{ alias: "a", forward }] }],
  });
  const envelope = { sender: "ann@source.test", recipients: ["a@own.test"] };
  const [answer] = await simulator.receive({ envelope, message: mail("hi") });
  await simulator.clock.advance(0);
  return answer!.logIds[0]!;
}

/** A webhook that answers with this status, and what it was sent. */
async function openWebhook(status: number): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    response.writeHead(status).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, bodies };
}

describe("webhooks", () => {
  test("are POSTed to for real where that is allowed", async () => {
    const simulator = await open({ webhooks: "any" });
    const { url, bodies } = await openWebhook(200);
    expect(await statuses(simulator, await forwardTo(simulator, url))).toEqual([
      "QUEUED",
      "DELIVERED",
    ]);
    expect(JSON.parse(bodies[0]!).subject).toBe("hi");
    const [posted] = await simulator.control.messages({ destination: url });
    expect((await simulator.control.message(posted!.id)).text).toBe(bodies[0]);
  });

  test("are tried twice more", async () => {
    const simulator = await open({ webhooks: "any" });
    const { url, bodies } = await openWebhook(503);
    const id = await forwardTo(simulator, url);
    await simulator.clock.advance(3_600_000);
    expect(await statuses(simulator, id)).toEqual([
      "QUEUED",
      "SOFT-BOUNCE",
      "SOFT-BOUNCE",
      "BOUNCED",
    ]);
    expect(bodies).toHaveLength(3);
  });

  test("on this machine are refused where only public ones are allowed", async () => {
    const simulator = await open({ webhooks: "public" });
    const { url, bodies } = await openWebhook(200);
    const id = await forwardTo(simulator, url);
    expect(await statuses(simulator, id)).toEqual(["QUEUED", "HARD-BOUNCE"]);
    expect(bodies).toEqual([]);
  });
});

test("a relay takes what goes to mailboxes: here, another simulator", async () => {
  const far = await open({ clock: "running" });
  const { mxPort } = await far.listen();
  const near = await open({ relay: { host: "127.0.0.1", port: mxPort }, seed: "near" });
  expect(await statuses(near, await forwardTo(near, "x@ruled.test"))).toEqual([
    "QUEUED",
    "DELIVERED",
  ]);
  const found = await far.control.waitForMessage({ destination: "rest@dest.test" });
  expect(found.text).toContain("Delivered-To: a@own.test");
});

test("what HTTP and SMTP take is what is there in process", async () => {
  const simulator = await open();
  const { url, mxPort } = await simulator.listen();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const transport = nodemailer.createTransport({
    port: mxPort,
    host: "127.0.0.1",
    ignoreTLS: true,
  });
  await transport.sendMail({ from: "ann@source.test", to: "info@own.test", subject: "by SMTP" });
  transport.close();
  const wait = await fetch(`${url}/_sim/messages/wait?subject=smtp`);
  const { message } = (await wait.json()) as { message: { id: string } };
  const [inProcess] = await simulator.control.messages({ subject: "by SMTP" });
  expect(message).toEqual(await simulator.control.message(inProcess!.id));
  const refused = await fetch(`${url}/v4/account`);
  expect(refused.status).toBe(401);
});

test("servers can be opened and closed while it goes on", async () => {
  const simulator = await open();
  const [one, other] = [await simulator.listen(), await simulator.listen()];
  expect(await one.close()).toBe(0);
  await expect(fetch(`${one.url}/_sim/readyz`)).rejects.toThrow();
  expect((await fetch(`${other.url}/_sim/readyz`)).status).toBe(200);
  const again = await simulator.listen({ httpPort: one.httpPort, mxPort: one.mxPort });
  expect((await fetch(`${again.url}/_sim/readyz`)).status).toBe(200);
  await simulator.close();
  await expect(fetch(`${other.url}/_sim/readyz`)).rejects.toThrow();
});

test("options that are unknown are refused, and no server stays open when one cannot", async () => {
  const simulator = await open();
  const listening = simulator.listen({ port: 8025 } as ListenOptions);
  await expect(listening).rejects.toThrow("unknown option `port`");
  const { mxPort, httpPort } = await simulator.listen();
  await expect(simulator.listen({ mxPort })).rejects.toMatchObject({
    code: "EADDRINUSE",
    port: mxPort,
  });
  const half = simulator.listen({ submissionPort: httpPort });
  await expect(half).rejects.toMatchObject({ code: "EADDRINUSE", port: httpPort });
});
