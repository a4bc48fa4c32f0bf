/** Mail and rules for other mail filters, in a form that each of them can read. */

import { headerFacts } from "../src/message/read-message.ts";
import { type RawMail, rawMail } from "./material/mail.ts";
import type { MixedRule } from "./material/mixed-rules.ts";

export type PeerRule = MixedRule;

/** A message with its envelope recipient and sender's address in header fields of their own. */
export type MarkedMail = RawMail & { readonly sender: string };

/** The user that daemons run as where the benches run as root. */
export const NOBODY = 65_534;

export const PROGRAM_FOLDERS: readonly string[] = ["/usr/bin", "/usr/sbin", "/usr/local/bin"];

/** An mbox line before the header would stand between the fields. */
function withoutMboxLine(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return text.toString("latin1", 0, 5) === "From " ? bytes.subarray(text.indexOf(10) + 1) : bytes;
}

export async function markedMail(count: number): Promise<MarkedMail[]> {
  const marked: MarkedMail[] = [];
  for (const { recipient, bytes } of rawMail(count)) {
    const { from } = await headerFacts(bytes);
    const sender = (from ?? "").toLowerCase();
    const head = Buffer.from(`X-Recipient: ${recipient}\nX-Sender: ${sender}\n`);
    const whole = new Uint8Array(Buffer.concat([head, withoutMboxLine(bytes)]));
    marked.push({ recipient, sender, bytes: whole });
  }
  return marked;
}
