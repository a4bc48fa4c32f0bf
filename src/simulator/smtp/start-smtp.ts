/** Starts the SMTP servers of the service: the MX, and submission with STARTTLS and with implicit TLS. */
import { LIMITS } from "../../base/limits.ts";
import { assertOptions } from "../../base/options.ts";
import type { Service } from "../model/service.ts";
import type { Certificate } from "./certificate.ts";
import type { RunningServer, StepFaults } from "./guarded-server.ts";
import type { IntakeFaults } from "./intake-faults.ts";
import { startMx } from "./mx-server.ts";
import { type SubmissionOptions, startSubmission } from "./submission-server.ts";
import type { Transcripts } from "./transcripts.ts";

export interface SmtpOptions {
  /** Default: this machine only. */
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly mxPort?: number | undefined;
  readonly submissionPort?: number | undefined;
  /** Port for submission with TLS from the first octet; default: no such server. */
  readonly submissionsPort?: number | undefined;
  /** Default and maximum: `LIMITS.smtpMessageBytesMax`. */
  readonly messageBytesMax?: number | undefined;
  readonly authWithoutTls?: SubmissionOptions["authWithoutTls"];
  readonly logins?: SubmissionOptions["logins"];
  /** In PEM; default: a self-signed one. */
  readonly certificate?: Certificate | undefined;
  /** Faults at commands; default: none. */
  readonly intake?: IntakeFaults | undefined;
  /** Keeps what both sides say; default: nothing is kept. */
  readonly transcripts?: Transcripts | undefined;
  /** Receives errors of the service itself, which clients see as a 451. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

export interface RunningSmtp {
  readonly mxPort: number;
  readonly submissionPort: number;
  /** `null` if there is no such server. */
  readonly submissionsPort: number | null;
  /** Accepts no more mail; settles when the mail being received is logged and answered. */
  close(): Promise<void>;
}

export async function startSmtp(service: Service, options: SmtpOptions = {}): Promise<RunningSmtp> {
  assertOptions(options, [
    "host",
    "mxPort",
    "submissionPort",
    "submissionsPort",
    "messageBytesMax",
    "authWithoutTls",
    "logins",
    "certificate",
    "intake",
    "transcripts",
    "onFailure",
  ]);
  const { authWithoutTls, logins, certificate, intake, transcripts, submissionsPort } = options;
  const faultsOf = (server: "mx" | "submission"): StepFaults | undefined =>
    intake && {
      isEmpty: intake.isEmpty,
      take: (step, text) => intake.take(server, step, text),
    };
  const common = {
    host: options.host ?? "127.0.0.1",
    name: service.settings.hostname,
    messageBytesMax: Math.min(
      options.messageBytesMax ?? LIMITS.smtpMessageBytesMax,
      LIMITS.smtpMessageBytesMax,
    ),
    onFailure: options.onFailure,
    certificate,
  };
  const submission = {
    ...common,
    authWithoutTls,
    logins,
    logger: transcripts?.logger("submission"),
    faults: faultsOf("submission"),
  };
  const running: RunningServer[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(running.map((server) => server.close()));
  };
  const opened = async (server: Promise<RunningServer>): Promise<number> => {
    running.push(await server);
    return running.at(-1)!.port;
  };
  try {
    const logger = transcripts?.logger("mx");
    const mx = await opened(
      startMx(service, { ...common, logger, faults: faultsOf("mx"), port: options.mxPort ?? 0 }),
    );
    const starttls = { ...submission, port: options.submissionPort ?? 0 };
    const submissionPort = await opened(startSubmission(service, starttls));
    const implicit =
      submissionsPort === undefined
        ? null
        : await opened(
            startSubmission(service, { ...submission, port: submissionsPort, tls: "implicit" }),
          );
    return { mxPort: mx, submissionPort, submissionsPort: implicit, close };
  } catch (error) {
    await close();
    throw error;
  }
}
