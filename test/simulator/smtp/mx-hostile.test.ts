/** What hostile clients of the MX get: ends of data in disguise, floods, and commands behind STARTTLS. */
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { allLogs, allReceived, leftOver, statusesOf } from "../receive/receive-fixture.ts";
import { rawClient } from "./client.ts";
import { begin, closeAll, data, openMx } from "./running-mx.ts";

afterEach(closeAll);

describe("smuggling-reply: an end of data in disguise", () => {
  const SMUGGLED =
    "MAIL FROM:<forged@victim.example>\r\nRCPT TO:<two@example.com>\r\nDATA\r\nSubject: smuggled\r\n\r\n.\r\n";
  test.each([
    "\n.\n",
    "\n.\r\n",
    "\r\n.\n",
    "\r.\r",
    "\r.\r\n",
    "\r\n.\r",
    "\n.\r",
    "\r.\n",
    "\r\r\n.\r\r\n",
    "\r\n.\r\r\n",
    "\n..\n",
    "\n..\r\n",
  ])("%j ends nothing, and the message is refused", async (end) => {
    const mx = await openMx();
    const client = await mx.client();
    await begin(client, ["one@example.com"]);
    const answer = await data(client, `Subject: x\r\n\r\nbody${end}${SMUGGLED}`);
    expect(answer).toMatch(/^554 5\.6\.0 /);
    // Had the rest been commands, their answers would come now.
    expect(await client.ask("NOOP")).toMatch(/^250 /);
    expect((await allLogs(mx)).map(statusesOf)).toEqual([["REFUSED"]]);
    expect(await leftOver(mx)).toEqual([0, 0]);
  });

  test.each([".\n", ".\r"])("%j at the start too", async (end) => {
    const mx = await openMx();
    const client = await mx.client();
    await begin(client, ["one@example.com"]);
    expect(await data(client, `${end}${SMUGGLED}`)).toMatch(/^554 5\.6\.0 /);
    expect(await client.ask("NOOP")).toMatch(/^250 /);
  });

  test("wherever the segments are cut, a stuffed dot ends nothing and the true end ends all", async () => {
    const mx = await openMx();
    const client = await mx.client();
    const octets = "S: x\r\n\r\na\r\n..\r\nb\r\n.\r\n";
    for (let cut = 1; cut < octets.length; cut += 3) {
      await begin(client, ["one@example.com"]);
      expect(await client.ask("DATA")).toMatch(/^354 /);
      client.send(octets.slice(0, cut));
      await new Promise((resolve) => setTimeout(resolve, 5));
      client.send(octets.slice(cut));
      expect(await client.answer()).toMatch(/^250 /);
    }
    await mx.clock.advance(0);
    const bodies = (await allReceived(mx)).map(
      ({ base64 }) => Buffer.from(base64, "base64").toString().split("\r\n\r\n")[1],
    );
    expect(new Set(bodies)).toEqual(new Set(["a\r\n.\r\nb\r\n"]));
  });

  test("commands behind the true end are commands, in order", async () => {
    const mx = await openMx();
    const client = await mx.client();
    await begin(client, ["one@example.com"]);
    await client.ask("DATA");
    client.send("Subject: x\r\n\r\n.\r\nNOOP\r\nQUIT\r\n");
    expect(await client.answer()).toMatch(/^250 2\.0\.0 queued/);
    expect(await client.answer()).toMatch(/^250 /);
    expect(await client.answer()).toMatch(/^221 /);
  });
});

