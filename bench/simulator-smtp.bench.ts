/** Messages over SMTP: what the whole service costs beside the server library it stands on. The client is another process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { LIMITS } from "../src/base/limits.ts";
import { route, stagedMessage } from "../src/message/index.ts";
import { createSimulator, type WorldDomain } from "../src/simulator/index.ts";
import type { Bench, Scale, Work } from "./bench.ts";
import { compileAlone } from "./compilers.ts";
import { markedMail } from "./peer-material.ts";

const MESSAGES: Readonly<Record<Scale, number>> = { full: 200, tiny: 10 };
/** Runs before the first that counts: below some thousand messages, compiling is most of what is measured. */
const WARM_RUNS: Readonly<Record<Scale, number>> = { full: 30, tiny: 0 };
/** A process that rests so long drops what it compiled, and shrinks its heap: then it warms up again. */
const REST_MS = 2_000;
export const DOMAIN = "bench.test";

export const CASES: readonly string[] = ["in, routed, logged", "in, routed, logged, delivered"];

/** A client that is told messages once, and then sends them all, over connections of 50, whenever it is asked. */
const CLIENT = `
const { connect } = require("node:net");
let port, mails;
async function sendSome(some) {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("latin1");
  let text = "", wake = () => {};
  socket.on("data", (chunk) => { text += chunk; wake(); });
  const answer = async () => {
    for (;;) {
      const whole = /^(?:\\d{3}-.*\\r\\n)*\\d{3} .*\\r\\n/.exec(text);
      if (whole) { text = text.slice(whole[0].length); return whole[0].slice(0, 3); }
      await new Promise((resolve) => { wake = resolve; });
    }
  };
  const ask = (line) => { socket.write(line); return answer(); };
  await answer();
  await ask("EHLO client.test\\r\\n");
  const said = [];
  for (const { sender, recipient, octets } of some) {
    await ask("MAIL FROM:<" + sender + ">\\r\\n");
    await ask("RCPT TO:<" + recipient + ">\\r\\n");
    await ask("DATA\\r\\n");
    said.push(await ask(octets));
  }
  await ask("QUIT\\r\\n");
  return said;
}
process.on("message", async (message) => {
  if (message.mails) ({ port, mails } = message);
  if (message.mails) return process.send("ready");
  const said = [];
  for (let at = 0; at < mails.length; at += 50) said.push(...await sendSome(mails.slice(at, at + 50)));
  process.send(said);
});
`;

/** Dot-stuffed, with CRLF lines and the end of data. */
function onTheWire(bytes: Uint8Array): string {
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/\r\n|\r|\n/g, "\r\n");
  return `${text.replace(/^\./gm, "..")}\r\n.\r\n`;
}

async function clientOf(port: number, scale: Scale): Promise<ChildProcess> {
  const stdio = ["ignore", "inherit", "inherit", "ipc"] as const;
  const child = spawn(process.execPath, ["-e", CLIENT], { stdio: [...stdio] });
  const mails = (await markedMail(MESSAGES[scale])).map(({ bytes }, index) => ({
    sender: "ann@source.test",
    recipient: `u${index}@${DOMAIN}`,
    octets: onTheWire(bytes),
  }));
  child.send({ port, mails });
  await once(child, "message");
  return child;
}

interface Receiving {
  readonly port: number;
  /** Settles when nothing of what was taken is left to do. */
  idle(): Promise<void>;
  close(): void;
}

export function domainFor(caseName: string): WorldDomain {
  const forward = caseName === CASES[0] ? "null" : "inbox@dest.test";
  return {
    domain: DOMAIN,
    routing_engine: "rules",
    rules: [
      { type: "alias", config: { alias: "info", forward } },
      { type: "regex", config: { regex: "(?i)viagra|mortgage", scopes: ["subject"], forward } },
      { type: "cel", config: { expression: 'body.contains("unsubscribe from")', forward } },
      { type: "alias", config: { alias: "*", forward } },
    ],
  };
}

async function mailflow(caseName: string): Promise<Receiving> {
  const simulator = await createSimulator({ world: { domains: [domainFor(caseName)] } });
  const { mxPort } = await simulator.listen();
  return {
    port: mxPort,
    idle: () => simulator.clock.advance(0),
    close: () => void simulator.close(),
  };
}

type Session = Parameters<NonNullable<SMTPServerOptions["onData"]>>[1];

/** Takes every message into memory, gives it to `take`, and forgets it. */
async function smtpServer(
  take: (message: Uint8Array, session: Session) => Promise<unknown> | null,
): Promise<Receiving> {
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: LIMITS.smtpMessageBytesMax,
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      const answer = (): void => callback(null, "queued");
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const taken = take(Buffer.concat(chunks), session);
        if (taken === null) answer();
        else taken.then(answer, callback);
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: (server.server.address() as AddressInfo).port,
    idle: async () => {},
    close: () => void server.close(),
  };
}

/** Reads each message as far as the rules ask for, and decides it: no service, no log. */
async function smtpServerAndLibrary(caseName: string): Promise<Receiving> {
  const domain = compileAlone(domainFor(caseName));
  return smtpServer((message, { envelope }) => {
    const sender = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
    const recipient = envelope.rcptTo[0]!.address;
    return route(domain, { recipient, sender }, stagedMessage(message));
  });
}

async function workOf({ port, idle, close }: Receiving, scale: Scale): Promise<Work> {
  const child = await clientOf(port, scale);
  async function sendAll(): Promise<string[]> {
    child.send({});
    const [answers] = (await once(child, "message")) as [string[]];
    await idle();
    return answers;
  }
  let endedMs = Number.NEGATIVE_INFINITY;
  async function warmUp(): Promise<void> {
    if (performance.now() - endedMs < REST_MS) return;
    for (let run = 0; run < WARM_RUNS[scale]; run++) await sendAll();
  }
  return {
    operations: MESSAGES[scale],
    async measure(runs) {
      await warmUp();
      let answers: string[] = [];
      const start = process.cpuUsage();
      for (let run = 0; run < runs; run++) answers = await sendAll();
      const { user, system } = process.cpuUsage(start);
      endedMs = performance.now();
      return { cost: (user + system) * 1_000, answers };
    },
    close() {
      child.kill();
      close();
    },
  };
}

export const simulatorSmtpBench: Bench = {
  name: "simulator-smtp",
  title:
    "CPU of the server for a message of the dataset over SMTP, four rules, against smtp-server alone, which takes it and forgets it, and with mailflow's library",
  operation: "message",
  cases: () => CASES,
  contestants: [
    { name: "mailflow", prepare: async (name, scale) => workOf(await mailflow(name), scale) },
    {
      name: "smtp-server alone",
      prepare: async (_, scale) => workOf(await smtpServer(() => null), scale),
    },
    {
      name: "smtp-server that reads and decides",
      prepare: async (name, scale) => workOf(await smtpServerAndLibrary(name), scale),
    },
  ],
};
