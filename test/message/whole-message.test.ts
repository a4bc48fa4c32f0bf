/** Whole messages: every text, and attachments that are decoded when asked for. */
import { expect, test } from "vitest";
import { messageFacts, wholeMessage } from "../../src/message/index.ts";

const MESSAGE = [
  "From: ada@sender.example",
  "Subject: =?utf-8?Q?=C3=A9?=",
  "Content-Type: multipart/mixed; boundary=b",
  "",
  "--b",
  "Content-Type: multipart/alternative; boundary=c",
  "",
  "--c",
  "",
  "plain",
  "--c",
  "Content-Type: text/html",
  "",
  "<p>rich</p>",
  "--c--",
  "--b",
  "Content-Type: image/png",
  "Content-Disposition: inline; filename=a.png",
  "Content-ID: <a@b>",
  "Content-Transfer-Encoding: base64",
  "",
  "aGVsbG8=",
  "--b",
  "Content-Type: message/rfc822",
  "",
  "Subject: inner",
  "",
  "inner",
  "--b--",
  "",
].join("\r\n");

test("has texts, HTML and attachments", async () => {
  const whole = await wholeMessage(Buffer.from(MESSAGE));
  expect(whole).toMatchObject({
    from: "ada@sender.example",
    subject: "é",
    text: "plain",
    html: "<p>rich</p>",
    problems: [],
    size: MESSAGE.length,
    attachments: [
      {
        filename: "a.png",
        contentType: "image/png",
        size: 5,
        contentId: "a@b",
        disposition: "inline",
      },
      { filename: "", contentType: "message/rfc822", size: 23, contentId: "" },
    ],
  });
  const contents = whole.attachments.map((each) => Buffer.from(each.content()).toString());
  expect(contents).toEqual(["hello", "Subject: inner\r\n\r\ninner"]);
});

test("says what the facts say", async () => {
  const bytes = Buffer.from(MESSAGE);
  const [whole, facts] = [
    await wholeMessage(bytes),
    await messageFacts(bytes, { bodySource: "plain" }),
  ];
  expect(whole.text).toBe(facts.body);
  const { from, subject, headers, problems, size } = facts;
  expect(whole).toMatchObject({ from, subject, headers, problems, size });
  for (const [index, attachment] of whole.attachments.entries()) {
    expect(attachment).toMatchObject(facts.attachments[index]!);
    expect(attachment.content()).toHaveLength(attachment.size);
  }
});

test("a part without text joins nothing", async () => {
  const bytes = Buffer.from(
    "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n--b\n\none\n--b\n\n--b\n\ntwo\n--b--\n",
  );
  expect((await wholeMessage(bytes)).text).toBe("one\ntwo");
  expect((await messageFacts(bytes)).body).toBe("one\ntwo");
});

test("facts are copied whole, headers included, though these are read late", async () => {
  const facts = await messageFacts(Buffer.from(MESSAGE));
  expect({ ...facts }.headers.get("subject")).toEqual(["é"]);
  expect(structuredClone(facts).headers.get("from")).toEqual(["ada@sender.example"]);
  expect(Object.keys(facts)).toEqual([
    "from",
    "subject",
    "headers",
    "problems",
    "body",
    "attachments",
    "size",
  ]);
  expect(facts.headers).toBe(facts.headers);
});
