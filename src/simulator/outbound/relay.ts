/** Hands mail to a real SMTP server, octet for octet, and returns its answer. */
import nodemailer from "nodemailer";
import { LIMITS } from "../../base/limits.ts";
import type { HandoverAnswer, Parcel } from "../model/service.ts";

export interface RelayOptions {
  readonly host: string;
  readonly port: number;
  /** The service's name in EHLO. */
  readonly name: string;
  /** Milliseconds for one message in all; default `LIMITS.relayAttemptMs`. */
  readonly attemptMs?: number | undefined;
}

/** Handles mail only. */
export interface Relay {
  handOver(
    parcel: Pick<Parcel, "destination" | "envelopeSender" | "message">,
  ): Promise<HandoverAnswer>;
  close(): void;
}

/** An error as nodemailer reports it. */
interface SmtpFailure extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Code units that are kept of a reply: a line of RFC 5321 §4.5.3.1.5. */
const REPLY_UNITS_MAX = 512;

/** `250-2.0.0 ok` and `250 thanks` as `2.0.0 ok thanks`, without control characters. */
function withoutCodes(response: string): string {
  const text = response.slice(0, 2 * REPLY_UNITS_MAX).replace(/^\d{3}[ -]?/gm, "");
  return text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, REPLY_UNITS_MAX);
}

function failureAnswer(error: SmtpFailure, server: string): HandoverAnswer {
  const { responseCode, response } = error;
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 600) {
    return { code: responseCode, message: withoutCodes(response ?? error.message), server };
  }
  if (error.code === "EENVELOPE") return { code: 553, message: `5.1.3 ${error.message}`, server };
  const message = withoutCodes(`4.4.1 ${error.code ?? "no answer"}: ${error.message}`);
  return { code: 451, message, server, reached: false };
}

/** The relay's certificate is not checked: the user names the server, and it is often a test server. */
export function createRelay({ host, port, name, attemptMs }: RelayOptions): Relay {
  const transport = nodemailer.createTransport({
    host,
    port,
    name,
    secure: false,
    tls: { rejectUnauthorized: false },
    connectionTimeout: LIMITS.relayTimeoutMs,
    greetingTimeout: LIMITS.relayTimeoutMs,
    socketTimeout: LIMITS.relayTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // nodemailer changes addresses: `"a<b>"@x.example` becomes the mailbox `"a b"@x.example`. They are sent as they are.
  transport.use("stream", ({ data, message }, done) => {
    const { from, to } = data.envelope as { readonly from: string; readonly to: string[] };
    message.getEnvelope = () => ({ from, to, use8BitMime: true });
    done();
  });
  const server = `${host}:${port}`;
  return {
    close: () => transport.close(),
    async handOver({ destination, envelopeSender, message }): Promise<HandoverAnswer> {
      try {
        const { response } = await transport.sendMail({
          envelope: { from: envelopeSender, to: [destination] },
          raw: Buffer.from(message),
          signal: AbortSignal.timeout(attemptMs ?? LIMITS.relayAttemptMs),
        });
        return { code: 250, message: withoutCodes(response), server };
      } catch (error) {
        return failureAnswer(error as SmtpFailure, server);
      }
    },
  };
}
