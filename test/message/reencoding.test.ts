/** One message written in many ways gives the same facts: by nodemailer's composer, and by a generator of our own. */
import fc from "fast-check";
import iconv from "iconv-lite";
import MailComposer from "nodemailer/lib/mail-composer";
import { describe, expect, test } from "vitest";
import { type MessageFacts, messageFacts, messageFactsOf } from "../../src/message/index.ts";

const SETTINGS = { seed: 20261120, numRuns: 150 };
const CHUNK_LENGTHS = [1, 7, 61, 1_024];

/** What a message says, however it is written. */
interface Meaning {
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  readonly file: string;
}

const letters = (alphabet: string, maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...alphabet), { maxLength })
    .map((units) => units.join("").replace(/ +/g, " ").trim());

const LATIN = "abc XYZ.-_?= äöüß éèñ 0123";
const meaning: fc.Arbitrary<Meaning> = fc.record({
  from: fc.constantFrom("ada@sender.example", "bo+x@other.example"),
  subject: letters(LATIN, 120),
  body: fc
    .array(letters(`${LATIN}<>&=.-\t`, 100), { maxLength: 8 })
    .map((lines) => `${lines.join("\n")}.`),
  file: letters("abcäöüß", 30).map((name) => `${name}.pdf`),
});

const read = ({ from, subject, body, attachments }: MessageFacts) => ({
  from,
  subject,
  body,
  attachments,
});

function factsOf({ from, subject, body, file }: Meaning): ReturnType<typeof read> {
  return {
    from,
    subject,
    body,
    attachments: [{ filename: file, contentType: "application/pdf", size: 3 }],
  };
}

describe("nodemailer's composer", () => {
  test.each(["quoted-printable", "base64"] as const)("with %s", async (textEncoding) => {
    await fc.assert(
      fc.asyncProperty(meaning, fc.constantFrom("\n", "\r\n"), async (meant, newline) => {
        const { from, subject, body, file } = meant;
        const mail = new MailComposer({
          from: { name: 'Ada, "the" first', address: from },
          to: "r@own.example",
          subject,
          text: body,
          textEncoding,
          newline,
          attachments: [{ filename: file, content: "pdf", contentType: "application/pdf" }],
        });
        const bytes = await mail.compile().build();
        expect(read(messageFactsOf(bytes))).toEqual(factsOf(meant));
      }),
      SETTINGS,
    );
  });
});

const CHARSETS = ["utf-8", "iso-8859-1", "windows-1252", "iso-8859-15", "utf-16le"] as const;

/** How one message is written. */
interface Form {
  readonly charset: (typeof CHARSETS)[number];
  readonly transfer: "base64" | "quoted-printable";
  readonly words: "Q" | "B";
  readonly lineEnd: "\n" | "\r\n" | "\r";
  /** Letters of a line of the body as it is transferred, and of an encoded word. */
  readonly lineLength: number;
  readonly fold: string;
  readonly boundary: string;
  readonly padding: string;
  readonly fileName: "RFC 2231" | "pieces" | "encoded word";
  readonly before: "" | "\ufeff" | "From x\n";
}

const form: fc.Arbitrary<Form> = fc.record({
  charset: fc.constantFrom(...CHARSETS),
  transfer: fc.constantFrom("base64", "quoted-printable"),
  words: fc.constantFrom("Q", "B"),
  lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
  lineLength: fc.integer({ min: 4, max: 76 }),
  fold: fc.constantFrom("\n ", "\n\t"),
  boundary: fc.constantFrom("b", "=_b--", "b b", "'()+_,-./:=?"),
  padding: fc.constantFrom("", " ", " \t"),
  fileName: fc.constantFrom("RFC 2231", "pieces", "encoded word"),
  before: fc.constantFrom("", "\ufeff", "From x\n"),
});

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, "0");

/** Octets as quoted-printable, every one of them escaped but letters, cut into lines anywhere between them. */
function quotedPrintable(bytes: Buffer, lineLength: number): string {
  const pieces = [...bytes].map((byte) =>
    (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90)
      ? String.fromCharCode(byte)
      : `=${hex(byte)}`,
  );
  let [text, length] = ["", 0];
  for (const piece of pieces) {
    if (length + piece.length > lineLength) [text, length] = [`${text}=\n`, 0];
    text += piece;
    length += piece.length;
  }
  return text;
}

/** Words of a few octets each, so that characters are split over them. */
function encodedWords(text: string, { charset, words, lineLength, fold }: Form): string {
  const bytes = iconv.encode(text, charset);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += lineLength) {
    const piece = bytes.subarray(at, at + lineLength);
    const content =
      words === "B" ? piece.toString("base64") : [...piece].map((byte) => `=${hex(byte)}`).join("");
    pieces.push(`=?${charset}?${words}?${content}?=`);
  }
  return pieces.join(fold);
}

function fileNameParameter(name: string, form: Form): string {
  const percent = [...Buffer.from(name)].map((byte) => `%${hex(byte)}`);
  if (form.fileName === "encoded word")
    return `filename="${encodedWords(name, { ...form, fold: " " })}"`;
  if (form.fileName === "RFC 2231") return `filename*=utf-8''${percent.join("")}`;
  const middle = percent.length >> 1;
  const [first, second] = [percent.slice(0, middle).join(""), percent.slice(middle).join("")];
  return `filename*1*=${second};${form.fold}filename*0*=utf-8''${first}`;
}

function written({ from, subject, body, file }: Meaning, form: Form): Buffer {
  const { charset, transfer, lineLength, fold, boundary, padding, before, lineEnd } = form;
  const bytes = iconv.encode(body, charset);
  const content =
    transfer === "base64"
      ? bytes.toString("base64").replace(new RegExp(`.{${lineLength}}`, "g"), "$&\n")
      : quotedPrintable(bytes, lineLength);
  const lines = [
    `From:${fold}(c, d)${fold}"A, <x@evil.example>"${fold}<${from}>`,
    `Subject: ${encodedWords(subject, form)}`,
    `Content-Type: multipart/mixed;${fold}boundary="${boundary}"`,
    "",
    `--${boundary}${padding}`,
    `Content-Type: text/plain;${fold}charset="${charset}"`,
    `Content-Transfer-Encoding: ${transfer.toUpperCase()}`,
    "",
    content,
    `--${boundary}${padding}`,
    "Content-Type: application/pdf",
    `Content-Disposition: attachment;${fold}${fileNameParameter(file, form)}`,
    "",
    "pdf",
    `--${boundary}--${padding}`,
    "",
  ];
  return Buffer.from((before + lines.join("\n")).replaceAll("\n", lineEnd));
}

describe("a generator of our own", () => {
  test("however a message is written, its facts are the same", () => {
    fc.assert(
      fc.property(meaning, form, (meant, as) => {
        expect(read(messageFactsOf(written(meant, as)))).toEqual(factsOf(meant));
      }),
      { ...SETTINGS, numRuns: 1_000 },
    );
  });

  test.each(CHUNK_LENGTHS)("and in chunks of %i", async (length) => {
    async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
    }
    await fc.assert(
      fc.asyncProperty(meaning, form, async (meant, as) => {
        const bytes = written(meant, as);
        expect(await messageFacts(chunks(bytes))).toEqual(messageFactsOf(bytes));
      }),
      { ...SETTINGS, numRuns: 60 },
    );
  });
});
