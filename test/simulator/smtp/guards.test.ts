/** What one client may take of the SMTP servers: connections, sign-ins; TLS as its options say. */
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { makeCertificate } from "../../../src/simulator/smtp/certificate.ts";
import {
  createSignInFailures,
  createSignInGuard,
} from "../../../src/simulator/smtp/sign-in-guard.ts";
import { open } from "../control/open.ts";
import { greeted, type RawClient, rawClient } from "./client.ts";

const clients: { close(): unknown }[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

function kept<Client extends { close(): unknown }>(client: Client): Client {
  clients.push(client);
  return client;
}

const plain = (user: string, password: string): string => btoa(`\0${user}\0${password}`);
const WRONG = `AUTH PLAIN ${plain("info@own.test", "wrong")}`;
const RIGHT = `AUTH PLAIN ${plain("info@own.test", "s3cret-enough")}`;

describe("a guesser of passwords", () => {
  test("waits longer after each failure, up to a bound, and is locked out by its address", async () => {
    let nowMs = 0;
    const guard = createSignInGuard(createSignInFailures(() => nowMs));
    const waits = await Promise.all(
      Array.from({ length: LIMITS.signInFailuresMax }, () => guard.failed("a")),
    );
    const first = [0, 1, 2].map((doublings) => LIMITS.signInDelayMs * 2 ** doublings);
    expect(waits.slice(0, 3)).toEqual(first);
    expect(Math.max(...(waits as number[]))).toBe(LIMITS.signInDelayMaxMs);
    expect([await guard.mayTry("a"), await guard.failed("a")]).toEqual([true, null]);
    expect([await guard.mayTry("a"), await guard.mayTry("b")]).toEqual([false, true]);
    nowMs = LIMITS.signInWindowMs + 1;
    expect(await guard.mayTry("a")).toBe(true);
    expect(await guard.failed("a")).toBe(LIMITS.signInDelayMs);
    await guard.succeeded("a");
    expect(await guard.failed("a")).toBe(LIMITS.signInDelayMs);
  });

  test("is forgotten first when too many addresses are remembered", async () => {
    const guard = createSignInGuard(createSignInFailures(() => 0));
    for (let count = 0; count <= LIMITS.signInFailuresMax; count++) await guard.failed("first");
    expect(await guard.mayTry("first")).toBe(false);
    for (let at = 0; at < LIMITS.signInAddressesMax; at++) await guard.failed(`other ${at}`);
    expect(await guard.mayTry("first")).toBe(true);
  });

  test("is counted over all its connections, and then not even heard with the right one", async () => {
    const simulator = await open();
    const { submissionPort } = await simulator.listen({ authWithoutTls: "allow" });
    const count = LIMITS.signInFailuresMax + 1;
    const made = await Promise.all(
      Array.from({ length: count }, async () => kept(await greeted(submissionPort))),
    );
    const said = await Promise.all(made.map((client) => client.ask(WRONG)));
    const codes = said.map((text) => text.slice(0, 3)).sort();
    expect(codes).toEqual(["421", ...Array.from({ length: count - 1 }, () => "535")]);
    const late = kept(await greeted(submissionPort));
    expect(await late.ask(RIGHT)).toMatch(/^421 4\.7\.0 too many failed sign-ins/);
  });
});

/** The first line that a server says to a client that comes from this address. */
function greetingFrom(
  localAddress: string,
  port: number,
  wrap: (socket: Socket) => Socket = (plain) => plain,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = wrap(connectTcp({ port, host: "127.0.0.1", localAddress }));
    kept({ close: () => socket.destroy() });
    socket.once("error", reject);
    socket.once("data", (chunk) => resolve(chunk.toString()));
  });
}

test("one client cannot take all connections", async () => {
  const { mxPort } = await (await open()).listen();
  const made: RawClient[] = [];
  for (let at = 0; at < LIMITS.smtpClientsOfAddressMax; at++) {
    const client = kept(await rawClient(mxPort));
    expect(await client.answer()).toMatch(/^220 /);
    made.push(client);
  }
  const beyond = kept(await rawClient(mxPort));
  expect(await beyond.answer()).toMatch(/^421 4\.7\.0 too many connections/);
  expect(await greetingFrom("127.0.0.2", mxPort)).toMatch(/^220 /);
  made[0]!.close();
  await made[0]!.closed();
});

describe("TLS", () => {
  test("handshakes that one client does not end leave room for others", async () => {
    const { submissionsPort } = await (await open()).listen({ submissionsPort: 0 });
    const hanging = Array.from({ length: 2 * LIMITS.smtpClientsOfAddressMax }, () => {
      const socket = connectTcp({ port: submissionsPort!, host: "127.0.0.1" }).on(
        "error",
        () => {},
      );
      kept({ close: () => socket.destroy() });
      return socket;
    });
    const [refused] = await Promise.all([
      new Promise((resolve) => hanging.at(-1)!.once("close", () => resolve("closed"))),
      ...hanging.map((socket) => new Promise((resolve) => socket.once("connect", resolve))),
    ]);
    expect(refused).toBe("closed");
    const overTls = (socket: Socket): Socket => connectTls({ socket, rejectUnauthorized: false });
    expect(await greetingFrom("127.0.0.2", submissionsPort!, overTls)).toMatch(/^220 /);
  });

  test("from the first octet and by STARTTLS, with a certificate of one's own", async () => {
    const tls = await makeCertificate("mail.own.test");
    const server = await (await open()).listen({ submissionsPort: 0, tls });
    const socket = connectTls({
      port: server.submissionsPort!,
      host: "127.0.0.1",
      ca: tls.cert,
      servername: "mail.own.test",
      checkServerIdentity: () => undefined,
    });
    kept({ close: () => socket.destroy() });
    await new Promise<void>((resolve, reject) =>
      socket.once("secureConnect", resolve).once("error", reject),
    );
    expect(socket.authorized).toBe(true);
    const hello = await new Promise<string>((resolve) =>
      socket.once("data", (chunk) => resolve(`${chunk}`)),
    );
    expect(hello).toMatch(/^220 /);
    const client = kept(await rawClient(server.submissionPort));
    await client.answer();
    const offered = await client.ask("EHLO client.example");
    expect(offered).toContain("STARTTLS");
    expect(offered).not.toContain("AUTH");
    expect(await client.ask(RIGHT)).not.toMatch(/^235/);
  });

  test("there is no port for it unless it is asked for", async () => {
    expect((await (await open()).listen()).submissionsPort).toBe(null);
  });
});

test("any name and password sign in where that is asked for, and send for a domain that is there", async () => {
  const simulator = await open();
  const server = await simulator.listen({ authWithoutTls: "allow", logins: "any" });
  const client = kept(await greeted(server.submissionPort));
  expect(await client.ask(`AUTH PLAIN ${plain("who", "ever")}`)).toMatch(/^235/);
  expect(await client.ask("MAIL FROM:<x@elsewhere.test>")).toMatch(/^5\d\d/);
});
