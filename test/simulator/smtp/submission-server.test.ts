/** Submission over real sockets: who may send, as whom, and what becomes of it. */
import nodemailer from "nodemailer";
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { headerFacts } from "../../../src/message/index.ts";
import {
  CREDENTIALS,
  DOMAINS,
  type DomainRow,
  USAGE,
} from "../../../src/simulator/model/records.ts";
import {
  deleteCredential,
  updateCredential,
} from "../../../src/simulator/model/sending/credentials.ts";
import {
  type RunningSmtp,
  type SmtpOptions,
  startSmtp,
} from "../../../src/simulator/smtp/start-smtp.ts";
import {
  allLogs,
  allReceived,
  leftOver,
  type MailFixture,
  mailFixture,
  statusesOf,
} from "../receive/receive-fixture.ts";
import { greeted, type RawClient } from "./client.ts";

const PASSWORD = "s3cret-enough";
const WORLD = {
  domains: [
    {
      domain: "example.com",
      aliases: [],
      credentials: [{ username: "sales", password: PASSWORD }],
    },
    { domain: "other.example", aliases: [] },
  ],
};

const running: { smtp: RunningSmtp; clients: RawClient[] }[] = [];

interface Submission extends MailFixture {
  readonly smtp: RunningSmtp;
  /** A client without TLS. */
  client(): Promise<RawClient>;
  /** A client that has signed in. */
  signedIn(): Promise<RawClient>;
}

const plain = (user: string, password: string): string =>
  Buffer.from(`\0${user}\0${password}`).toString("base64");

async function open(options: SmtpOptions = {}, plan: object = {}): Promise<Submission> {
  const fixture = await mailFixture({ ...WORLD, plan });
  const smtp = await startSmtp(fixture.service, { authWithoutTls: "allow", ...options });
  const clients: RawClient[] = [];
  running.push({ smtp, clients });
  const client = async (): Promise<RawClient> => {
    const made = await greeted(smtp.submissionPort);
    clients.push(made);
    return made;
  };
  return {
    ...fixture,
    smtp,
    client,
    async signedIn() {
      const made = await client();
      expect(await made.ask(`AUTH PLAIN ${plain("sales@example.com", PASSWORD)}`)).toMatch(/^235 /);
      return made;
    },
  };
}

afterEach(async () => {
  for (const { smtp, clients } of running.splice(0)) {
    for (const client of clients) client.close();
    await smtp.close();
  }
});

async function setDomain({ service }: MailFixture, change: Partial<DomainRow>): Promise<void> {
  const table = service.store.table(DOMAINS);
  await table.replace({ ...(await table.get("example.com"))!, ...change });
}

async function submit(
  client: RawClient,
  message: string,
  to = "Reader@Dest.example",
): Promise<string> {
  expect(await client.ask("MAIL FROM:<sales@example.com>")).toMatch(/^250 /);
  expect(await client.ask(`RCPT TO:<${to}>`)).toMatch(/^250 /);
  expect(await client.ask("DATA")).toMatch(/^354 /);
  client.send(`${message}\r\n.\r\n`);
  return client.answer();
}

const FROM = "From: Sales <sales@example.com>";

test("an ordinary client signs in over TLS, and its mail is logged and sent as it is", async () => {
  const submission = await open({ authWithoutTls: "refuse" });
  const transport = nodemailer.createTransport({
    host: "127.0.0.1",
    port: submission.smtp.submissionPort,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: "sales@example.com", pass: PASSWORD },
    name: "client.example",
  });
  const { response, messageId } = await transport.sendMail({
    from: "Sales <sales@example.com>",
    to: "Reader <reader@dest.example>",
    cc: "other@dest.example",
    subject: "An offer",
    text: "Dear reader",
  });
  transport.close();
  await submission.clock.advance(0);
  const logs = await allLogs(submission);
  expect(response).toBe(`250 2.0.0 queued as ${logs[0]!.id}`);
  expect(logs.map(({ recipient }) => recipient)).toEqual([
    { email: "reader@dest.example", name: "Reader" },
    { email: "other@dest.example", name: null },
  ]);
  for (const log of logs) {
    expect(log).toMatchObject({
      transport: "smtp",
      domain: "example.com",
      messageId,
      subject: "An offer",
      sender: { email: "sales@example.com", name: "Sales" },
      forward: null,
    });
    expect(statusesOf(log)).toEqual(["QUEUED", "DELIVERED"]);
  }
  const [received] = await allReceived(submission);
  expect(received!.envelopeSender).toBe("sales@example.com");
  expect(Buffer.from(received!.base64, "base64").toString()).toMatch(
    /^Received: from client\.example \(\[127\.0\.0\.1\]\)\r\n\tby mx1\.mailflow\.example with ESMTPSA id /,
  );
});

