/** The example of a server that decides at RCPT TO, behind the header or at the end, run as it is documented. */
import type { AddressInfo } from "node:net";
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
  taken: Buffer[],
): InstanceType<typeof SMTPServer> {
  // The example begins.
  return new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: 10_000_000,
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
      // Recipients share what is read; a server that forwards needs all octets in the end.
      const message = stagedMessage(stream);
      const decide = async (): Promise<void> => {
        for (const { address: recipient } of session.envelope.rcptTo) {
          const { decision, stage } = await route(domain, { recipient, sender }, message);
          const by = decision.decidedBy?.id ?? decision.reason;
          log.push(`${recipient} ${stage} ${decision.action} ${by}`);
        }
        taken.push(Buffer.from(await message.octets()));
      };
      decide().then(() => callback(), callback);
    },
  });
  // The example ends.
}

describe("a server that routes", () => {
  let server: InstanceType<typeof SMTPServer>;
  const log: string[] = [];
  const taken: Buffer[] = [];

  async function start(result: typeof compiled): Promise<void> {
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
    server = serve(result.domain, log, taken);
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

  test("refuses at RCPT TO whom no stage could accept", async () => {
    await start(aliases);
    await expect(send(["nobody@own.example"], "s", "t")).rejects.toThrow(/550/);
    expect([log, taken]).toEqual([[], []]);
  });
});
