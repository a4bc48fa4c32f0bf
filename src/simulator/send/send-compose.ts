/** Writes the message of a send request: the same request at the same time gives the same octets. */
import MailComposer from "nodemailer/lib/mail-composer";
import type { Party } from "../model/records.ts";
import { mailDate } from "../receive/forward-message.ts";
import type { Letter, SendRequest } from "./send-request.ts";

interface Address {
  readonly name: string;
  readonly address: string;
}

const addressOf = ({ email, name }: Party): Address => ({ name: name ?? "", address: email });

/** Characters that a subject may not have, from a variable or otherwise. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, " ").trim();

export interface Composition {
  readonly request: SendRequest;
  readonly letter: Letter;
  /** With its angle brackets. */
  readonly messageId: string;
  /** Makes the boundaries; unique. */
  readonly boundary: string;
  readonly atMs: number;
}

/** Lines end in CRLF. Blind copies are left out. */
export async function composeMessage(composition: Composition): Promise<Uint8Array> {
  const { request, letter, messageId, boundary, atMs } = composition;
  const { from, to, cc, replyTo, attachments } = request;
  const composer = new MailComposer({
    from: { name: "", address: from },
    to: to.map(addressOf),
    ...(cc.length === 0 ? {} : { cc: cc.map(addressOf) }),
    ...(replyTo === null ? {} : { replyTo: addressOf(replyTo) }),
    subject: oneLine(letter.subject),
    ...(letter.text === "" ? {} : { text: letter.text }),
    ...(letter.html === "" ? {} : { html: letter.html }),
    messageId,
    date: mailDate(atMs),
    baseBoundary: boundary,
    newline: "win",
    disableFileAccess: true,
    disableUrlAccess: true,
    attachments: attachments.map(({ filename, content, contentType, contentId }) => ({
      filename,
      content: Buffer.from(content),
      contentType,
      ...(contentId === null ? {} : { cid: contentId }),
    })),
  });
  const composed = await composer.compile().build();
  // A lone CR of a text or of an attached message stays, and no server would relay it.
  return Buffer.from(composed.toString("latin1").replace(/\r(?!\n)/g, "\r\n"), "latin1");
}
