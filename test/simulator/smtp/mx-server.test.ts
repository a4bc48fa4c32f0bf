/** The MX over real sockets: its answers, what it keeps, and what it refuses. */
import nodemailer from "nodemailer";
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { DOMAINS } from "../../../src/simulator/model/records.ts";
import {
  allLogs,
  allReceived,
  leftOver,
  messageOf,
  statusesOf,
} from "../receive/receive-fixture.ts";
import { rawClient } from "./client.ts";
import { begin, closeAll, data, openMx } from "./running-mx.ts";

afterEach(closeAll);

test("a mailbox that is named twice, in two spellings, gets the message once", async () => {
  const mx = await openMx();
  const client = await mx.client();
  for (const answer of await begin(client, ['"one"@example.com', "one@example.com"])) {
    expect(answer).toMatch(/^250/);
  }
  expect(await data(client, "Subject: x\r\n\r\nx\r\n.\r\n")).toMatch(/^250/);
  await mx.clock.advance(0);
  expect((await allLogs(mx)).map(({ recipientEmail }) => recipientEmail)).toEqual([
    "one@example.com",
  ]);
});

describe("an ordinary client", () => {
  test("has its message taken, logged and delivered, with TLS", async () => {
    const mx = await openMx();
    const transport = nodemailer.createTransport({
      host: "127.0.0.1",
      port: mx.smtp.mxPort,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
      name: "client.example",
    });
    const { response, accepted, rejected } = await transport.sendMail({
      envelope: {
        from: "author@source.example",
        to: ["one@example.com", "nobody@example.com", "TWO@example.com"],
      },
      raw: messageOf("over the wire"),
    });
    transport.close();
    expect(accepted).toEqual(["one@example.com", "TWO@example.com"]);
    expect(rejected).toEqual(["nobody@example.com"]);
    const logs = await allLogs(mx);
    expect(response).toBe(`250 2.0.0 queued as ${logs[1]!.id}`);
    await mx.clock.advance(0);
    expect((await allLogs(mx)).map((log) => [log.recipientEmail, ...statusesOf(log)])).toEqual([
      ["nobody@example.com", "REFUSED"],
      ["one@example.com", "QUEUED", "DELIVERED"],
      ["two@example.com", "QUEUED", "DELIVERED"],
    ]);
    const [received] = await allReceived(mx);
    const text = Buffer.from(received!.base64, "base64").toString();
    expect(text).toMatch(
      /^Delivered-To: one@example\.com\r\nX-Forwarding-Service: mailflow\r\nAuthentication-Results: [^\r]+\r\nReceived-SPF: [^\r]+\r\nReceived: from client\.example \(\[127\.0\.0\.1\]\)\r\n\tby mx1\.mailflow\.example with ESMTPS id /,
    );
    expect(text.endsWith(messageOf("over the wire").toString())).toBe(true);
  });

  test("hears a code for each recipient", async () => {
    const mx = await openMx();
    const client = await mx.client();
    expect(
      await begin(client, ["nobody@example.com", "one@example.com", "one@elsewhere.example"]),
    ).toEqual([
      expect.stringMatching(/^250 /),
      "550 5.1.1 no such mailbox here",
      expect.stringMatching(/^250 /),
      expect.stringMatching(/^550 5\.7\.1 /),
    ]);
  });

  test("octets of the message stay: 8-bit, stuffed dots, NULs that end nothing", async () => {
    const mx = await openMx();
    const client = await mx.client();
    await begin(client, ["one@example.com"]);
    const body = Buffer.concat([
      Buffer.from("Subject: x\r\n\r\n..stuffed\r\n..\r\nnul \0.\r\n"),
      Buffer.from([0, 0xff, 0x80]),
      Buffer.from("\r\n"),
    ]);
    expect(await data(client, Buffer.concat([body, Buffer.from(".\r\n")]))).toMatch(/^250 2\.0\.0/);
    await mx.clock.advance(0);
    const [received] = await allReceived(mx);
    const whole = Buffer.from(received!.base64, "base64");
    const expected = Buffer.from(
      body.toString("latin1").replace("\n..stuffed\r\n..\r\n", "\n.stuffed\r\n.\r\n"),
      "latin1",
    );
    expect(whole.subarray(-expected.length).equals(expected)).toBe(true);
  });

  test("may write addresses in UTF-8, and domains as U-labels", async () => {
    const mx = await openMx();
    const client = await mx.client();
    expect(await client.ask("MAIL FROM:<müller@bücher.example> SMTPUTF8")).toMatch(/^250/);
    expect(await client.ask("RCPT TO:<Jörg@example.com>")).toMatch(/^250/);
    expect(await client.ask("RCPT TO:<any@xn--bcher-kva.example>")).toMatch(/^250/);
    expect(await client.ask("RCPT TO:<any@Bücher.example>")).toMatch(/^250/);
    expect(await data(client, "Subject: x\r\n\r\n.\r\n")).toMatch(/^250/);
    expect((await allLogs(mx)).map(({ recipientEmail }) => recipientEmail)).toEqual([
      "jörg@example.com",
      "any@xn--bcher-kva.example",
    ]);
  });

  test("sends message after message on one connection, and bounces from the null sender", async () => {
    const mx = await openMx();
    const client = await mx.client();
    for (const sender of ["author@source.example", ""]) {
      expect(await client.ask(`MAIL FROM:<${sender}>`)).toMatch(/^250/);
      expect(await client.ask("RCPT TO:<one@example.com>")).toMatch(/^250/);
      expect(await data(client, "Subject: x\r\n\r\n.\r\n")).toMatch(/^250/);
    }
    expect((await allLogs(mx)).map(({ sender }) => sender.email)).toEqual([
      "author@source.example",
      "",
    ]);
  });
});

