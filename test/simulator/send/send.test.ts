/** The send API: what is refused and why, what is composed, and what is logged. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { headerFacts, messageFacts } from "../../../src/message/index.ts";
import { listLogs } from "../../../src/simulator/model/logs/logs.ts";
import { DOMAINS, type DomainRow, USAGE } from "../../../src/simulator/model/records.ts";
import type { World } from "../../../src/simulator/model/seed/world.ts";
import { sendEmail } from "../../../src/simulator/send/send.ts";
import type { SendInput } from "../../../src/simulator/send/send-request.ts";
import { problemOf } from "../model/fixture.ts";
import {
  allLogs,
  allReceived,
  type MailFixture,
  mailFixture,
  statusesOf,
} from "../receive/receive-fixture.ts";

const WORLD: World = {
  domains: [
    {
      domain: "example.com",
      aliases: [],
      templates: [
        {
          name: "welcome",
          subject: "Hello {{name}}",
          html_body: "<p>Dear {{name}} {{{name}}}</p>",
          text_body: "Dear {{name}}",
        },
        { name: "bare", text_body: "No subject" },
        { name: "empty", subject: "No body" },
        { name: "loop", subject: "x", text_body: "{{#a}}{{#a}}{{#a}}{{.}}{{/a}}{{/a}}{{/a}}" },
        { name: "long", subject: "x", text_body: `{{#a}}${"x".repeat(10_000)}{{/a}}` },
      ],
    },
  ],
};

const LETTER: SendInput = {
  from: "info",
  to: "reader@dest.example",
  subject: "A letter",
  text: "Dear reader",
};
const FILE = { filename: "note.txt", content: "bm90ZQ==" };

async function sent(fixture: MailFixture, input: SendInput): Promise<Buffer> {
  await sendEmail(fixture.service, "example.com", input);
  await fixture.clock.advance(0);
  const received = await allReceived(fixture);
  return Buffer.from(received.at(-1)!.base64, "base64");
}

async function setDomain({ service }: MailFixture, change: Partial<DomainRow>): Promise<void> {
  const table = service.store.table(DOMAINS);
  await table.replace({ ...(await table.get("example.com"))!, ...change });
}

describe("what is sent", () => {
  test("goes to each recipient once, with an entry for each, and the id of the first", async () => {
    const fixture = await mailFixture(WORLD);
    const { id, messageId } = await sendEmail(fixture.service, "example.com", {
      ...LETTER,
      to: ["Reader One <one@dest.example>", "two@Dest.example"],
      cc: "ONE@dest.example",
      bcc: ["hidden@dest.example"],
      reply_to: "answers@example.com",
    });
    await fixture.clock.advance(0);
    const logs = await allLogs(fixture);
    expect(logs.map(({ recipient }) => recipient)).toEqual([
      { email: "one@dest.example", name: "Reader One" },
      { email: "two@dest.example", name: null },
      { email: "hidden@dest.example", name: null },
    ]);
    expect(logs[0]!.id).toBe(id);
    for (const log of logs) {
      expect(log).toMatchObject({
        transport: "api",
        messageId,
        subject: "A letter",
        sender: { email: "info@example.com", name: null },
      });
      expect(statusesOf(log)).toEqual(["QUEUED", "DELIVERED"]);
    }
    const received = await allReceived(fixture);
    expect(received.map(({ envelopeSender }) => envelopeSender)).toEqual(
      Array.from({ length: 3 }, () => "info@example.com"),
    );
    const message = Buffer.from(received[2]!.base64, "base64");
    const { headers } = await headerFacts(message);
    expect(Object.fromEntries(headers)).toMatchObject({
      from: ["info@example.com"],
      to: ["Reader One <one@dest.example>, two@dest.example"],
      cc: ["ONE@dest.example"],
      "reply-to": ["answers@example.com"],
      subject: ["A letter"],
      "message-id": [messageId],
      date: ["Sat, 31 Jan 2026 12:00:00 +0000"],
    });
    expect(headers.has("bcc")).toBe(false);
    expect(message.toString()).not.toContain("hidden@dest.example");
  });

  test("sent-forward: it has no forward in its log", async () => {
    const fixture = await mailFixture(WORLD);
    await sendEmail(fixture.service, "example.com", LETTER);
    expect((await allLogs(fixture))[0]!.forward).toBeNull();
  });

  test("is in no alias's log, though it goes to the same name elsewhere", async () => {
    const fixture = await mailFixture(WORLD);
    await sendEmail(fixture.service, "example.com", { ...LETTER, to: "info@dest.example" });
    const listing = { order: "created_desc", limit: 10, alias: "info" } as const;
    expect((await listLogs(fixture.service, "example.com", listing)).rows).toEqual([]);
  });

  test("is the same octets in each run, and has only CRLF lines", async () => {
    const mail = { filename: "a.eml", content_type: "message/rfc822" };
    const input = {
      ...LETTER,
      text: "one\rtwo\r\r\nthree",
      html: "<p>Grüße</p>\r",
      attachments: [FILE, { ...mail, content: btoa("Subject: a\n\nb\rc") }],
    };
    const [first, second] = [
      await sent(await mailFixture(WORLD), input),
      await sent(await mailFixture(WORLD), input),
    ];
    expect(first.equals(second)).toBe(true);
    expect(first.toString("latin1").replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  test("carries its text, HTML, files and inline images", async () => {
    const message = await sent(await mailFixture(WORLD), {
      ...LETTER,
      html: '<p>See <img src="cid:logo"></p>',
      attachments: [
        { ...FILE, content_type: "text/markdown; charset=utf-8" },
        { filename: "Bücher.pdf", content: "JVBERg==" },
        { filename: "logo.png", content: "iVBORw==", content_id: "logo" },
      ],
    });
    const { body, attachments } = await messageFacts(message);
    expect(body).toBe("Dear reader\n\nSee");
    expect([...attachments].sort((a, b) => a.filename.localeCompare(b.filename))).toEqual([
      { filename: "Bücher.pdf", contentType: "application/pdf", size: 4 },
      { filename: "logo.png", contentType: "image/png", size: 4 },
      { filename: "note.txt", contentType: "text/markdown", size: 4 },
    ]);
    expect(message.toString()).toMatch(/^content-id: <logo>\r$/im);
  });

  test("counts against the plan once per recipient", async () => {
    const fixture = await mailFixture(WORLD);
    await sent(fixture, { ...LETTER, bcc: ["a@dest.example", "b@dest.example"] });
    expect((await fixture.service.store.table(USAGE).get("send/2026-01"))?.count).toBe(3);
  });

  test("a subject cannot add a field, nor a variable or a name", async () => {
    const fixture = await mailFixture(WORLD);
    const message = await sent(fixture, {
      ...LETTER,
      subject: "{{name}}",
      template: "welcome",
      variables: { name: "x\r\nX-Injected: yes" },
    });
    const { headers, subject } = await headerFacts(message);
    expect(headers.has("x-injected")).toBe(false);
    expect(subject).toBe("x X-Injected: yes");
  });
});

describe("templates", () => {
  test("are rendered with the variables, escaped in HTML only; text and html of the request are ignored", async () => {
    const message = await sent(await mailFixture(WORLD), {
      ...LETTER,
      subject: undefined,
      html: "ignored",
      template: "welcome",
      variables: { name: "<b>&" },
    });
    const text = message.toString();
    expect((await headerFacts(message)).subject).toBe("Hello <b>&");
    expect(text).toContain("Dear <b>&\r\n");
    expect(text).toContain("<p>Dear &lt;b&gt;&amp; <b>&</p>");
    expect(text).not.toContain("ignored");
    expect(text).not.toContain("Dear reader");
  });

  test("a rendered subject is held to the request's limit", async () => {
    const fixture = await mailFixture(WORLD);
    const input = { ...LETTER, template: "welcome", subject: "{{name}}" };
    const long = { ...input, variables: { name: "x".repeat(LIMITS.sendSubjectUnitsMax + 1) } };
    const problem = await problemOf(fixture.service, () =>
      sendEmail(fixture.service, "example.com", long),
    );
    expect([problem.status, Object.keys(problem.errors)]).toEqual([400, ["subject"]]);
  });

  test("subject-variables: a request's subject overrides the template's and is rendered; without a template it is not", async () => {
    const fixture = await mailFixture(WORLD);
    const input = { ...LETTER, subject: "Bye {{name}}", variables: { name: "Ann" } };
    const rendered = await sent(fixture, { ...input, template: "welcome" });
    expect((await headerFacts(rendered)).subject).toBe("Bye Ann");
    expect((await headerFacts(await sent(fixture, input))).subject).toBe("Bye {{name}}");
  });
});

describe("refused with 400", () => {
  const refusals: readonly (readonly [string, SendInput, string])[] = [
    ["no from", { ...LETTER, from: undefined }, "from"],
    ["a from with a domain", { ...LETTER, from: "info@example.com" }, "from"],
    ["a from that is not a local part", { ...LETTER, from: "in fo" }, "from"],
    ["no to", { ...LETTER, to: undefined }, "to"],
    ["an empty to", { ...LETTER, to: [] }, "to"],
    ["a wrong to", { ...LETTER, to: ["a@b.example", "nobody"] }, "to"],
    ["two addresses in one string", { ...LETTER, to: "a@b.example, c@d.example" }, "to"],
    ["a line break in an address", { ...LETTER, to: "a@b.example\r\nBcc: c@d.example" }, "to"],
    ["a line break in a name", { ...LETTER, to: "A\nB <a@b.example>" }, "to"],
    ["a number as to", { ...LETTER, to: 7 }, "to"],
    [
      "too many",
      { ...LETTER, bcc: Array.from({ length: 100 }, (_, at) => `a${at}@b.example`) },
      "to",
    ],
    ["a wrong cc", { ...LETTER, cc: "x" }, "cc"],
    ["a wrong bcc", { ...LETTER, bcc: ["@x.example"] }, "bcc"],
    ["a wrong reply_to", { ...LETTER, reply_to: "x" }, "reply_to"],
    ["two reply_to", { ...LETTER, reply_to: ["a@b.example", "c@d.example"] }, "reply_to"],
    ["no subject", { ...LETTER, subject: "" }, "subject"],
    ["a subject of blanks", { ...LETTER, subject: " \r\n\u0000" }, "subject"],
    [
      "a subject that is rendered as blanks",
      { ...LETTER, template: "welcome", subject: "{{name}}", variables: { name: "\t " } },
      "subject",
    ],
    ["a subject that is none", { ...LETTER, subject: 7 }, "subject"],
    ["no body", { ...LETTER, text: "" }, "text"],
    ["a text that is none", { ...LETTER, text: ["x"] }, "text"],
    ["variables that are none", { ...LETTER, variables: [1] }, "variables"],
    ["variables null", { ...LETTER, variables: null }, "variables"],
    ["a template that is no name", { ...LETTER, template: 7 }, "template"],
    ["a subject that is no Mustache", { ...LETTER, template: "welcome", subject: "{{" }, "subject"],
    ["a template without subject", { ...LETTER, template: "bare", subject: undefined }, "subject"],
    ["a template without body", { ...LETTER, template: "empty" }, "text_body"],
    ["attachments that are none", { ...LETTER, attachments: FILE }, "attachments"],
  ];
  test.each(refusals)("%s", async (_, input, field) => {
    const { service } = await mailFixture(WORLD);
    const problem = await problemOf(service, () => sendEmail(service, "example.com", input));
    expect(problem.status).toBe(400);
    expect(Object.keys(problem.errors)).toEqual([field]);
    expect(problem.message).toBe(problem.errors[field]![0]);
  });

  test("all errors come at once", async () => {
    const { service } = await mailFixture(WORLD);
    const problem = await problemOf(service, () => sendEmail(service, "example.com", {}));
    expect(Object.keys(problem.errors).sort()).toEqual(["from", "subject", "text", "to"]);
  });

  test("rendering that multiplies is stopped, by its steps and by its length", async () => {
    const { service } = await mailFixture(WORLD);
    const a = Array.from({ length: 1_000 }, () => 1);
    for (const template of ["loop", "long"]) {
      const input = { ...LETTER, template, variables: { a } };
      const problem = await problemOf(service, () => sendEmail(service, "example.com", input));
      expect(problem.errors.text_body?.[0]).toMatch(/^rendering takes more than/);
    }
  });
});

describe("attachments", () => {
  const refused = async (...attachments: unknown[]): Promise<string> => {
    const { service } = await mailFixture(WORLD);
    const input = { ...LETTER, attachments };
    const problem = await problemOf(service, () => sendEmail(service, "example.com", input));
    expect(problem.status).toBe(400);
    return problem.errors.attachments!.join(" ");
  };

  test.each([
    ["no filename", { content: "bm90ZQ==" }],
    ["a blank filename", { ...FILE, filename: " " }],
    ["a line break in it", { ...FILE, filename: "a\r\nb.txt" }],
    ["no content", { filename: "note.txt" }],
    ["letters that are not base64", { ...FILE, content: "not base64!" }],
    ["base64 without padding", { ...FILE, content: "bm90ZQ" }],
    ["base64 for URLs", { ...FILE, content: "-_-_" }],
    ["padding within", { ...FILE, content: "bm==bm==" }],
    ["half a media type", { ...FILE, content_type: "text" }],
    ["parts that it has not", { ...FILE, content_type: "Multipart/mixed; boundary=x" }],
    ["a line break in a media type", { ...FILE, content_type: "text/plain\r\nX: 1" }],
    ["a content id with a blank", { ...FILE, content_id: "a b" }],
    ["a string", "note.txt"],
    ["null", null],
    ["an array", ["note.txt"]],
  ])("with %s", async (_, attachment) => {
    expect(await refused(FILE, attachment)).toMatch(/^`attachments\[1\]` (?:has|is) /);
  });

  test.each([
    "run.exe",
    "RUN.EXE",
    "run.exe.",
    "run.exe ",
    "run.e\u200bxe",
    "a.tar.js",
    "x.vbs",
    "x.jar",
  ])("blocked-extensions: %s", async (filename) => {
    expect(await refused({ ...FILE, filename })).toMatch(/blocked extension/);
  });

  test.each(["exe", "run.exe.txt", "notes", "a.pdf"])("not blocked: %s", async (filename) => {
    const fixture = await mailFixture(WORLD);
    const input = { ...LETTER, attachments: [{ ...FILE, filename }] };
    if (filename === "exe") expect(await refused({ ...FILE, filename })).toMatch(/blocked/);
    else await sendEmail(fixture.service, "example.com", input);
  });

  test("more than 25, or more than 10 MB together", async () => {
    const many = Array.from({ length: LIMITS.attachmentsMax + 1 }, () => FILE);
    expect(await refused(...many)).toMatch(/^26 attachments/);
    const half = { ...FILE, content: "A".repeat((LIMITS.attachmentBytesMax / 3 / 2) * 4 - 2) };
    const content = half.content.slice(0, half.content.length - (half.content.length % 4));
    const exact = Math.floor(LIMITS.attachmentBytesMax / 3) * 4;
    expect(await refused({ ...FILE, content }, { ...FILE, content }, { ...FILE, content })).toMatch(
      /octets/,
    );
    const fixture = await mailFixture(WORLD);
    const fits = [{ ...FILE, content: "A".repeat(exact) }];
    await sendEmail(fixture.service, "example.com", { ...LETTER, attachments: fits });
  });
});

describe("refused otherwise", () => {
  const statusOf = async (fixture: MailFixture, domain: string, input = LETTER): Promise<number> =>
    (await problemOf(fixture.service, () => sendEmail(fixture.service, domain, input))).status;

  test("403 on a free plan", async () => {
    const fixture = await mailFixture({ ...WORLD, plan: { kind: "free" } });
    expect(await statusOf(fixture, "example.com")).toBe(403);
  });

  test("403 before the domain's DNS is configured; banned-send: and when it is banned", async () => {
    const fixture = await mailFixture(WORLD);
    await setDomain(fixture, { sendReady: false });
    expect(await statusOf(fixture, "example.com")).toBe(403);
    await setDomain(fixture, { sendReady: true, banned: true });
    expect(await statusOf(fixture, "example.com")).toBe(403);
  });

  test("send-quota: 403 over the plan's limit", async () => {
    const fixture = await mailFixture({ ...WORLD, plan: { daily_send_limit: 2 } });
    const three = { ...LETTER, to: ["a@b.example", "c@b.example", "d@b.example"] };
    expect(await statusOf(fixture, "example.com", three)).toBe(403);
    await sendEmail(fixture.service, "example.com", {
      ...three,
      to: ["a@b.example", "c@b.example"],
    });
    await fixture.clock.advance(0);
    expect(await statusOf(fixture, "example.com")).toBe(403);
  });

  test("404 for a domain or template that is not there", async () => {
    const fixture = await mailFixture(WORLD);
    expect(await statusOf(fixture, "absent.example")).toBe(404);
    expect(await statusOf(fixture, "example.com", { ...LETTER, template: "absent" })).toBe(404);
  });
});