describe("signing in", () => {
  test("PLAIN and LOGIN, with the name of an alias and its domain", async () => {
    const submission = await open();
    const client = await submission.client();
    expect(await client.ask("AUTH LOGIN")).toMatch(/^334 /);
    expect(await client.ask(Buffer.from("Sales@Example.com").toString("base64"))).toMatch(/^334 /);
    expect(await client.ask(Buffer.from(PASSWORD).toString("base64"))).toMatch(/^235 /);
    await submission.signedIn();
    const row = await submission.service.store.table(CREDENTIALS).get("example.com/sales");
    expect(row?.usage).toBe(2);
  });

  test("is not taken in clear unless allowed", async () => {
    const submission = await open({ authWithoutTls: "refuse" });
    const client = await submission.client();
    expect(await client.ask("EHLO client.example")).not.toContain("AUTH");
    expect(await client.ask(`AUTH PLAIN ${plain("sales@example.com", PASSWORD)}`)).toMatch(/^500 /);
    expect(await client.ask("MAIL FROM:<sales@example.com>")).toMatch(/^530 5\.7\.0/);
  });

  test("with a wrong password, name or domain fails alike, and a few times only", async () => {
    const submission = await open();
    const client = await submission.client();
    const wrong = [
      ["sales@example.com", "wrong-password"],
      ["nobody@example.com", PASSWORD],
      ["sales@other.example", PASSWORD],
    ];
    const answers: string[] = [];
    for (const [user, password] of wrong) {
      answers.push(await client.ask(`AUTH PLAIN ${plain(user!, password!)}`));
    }
    expect(wrong).toHaveLength(LIMITS.smtpSignInsMax);
    expect(answers.map((answer) => answer.slice(0, 9))).toEqual([
      "535 5.7.8",
      "535 5.7.8",
      "421 5.7.8",
    ]);
    await client.closed();
  });

  test("comes first", async () => {
    const client = await (await open()).client();
    expect(await client.ask("MAIL FROM:<sales@example.com>")).toMatch(/^530 /);
    expect(await client.ask("RCPT TO:<a@b.example>")).toMatch(/^530 /);
    expect(await client.ask("DATA")).toMatch(/^530 /);
  });
});

describe("the sender", () => {
  test("of the envelope is at the credential's domain, or null", async () => {
    const client = await (await open()).signedIn();
    expect(await client.ask("MAIL FROM:<ceo@other.example>")).toMatch(/^553 5\.7\.1 /);
    expect(await client.ask("MAIL FROM:<any@EXAMPLE.com>")).toMatch(/^250 /);
    await client.ask("RSET");
    expect(await client.ask("MAIL FROM:<>")).toMatch(/^250 /);
  });

  test.each([
    ["another domain", "From: ceo@other.example"],
    ["two mailboxes", "From: sales@example.com, ceo@other.example"],
    ["two fields", `${FROM}\r\nFrom: ceo@other.example`],
    ["two fields, the other first", `From: ceo@other.example\r\n${FROM}`],
    ["two fields, both its own", `${FROM}\r\n${FROM}`],
    ["no field", "Subject: x"],
    ["no mailbox", "From: sales"],
    ["an encoded word", "From: =?utf-8?q?sales=40example.com?= <ceo@other.example>"],
    ["a subdomain", "From: sales@sub.example.com"],
  ])("submission-from: %s in the From field is refused", async (_, fields) => {
    const submission = await open();
    const client = await submission.signedIn();
    expect(await submit(client, `${fields}\r\n\r\nbody`)).toMatch(/^550 5\.7\.1 /);
    expect(await allLogs(submission)).toEqual([]);
    expect(await leftOver(submission)).toEqual([0, 0]);
  });
});

