/** POP3: a mailbox of the simulated internet, read and deleted from. */
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import type { Simulator } from "../../../src/simulator/index.ts";
import { open, receive } from "../control/open.ts";
import { type RawClient, rawClient } from "../smtp/client.ts";

const clients: RawClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

/** Lines up to the end of an answer of several lines, or the one line. */
interface Pop3 {
  ask(command: string, lines?: "one" | "many"): Promise<string>;
  readonly raw: RawClient;
}

async function connectTo(port: number): Promise<Pop3> {
  const raw = await rawClient(port, /^(?:[+-][^\r\n]*\r\n)/);
  clients.push(raw);
  await raw.answer();
  return {
    raw,
    async ask(command, lines = "one") {
      const first = await raw.ask(command);
      if (lines === "one" || first.startsWith("-")) return first;
      return `${first}\n${await raw.answer(/^(?:[^\r\n]*\r\n)*?\.\r\n/)}`;
    },
  };
}

async function openBox(messages: number): Promise<{ simulator: Simulator; port: number }> {
  const simulator = await open();
  const { pop3Port } = await simulator.listen({ pop3Port: 0 });
  for (let at = 0; at < messages; at++) await receive(simulator, ["info@own.test"], `mail ${at}`);
  return { simulator, port: pop3Port! };
}

async function signedIn(
  messages: number,
): Promise<{ simulator: Simulator; pop: Pop3; port: number }> {
  const { simulator, port } = await openBox(messages);
  const pop = await connectTo(port);
  expect(await pop.ask("USER ann@dest.test")).toMatch(/^\+OK/);
  expect(await pop.ask(`PASS ${simulator.apiKey}`)).toMatch(new RegExp(`^\\+OK ${messages} `));
  return { simulator, pop, port };
}

test("there is none unless it is asked for", async () => {
  const simulator = await open();
  expect((await simulator.listen()).pop3Port).toBe(null);
});

test("a mailbox is listed and read octet by octet", async () => {
  const { simulator, pop } = await signedIn(2);
  const [first] = await simulator.control.messages({ destination: "ann@dest.test" });
  const { text, bytes, id } = await simulator.control.message(first!.id);
  expect(await pop.ask("STAT")).toMatch(/^\+OK 2 \d+$/);
  expect(await pop.ask("LIST 1")).toBe(`+OK 1 ${bytes}`);
  expect(await pop.ask("UIDL 1")).toBe(`+OK 1 ${id}`);
  expect((await pop.ask("LIST", "many")).split("\n")).toHaveLength(4);
  const read = await pop.ask("RETR 1", "many");
  expect(read).toBe(`+OK ${bytes} octets\n${text.replaceAll("\r\n", "\n")}.`);
  const top = await pop.ask("TOP 1 0", "many");
  expect(top).toContain("Subject: mail 0");
  expect(top).not.toContain("Hello");
  expect(await pop.ask("CAPA", "many")).toContain("UIDL");
});

test("a dot that begins a line is stuffed", async () => {
  const { simulator, port } = await openBox(0);
  await simulator.receive({
    envelope: { sender: "a@source.test", recipients: ["info@own.test"] },
    message: "Subject: x\n\n.\n..two\nend",
  });
  const pop = await connectTo(port);
  await pop.ask("USER ann@dest.test");
  await pop.ask(`PASS ${simulator.apiKey}`);
  expect(await pop.ask("RETR 1", "many")).toMatch(/\n\n\.\.\n\.\.\.two\nend\n\.$/);
});

test("deleted at QUIT, not before, and not after RSET", async () => {
  const { simulator, pop, port } = await signedIn(3);
  const left = async (): Promise<number> =>
    (await simulator.control.messages({ destination: "ann@dest.test" })).length;
  expect(await pop.ask("DELE 1")).toBe("+OK");
  expect(await pop.ask("DELE 1")).toMatch(/^-ERR/);
  expect(await pop.ask("RETR 1")).toMatch(/^-ERR/);
  await pop.ask("RSET");
  await pop.ask("DELE 2");
  expect(await left()).toBe(3);
  await pop.ask("QUIT");
  await pop.raw.closed();
  expect(await left()).toBe(2);
  // Without QUIT nothing is deleted.
  const again = await connectTo(port);
  await again.ask("USER ann@dest.test");
  await again.ask(`PASS ${simulator.apiKey}`);
  await again.ask("DELE 1");
  again.raw.close();
  await again.raw.closed();
  expect(await left()).toBe(2);
});

describe("who is let in", () => {
  test("nobody without the key, and nothing before", async () => {
    const { port } = await openBox(1);
    const pop = await connectTo(port);
    for (const early of ["STAT", "LIST", "RETR 1", "DELE 1", "PASS x"]) {
      expect(await pop.ask(early)).toMatch(/^-ERR/);
    }
    await pop.ask("USER ann@dest.test");
    expect(await pop.ask("PASS wrong")).toMatch(/^-ERR wrong/);
    await pop.raw.closed();
  });

  test("a name without mail has an empty mailbox", async () => {
    const { simulator, port } = await openBox(1);
    const pop = await connectTo(port);
    await pop.ask("USER nobody@dest.test");
    expect(await pop.ask(`PASS ${simulator.apiKey}`)).toBe("+OK 0 0");
  });
});

describe("bounds", () => {
  test("of a line, with or without its end", async () => {
    const { port } = await openBox(0);
    const long = "x".repeat(LIMITS.pop3LineBytesMax + 1);
    const pop = await connectTo(port);
    expect(await pop.ask(long)).toMatch(/^-ERR this line is too long/);
    await pop.raw.closed();
    const other = await connectTo(port);
    other.raw.send(long);
    expect(await other.raw.answer()).toMatch(/^-ERR this line/);
  });

  test("of connections of one address", async () => {
    const { port } = await openBox(0);
    for (let at = 0; at < LIMITS.pop3ClientsOfAddressMax; at++) await connectTo(port);
    const raw = await rawClient(port, /^(?:[+-][^\r\n]*\r\n)/);
    clients.push(raw);
    expect(await raw.answer()).toMatch(/^-ERR too many connections/);
  });

  test("commands that nobody knows, or that make no sense, are answered", async () => {
    const { pop } = await signedIn(1);
    for (const odd of [
      "",
      "XYZ",
      "RETR",
      "RETR 0",
      "RETR -1",
      "RETR 99",
      "TOP 1",
      "LIST x",
      "toString",
      "USER x",
    ]) {
      expect(await pop.ask(odd)).toMatch(/^-ERR/);
    }
    expect(await pop.ask("noop")).toBe("+OK");
  });
});

test("a mailbox opens in any spelling of its name", async () => {
  const aliases = [{ alias: "info", forward: '"Ann"@Dest.test, "b c"@dest.test, José@dest.test' }];
  const simulator = await open({ world: { domains: [{ domain: "own.test", aliases }] } });
  const { pop3Port } = await simulator.listen({ pop3Port: 0 });
  await receive(simulator, ["info@own.test"]);
  const names = ['"ANN"@dest.test', "ann@DEST.test", '"b\\ c"@dest.test', "jose\u0301@dest.test"];
  for (const name of names) {
    const pop = await connectTo(pop3Port!);
    await pop.ask(`USER ${name}`);
    expect([name, await pop.ask(`PASS ${simulator.apiKey}`)]).toEqual([
      name,
      expect.stringMatching(/^\+OK 1 /),
    ]);
  }
});
