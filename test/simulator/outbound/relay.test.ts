/** Mail handed to a real server: the envelope and the octets as they are, and its own answers. */
import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import type { HandoverAnswer, Parcel } from "../../../src/simulator/model/service.ts";
import { createRelay } from "../../../src/simulator/outbound/relay.ts";
import { allLogs, allReceived, mailFixture, receiveFor } from "../receive/receive-fixture.ts";

interface Taken {
  readonly from: string;
  readonly to: readonly string[];
  readonly octets: Buffer;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function openServer(refusal?: {
  readonly stage: "rcpt" | "data";
  readonly code: number;
}): Promise<{ port: number; taken: Taken[] }> {
  const taken: Taken[] = [];
  const error = (): Error | null =>
    refusal === undefined
      ? null
      : Object.assign(new Error(`5.7.0 said ${refusal.code}`), { responseCode: refusal.code });
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onRcptTo: (_, __, callback) => callback(refusal?.stage === "rcpt" ? error() : null),
    async onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const { mailFrom, rcptTo } = session.envelope;
      if (refusal?.stage === "data") return callback(error());
      taken.push({
        from: mailFrom === false ? "" : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        octets: Buffer.concat(chunks),
      });
      return callback(null, "2.0.0 taken");
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return { port: (server.server.address() as { port: number }).port, taken };
}

const PARCEL: Parcel = {
  logId: "00a",
  domain: "example.com",
  attempt: 1,
  kind: "mailbox",
  destination: "ann@mail.example",
  envelopeSender: "SRS0=x@example.com",
  originalRecipient: "one@example.com",
  message: Buffer.from("Subject: x\r\n\r\n.dot\r\n..\r\n.\r\nü\r\n"),
};

const relayTo = (port: number, parcel: Parcel = PARCEL): Promise<HandoverAnswer> =>
  createRelay({ host: "127.0.0.1", port, name: "mx1.mailflow.example" }).handOver(parcel);

test("the envelope and the octets arrive as they are", async () => {
  const { port, taken } = await openServer();
  expect(await relayTo(port)).toEqual({
    code: 250,
    message: "2.0.0 taken",
    server: `127.0.0.1:${port}`,
  });
  expect(taken).toEqual([
    { from: "SRS0=x@example.com", to: ["ann@mail.example"], octets: PARCEL.message },
  ]);
});

test("a bounce has the null sender", async () => {
  const { port, taken } = await openServer();
  expect((await relayTo(port, { ...PARCEL, envelopeSender: "" })).code).toBe(250);
  expect(taken[0]!.from).toBe("");
});

describe("its refusals are the answer", () => {
  test.each([
    ["rcpt", 550],
    ["rcpt", 450],
    ["data", 554],
    ["data", 452],
  ] as const)("at %s with %i", async (stage, code) => {
    const { port } = await openServer({ stage, code });
    expect(await relayTo(port)).toEqual({
      code,
      message: `5.7.0 said ${code}`,
      server: `127.0.0.1:${port}`,
    });
  });
});

async function openRaw(serve: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => serve(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as { port: number }).port;
}

test("the client changes no address: one that it cannot write is refused", async () => {
  const commands: string[] = [];
  const port = await openRaw((socket) => {
    socket.write("220 x\r\n");
    socket.on("data", (line) => {
      commands.push(String(line).trim());
      socket.write(`${String(line).startsWith("RCPT") ? 550 : 250} x\r\n`);
    });
  });
  const destinations = ['"a b"@mail.example', '" "@mail.example', "jörg@xn--bcher-kva.example"];
  for (const destination of destinations) await relayTo(port, { ...PARCEL, destination });
  expect(commands.filter((command) => command.startsWith("RCPT"))).toEqual(
    destinations.map((destination) => `RCPT TO:<${destination}>`),
  );
  commands.length = 0;
  const answer = await relayTo(port, { ...PARCEL, destination: '"a<b>"@mail.example' });
  expect([answer.code, commands.some((command) => command.startsWith("RCPT"))]).toEqual([
    553,
    false,
  ]);
});

test("of a reply of several lines all texts are kept, at most 512 characters without control characters", async () => {
  const lines = ["550-5.1.1 no\u0000body", "550-5.1.1 \u001b[31mhere", `550 ${"x".repeat(9_999)}`];
  const port = await openRaw((socket) => {
    socket.write("220 x\r\n");
    socket.on("data", () => socket.write(`${lines.join("\r\n")}\r\n`));
  });
  const { code, message } = await relayTo(port);
  expect([code, message.length]).toEqual([550, 512]);
  expect(message).toMatch(/^5\.1\.1 no body 5\.1\.1 \[31mhere x+$/);
});

describe("without an answer it is tried again", () => {
  const openRude = (greeting: string): Promise<number> => openRaw((socket) => socket.end(greeting));

  test("the server's answer never ends", async () => {
    const port = await openRaw((socket) => {
      socket.write("220 x\r\n");
      const timer = setInterval(() => socket.write("250-still\r\n"), 5);
      socket.on("end", () => socket.destroy()).on("close", () => clearInterval(timer));
    });
    const relay = createRelay({ host: "127.0.0.1", port, name: "mx1.test", attemptMs: 100 });
    expect(await relay.handOver(PARCEL)).toMatchObject({ code: 451, reached: false });
  });

  test("nobody listens, or hangs up", async () => {
    expect((await relayTo(1)).code).toBe(451);
    expect((await relayTo(await openRude(""))).code).toBe(451);
  });

  test("the server is too busy to greet", async () => {
    expect((await relayTo(await openRude("421 4.3.2 busy\r\n"))).code).toBe(421);
  });
});

test("through the service: mailboxes go to the relay, webhooks do not, and nothing is kept as received", async () => {
  const { port, taken } = await openServer();
  const relay = { host: "127.0.0.1", port, name: "mx1.mailflow.example" };
  const fixture = await mailFixture(undefined, { ways: { relay } });
  await receiveFor(fixture, ["one@example.com", "hook@example.com"]);
  await fixture.clock.advance(0);
  expect(taken.map(({ to }) => to)).toEqual([["ann@mail.example"]]);
  expect((await allReceived(fixture)).map(({ destination }) => destination)).toEqual([
    "https://hooks.example/in",
  ]);
  expect((await allLogs(fixture)).map(({ events }) => events[1]?.message)).toEqual([
    "2.0.0 taken",
    "2.0.0 accepted by the simulated internet",
  ]);
});
