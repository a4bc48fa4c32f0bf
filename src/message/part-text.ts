/** Decodes the text of one part with mailparser, behind guards against what is known to break it. */
import { Readable } from "node:stream";
import { MailParser, type MessageText } from "mailparser";
import { joinFlowed } from "../mail/flowed-text.ts";
import type { MimePart } from "../mail/mime-parts.ts";
import { decodeCharset } from "./charset.ts";

/** Blanks in a row that libqp is given: it looks at the rest of a run from each of its blanks. */
const BLANK_RUN_MAX = 64;
const SPACE = 32;
const TAB = 9;
const LF = 10;
const CR = 13;

/** Everything but the decoding of one text is switched off: defaults are 2–9 times slower. */
const OPTIONS = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  checksumAlgo: false,
} as const;

/**
 * Quoted-printable that decodes to the same octets without long runs of blanks: blanks before a line's end, which
 * decode to nothing, are dropped, and others are written as `=20` and `=09` from time to time. libqp is quadratic
 * in the length of a run: 160 KB of blanks took it 25 s.
 */
function breakBlankRuns(content: Uint8Array): Uint8Array {
  const out = new Uint8Array(content.length + 2 * Math.ceil(content.length / BLANK_RUN_MAX));
  let length = 0;
  let run = 0;
  for (let index = 0; index < content.length; index++) {
    const byte = content[index]!;
    if (byte === SPACE || byte === TAB) {
      run++;
      continue;
    }
    if (byte !== LF && byte !== CR) {
      for (let left = run; left > 0; left--) {
        const blank = content[index - left]!;
        if (left % BLANK_RUN_MAX === 0) {
          out.set(blank === TAB ? [61, 48, 57] : [61, 50, 48], length);
          length += 3;
        } else {
          out[length++] = blank;
        }
      }
    }
    run = 0;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

/** The part as a message of its own, with a head that says only what decoding needs. */
function asMessage(part: MimePart, charset: string): readonly Uint8Array[] {
  const head = [
    `Content-Type: text/plain; charset=${charset}`,
    `Content-Transfer-Encoding: ${part.transferEncoding === "identity" ? "8bit" : part.transferEncoding}`,
  ];
  const content =
    part.transferEncoding === "quoted-printable" ? breakBlankRuns(part.content) : part.content;
  return [Buffer.from(`${head.join("\r\n")}\r\n\r\n`), content];
}

function parse(message: readonly Uint8Array[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const parser = new MailParser(OPTIONS);
    let text = "";
    parser.on("data", (item: MessageText) => {
      text = item.text ?? "";
    });
    parser.on("error", reject);
    parser.once("end", () => resolve(text));
    Readable.from(message, { objectMode: false }).pipe(parser);
  });
}

/**
 * The text of a text part, lines ended with LF. Octets come through mailparser as `binary`, which maps them one to
 * one, so that charsets are decoded the same way in the header and in the body. Rejects with mailparser's errors.
 */
export async function partText(part: MimePart): Promise<string> {
  const isWide = /^(?:ucs|utf)-?(?:2|4|16|32)(?:le|be)?$/i.test(part.charset);
  const text = await parse(asMessage(part, isWide ? part.charset : "binary"));
  const decoded = isWide
    ? text
    : decodeCharset(Buffer.from(text, "latin1"), part.charset || "us-ascii");
  if (part.format === "fixed") return decoded;
  return joinFlowed(decoded, part.format === "flowed-delsp" ? "delsp" : "keep");
}
