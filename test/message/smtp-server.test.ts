/** The example of a server that decides at RCPT TO, behind the header or at the end, run as it is documented. */
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CompiledDomain, compileDomain } from "../../src/engine/routing/compile-domain.ts";
import { resolve } from "../../src/engine/routing/resolve.ts";
import { route, stagedMessage, toFacts } from "../../src/message/index.ts";

const compiled = compileDomain({
  domain: "own.example",
  routing_engine: "rules",
  rules_fallback_email: null,
  rules: [
    { id: "sales", type: "alias", config: { alias: "sales", forward: "s@else.example" } },
    {
      id: "offers",
      type: "regex",
      config: { regex: "offer", scopes: ["subject"], forward: "o@else.example" },
    },
    {
      id: "urgent",
      type: "regex",
      config: { regex: "urgent", scopes: ["body"], forward: "u@else.example" },
    },
  ],
});
const aliases = compileDomain({
  domain: "own.example",
  routing_engine: "alias",
  aliases: [{ id: "only", alias: "only", forward: "x@else.example" }],
});

function serve(
  domain: CompiledDomain,
  log: string[],
  passOn: (message: AsyncIterable<Uint8Array>) => Promise<void>,
): InstanceType<typeof SMTPServer> {
  // The example begins.
  return new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: 50_000_000,
    onRcptTo({ address }, session, callback) {
      const sender = session.envelope.mailFrom === false ? "" : session.envelope.mailFrom.address;
      const resolution = resolve(domain, toFacts({ recipient: address, sender }));
      if (resolution.verdict === "decided" && resolution.action === "reject") {
        const refusal = new Error(resolution.reply?.text ?? "refused");
        callback(Object.assign(refusal, { responseCode: resolution.reply?.code ?? 550 }));
      } else callback();
    },
    onData(stream, session, callback) {
      const sender = session.envelope.mailFrom === false ? "" : session.envelope.mailFrom.address;
      // Recipients share what is read; what is forwarded passes on as a stream.
      const message = stagedMessage(stream);
      const decide = async (): Promise<void> => {
        for (const { address: recipient } of session.envelope.rcptTo) {
          const { decision, stage } = await route(domain, { recipient, sender }, message);
          const by = decision.decidedBy?.id ?? decision.reason;
          log.push(`${recipient} ${stage} ${decision.action} ${by}`);
        }
        await passOn(message.stream());
      };
      // What is not passed on is not read.
      decide()
        .finally(() => message.close())
        .then(() => callback(), callback);
    },
  });
  // The example ends.
}

describe("a server that routes", () => {
  let server: InstanceType<typeof SMTPServer>;
  const log: string[] = [];
  const taken: Buffer[] = [];

  async function takeAll(message: AsyncIterable<Uint8Array>): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of message) chunks.push(chunk);
    taken.push(Buffer.concat(chunks));
  }

  async function start(result: typeof compiled, passOn = takeAll): Promise<void> {
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
    server = serve(result.domain, log, passOn);
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  }

  function send(to: readonly string[], subject: string, text: string): Promise<unknown> {
    const { port } = server.server.address() as AddressInfo;
    const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
    return transport.sendMail({ from: "a@sender.example", to: [...to], subject, text });
  }

  beforeEach(() => {
    log.length = 0;
    taken.length = 0;
  });
  afterEach(() => new Promise<void>((done) => server.close(() => done())));

  test("decides each recipient at the earliest stage, reading the message once", async () => {
    await start(compiled);
    await send(["sales@own.example", "x@own.example"], "an offer", "hello");
    await send(["x@own.example", "sales@own.example"], "news", "urgent");
    expect(log).toEqual([
      "sales@own.example envelope forward sales",
      "x@own.example header forward offers",
      "x@own.example body forward urgent",
      "sales@own.example body forward sales",
    ]);
  });

  test("has all octets for the next hop, whatever the decision read", async () => {
    await start(compiled);
    const text = "x".repeat(300_000);
    await send(["sales@own.example"], "long", text);
    expect(log).toEqual(["sales@own.example envelope forward sales"]);
    const received = taken[0]!.toString().replaceAll("=\r\n", "");
    expect(received).toMatch(/^Content-Type|^From/m);
    expect(received.replaceAll(/\s/g, "")).toContain(text);
  });

  test.each([
    ["that is gone before the first octet", 0],
    ["that is gone in the middle", 3],
  ])("a next hop %s: the client is told, and the next message passes", async (_when, chunks) => {
    let isGone = true;
    await start(compiled, async (message) => {
      if (!isGone) return takeAll(message);
      let passed = 0;
      if (chunks === 0) throw new Error("the next hop is gone");
      for await (const _chunk of message) {
        if (++passed === chunks) throw new Error("the next hop is gone");
      }
    });
    const { port } = server.server.address() as AddressInfo;
    const pool = createTransport({ pool: true, maxConnections: 1, host: "127.0.0.1", port });
    const mail = { from: "a@sender.example", to: ["sales@own.example"], subject: "s" };
    const long = pool.sendMail({ ...mail, text: "x".repeat(2_000_000) });
    await expect(long).rejects.toThrow("the next hop is gone");
    isGone = false;
    await pool.sendMail({ ...mail, text: "short" });
    pool.close();
    expect(taken.map(String)).toEqual([expect.stringContaining("short")]);
  });

  test("a client that is gone: what was passed on ends with an error", async () => {
    const told: unknown[] = [];
    let done = (): void => undefined;
    const isTold = new Promise<void>((resolve) => {
      done = resolve;
    });
    await start(compiled, async (message) => {
      await takeAll(message).catch((error: unknown) => told.push(error));
      done();
    });
    const { port } = server.server.address() as AddressInfo;
    const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
    async function* half(): AsyncGenerator<string> {
      yield `Subject: s\r\n\r\n${"x\r\n".repeat(100_000)}`;
      throw new Error("the client is gone");
    }
    const envelope = { from: "a@sender.example", to: "sales@own.example" };
    const raw = Readable.from(half());
    await expect(transport.sendMail({ envelope, raw })).rejects.toThrow("the client is gone");
    await isTold;
    expect(taken).toEqual([]);
    expect(told).toEqual([expect.any(Error)]);
  });

  test("refuses at RCPT TO whom no stage could accept", async () => {
    await start(aliases);
    await expect(send(["nobody@own.example"], "s", "t")).rejects.toThrow(/550/);
    expect([log, taken]).toEqual([[], []]);
  });
});