describe("sending", () => {
  test("is blocked until the domain's DNS is configured for it", async () => {
    const submission = await open();
    const client = await submission.signedIn();
    await setDomain(submission, { sendReady: false });
    expect(await client.ask("MAIL FROM:<sales@example.com>")).toMatch(/^550 5\.7\.1 the DNS of/);
    await setDomain(submission, { sendReady: true });
    expect(await submit(client, `${FROM}\r\n\r\nbody`)).toMatch(/^250 /);
  });

  test("counts against the plan and ends with it", async () => {
    const submission = await open({}, { daily_send_limit: 1 });
    const client = await submission.signedIn();
    await client.ask("MAIL FROM:<sales@example.com>");
    expect(await client.ask("RCPT TO:<a@b.example>")).toMatch(/^250 /);
    expect(await client.ask("RCPT TO:<c@b.example>")).toMatch(/^452 4\.2\.2 /);
    await client.ask("DATA");
    client.send(`${FROM}\r\n\r\nbody\r\n.\r\n`);
    expect(await client.answer()).toMatch(/^250 /);
    const usage = await submission.service.store.table(USAGE).get("send/2026-01-31");
    expect(usage?.count).toBe(1);
    await client.ask("MAIL FROM:<sales@example.com>");
    expect(await client.ask("RCPT TO:<a@b.example>")).toMatch(/^452 /);
  });

  test("a message whose room another one has used is to be sent later", async () => {
    const submission = await open({}, { daily_send_limit: 1 });
    const clients = [await submission.signedIn(), await submission.signedIn()];
    for (const client of clients) {
      await client.ask("MAIL FROM:<sales@example.com>");
      expect(await client.ask("RCPT TO:<a@b.example>")).toMatch(/^250 /);
      expect(await client.ask("DATA")).toMatch(/^354 /);
    }
    const answers: string[] = [];
    for (const client of clients) {
      client.send(`${FROM}\r\n\r\nbody\r\n.\r\n`);
      answers.push((await client.answer()).slice(0, 9));
    }
    expect(answers).toEqual([expect.stringMatching(/^250 /), "452 4.2.2"]);
  });

  test("adds Message-ID and Date where they are missing, and nothing where they are not", async () => {
    const submission = await open();
    const client = await submission.signedIn();
    await submit(client, `${FROM}\r\n\r\nbody`);
    await submit(client, `${FROM}\r\nMessage-ID: <own@x>\r\nDate: today\r\n\r\nbody`);
    await submission.clock.advance(0);
    const logs = await allLogs(submission);
    const received = await allReceived(submission);
    const headers = await Promise.all(
      received.map(({ base64 }) => headerFacts(Buffer.from(base64, "base64"))),
    );
    expect(headers.map((each) => each.headers.get("message-id"))).toEqual([
      [logs[0]!.messageId],
      ["<own@x>"],
    ]);
    expect(logs[0]!.messageId).toMatch(/^<[\w-]+@example\.com>$/);
    expect(headers.map((each) => each.headers.get("date"))).toEqual([
      ["Sat, 31 Jan 2026 12:00:00 +0000"],
      ["today"],
    ]);
  });

  test("keeps the case of a local part elsewhere", async () => {
    const submission = await open();
    await submit(await submission.signedIn(), `${FROM}\r\n\r\nbody`);
    await submission.clock.advance(0);
    expect((await allReceived(submission))[0]!.destination).toBe("Reader@dest.example");
  });

  test("to what is no address is refused, and so is what is too large or disguises its end", async () => {
    const submission = await open({ messageBytesMax: 500 });
    const client = await submission.signedIn();
    await client.ask("MAIL FROM:<sales@example.com>");
    expect(await client.ask("RCPT TO:<a@[192.0.2.1]>")).toMatch(/^553 /);
    await client.ask("RSET");
    expect(await submit(client, `${FROM}\r\n\r\n${"x".repeat(500)}`)).toMatch(/^552 5\.3\.4 /);
    expect(await submit(client, `${FROM}\r\n\r\na\n.\nb`)).toMatch(/^554 5\.6\.0 /);
    expect(await leftOver(submission)).toEqual([0, 0]);
  });

  test("of a domain deleted meanwhile is refused", async () => {
    const submission = await open();
    const client = await submission.signedIn();
    await submission.service.store.table(DOMAINS).delete("example.com");
    expect(await client.ask("MAIL FROM:<sales@example.com>")).toMatch(/^550 /);
  });
});

test.each([
  ["deleted", deleteCredential],
  [
    "given another password",
    (service: MailFixture["service"], domain: string, username: string) =>
      updateCredential(service, domain, username, { password: `${PASSWORD}-2` }),
  ],
])("an open session sends nothing more once its credential is %s", async (_, end) => {
  const submission = await open();
  const [between, within] = [await submission.signedIn(), await submission.signedIn()];
  expect(await submit(between, `${FROM}\r\n\r\nfirst`)).toMatch(/^250 /);
  await within.ask("MAIL FROM:<sales@example.com>");
  await within.ask("RCPT TO:<reader@dest.example>");
  await within.ask("DATA");
  await end(submission.service, "example.com", "sales");
  expect(await between.ask("MAIL FROM:<sales@example.com>")).toMatch(/^421 4\.7\.0 /);
  await between.closed();
  within.send(`${FROM}\r\n\r\nsecond\r\n.\r\n`);
  expect(await within.answer()).toMatch(/^421 4\.7\.0 /);
  await within.closed();
  expect(await allLogs(submission)).toHaveLength(1);
});
