/** Mail that comes in: the answer to each recipient, what is logged, and what is queued. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { DOMAINS, USAGE } from "../../../src/simulator/model/records.ts";
import { acceptMessage, answerRecipient } from "../../../src/simulator/receive/receive.ts";
import {
  ALIASES_WORLD,
  allLogs,
  allReceived,
  leftOver,
  type MailFixture,
  mailFixture,
  messageOf,
  receiveFor,
  SENDER,
  statusesOf,
  textOf,
} from "./receive-fixture.ts";

async function setDomain({ service }: MailFixture, change: object): Promise<void> {
  const table = service.store.table(DOMAINS);
  const row = (await table.get("example.com"))!;
  await table.replace({ ...row, ...change });
  service.compiled.clear();
}

const ARRIVAL = { helo: "client.example", remote: "192.0.2.1", protocol: "ESMTP" } as const;

describe("an accepted message", () => {
  test("has an entry for each recipient and destination, and reaches them", async () => {
    const fixture = await mailFixture();
    const answers = await receiveFor(fixture, ["Sales@Example.com", "one@example.com"]);
    expect(
      answers.map(({ code, enhanced, destinations }) => [code, enhanced, destinations]),
    ).toEqual([
      [250, "2.1.5", ["ann@mail.example", "bob@mail.example"]],
      [250, "2.1.5", ["ann@mail.example"]],
    ]);
    const logs = await allLogs(fixture);
    expect(logs.map(({ id }) => id)).toEqual(answers.flatMap(({ logIds }) => logIds));
    expect(logs.map(statusesOf)).toEqual([["QUEUED"], ["QUEUED"], ["QUEUED"]]);
    await fixture.clock.advance(0);
    expect((await allLogs(fixture)).map(statusesOf)).toEqual(
      Array.from({ length: 3 }, () => ["QUEUED", "DELIVERED"]),
    );
    expect((await allReceived(fixture)).map(({ destination }) => destination)).toEqual([
      "ann@mail.example",
      "bob@mail.example",
      "ann@mail.example",
    ]);
    expect(await leftOver(fixture)).toEqual([0, 0]);
  });

  test("is logged as API v4 §2 has it; log-sender, log-message-id: the From mailbox and the whole Message-ID", async () => {
    const fixture = await mailFixture();
    await receiveFor(fixture, ["sales@example.com"], messageOf("Grüße"), "bounces@list.example");
    const [log] = await allLogs(fixture);
    expect(log).toMatchObject({
      domain: "example.com",
      hostname: "mx1.mailflow.example",
      messageId: "<1@source.example>",
      subject: "Grüße",
      transport: "mx",
      sender: { email: SENDER, name: "Author, An" },
      recipient: { email: "sales@example.com", name: "Sales People" },
      forward: { email: "ann@mail.example", name: null },
      recipientLocal: "sales",
    });
    expect(log!.events).toEqual([
      {
        id: `${log!.id}-0`,
        code: 250,
        createdMs: fixture.clock.nowMs(),
        local: "mx1.mailflow.example",
        message: "2.0.0 queued",
        server: "mx1.mailflow.example",
        status: "QUEUED",
      },
    ]);
  });

  test("log-sender: without a usable From the sender is the envelope's; without Message-ID there is none", async () => {
    const fixture = await mailFixture();
    await receiveFor(fixture, ["one@example.com"], Buffer.from("Subject: x\r\n\r\ny\r\n"));
    expect((await allLogs(fixture))[0]).toMatchObject({
      messageId: "",
      sender: { email: SENDER, name: null },
    });
  });

  test("is passed on byte for byte below what a forwarder adds", async () => {
    const fixture = await mailFixture();
    const bytes = Buffer.from([
      ...Buffer.from("From: a@b.example\nX: y\r\n\r\n"),
      0,
      255,
      13,
      10,
      46,
      13,
    ]);
    await receiveFor(fixture, ["one@example.com"], bytes);
    await fixture.clock.advance(0);
    const [received] = await allReceived(fixture);
    const whole = Buffer.from(received!.base64, "base64");
    expect(whole.subarray(-bytes.length).equals(bytes)).toBe(true);
    expect(whole.subarray(0, -bytes.length).toString()).toMatch(
      /^Delivered-To: one@example\.com\r\nX-Forwarding-Service: mailflow\r\nAuthentication-Results: [^\r]+\r\nReceived-SPF: [^\r]+\r\nReceived: from localhost \(\[127\.0\.0\.1\]\)\r\n\tby mx1\.mailflow\.example with ESMTP id [\w-]+;\r\n\tSat, 31 Jan 2026 12:00:00 \+0000\r\n$/,
    );
  });

  test("goes to mailboxes under a rewritten sender, and to webhooks under its own", async () => {
    const fixture = await mailFixture();
    await receiveFor(fixture, ["one@example.com", "hook@example.com"]);
    await fixture.clock.advance(0);
    const [mailbox, webhook] = await allReceived(fixture);
    expect(mailbox!.envelopeSender).toMatch(
      /^SRS0=[a-z2-7]{8}=[a-z2-7]{2}=source\.example=author@example\.com$/,
    );
    expect(webhook!.envelopeSender).toBe(SENDER);
    expect(JSON.parse(textOf(webhook!))).toMatchObject({
      "return-path": { email: SENDER, name: null },
      subject: "greetings",
    });
  });

  test("usage-unit: counts once per recipient that is accepted", async () => {
    const fixture = await mailFixture();
    await receiveFor(fixture, ["sales@example.com", "one@example.com", "nobody@example.com"]);
    const row = await fixture.service.store.table(USAGE).get("receive/2026-01-31");
    expect(row?.count).toBe(2);
  });

  test("tells watchers of each entry and each event", async () => {
    const fixture = await mailFixture();
    await receiveFor(fixture, ["one@example.com"]);
    await fixture.clock.advance(0);
    expect(fixture.events.map(({ kind, log }) => [kind, log && statusesOf(log).at(-1)])).toEqual([
      ["log", "QUEUED"],
      ["received", undefined],
      ["log", "DELIVERED"],
    ]);
  });

  test("discard-events: a discarded message ends delivered to nobody", async () => {
    const fixture = await mailFixture();
    const [answer] = await receiveFor(fixture, ["drop@example.com"]);
    expect(answer).toMatchObject({ code: 250, destinations: [] });
    const [log] = await allLogs(fixture);
    expect(log!.forward).toBeNull();
    expect(statusesOf(log!)).toEqual(["QUEUED", "DELIVERED"]);
    expect(await leftOver(fixture)).toEqual([0, 0]);
  });

  test("a recipient named twice is taken once", async () => {
    const fixture = await mailFixture();
    const answers = await receiveFor(fixture, ["one@example.com", "ONE@example.com"]);
    expect(answers[0]).toEqual(answers[1]);
    expect(await allLogs(fixture)).toHaveLength(1);
  });

  test("over-budget-log: a message that takes too much work goes to the fallback, and the log says why", async () => {
    const rules = Array.from({ length: 60 }, () => ({
      type: "regex",
      config: { regex: "(?s)(.*)(.*)", scopes: ["body"], forward: "$1@mail.example" },
    }));
    const domain = {
      domain: "example.com",
      routing_engine: "rules" as const,
      rules: rules as never,
    };
    const body = new TextEncoder().encode(
      `Subject: long\r\n\r\n${`${"no match here ".repeat(70)}\r\n`.repeat(1_050)}`,
    );
    const withFallback = { ...domain, rules_fallback_email: "fall@mail.example" };
    const kept = await mailFixture({ domains: [withFallback] });
    const [answer] = await receiveFor(kept, ["a@example.com"], body);
    expect(answer).toMatchObject({ code: 250, destinations: ["fall@mail.example"] });
    const [log] = await allLogs(kept);
    expect(log!.events[0]!.message).toBe("2.0.0 queued for the fallback: over budget");
    const refused = await mailFixture({ domains: [domain] });
    expect(await receiveFor(refused, ["a@example.com"], body)).toMatchObject([
      { code: 554, enhanced: "5.3.4", destinations: [] },
    ]);
    expect(statusesOf((await allLogs(refused))[0]!)).toEqual(["REFUSED"]);
  });

  test("rules that need the header or the body see them", async () => {
    const rule = (scope: string, word: string): object => ({
      type: "regex",
      config: { regex: word, scopes: [scope], forward: `${scope}@mail.example` },
    });
    const fixture = await mailFixture({
      domains: [
        {
          domain: "example.com",
          routing_engine: "rules",
          rules: [rule("subject", "urgent"), rule("body", "About invoices")] as never,
        },
      ],
    });
    const sent = async (subject: string): Promise<unknown> =>
      (await receiveFor(fixture, ["any@example.com"], messageOf(subject)))[0]!.destinations;
    expect(await sent("urgent")).toEqual(["subject@mail.example"]);
    expect(await sent("invoices")).toEqual(["body@mail.example"]);
    expect(await sent("weather")).toEqual([]);
    const asked = { ...ARRIVAL, sender: SENDER, recipients: [] };
    const early = await answerRecipient(fixture.service, asked, "any@example.com");
    expect(early).toMatchObject({ code: 250, logIds: [] });
    expect(early.destinations).toBeUndefined();
  });
});

describe("a refused recipient", () => {
  test.each([
    ["nobody@example.com", {}, 550, "5.1.1"],
    ["one@example.com", { banned: true }, 550, "5.7.1"],
    ["one@example.com", { routingEngine: null }, 550, "5.7.1"],
    ["one@example.com", { forwardingReady: false }, 450, "4.7.1"],
    ["a b@example.com", {}, 553, "5.1.3"],
  ])(
    "%s with %o: logged, nothing queued (banned-domain-reply, unverified-domain-reply)",
    async (recipient, change, code, enhanced) => {
      const fixture = await mailFixture();
      await setDomain(fixture, change);
      const [answer] = await receiveFor(fixture, [recipient]);
      expect(answer).toMatchObject({ code, enhanced });
      const logs = await allLogs(fixture);
      expect(logs.map(({ id }) => id)).toEqual(answer!.logIds);
      expect(logs[0]).toMatchObject({ forward: null, recipientEmail: recipient, subject: "" });
      expect(logs[0]!.events.map((event) => [event.code, event.status])).toEqual([
        [code, "REFUSED"],
      ]);
      expect(await leftOver(fixture)).toEqual([0, 0]);
      expect(await fixture.service.queue.pending()).toEqual([]);
    },
  );

  test("unknown-domain-reply: at no domain of ours it is answered 550 5.7.1, and there is no log for it", async () => {
    const fixture = await mailFixture();
    for (const recipient of ["one@elsewhere.example", "x@[192.0.2.1]"]) {
      const [answer] = await receiveFor(fixture, [recipient]);
      expect(answer).toMatchObject({ code: 550, enhanced: "5.7.1", logIds: [] });
    }
    expect(await allLogs(fixture)).toEqual([]);
  });

  test("does not keep the others from getting the message", async () => {
    const fixture = await mailFixture();
    const answers = await receiveFor(fixture, ["nobody@example.com", "one@example.com"]);
    expect(answers.map(({ code }) => code)).toEqual([550, 250]);
    expect((await allLogs(fixture)).map(statusesOf)).toEqual([["REFUSED"], ["QUEUED"]]);
  });

  test("over-quota-reply: messages that come in at once do not get past the plan", async () => {
    const fixture = await mailFixture({ ...ALIASES_WORLD, plan: { daily_receive_limit: 2 } });
    const recipients = ["one@example.com"];
    const transaction = { sender: SENDER, recipients: [], ...ARRIVAL };
    for (let client = 0; client < 3; client++) {
      expect((await answerRecipient(fixture.service, transaction, recipients[0]!)).code).toBe(250);
    }
    const message = Buffer.from(messageOf("x"));
    const taken = [1, 2, 3].map(() =>
      acceptMessage(fixture.service, { ...transaction, recipients }, message),
    );
    const codes = (await Promise.all(taken)).map(([answer]) => answer!.code);
    expect(codes.sort()).toEqual([250, 250, 452]);
    const logs = await allLogs(fixture);
    expect(logs.map(statusesOf).sort()).toEqual([["QUEUED"], ["QUEUED"], ["REFUSED"]]);
  });

  test("over-quota-reply: over the plan, counting the recipients of this message", async () => {
    const fixture = await mailFixture({ ...ALIASES_WORLD, plan: { daily_receive_limit: 1 } });
    const answers = await receiveFor(fixture, ["sales@example.com", "one@example.com"]);
    expect(answers.map(({ code, enhanced }) => [code, enhanced])).toEqual([
      [250, "2.1.5"],
      [452, "4.2.2"],
    ]);
    expect((await receiveFor(fixture, ["sales@example.com"]))[0]!.code).toBe(452);
    await fixture.clock.advance(86_400_000);
    expect((await receiveFor(fixture, ["sales@example.com"]))[0]!.code).toBe(250);
  });
});

describe("a refused message", () => {
  test.each([
    ["back for its recipient", ["Delivered-To: ONE@example.com"]],
    [
      "too many hops",
      Array.from({ length: LIMITS.hopsMax + 1 }, (_, hop) => `Received: from h${hop}`),
    ],
  ])("loop-reply: %s", async (_, fields) => {
    const fixture = await mailFixture();
    const [answer] = await receiveFor(fixture, ["one@example.com"], messageOf("x", fields));
    expect(answer).toMatchObject({ code: 554, enhanced: "5.4.6" });
    const [log] = await allLogs(fixture);
    expect(statusesOf(log!)).toEqual(["REFUSED"]);
    expect(log!.subject).toBe("x");
    expect(await leftOver(fixture)).toEqual([0, 0]);
  });

  test("a message that has been here for another recipient is no loop, nor are as many hops as allowed", async () => {
    const fixture = await mailFixture();
    const hops = Array.from({ length: LIMITS.hopsMax }, (_, hop) => `Received: from h${hop}`);
    const message = messageOf("x", ["Delivered-To: sales@example.com", ...hops]);
    expect((await receiveFor(fixture, ["one@example.com"], message))[0]!.code).toBe(250);
  });

  test("each of many recipients is looked for in a header that is read once", async () => {
    const fixture = await mailFixture();
    const many = "<a@b.test>,".repeat(60);
    const message = messageOf("x", [
      `To: "One, A" <one@example.com>, ${many}`,
      ...Array.from({ length: 150 }, () => `Delivered-To: ${many}`),
      "Delivered-To: two@example.com, <SALES@example.com>",
    ]);
    const recipients = ["one@example.com", "sales@example.com"];
    const answers = await receiveFor(fixture, recipients, message);
    expect(answers.map(({ code }) => code)).toEqual([250, 554]);
    expect((await allLogs(fixture)).map(({ recipient }) => recipient.name)).toEqual([
      "One, A",
      "Sales People",
    ]);
  });

  test("what we forward and get back is refused", async () => {
    const fixture = await mailFixture();
    await receiveFor(fixture, ["one@example.com"]);
    await fixture.clock.advance(0);
    const [received] = await allReceived(fixture);
    const again = Buffer.from(received!.base64, "base64");
    expect((await receiveFor(fixture, ["one@example.com"], again))[0]!.code).toBe(554);
  });

  test("too large", async () => {
    const fixture = await mailFixture();
    const large = Buffer.alloc(LIMITS.smtpMessageBytesMax + 1, "x");
    const [answer] = await receiveFor(fixture, ["one@example.com"], large);
    expect(answer).toMatchObject({ code: 552, enhanced: "5.3.4" });
    expect((await allLogs(fixture)).map(statusesOf)).toEqual([["REFUSED"]]);
  });

  test("a domain deleted between RCPT and DATA", async () => {
    const fixture = await mailFixture();
    await fixture.service.store.table(DOMAINS).delete("example.com");
    const transaction = { ...ARRIVAL, sender: SENDER, recipients: ["one@example.com"] };
    const answers = await acceptMessage(fixture.service, transaction, messageOf("x"));
    expect(answers[0]).toMatchObject({ code: 550, logIds: [] });
    expect(await leftOver(fixture)).toEqual([0, 0]);
  });
});

describe("bounces to a rewritten sender", () => {
  async function returnPath(fixture: MailFixture): Promise<string> {
    await receiveFor(fixture, ["one@example.com"]);
    await fixture.clock.advance(0);
    return (await allReceived(fixture))[0]!.envelopeSender;
  }

  test("go back to the author, from the null sender, whatever case they come in", async () => {
    const fixture = await mailFixture();
    const path = (await returnPath(fixture)).toLowerCase();
    const [answer] = await receiveFor(fixture, [path], messageOf("bounce"), "");
    expect(answer!.destinations).toEqual([SENDER]);
    await fixture.clock.advance(0);
    expect((await allReceived(fixture)).at(-1)).toMatchObject({
      destination: SENDER,
      envelopeSender: "",
    });
  });

  test("srs-bounces-only: other mail to them is refused, and so are forged and old ones", async () => {
    const fixture = await mailFixture();
    const path = await returnPath(fixture);
    expect((await receiveFor(fixture, [path]))[0]).toMatchObject({ code: 550, enhanced: "5.7.1" });
    const forged = path.replace("author", "victim");
    expect((await receiveFor(fixture, [forged], messageOf("x"), ""))[0]!.code).toBe(550);
    await fixture.clock.advance((LIMITS.srsDaysMax + 1) * 86_400_000);
    expect((await receiveFor(fixture, [path], messageOf("x"), ""))[0]!.code).toBe(550);
  });
});
