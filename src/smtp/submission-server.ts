/** The submission server: mail that a domain's SMTP credentials send (RFC 6409, API v4 §1 SMTP credentials). */
import type { SMTPServerOptions, SMTPServerSession } from "smtp-server";
import { LIMITS } from "../base/limits.ts";
import { parseAddrSpec } from "../mail/address.ts";
import { checkCredential } from "../service/credentials.ts";
import { getDomain } from "../service/domains.ts";
import { ServiceProblem } from "../service/problem.ts";
import type { Reply } from "../service/receive-recipient.ts";
import { requireSendReady, requireSendRoom } from "../service/send-outgoing.ts";
import { isOwnSender, submitMessage } from "../service/send-submission.ts";
import type { Service } from "../service/service.ts";
import {
  type ListenOptions,
  listenSmtp,
  type RunningServer,
  SmtpRefusal,
} from "./guarded-server.ts";
import { readMessage } from "./message-data.ts";

export interface SubmissionOptions extends ListenOptions {
  /** Whether passwords are taken without TLS; default `refuse`. */
  readonly authWithoutTls?: "refuse" | "allow" | undefined;
}

const WRONG_LOGIN: Reply = { code: 535, enhanced: "5.7.8", text: "wrong username or password" };
const BAD_RECIPIENT: Reply = {
  code: 553,
  enhanced: "5.1.3",
  text: "not an address that mail can be sent to",
};
/** A problem of the service as an answer; what is no problem is thrown on. */
async function asReplies<Result>(
  reply: Pick<Reply, "code" | "enhanced">,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceProblem)) throw error;
    throw new SmtpRefusal({ ...reply, text: error.message });
  }
}

/** The domain of the credential that the session has signed in with. */
const domainOf = (session: SMTPServerSession): string => session.user as string;

function signIn(service: Service): NonNullable<SMTPServerOptions["onAuth"]> {
  const failures = new WeakMap<SMTPServerSession, number>();
  return ({ username, password }, session, callback) => {
    checkCredential(service, username ?? "", password ?? "").then(
      (credential) => {
        if (credential !== null) return callback(null, { user: credential.domain });
        const count = (failures.get(session) ?? 0) + 1;
        failures.set(session, count);
        const isLast = count >= LIMITS.smtpSignInsMax;
        callback(new SmtpRefusal(isLast ? { ...WRONG_LOGIN, code: 421 } : WRONG_LOGIN));
      },
      () => callback(new SmtpRefusal({ code: 454, enhanced: "4.7.0", text: "try again later" })),
    );
  };
}

export function startSubmission(
  service: Service,
  options: SubmissionOptions,
): Promise<RunningServer> {
  const { authWithoutTls = "refuse", messageBytesMax } = options;
  return listenSmtp(
    options,
    { authMethods: ["PLAIN", "LOGIN"], allowInsecureAuth: authWithoutTls === "allow" },
    {
      onAuth: signIn(service),
      async onMailFrom(sender, session) {
        const domain = domainOf(session);
        await asReplies({ code: 550, enhanced: "5.7.1" }, async () => {
          requireSendReady(await getDomain(service, domain));
        });
        if (isOwnSender(domain, sender)) return;
        const text = `this credential sends for ${domain} only`;
        throw new SmtpRefusal({ code: 553, enhanced: "5.7.1", text });
      },
      async onRcptTo(recipient, session) {
        if (parseAddrSpec(recipient) === null) throw new SmtpRefusal(BAD_RECIPIENT);
        const count = session.envelope.rcptTo.length + 1;
        await asReplies({ code: 452, enhanced: "4.2.2" }, () => requireSendRoom(service, count));
      },
      async onData(stream, session) {
        const read = await readMessage(stream, messageBytesMax);
        if (!read.ok) throw new SmtpRefusal(read.reply);
        const { envelope, hostNameAppearsAs, remoteAddress, transmissionType } = session;
        const [first] = await asReplies({ code: 550, enhanced: "5.7.1" }, () =>
          submitMessage(service, {
            domain: domainOf(session),
            sender: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
            recipients: envelope.rcptTo.map(({ address }) => address),
            message: read.message,
            helo: hostNameAppearsAs,
            remote: remoteAddress,
            protocol: transmissionType,
          }),
        );
        return `2.0.0 queued as ${first!.id}`;
      },
    },
  );
}
