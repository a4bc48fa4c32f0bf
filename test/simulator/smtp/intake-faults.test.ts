/** Faults of mail coming in: refused, deferred, delayed or cut at a command, by a pattern. */
import { afterEach, describe, expect, test } from "vitest";
import type { Listening, Simulator } from "../../../src/simulator/index.ts";
import { INTAKE_STEPS } from "../../../src/simulator/smtp/intake-faults.ts";
import { json } from "../client.ts";
import { open } from "../control/open.ts";
import { type RawClient, rawClient } from "./client.ts";

const clients: RawClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

interface Site {
  readonly simulator: Simulator;
  readonly server: Listening;
  fault(settings: object): Promise<void>;
  connect(port?: number): Promise<RawClient>;
}

async function openSite(): Promise<Site> {
  const simulator = await open();
  const server = await simulator.listen({ authWithoutTls: "allow" });
  return {
    simulator,
    server,
    async fault(settings) {
      await json(simulator, "POST /_sim/intake-faults", { body: settings });
    },
    async connect(port = server.mxPort) {
      const client = await rawClient(port);
      clients.push(client);
      return client;
    },
  };
}

test("an address is the same in every spelling, in the pattern and in the command", async () => {
  const { fault, connect } = await openSite();
  await fault({ step: "rcpt", match: "Jo\u0308rg@*", action: "defer" });
  await fault({ step: "rcpt", match: '"info"@own.test', action: "defer", code: 452 });
  await fault({ step: "mail", match: "*@b\u00fccher.test", action: "defer", code: 453 });
  const client = await connect();
  await client.answer();
  await client.ask("EHLO x");
  expect(await client.ask("MAIL FROM:<a@xn--bcher-kva.test>")).toMatch(/^453 /);
  await client.ask("MAIL FROM:<ann@mail.test> SMTPUTF8");
  expect(await client.ask("RCPT TO:<j\u00f6rg@own.test>")).toMatch(/^451 /);
  expect(await client.ask("RCPT TO:<INFO@own.test>")).toMatch(/^452 /);
});

const MESSAGE = "Subject: x\r\n\r\nx\r\n.\r\n";

/** The code that answers each step of a session that goes on whatever it hears. */
async function walk(client: RawClient): Promise<Record<string, string>> {
  const said: Record<string, string> = { connect: await client.answer() };
  said.ehlo = await client.ask("EHLO client.example");
  said.mail = await client.ask("MAIL FROM:<ann@source.test>");
  said.rcpt = await client.ask("RCPT TO:<info@own.test>");
  said.data = await client.ask("DATA");
  if (said.data.startsWith("354")) {
    client.send(MESSAGE);
    said.message = await client.answer();
  }
  said.quit = await client.ask("QUIT");
  return Object.fromEntries(Object.entries(said).map(([step, text]) => [step, text.slice(0, 3)]));
}

describe("at each step", () => {
  const steps = INTAKE_STEPS.filter((step) => step !== "auth" && step !== "connect");
  test.each(steps)("%s: what is refused is refused, and the session goes on", async (step) => {
    const site = await openSite();
    await site.fault({ step, action: "refuse", times: 1 });
    expect((await walk(await site.connect()))[step]).toBe("550");
    // Once only.
    const after = await walk(await site.connect());
    expect([after.mail, after.rcpt, after.data, after.message]).toEqual([
      "250",
      "250",
      "354",
      "250",
    ]);
  });

  test.each(steps)(
    "%s: what is deferred is deferred, with a code of one's own too",
    async (step) => {
      const site = await openSite();
      await site.fault({ step, action: "defer", times: 1 });
      await site.fault({ step, action: "defer", code: 421, times: 1 });
      expect((await walk(await site.connect()))[step]).toBe("451");
    },
  );

  test.each(INTAKE_STEPS.filter((step) => step !== "auth"))("%s: cut", async (step) => {
    const site = await openSite();
    await site.fault({ step, action: "cut" });
    await expect(walk(await site.connect())).rejects.toThrow("closed after");
    // At QUIT the message has been taken.
    const taken = step === "quit" ? 3 : 0;
    expect(await site.simulator.control.messages()).toHaveLength(taken);
  });

  test("a connection is refused, and a sign-in", async () => {
    const site = await openSite();
    await site.fault({ step: "connect", action: "refuse", code: 554, server: "mx" });
    expect(await (await site.connect()).answer()).toMatch(/^554 5\.0\.0 simulated fault/);
    await site.fault({ step: "auth", action: "defer", code: 454 });
    const client = await site.connect(site.server.submissionPort);
    await client.answer();
    await client.ask("EHLO client.example");
    expect(await client.ask(`AUTH PLAIN ${btoa("\0info@own.test\0s3cret-enough")}`)).toMatch(
      /^454 /,
    );
  });
});

test("a fault strikes what its pattern fits, and only there", async () => {
  const site = await openSite();
  await site.fault({ step: "rcpt", match: "*@RULED.test", action: "refuse" });
  const client = await site.connect();
  await client.answer();
  await client.ask("EHLO client.example");
  await client.ask("MAIL FROM:<ann@source.test>");
  expect(await client.ask("RCPT TO:<x@ruled.test>")).toMatch(/^550 5\.0\.0/);
  expect(await client.ask("RCPT TO:<info@own.test>")).toMatch(/^250/);
});

test("a delayed answer comes, later", async () => {
  const site = await openSite();
  await site.fault({ step: "mail", action: "delay", delayMs: 30 });
  await site.fault({ step: "message", action: "delay", delayMs: 30 });
  expect((await walk(await site.connect())).message).toBe("250");
  expect(await site.simulator.control.messages()).toHaveLength(3);
});

test("the refused command is in the session's transcript; a reset ends all faults", async () => {
  const site = await openSite();
  await site.fault({ step: "rcpt", action: "refuse" });
  await walk(await site.connect());
  const { sessions } = await json<{ sessions: { id: string }[] }>(
    site.simulator,
    "GET /_sim/sessions",
  );
  const { session } = await json<{ session: { lines: { from: string; text: string }[] } }>(
    site.simulator,
    `GET /_sim/sessions/${sessions[0]!.id}`,
  );
  const texts = session.lines.map(({ from, text }) => `${from}: ${text}`);
  expect(texts).toContain("client: RCPT TO:<info@own.test>");
  expect(texts.some((text) => text.startsWith("server: 550 5.0.0 simulated fault at rcpt"))).toBe(
    true,
  );
  await json(site.simulator, "POST /_sim/reset", { status: 204 });
  expect(await json(site.simulator, "GET /_sim/intake-faults")).toEqual({ faults: [] });
});

test("faults are listed, removed and bounded by what they are", async () => {
  const { simulator } = await openSite();
  const { fault } = await json<{ fault: { id: string } }>(simulator, "POST /_sim/intake-faults", {
    body: { step: "mail", action: "refuse" },
  });
  await json(simulator, `DELETE /_sim/intake-faults/${fault.id}`, { status: 204 });
  await json(simulator, `DELETE /_sim/intake-faults/${fault.id}`, { status: 404 });
  for (const wrong of [
    {},
    { step: "helo", action: "cut" },
    { step: "mail", action: "cut", code: 250 },
  ]) {
    await json(simulator, "POST /_sim/intake-faults", { body: wrong, status: 400 });
  }
  await json(simulator, "POST /_sim/intake-faults", { body: { step: "quit", action: "cut" } });
  expect(await json(simulator, "DELETE /_sim/intake-faults")).toEqual({ removed: 1 });
});
