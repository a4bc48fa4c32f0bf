/** Ctrl-C in the middle of much: the process ends in its stated time, and says what it left. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { greeted } from "../../simulator/smtp/client.ts";
import { ANY_PORTS, bundleCommand, type Served, serve } from "./serve-process.ts";

let executable: string;
beforeAll(async () => {
  ({ executable } = await bundleCommand("mailflow-serve-end"));
});

const running: Served[] = [];
const servers: Server[] = [];
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    if (child.exitCode === null) child.kill("SIGKILL");
    await ended;
  }
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Started {
  readonly served: Served;
  readonly url: string;
  readonly mxPort: number;
}

async function start(
  aliases: readonly { alias: string; forward: string }[],
  options: readonly string[],
): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), "mailflow-serve-end-"));
  const seed = join(folder, "world.json");
  const plan = { daily_receive_limit: 1_000_000, monthly_receive_limit: 10_000_000 };
  await writeFile(seed, JSON.stringify({ plan, domains: [{ domain: "own.test", aliases }] }));
  const served = serve(executable, [...ANY_PORTS, "--json", "--seed", seed, ...options]);
  running.push(served);
  return { served, ...JSON.parse(await served.welcome) };
}

/** Sends one message after the other, as many on a connection as it takes, until `most` or the server's end. */
async function sendMany(
  port: number,
  most: number,
  recipientOf: (at: number) => string,
  taken: () => void = () => {},
): Promise<void> {
  try {
    for (let at = 0; at < most; ) {
      const client = await greeted(port);
      const end = Math.min(most, at + LIMITS.smtpTransactionsMax);
      for (; at < end; at++) {
        client.send(`MAIL FROM:<ann@source.test>\r\nRCPT TO:<${recipientOf(at)}>\r\nDATA\r\n`);
        for (const code of ["250", "250", "354"]) expectCode(await client.answer(), code);
        client.send(`Subject: mail ${at}\r\n\r\n${"x".repeat(900)}\r\n.\r\n`);
        expectCode(await client.answer(), "250");
        taken();
      }
      client.close();
    }
  } catch {
    // The server has ended the session.
  }
}

function expectCode(said: string, code: string): void {
  if (!said.startsWith(code)) throw new Error(said);
}

/** Twice the stated time, for machines that have much else to do. */
const END_MS = 2 * LIMITS.closeMs;

async function endOf({ served }: Started): Promise<{ code: number | null; stderr: string }> {
  const sentMs = Date.now();
  served.child.kill("SIGINT");
  const { code, stderr } = await served.ended;
  expect(Date.now() - sentMs).toBeLessThan(END_MS);
  return { code, stderr };
}

test("during 50,000 messages: what was accepted is logged and delivered, or said to be left", {
  timeout: 120_000,
}, async () => {
  const at = await start([{ alias: "*", forward: "in@dest.test" }], ["--log", "info"]);
  let accepted = 0;
  const enough = new Promise<void>((resolve) => {
    const clients = 8;
    const sending = Array.from({ length: clients }, (_, client) =>
      sendMany(
        at.mxPort,
        50_000 / clients,
        (mail) => `c${client}m${mail}@own.test`,
        () => {
          accepted++;
          if (accepted === 4_000) resolve();
        },
      ),
    );
    void Promise.all(sending).then(() => resolve());
  });
  await enough;
  const { code, stderr } = await endOf(at);
  expect(code).toBe(0);
  expect(accepted).toBeGreaterThanOrEqual(4_000);
  expect(accepted).toBeLessThan(50_000);
  const count = (status: string): number => stderr.split(`"status":"${status}"`).length - 1;
  const queued = count("QUEUED");
  expect(queued).toBeGreaterThanOrEqual(accepted);
  const left = Number(
    /^(\d+) deliver(?:y|ies) still waited and will not be made$/m.exec(stderr)?.[1] ?? 0,
  );
  expect(count("DELIVERED") + left).toBe(queued);
});

test.each([
  ["one host", 1],
  ["300 hosts", 300],
])(
  "during 300 hanging webhooks of %s, past which other mail goes within a second",
  { timeout: 120_000 },
  async (_, hosts) => {
    let asked = 0;
    const hanging = createServer(() => {
      asked++;
    });
    servers.push(hanging);
    await new Promise<void>((resolve) => hanging.listen(0, "0.0.0.0", resolve));
    const { port } = hanging.address() as AddressInfo;
    const aliases = Array.from({ length: 300 }, (__, at) => {
      const host = at % hosts;
      // All of 127.0.0.0/8 is this machine.
      return {
        alias: `h${at}`,
        forward: `http://127.1.${Math.trunc(host / 250)}.${(host % 250) + 1}:${port}/in`,
      };
    });
    const fine = { alias: "fine", forward: "ann@dest.test" };
    const at = await start([...aliases, fine], ["--allow-private-webhooks"]);
    let taken = 0;
    await sendMany(
      at.mxPort,
      300,
      (mail) => `h${mail}@own.test`,
      () => taken++,
    );
    expect(taken).toBe(300);
    const waiting = fetch(`${at.url}/_sim/messages/wait?destination=ann@dest.test&timeoutMs=1000`);
    await sendMany(at.mxPort, 1, () => "fine@own.test");
    expect((await waiting).status).toBe(200);
    expect(asked).toBe(Math.min(300, hosts * LIMITS.hostSlotsMax));
    const { code, stderr } = await endOf(at);
    expect([code, stderr]).toEqual([0, "300 deliveries still waited and will not be made\n"]);
  },
);
