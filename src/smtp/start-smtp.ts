/** Starts the two SMTP servers of the service: the MX and the submission server. */

import { LIMITS } from "../base/limits.ts";
import { assertOptions } from "../base/options.ts";
import type { Service } from "../service/service.ts";
import { startMx } from "./mx-server.ts";
import { type SubmissionOptions, startSubmission } from "./submission-server.ts";

export interface SmtpOptions {
  /** Default: this machine only. */
  readonly host?: string | undefined;
  /** Default 0: any that is free. */
  readonly mxPort?: number | undefined;
  readonly submissionPort?: number | undefined;
  /** Default `LIMITS.smtpMessageBytesMax`, which is also the most. */
  readonly messageBytesMax?: number | undefined;
  readonly authWithoutTls?: SubmissionOptions["authWithoutTls"];
  /** Told of errors of ours, which clients see as a 451. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

export interface RunningSmtp {
  readonly mxPort: number;
  readonly submissionPort: number;
  /** Takes no more mail; settles when what was being taken is logged and answered. */
  close(): Promise<void>;
}

export async function startSmtp(service: Service, options: SmtpOptions = {}): Promise<RunningSmtp> {
  assertOptions(options, [
    "host",
    "mxPort",
    "submissionPort",
    "messageBytesMax",
    "authWithoutTls",
    "onFailure",
  ]);
  const common = {
    host: options.host ?? "127.0.0.1",
    name: service.settings.hostname,
    messageBytesMax: Math.min(
      options.messageBytesMax ?? LIMITS.smtpMessageBytesMax,
      LIMITS.smtpMessageBytesMax,
    ),
    onFailure: options.onFailure,
  };
  const mx = await startMx(service, { ...common, port: options.mxPort ?? 0 });
  try {
    const submission = await startSubmission(service, {
      ...common,
      port: options.submissionPort ?? 0,
      authWithoutTls: options.authWithoutTls,
    });
    return {
      mxPort: mx.port,
      submissionPort: submission.port,
      async close() {
        await Promise.all([mx.close(), submission.close()]);
      },
    };
  } catch (error) {
    await mx.close();
    throw error;
  }
}
