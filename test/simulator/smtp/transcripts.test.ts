/** Transcripts of SMTP sessions: what each side said, and neither passwords nor messages. */
import { afterEach, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import type { Simulator } from "../../../src/simulator/index.ts";
import { createTranscripts, type SmtpSession } from "../../../src/simulator/smtp/transcripts.ts";
import { json } from "../client.ts";
import { open } from "../control/open.ts";
import { greeted, type RawClient } from "./client.ts";

const clients: RawClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

async function connected(port: number): Promise<RawClient> {
  const client = await greeted(port);
  clients.push(client);
  return client;
}

async function lastSession(simulator: Simulator): Promise<SmtpSession> {
  const { sessions } = await json<{ sessions: SmtpSession[] }>(simulator, "GET /_sim/sessions");
  const path = `GET /_sim/sessions/${sessions[0]!.id}`;
  return (await json<{ session: SmtpSession }>(simulator, path)).session;
}

const said = ({ lines }: SmtpSession): string[] =>
  lines.filter(({ from }) => from !== "note").map(({ from, text }) => `${from}: ${text}`);

test("both sides of a session, in order, without the message", async () => {
  const simulator = await open();
  const { mxPort } = await simulator.listen();
  const client = await connected(mxPort);
  await client.ask("MAIL FROM:<ann@source.test>");
  await client.ask("RCPT TO:<nobody@own.test>");
  await client.ask("RCPT TO:<info@own.test>");
  await client.ask("DATA");
  client.send("Subject: a secret\r\n\r\nnobody else reads this\r\n.\r\n");
  await client.answer();
  await client.ask("QUIT");
  await client.closed();
  await expect.poll(async () => (await lastSession(simulator)).endedMs).not.toBeNull();
  const session = await lastSession(simulator);
  expect(session).toMatchObject({ server: "mx", remote: "127.0.0.1", linesCut: 0 });
  expect(session.endedMs).toBeGreaterThanOrEqual(session.startedMs);
  const lines = said(session);
  const inOrder = [
    /^server: 220 /,
    /^client: EHLO client\.example$/,
    /^server: 250/,
    /^client: MAIL FROM:<ann@source\.test>$/,
    /^server: 250 /,
    /^client: RCPT TO:<nobody@own\.test>$/,
    /^server: 550 /,
    /^client: RCPT TO:<info@own\.test>$/,
    /^server: 250 /,
    /^client: DATA$/,
    /^server: 354 /,
    /^server: 250 2\.0\.0 queued as /,
    /^client: QUIT$/,
    /^server: 221 /,
  ];
  let at = 0;
  for (const wanted of inOrder) {
    const found = lines.findIndex((line, index) => index >= at && wanted.test(line));
    expect([String(wanted), found >= at, lines]).toEqual([String(wanted), true, lines]);
    at = found + 1;
  }
  expect(JSON.stringify(session)).not.toMatch(/secret|nobody else/);
});

test.each(["PLAIN", "LOGIN"])("no password of AUTH %s, right or wrong", async (method) => {
  const simulator = await open();
  const { submissionPort } = await simulator.listen({ authWithoutTls: "allow" });
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  for (const password of ["wrong-password", "s3cret-enough"]) {
    const client = await connected(submissionPort);
    if (method === "PLAIN") {
      await client.ask(`AUTH PLAIN ${base64(`\0info@own.test\0${password}`)}`);
    } else {
      await client.ask("AUTH LOGIN");
      await client.ask(base64("info@own.test"));
      await client.ask(base64(password));
    }
    await client.ask("QUIT");
    await client.closed();
    const session = await lastSession(simulator);
    expect(session.server).toBe("submission");
    expect(said(session).some((line) => line.startsWith(`client: AUTH ${method}`))).toBe(true);
    const code = password === "s3cret-enough" ? "235" : "535";
    expect(said(session).some((line) => line.startsWith(`server: ${code} `))).toBe(true);
    const told = JSON.stringify(session);
    for (const text of [password, base64(password), base64(`\0info@own.test\0${password}`)]) {
      expect(told).not.toContain(text);
    }
  }
});

test("of many sessions the last are kept, of a long one the first lines, of a long line its start", () => {
  const transcripts = createTranscripts(() => 5);
  const { debug } = transcripts.logger("mx");
  for (let at = 0; at <= LIMITS.smtpSessionsKept; at++) {
    debug({ tnx: "connection", cid: `c${at}`, host: "192.0.2.1" });
  }
  expect(transcripts.get("c0")).toBeUndefined();
  expect(transcripts.last(1_000)).toHaveLength(LIMITS.smtpSessionsKept);
  expect(transcripts.last(1)[0]!.id).toBe(`c${LIMITS.smtpSessionsKept}`);
  for (let line = 0; line < LIMITS.smtpSessionLinesKept + 7; line++) {
    debug({ tnx: "command", cid: "c1" }, "C:", `${line} ${"x".repeat(LIMITS.smtpLineUnitsKept)}`);
  }
  const { lines, linesCut } = transcripts.get("c1")!;
  expect([lines.length, linesCut]).toEqual([LIMITS.smtpSessionLinesKept, 7]);
  expect(lines[0]!.text).toHaveLength(LIMITS.smtpLineUnitsKept);
  debug({ tnx: "command", cid: "c0" }, "C:", "too late");
  expect(transcripts.get("c0")).toBeUndefined();
});

test("a session that is not there is a 404", async () => {
  await json(await open(), "GET /_sim/sessions/nothing", { status: 404 });
});
