/** The submission server: accepts mail from holders of a domain's SMTP credentials (RFC 6409, API v4 §1 SMTP credentials). */
import type { SMTPServerOptions, SMTPServerSession } from "smtp-server";
import { LIMITS } from "../../base/limits.ts";
import { canonicalDomain, parseAddrSpec, splitAddress } from "../../engine/facts/address.ts";
import { getDomain } from "../model/domains/domains.ts";
import { ServiceProblem } from "../model/problem.ts";
import type { CredentialRow } from "../model/records.ts";
import { checkCredential, isStillValid } from "../model/sending/credentials.ts";
import type { Service } from "../model/service.ts";
import type { Reply } from "../receive/receive-recipient.ts";
import { requireSendReady, requireSendRoom } from "../send/send-outgoing.ts";
import { isOwnSender, submitMessage } from "../send/send-submission.ts";
import { listenSmtp, type PortOptions, type RunningServer, SmtpRefusal } from "./guarded-server.ts";
import { readMessage } from "./message-data.ts";
import { createSignInFailures, createSignInGuard } from "./sign-in-guard.ts";

export interface SubmissionOptions extends PortOptions {
  /** Whether passwords are accepted without TLS; default `refuse`. */
  readonly authWithoutTls?: "refuse" | "allow" | undefined;
  /** `any` accepts every name and password, for tests of clients; default: only those of credentials. */
  readonly logins?: "credentials" | "any" | undefined;
  /** `implicit`: TLS from the first octet (RFC 8314); default: STARTTLS. */
  readonly tls?: "starttls" | "implicit" | undefined;
}

const WRONG_LOGIN: Reply = { code: 535, enhanced: "5.7.8", text: "wrong username or password" };
const BAD_RECIPIENT: Reply = {
  code: 553,
  enhanced: "5.1.3",
  text: "not an address that mail can be sent to",
};
const NO_ROOM: Pick<Reply, "code" | "enhanced"> = { code: 452, enhanced: "4.2.2" };

/** Turns a problem of the service into an answer, a used-up plan into 452, and throws any other error again. */
async function asReplies<Result>(
  reply: Pick<Reply, "code" | "enhanced">,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceProblem)) throw error;
    throw new SmtpRefusal({ ...(error.about === "plan" ? NO_ROOM : reply), text: error.message });
  }
}

/** The user of a session if names and passwords are not checked. */
const ANYBODY = "*";

const NO_TLS: Reply = { code: 530, enhanced: "5.7.0", text: "issue STARTTLS first, then sign in" };
const LOCKED_OUT: Reply = {
  code: 421,
  enhanced: "4.7.0",
  text: "too many failed sign-ins from this address, come back later",
};

const OUTDATED: Reply = {
  code: 421,
  enhanced: "4.7.0",
  text: "the credential was deleted or has another password now, sign in again",
};

/** The domain of the session's credential; if any login is accepted, the sender's domain. Refuses a credential that is gone. */
async function senderDomain(
  service: Service,
  { user, envelope }: SMTPServerSession,
  sender?: string,
): Promise<string> {
  if (user !== ANYBODY) {
    const credential = user as unknown as CredentialRow;
    if (!(await isStillValid(service, credential))) throw new SmtpRefusal(OUTDATED);
    return credential.domain;
  }
  const from = sender ?? (envelope.mailFrom === false ? "" : envelope.mailFrom.address);
  return canonicalDomain(splitAddress(from).domain);
}

function signIn(
  service: Service,
  logins: SubmissionOptions["logins"],
): NonNullable<SMTPServerOptions["onAuth"]> {
  const failures = new WeakMap<SMTPServerSession, number>();
  const guard = createSignInGuard(service.signIns ?? createSignInFailures(Date.now));
  return ({ username, password }, session, callback) => {
    if (logins === "any") return callback(null, { user: ANYBODY });
    const { remoteAddress } = session;
    const refuse = (reply: Reply): void => callback(new SmtpRefusal(reply));
    const decide = async (): Promise<void> => {
      if (!(await guard.mayTry(remoteAddress))) return refuse(LOCKED_OUT);
      const credential = await checkCredential(service, username ?? "", password ?? "");
      if (credential !== null) {
        await guard.succeeded(remoteAddress);
        return callback(null, { user: credential });
      }
      const delayMs = await guard.failed(remoteAddress);
      if (delayMs === null) return refuse(LOCKED_OUT);
      const count = (failures.get(session) ?? 0) + 1;
      failures.set(session, count);
      const isLast = count >= LIMITS.smtpSignInsMax;
      const reply = isLast ? { ...WRONG_LOGIN, code: 421 } : WRONG_LOGIN;
      setTimeout(refuse, delayMs, reply).unref();
    };
    decide().catch(() => refuse({ code: 454, enhanced: "4.7.0", text: "try again later" }));
  };
}

export function startSubmission(
  service: Service,
  options: SubmissionOptions,
): Promise<RunningServer> {
  const { authWithoutTls = "refuse", messageBytesMax, logins = "credentials", tls } = options;
  const isAllowed = authWithoutTls === "allow";
  return listenSmtp(
    options,
    {
      authMethods: ["PLAIN", "LOGIN"],
      allowInsecureAuth: isAllowed,
      secure: tls === "implicit",
    },
    {
      // Without TLS, the server does not even ask for passwords.
      onConnect(session) {
        if (!isAllowed && !session.secure) session.disabledCommands = ["AUTH"];
      },
      onSecure(session) {
        delete session.disabledCommands;
      },
      onAuth: signIn(service, logins),
      async onMailFrom(sender, session) {
        if (!session.user) throw new SmtpRefusal(NO_TLS);
        const domain = await senderDomain(service, session, sender);
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
        await asReplies(NO_ROOM, () => requireSendRoom(service, count));
      },
      async onData(stream, session) {
        const read = await readMessage(stream, messageBytesMax);
        if (!read.ok) throw new SmtpRefusal(read.reply);
        const { envelope, hostNameAppearsAs, remoteAddress, transmissionType } = session;
        const domain = await senderDomain(service, session);
        const [first] = await asReplies({ code: 550, enhanced: "5.7.1" }, () =>
          submitMessage(service, {
            domain,
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
