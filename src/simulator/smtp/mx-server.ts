/** The MX: receives mail for the account's domains, answers each recipient, and queues nothing that it refuses. */
import type { SMTPServerSession } from "smtp-server";
import { canonicalAddress } from "../../engine/facts/address.ts";
import type { Service } from "../model/service.ts";
import {
  acceptMessage,
  answerRecipient,
  type MailTransaction,
  refuseAll,
} from "../receive/receive.ts";
import { listenSmtp, type PortOptions, type RunningServer, SmtpRefusal } from "./guarded-server.ts";
import { readMessage } from "./message-data.ts";

/** Each mailbox once, however often and in whatever spelling the client named it. */
function distinct(addresses: readonly string[]): readonly string[] {
  const byMailbox = new Map<string, string>();
  for (const address of addresses) {
    const mailbox = canonicalAddress(address);
    if (!byMailbox.has(mailbox)) byMailbox.set(mailbox, address);
  }
  return [...byMailbox.values()];
}

function transactionOf(session: SMTPServerSession): MailTransaction {
  const { envelope, hostNameAppearsAs, remoteAddress, transmissionType } = session;
  return {
    sender: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
    recipients: distinct(envelope.rcptTo.map(({ address }) => address)),
    helo: hostNameAppearsAs,
    remote: remoteAddress,
    protocol: transmissionType,
  };
}

export function startMx(service: Service, options: PortOptions): Promise<RunningServer> {
  const { messageBytesMax } = options;
  return listenSmtp(
    options,
    { disabledCommands: ["AUTH"] },
    {
      async onRcptTo(recipient, session) {
        const answer = await answerRecipient(service, transactionOf(session), recipient);
        if (answer.code >= 300) throw new SmtpRefusal(answer);
      },
      async onData(stream, session) {
        const transaction = transactionOf(session);
        const read = await readMessage(stream, messageBytesMax);
        if (!read.ok) {
          await refuseAll(service, transaction, read.reply);
          throw new SmtpRefusal(read.reply);
        }
        const answers = await acceptMessage(service, transaction, read.message);
        const accepted = answers.find(({ code }) => code < 300);
        if (accepted === undefined) throw new SmtpRefusal(answers[0]!);
        return `2.0.0 queued as ${accepted.logIds[0]}`;
      },
    },
  );
}
