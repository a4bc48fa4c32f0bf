/** Other readers of mail, brought to the same few facts. */
import type { Readable } from "node:stream";
import { type Headers, MailParser, type MessageText, simpleParser } from "mailparser";
import { htmlToText } from "../src/message/html/displayed-text.ts";

/** What every reader has to bring out of a message. */
export interface ReadFacts {
  readonly sender: string;
  readonly subject: string;
  /** Only at the body stage. */
  readonly body?: string;
  /** How many field values were decoded, where that is asked. */
  readonly fields?: number;
}

export type Reader = (bytes: Uint8Array) => Promise<ReadFacts> | ReadFacts;

/** Up to the blank line: what a server would hand to a reader that knows no stages. */
export function headerOnly(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = Math.min(
    ...["\n\n", "\n\r\n"].map((blank) => text.indexOf(blank)).filter((at) => at >= 0),
    text.length,
  );
  return bytes.subarray(0, end + 2);
}

/** All that is not needed switched off. */
const TUNED = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepCidLinks: true,
  checksumAlgo: false,
  maxHeadSize: 262_144,
  maxChildNodes: 500,
} as const;

function headOf(headers: Headers): ReadFacts {
  const from = headers.get("from") as { value: { address?: string }[] } | undefined;
  const subject = headers.get("subject");
  return {
    sender: from?.value[0]?.address ?? "",
    subject: typeof subject === "string" ? subject : "",
  };
}

/** As rules see it: the plain text, then what the HTML displays. */
export function bothTexts(text: string | undefined, html: string | false | undefined): string {
  const displayed = typeof html === "string" ? htmlToText(html) : "";
  return [text ?? "", displayed].filter((each) => each !== "").join("\n\n");
}

export function parseTuned(bytes: Uint8Array): Promise<ReadFacts> {
  return new Promise((resolve, reject) => {
    const parser = new MailParser(TUNED);
    let head: ReadFacts = { sender: "", subject: "" };
    let body = "";
    parser.on("headers", (headers: Headers) => {
      head = headOf(headers);
    });
    parser.on("data", (item: MessageText & { content?: Readable; release?: () => void }) => {
      if (item.type === ("attachment" as string)) {
        item.content?.resume();
        item.content?.on("end", () => item.release?.());
      } else body = bothTexts(item.text, item.html);
    });
    parser.on("error", reject);
    parser.once("end", () => resolve({ ...head, body }));
    parser.end(bytes);
  });
}

export const readMailparser: Reader = async (bytes) => {
  const { from, subject, text } = await simpleParser(Buffer.from(bytes));
  return { sender: from?.value[0]?.address ?? "", subject: subject ?? "", body: text ?? "" };
};
