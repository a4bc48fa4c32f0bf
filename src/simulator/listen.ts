/** The simulator on real sockets: HTTP for the API and the control plane, SMTP for the MX and for submission. */
import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { LIMITS } from "../base/limits.ts";
import { assertOptions } from "../base/options.ts";
import { answer, type Entrance } from "./answer.ts";
import { keyHolder } from "./api/read/authenticate.ts";
import type { Assembly } from "./assemble.ts";
import { fromLoopback, isLoopback, withKey } from "./control/access.ts";
import { findPage } from "./control/page-files.ts";
import { openHttp } from "./http-server.ts";
import { type RunningPop3, startPop3 } from "./pop3/pop3-server.ts";
import { type RunningSmtp, startSmtp } from "./smtp/start-smtp.ts";
import { within } from "./within.ts";

/** Options of `listen`: hosts, ports, TLS. */
export interface ListenOptions {
  /** Name or address to listen on; default `127.0.0.1`. With any other, the control plane needs the API key. */
  readonly host?: string | undefined;
  /** Ports; default 0, which means any free port. */
  readonly httpPort?: number | undefined;
  readonly mxPort?: number | undefined;
  readonly submissionPort?: number | undefined;
  /** Submission with TLS from the first octet; default: no such server. */
  readonly submissionsPort?: number | undefined;
  /** POP3 access to the mailboxes of the simulated internet, with the API key as password; default: no such server. */
  readonly pop3Port?: number | undefined;
  /** Key and certificate of SMTP's TLS, in PEM; default: new ones, which clients must not check. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** Whether submission accepts passwords without TLS; default `"refuse"`. */
  readonly authWithoutTls?: "refuse" | "allow" | undefined;
  /** `"any"`: submission accepts every name and password; default: only those of credentials. */
  readonly logins?: "credentials" | "any" | undefined;
  /** Folder of the built page, which is served at `/`; default: the one in the package. */
  readonly page?: string | undefined;
}

/** The ports that a simulator listens on. */
export interface Listening {
  readonly host: string;
  readonly httpPort: number;
  readonly mxPort: number;
  readonly submissionPort: number;
  /** `null` if there is no such server. */
  readonly submissionsPort: number | null;
  readonly pop3Port: number | null;
  /** `http://127.0.0.1:8025`, without a slash at the end. */
  readonly url: string;
  /** Address of the page, which signs in with the part after `#`; `null` if the page is not built. */
  readonly pageUrl: string | null;
  /**
   * Accepts no more requests and mail, answers those in progress, and makes the deliveries that are due, for at most
   * `LIMITS.closeMs`. Resolves to the number of deliveries that still wait.
   */
  close(): Promise<number>;
}

/** Opens all servers or none: rejects with the system's error, which has the `port`. */
export async function listen(
  assembly: Assembly,
  options: ListenOptions,
  onClosed: () => void,
): Promise<Listening> {
  assertOptions(options, [
    "host",
    "httpPort",
    "mxPort",
    "submissionPort",
    "submissionsPort",
    "pop3Port",
    "tls",
    "authWithoutTls",
    "logins",
    "page",
  ]);
  const { host = "127.0.0.1", httpPort = 0, mxPort = 0, submissionPort = 0 } = options;
  const { settings } = assembly;
  const { service, transcripts, intake } = assembly.parts;
  const access = isLoopback(host) ? fromLoopback : withKey(keyHolder(settings.apiKey));
  const over = new AbortController();
  const page = options.page ?? findPage() ?? undefined;
  const entrance: Entrance = { access, over: over.signal, page };
  const { api } = assembly;
  const listener: RequestListener = (incoming, outgoing) => {
    const errorHandler = (error: unknown): Promise<Response> =>
      api.refuse(400, String((error as Error).message), incoming.url ?? "/");
    const options = { overrideGlobalObjects: false, errorHandler };
    return getRequestListener((request) => answer(assembly, request, entrance), options)(
      incoming,
      outgoing,
    );
  };
  const http = await openHttp(listener, httpPort, host, api.refuse);
  let smtp: RunningSmtp | undefined;
  let pop3: RunningPop3 | undefined;
  try {
    const { submissionsPort, pop3Port, tls: certificate, authWithoutTls, logins } = options;
    const ports = { host, mxPort, submissionPort, submissionsPort };
    const signIn = { certificate, authWithoutTls, logins };
    const watched = { transcripts, intake, onFailure: settings.onDefect };
    smtp = await startSmtp(service, { ...ports, ...signIn, ...watched });
    if (pop3Port !== undefined) {
      const { apiKey, onDefect: onFailure } = settings;
      pop3 = await startPop3(service, { host, port: pop3Port, apiKey, logins, onFailure });
    }
  } catch (error) {
    await Promise.all([http.close(), smtp?.close()]);
    throw error;
  }
  const { mxPort: openMx, submissionPort: openSubmission, submissionsPort, close } = smtp;

  async function closeAll(): Promise<number> {
    over.abort();
    // One deadline for all.
    const ended = Promise.all([http.close(), close(), pop3?.close()]).then(() =>
      service.queue.idle(),
    );
    await within(ended, LIMITS.closeMs);
    onClosed();
    return (await service.queue.pending()).length;
  }

  let closing: Promise<number> | undefined;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${http.port}`;
  const key = access === fromLoopback ? `#key=${encodeURIComponent(settings.apiKey)}` : "";
  return {
    host,
    httpPort: http.port,
    mxPort: openMx,
    submissionPort: openSubmission,
    submissionsPort,
    pop3Port: pop3?.port ?? null,
    url,
    pageUrl: page === undefined ? null : `${url}/${key}`,
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
