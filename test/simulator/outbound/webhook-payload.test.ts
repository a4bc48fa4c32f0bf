/** What a webhook is sent of a message. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Parcel } from "../../../src/simulator/model/service.ts";
import { webhookBody } from "../../../src/simulator/outbound/webhook-payload.ts";

const NOW = Date.UTC(2026, 10, 20, 9, 5, 7, 500);

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON it is
async function payloadOf(message: string | Uint8Array): Promise<any> {
  const parcel: Parcel = {
    logId: "00a",
    domain: "example.com",
    attempt: 1,
    kind: "webhook",
    destination: "https://hooks.example/",
    envelopeSender: "bounces@source.example",
    originalRecipient: "hook@example.com",
    message: Buffer.from(message),
  };
  return JSON.parse(Buffer.from(webhookBody(parcel, NOW)).toString());
}

const lines = (...all: readonly string[]): string => all.join("\r\n");

const MESSAGE = lines(
  "Received: from a",
  "Received: from b",
  'From: "Author, An" <author@source.example>',
  "To: Ann <ann@example.com>, bob@example.com",
  "Cc: =?utf-8?q?J=C3=B6rg?= <joerg@example.com>",
  "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=",
  "Message-ID: <1@source.example>",
  "Date: Fri, 20 Nov 2026 09:00:00 +0000",
  'Content-Type: multipart/mixed; boundary="b1"',
  "",
  "--b1",
  'Content-Type: multipart/related; boundary="b2"',
  "",
  "--b2",
  "Content-Type: text/html; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "<p>Gr=C3=BC=C3=9Fe =",
  "all</p>",
  "--b2",
  "Content-Type: image/png; name=logo.png",
  "Content-Transfer-Encoding: base64",
  "Content-ID: <logo@x>",
  "Content-Disposition: inline; filename=logo.png",
  "",
  "iVBO",
  "Rw==",
  "--b2--",
  "--b1",
  "Content-Type: text/plain",
  "",
  "plain",
  "--b1",
  "Content-Type: application/pdf",
  "Content-Disposition: attachment; filename*=utf-8''B%C3%BCcher.pdf",
  "Content-Transfer-Encoding: base64",
  "",
  "JVBERg==",
  "--b1--",
  "",
);

test("webhook-payload: the fields, with the parts in base64", async () => {
  const payload = await payloadOf(MESSAGE);
  expect(payload).toMatchObject({
    from: { email: "author@source.example", name: "Author, An" },
    to: [
      { email: "ann@example.com", name: "Ann" },
      { email: "bob@example.com", name: null },
    ],
    cc: [{ email: "joerg@example.com", name: "Jörg" }],
    subject: "Grüße",
    "message-id": "<1@source.example>",
    date: "Fri, 20 Nov 2026 09:00:00 +0000",
    "return-path": { email: "bounces@source.example", name: null },
    timestamp: Math.floor(NOW / 1_000),
    html: "<p>Grüße all</p>",
    text: "plain",
    inlines: [
      {
        type: "image/png",
        name: "logo.png",
        cid: "logo@x",
        content: "iVBORw==",
        encoding: "base64",
      },
    ],
    attachments: [
      { type: "application/pdf", name: "Bücher.pdf", content: "JVBERg==", encoding: "base64" },
    ],
  });
  expect(payload.headers.Received).toEqual(["from a", "from b"]);
  expect(Object.keys(payload)).toEqual([
    "headers",
    "to",
    "cc",
    "bcc",
    "from",
    "sender",
    "subject",
    "message-id",
    "date",
    "return-path",
    "timestamp",
    "text",
    "html",
    "inlines",
    "attachments",
  ]);
});

test("a message without anything has all fields", async () => {
  expect(await payloadOf("")).toEqual({
    headers: {},
    to: [],
    cc: [],
    bcc: [],
    from: null,
    sender: null,
    subject: "",
    "message-id": "",
    date: "",
    "return-path": { email: "bounces@source.example", name: null },
    timestamp: Math.floor(NOW / 1_000),
    text: "",
    html: "",
    inlines: [],
    attachments: [],
  });
});

test("fields named like what every object has are fields", async () => {
  const { headers } = await payloadOf("constructor: a\r\n__proto__: b\r\n\r\n");
  expect(Object.entries(headers)).toEqual([
    ["Constructor", "a"],
    ["__proto__", "b"],
  ]);
});

test("an encoded word in To is a name, never an address", async () => {
  const { to } = await payloadOf("To: =?utf-8?q?a=40b.example?= <c@d.example>\r\n\r\n");
  expect(to).toEqual([{ email: "c@d.example", name: "a@b.example" }]);
});

test("quoted-printable with a long run of blanks does not hang", async () => {
  const blanks = " ".repeat(500_000);
  const head = "Content-Transfer-Encoding: quoted-printable\r\n";
  expect((await payloadOf(`${head}\r\na${blanks}b`)).text).toHaveLength(500_002);
  const file = "Content-Disposition: attachment; filename=a\r\n";
  const { attachments } = await payloadOf(`${head}${file}\r\na${blanks}b`);
  expect(attachments[0].content).toHaveLength(Math.ceil(500_002 / 3) * 4);
});

test("a file in quoted-printable is sent as it was", async () => {
  const { attachments } = await payloadOf(
    "Content-Type: application/x-data\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\na=3Db=\r\n=00=FF \r\n",
  );
  expect(attachments[0].content).toBe(Buffer.from("a=b\0\xff\r\n", "latin1").toString("base64"));
});

test("any octets give a payload", async () => {
  const hostile = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
  const mangled = fc
    .array(fc.tuple(fc.nat(MESSAGE.length), fc.string({ maxLength: 4 })), { maxLength: 6 })
    .map((edits) =>
      edits.reduce((text, [at, put]) => text.slice(0, at) + put + text.slice(at + 1), MESSAGE),
    );
  await fc.assert(
    fc.asyncProperty(fc.oneof(hostile, mangled), async (message) => {
      const payload = await payloadOf(message);
      expect(typeof payload.text).toBe("string");
    }),
    { seed: 20261120, numRuns: 200 },
  );
});

test("header names are canonical; fields are texts, but for those that receivers read as lists", async () => {
  const { headers } = await payloadOf(
    [
      "delivered-to: a@x.example",
      "Delivered-To: b@x.example",
      "mime-version: 1.0",
      "feedback-id: f",
      "x-forwarding-service: mailflow",
      "received: r",
      "received-spf: none",
      "dkim-signature: d",
      "authentication-results: x; none",
      "arc-seal: s",
      "list-id: l",
      "x-more: 1",
      "X-More: 2",
      "subject: s",
      "sender: s@x.example",
      "bcc: b@x.example",
      "return-path: <r@x.example>",
      "",
      "",
    ].join("\r\n"),
  );
  expect(headers).toEqual({
    "Delivered-To": "a@x.example",
    "Mime-Version": "1.0",
    "Feedback-ID": "f",
    "X-Forwarding-Service": "mailflow",
    Received: ["r"],
    "Received-SPF": ["none"],
    "DKIM-Signature": ["d"],
    "Authentication-Results": ["x; none"],
    "ARC-Seal": ["s"],
    "List-ID": "l",
    "X-More": ["1", "2"],
  });
});

test("`?attachments=false` in the URL leaves attachments out, any other value does not", async () => {
  const sent = (query: string): Record<string, unknown> => {
    const parcel: Parcel = {
      logId: "1",
      domain: "own.test",
      attempt: 1,
      kind: "webhook",
      destination: `https://hooks.example/in${query}`,
      envelopeSender: "",
      originalRecipient: "info@own.test",
      message: Buffer.from(MESSAGE),
    };
    return JSON.parse(Buffer.from(webhookBody(parcel, NOW)).toString());
  };
  const names = ["inlines", "attachments"];
  const there = (query: string): boolean[] => names.map((name) => name in sent(query));
  expect(there("?attachments=false")).toEqual([false, false]);
  for (const query of ["", "?attachments=true", "?attachments=", "?x=attachments=false"]) {
    expect(there(query)).toEqual([true, true]);
  }
});

test("names are found for all mailboxes at once: 250 KB of To fields took 22 s", async () => {
  const to = [
    'To: Ann <ann@b.test>, "Bob, B" <BOB@B.test>, ann@c.test, "x" <x@b.test>',
    'To: Quoted <"ann d"@b.test>, Angle <"a<b"@b.test>, Plain <"eve"@b.test>, other@b.test',
    "To: =?utf-8?q?J=C3=BCrgen?= <j@b\u00fccher.test>, Second <ann@b.test>, eve@b.test, <none@b.test>",
  ];
  const mailboxes = Array.from({ length: 100 }, (_, at) =>
    at % 2 === 0 ? `<"a${at}"@b.t>` : `a${at}@xn--bcher-kva.t`,
  );
  const many = `To: ${mailboxes.join(", ")}`;
  const { to: parties } = await payloadOf(lines(...to, ...Array(100).fill(many), "", ""));
  expect(parties).toHaveLength(12 + 10_000);
  expect(parties.slice(0, 13).map((party: object) => Object.values(party).join(" "))).toEqual([
    "ann@b.test Ann",
    "bob@b.test Bob, B",
    "ann@c.test ",
    "x@b.test x",
    '"ann d"@b.test Quoted',
    '"a<b"@b.test Angle',
    "eve@b.test Plain",
    "other@b.test ",
    "j@xn--bcher-kva.test J\u00fcrgen",
    "ann@b.test Ann",
    "eve@b.test Plain",
    "none@b.test ",
    "a0@b.t ",
  ]);
});