describe("limits of one connection", () => {
  test("recipients of a message", async () => {
    const mx = await openMx(
      {},
      { domains: [{ domain: "example.com", aliases: [{ alias: "*", forward: "a@b.example" }] }] },
    );
    const client = await mx.client();
    const recipients = Array.from(
      { length: LIMITS.smtpRecipientsMax },
      (_, at) => `r${at}@example.com`,
    );
    const answers = await begin(client, recipients);
    expect(answers.every((answer) => answer.startsWith("250"))).toBe(true);
    expect(await client.ask("RCPT TO:<more@example.com>")).toMatch(/^452 /);
    expect(await client.ask("RCPT TO:<r0@example.com>")).toMatch(/^250 /);
  });

  test("refused recipients", async () => {
    const mx = await openMx();
    const client = await mx.client();
    await client.ask("MAIL FROM:<a@source.example>");
    for (let count = 1; count < LIMITS.smtpRefusalsMax; count++) {
      expect(await client.ask(`RCPT TO:<guess${count}@example.com>`)).toMatch(/^550 /);
    }
    expect(await client.ask("RCPT TO:<last@example.com>")).toMatch(/^421 4\.7\.0 /);
    await client.closed();
  });

  test("messages", async () => {
    const mx = await openMx();
    const client = await mx.client();
    for (let count = 0; count < LIMITS.smtpTransactionsMax; count++) {
      expect(await client.ask("MAIL FROM:<a@source.example>")).toMatch(/^250 /);
      await client.ask("RSET");
    }
    expect(await client.ask("MAIL FROM:<a@source.example>")).toMatch(/^421 /);
    await client.closed();
  });

  test("commands, known and unknown, and the length of one", async () => {
    const mx = await openMx();
    const flood = await mx.client();
    flood.send("NOOP\r\n".repeat(LIMITS.smtpCommandsMax + 10));
    let answers = 0;
    while ((await flood.answer()).startsWith("250")) answers++;
    expect(answers).toBe(LIMITS.smtpCommandsMax - 1);
    await flood.closed();
    const stranger = await mx.client();
    stranger.send("WHAT\r\n".repeat(20));
    while (!(await stranger.answer()).startsWith("421"));
    await stranger.closed();
    const long = await mx.client();
    long.send("x".repeat(LIMITS.smtpCommandBytesMax + 1));
    await long.closed();
  });

  test("a client that speaks before it is greeted, or speaks HTTP, is sent away", async () => {
    const mx = await openMx();
    const client = await rawClient(mx.smtp.mxPort);
    await client.answer();
    expect(await client.ask("POST / HTTP/1.1")).toMatch(/^421 /);
    await client.closed();
  });
});

describe("STARTTLS", () => {
  test("what was sent in clear behind it is not run inside", async () => {
    const mx = await openMx();
    const socket = connect({ port: mx.smtp.mxPort, host: "127.0.0.1" });
    let text = "";
    const seen = (pattern: RegExp): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!pattern.test(text)) return;
          socket.off("data", onData);
          resolve();
        };
        const onData = (chunk: Buffer): void => {
          text += chunk.toString();
          look();
        };
        socket.on("data", onData);
      });
    const greeting = seen(/^220 /);
    await greeting;
    const ready = seen(/220 .*\r\n[\s\S]*220 /);
    socket.write("EHLO x\r\nSTARTTLS\r\nMAIL FROM:<injected@source.example>\r\n");
    await ready;
    const tls = connectTls({ socket, rejectUnauthorized: false });
    await new Promise((resolve) => tls.once("secureConnect", resolve));
    const answered = new Promise<string>((resolve) => {
      tls.once("data", (chunk: Buffer) => resolve(chunk.toString()));
    });
    tls.write("RCPT TO:<one@example.com>\r\n");
    expect(await answered).toMatch(/^503 /);
    tls.destroy();
  });
});

test("a client that goes away within a message is no failure of the service", async () => {
  const failures: unknown[] = [];
  const mx = await openMx({ onFailure: (error) => failures.push(error) });
  const client = await mx.client();
  await begin(client, ["one@example.com"]);
  await client.ask("DATA");
  client.send("Subject: cut off\r\n\r\nsome");
  client.close();
  await mx.smtp.close();
  expect(failures).toEqual([]);
  expect(await leftOver(mx)).toEqual([0, 0]);
});
