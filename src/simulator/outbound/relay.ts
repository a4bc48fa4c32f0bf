/** Hands mail to a real SMTP server, octet for octet, and returns its answer. */
import nodemailer from "nodemailer";
import { LIMITS } from "../../base/limits.ts";
import type { HandoverAnswer, Parcel } from "../model/service.ts";

export interface RelayOptions {
  readonly host: string;
  readonly port: number;
  /** The service's name in EHLO. */
  readonly name: string;
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

/** `250 2.0.0 ok` without its code. */
function withoutCode(response: string): string {
  return response.replace(/^\d{3}[ -]?/, "").trim();
}

function failureAnswer(error: SmtpFailure, server: string): HandoverAnswer {
  const { responseCode, response } = error;
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 600) {
    return { code: responseCode, message: withoutCode(response ?? error.message), server };
  }
  const message = `4.4.1 ${error.code ?? "no answer"}: ${error.message}`;
  return { code: 451, message, server, reached: false };
}

/** The relay's certificate is not checked: the user names the server, and it is often a test server. */
export function createRelay({ host, port, name }: RelayOptions): Relay {
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
  const server = `${host}:${port}`;
  return {
    close: () => transport.close(),
    async handOver({ destination, envelopeSender, message }): Promise<HandoverAnswer> {
      try {
        const { response } = await transport.sendMail({
          envelope: { from: envelopeSender, to: [destination] },
          raw: Buffer.from(message),
        });
        return { code: 250, message: withoutCode(response), server };
      } catch (error) {
        return failureAnswer(error as SmtpFailure, server);
      }
    },
  };
}