describe("what is refused is not queued", () => {
  test("a message whose recipients were all refused cannot be sent", async () => {
    const mx = await openMx();
    const client = await mx.client();
    await begin(client, ["nobody@example.com"]);
    expect(await client.ask("DATA")).toMatch(/^503 /);
    expect(await leftOver(mx)).toEqual([0, 0]);
  });

  test("a message over the size, announced or not; the connection goes on", async () => {
    const mx = await openMx({ messageBytesMax: 1_000 });
    const client = await mx.client();
    expect(await client.ask("MAIL FROM:<a@source.example> SIZE=1001")).toMatch(/^552 /);
    await begin(client, ["one@example.com"]);
    const lines = "0123456789abcdef\r\n".repeat(2_000);
    expect(await data(client, `Subject: x\r\n\r\n${lines}.\r\n`)).toMatch(/^552 5\.3\.4 /);
    expect((await allLogs(mx)).map(statusesOf)).toEqual([["REFUSED"]]);
    expect(await leftOver(mx)).toEqual([0, 0]);
    await begin(client, ["one@example.com"]);
    expect(await data(client, "Subject: x\r\n\r\n.\r\n")).toMatch(/^250 /);
  });

  test("a loop", async () => {
    const mx = await openMx();
    const client = await mx.client();
    await begin(client, ["one@example.com"]);
    const message = messageOf("x", ["Delivered-To: one@example.com"]);
    expect(await data(client, `${message}.\r\n`)).toMatch(/^554 5\.4\.6 /);
    expect(await leftOver(mx)).toEqual([0, 0]);
  });

  test("a message cut off by the client", async () => {
    const mx = await openMx();
    const client = await mx.client();
    await begin(client, ["one@example.com"]);
    await client.ask("DATA");
    client.send("Subject: x\r\n\r\nhalf a mess");
    client.close();
    await mx.smtp.close();
    expect(await allLogs(mx)).toEqual([]);
    expect(await leftOver(mx)).toEqual([0, 0]);
  });

  test("an error of ours is a 451, is told, and leaves nothing", async () => {
    const failures: unknown[] = [];
    const mx = await openMx({ onFailure: (error) => failures.push(error) });
    const client = await mx.client();
    await begin(client, ["one@example.com"]);
    await mx.service.store.table(DOMAINS).delete("example.com");
    const kept = mx.service.store.transactionOn;
    mx.service.store.transactionOn = () => Promise.reject(new Error("the disk is full"));
    expect(await data(client, "Subject: x\r\n\r\n.\r\n")).toMatch(/^451 4\.3\.0 /);
    mx.service.store.transactionOn = kept;
    expect(failures).toEqual([new Error("the disk is full")]);
    expect(await leftOver(mx)).toEqual([0, 0]);
  });
});

test("closing lets a message that is being taken have its answer", async () => {
  const mx = await openMx();
  const client = await mx.client();
  await begin(client, ["one@example.com"]);
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { store } = mx.service;
  const kept = store.transactionOn;
  store.transactionOn = async (work) => {
    await gate;
    return kept(work);
  };
  await client.ask("DATA");
  client.send("Subject: x\r\n\r\n.\r\n");
  await new Promise((resolve) => setTimeout(resolve, 20));
  let state = "closing";
  const closing = mx.smtp.close().then(() => {
    state = "closed";
  });
  const late = await rawClient(mx.smtp.mxPort);
  await late.answer();
  expect(await late.ask("EHLO late.example")).toMatch(/^421 4\.3\.2 /);
  await new Promise((resolve) => setTimeout(resolve, LIMITS.smtpGraceMs + 200));
  expect(state).toBe("closing");
  open();
  expect(await client.answer()).toMatch(/^250 2\.0\.0 queued/);
  await closing;
  expect(await allLogs(mx)).toHaveLength(1);
  await expect(rawClient(mx.smtp.mxPort).then((after) => after.answer())).rejects.toThrow();
});
