/** Faults that were found in mailparser, libqp and mailsplit, each with the mail that shows it. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { headerFacts, messageFacts } from "../../src/message/index.ts";

const facts = (text: string) => messageFacts(Buffer.from(text, "latin1"));
const codes = ({ problems }: { problems: readonly { code: string }[] }) =>
  problems.map(({ code }) => code);

describe("a run of blanks in quoted-printable hangs libqp", () => {
  const QP = "Content-Transfer-Encoding: quoted-printable\n\n";

  test("1 MB of them in the middle of a line is kept", async () => {
    const { body, problems } = await facts(`${QP}a${" ".repeat(1_000_000)}b`);
    expect(body === `a${" ".repeat(1_000_000)}b`).toBe(true);
    expect(problems).toEqual([]);
  });

  test("tabs among them stay tabs", async () => {
    const blanks = " \t\t".repeat(100_000);
    const { body } = await facts(`${QP}a${blanks}b`);
    expect(body === `a${blanks}b`).toBe(true);
  });

  test("1 MB of them before a line's end is dropped, as anywhere else", async () => {
    expect((await facts(`${QP}a${" ".repeat(1_000_000)}\r\nb`)).body).toBe("a\nb");
    expect((await facts(`${QP}a=${" ".repeat(1_000_000)}\nb`)).body).toBe("ab");
    expect((await facts(`${QP}a${" ".repeat(1_000_000)}`)).body).toBe("a");
  });
});

describe("an unparseable Date becomes now", () => {
  test("in the header: it stays what it is", async () => {
    const { headers } = await facts("Date: yesterday\n\nx");
    expect(headers.get("date")).toEqual(["yesterday"]);
  });

  test("in an embedded message: its head is no part of the body", async () => {
    const text =
      "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n" +
      "--b\nContent-Type: message/rfc822\nContent-Disposition: inline\n\nDate: yesterday\n\ny\n--b--\n";
    expect(await facts(text)).toMatchObject({
      body: "x",
      attachments: [{ filename: "", contentType: "message/rfc822", size: 18 }],
    });
  });
});

describe("trailing blanks on a delimiter lose all parts", () => {
  test.each([" ", "\t", "   \t "])("%j", async (blanks) => {
    const text =
      `Content-Type: multipart/mixed; boundary=b\n\n--b${blanks}\n\none\n--b${blanks}\n` +
      `Content-Type: application/pdf\n\ntwo\n--b--${blanks}\n`;
    expect(await facts(text)).toMatchObject({
      body: "one",
      attachments: [{ contentType: "application/pdf", size: 3 }],
      problems: [],
    });
  });
});

describe("a quoted or commented transfer encoding is not decoded", () => {
  test.each(['"base64"', " 'base64' ".replaceAll("'", '"'), "base64 (RFC 2045)", "BASE64;"])(
    "%s",
    async (value) => {
      expect((await facts(`Content-Transfer-Encoding: ${value}\n\naGVsbG8=`)).body).toBe("hello");
    },
  );
});

describe("what stands before the header loses fields", () => {
  test.each([
    ["a byte order mark", "\xef\xbb\xbfFrom: a@b.test\n"],
    ["an mbox `From ` line", "From a@b.test Thu Jan  1 00:00:00 1970\nFrom: a@b.test\n"],
    ["a byte order mark and a `From ` line", "\xef\xbb\xbfFrom x\r\nFrom: a@b.test\r\n"],
    ["a blank before the colon", "From : a@b.test\n"],
  ])("%s", async (_name, start) => {
    const text = `${start}Subject: s\nContent-Transfer-Encoding: base64\n\naGVsbG8=`;
    const read = await facts(text);
    expect([read.from, read.subject, read.body]).toEqual(["a@b.test", "s", "hello"]);
    expect((await headerFacts(Buffer.from(text, "latin1"))).from).toBe("a@b.test");
  });
});

test("encoded words put CR, LF and NUL into a subject", async () => {
  const text = "Subject: =?utf-8?B?YQ0KQmNjOiBiAGM=?= =?utf-8?Q?=0D=0A=00d?=\n\nx";
  expect((await facts(text)).subject).toBe("aBcc: bcd");
});

test("encoded words put CR, LF and NUL into a file name", async () => {
  const text =
    "Content-Type: a/b\nContent-Disposition: attachment; filename*=utf-8''a%0D%0A%00.txt\n\n";
  expect((await facts(text)).attachments[0]?.filename).toBe("a.txt");
});

test("quoted text before a comma is read as an address", async () => {
  expect((await facts('From: "a@b", <c@d.test>\n\nx')).from).toBe("c@d.test");
  expect((await facts('From: "a@b.test", <c@d.test>\n\nx')).from).toBe("c@d.test");
});

test("too many parts reject the whole message", async () => {
  const text = `From: a@b.test\nContent-Type: multipart/mixed; boundary=b\n\n${"--b\n\nx\n".repeat(2_000)}`;
  const read = await facts(text);
  expect(read.from).toBe("a@b.test");
  expect(read.body).toBe(Array(LIMITS.textPartsMax).fill("x").join("\n"));
  expect(codes(read)).toEqual(["too-many-parts", "body-cut"]);
});

test("TextDecoder reads windows-1252 wrongly on Node 20", async () => {
  const text =
    "Subject: =?windows-1252?Q?=80=93?= \x99\nContent-Type: text/plain; charset=windows-1252\n\n\x80\x93";
  expect(await facts(text)).toMatchObject({ subject: "€“ ™", body: "€“" });
});

test("mailparser reads undeclared octets above 127 as broken UTF-8", async () => {
  expect((await facts("A: b\n\ncaf\xe9 \x80")).body).toBe("café €");
  expect((await facts("A: b\n\ncaf\xc3\xa9")).body).toBe("café");
});

test("mailsplit loses what follows an inner multipart that is never closed", async () => {
  const text =
    "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/alternative; boundary=c\n\n" +
    "--c\n\none\n--b\nContent-Type: a/b\n\ntwo\n--b--\n";
  expect(await facts(text)).toMatchObject({ body: "one", attachments: [{ size: 3 }] });
});

test("tiny chunks make mailsplit quadratic", async () => {
  const bytes = Buffer.from(`A: b\n\n${"x".repeat(300_000)}`);
  async function* octets(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
  }
  expect((await messageFacts(octets())).body).toHaveLength(300_000);
});
