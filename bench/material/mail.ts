/** Messages of the dataset, raw and as facts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageFactsOf } from "../../src/message/read-message.ts";
import { DATASET, datasetFiles } from "../../test/dataset/dataset.ts";
import type { ExpressionFacts } from "./expressions.ts";

/** What all contestants get of a message: addresses in lower case, so that nobody has to fold them. */
export interface Mail {
  readonly recipient: string;
  readonly sender: string;
  readonly subject: string;
  readonly body: string;
}

export interface RawMail {
  readonly recipient: string;
  readonly bytes: Uint8Array;
}

/** `sample`: what rules are tried on; `other`: what rules are made of. They share no message. */
export type Drawer = "sample" | "other";

/** The user of the first address in To, so that recipients vary as real ones do. */
function recipientOf(to: string): string {
  const localPart = /([\w.-]+)(?:\+[\w.+-]*)?@[\w.-]+/.exec(to)?.[1] ?? "nobody";
  return `${localPart.toLowerCase()}@own.test`;
}

/** Paths of `count` messages, spread evenly over the dataset. */
export function pickFiles(count: number, drawer: Drawer): string[] {
  const files = datasetFiles();
  const step = files.length / count;
  const from = drawer === "sample" ? 0 : step / 2;
  return Array.from({ length: count }, (_, index) =>
    join(DATASET, files[Math.floor(from + index * step)]!),
  );
}

export function rawMail(count: number): RawMail[] {
  return pickFiles(count, "sample").map((file) => {
    const bytes = new Uint8Array(readFileSync(file));
    const head = Buffer.from(bytes.subarray(0, 16_384)).toString("latin1");
    return { recipient: recipientOf(/^to:(.*)$/im.exec(head)?.[1] ?? ""), bytes };
  });
}

/** With all facts, as expressions see them. */
export function parsedFacts(count: number, drawer: Drawer): ExpressionFacts[] {
  const facts: ExpressionFacts[] = [];
  for (const file of pickFiles(count, drawer)) {
    const { from, subject, headers, body, attachments, size } = messageFactsOf(readFileSync(file));
    const recipient = recipientOf(headers.get("to")?.[0] ?? "");
    const sender = (from ?? "").toLowerCase();
    facts.push({ recipient, sender, subject, headers, body, attachments, size });
  }
  return facts;
}

export function parsedMail(count: number, drawer: Drawer): Mail[] {
  const facts = parsedFacts(count, drawer);
  return facts.map(({ recipient, sender, subject, body }) => ({
    recipient,
    sender,
    subject,
    body,
  }));
}
