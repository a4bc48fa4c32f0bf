/** The simulator on real sockets: HTTP for the API and the control plane, SMTP for the MX and for submission. */
import { getRequestListener } from "@hono/node-server";
import { isAuthentic } from "../api/authenticate.ts";
import { LIMITS } from "../base/limits.ts";
import { assertOptions } from "../base/options.ts";
import { fromLoopback, isLoopback, withKey } from "../control/access.ts";
import { type RunningSmtp, startSmtp } from "../smtp/start-smtp.ts";
import { answer, type Entrance } from "./answer.ts";
import type { Assembly } from "./assemble.ts";
import { openHttp } from "./http-server.ts";
import { within } from "./within.ts";

export interface ListenOptions {
  /** Name or address to listen on; default `127.0.0.1`. Elsewhere the control plane asks for the API key. */
  readonly host?: string | undefined;
  /** Ports; default 0, any that is free. */
  readonly httpPort?: number | undefined;
  readonly mxPort?: number | undefined;
  readonly submissionPort?: number | undefined;
}

export interface Listening {
  readonly host: string;
  readonly httpPort: number;
  readonly mxPort: number;
  readonly submissionPort: number;
  /** `http://127.0.0.1:8025`, without a slash at the end. */
  readonly url: string;
  /**
   * Takes no more requests and mail, answers those it has, and lets what is due be delivered, for at most
   * `LIMITS.closeMs`. Answers how many deliveries still wait.
   */
  close(): Promise<number>;
}

/** Opens all servers, or none: rejects with what the system says, its `port` among it. */
export async function listen(
  assembly: Assembly,
  options: ListenOptions,
  onClosed: () => void,
): Promise<Listening> {
  assertOptions(options, ["host", "httpPort", "mxPort", "submissionPort"]);
  const { host = "127.0.0.1", httpPort = 0, mxPort = 0, submissionPort = 0 } = options;
  const { settings } = assembly;
  const { service } = assembly.parts;
  const access = isLoopback(host)
    ? fromLoopback
    : withKey((authorization) => isAuthentic(authorization, settings.apiKey));
  const over = new AbortController();
  const entrance: Entrance = { access, over: over.signal };
  const listener = getRequestListener((request) => answer(assembly, request, entrance), {
    overrideGlobalObjects: false,
  });
  const http = await openHttp(listener, httpPort, host);
  let smtp: RunningSmtp;
  try {
    smtp = await startSmtp(service, { host, mxPort, submissionPort, onFailure: settings.onDefect });
  } catch (error) {
    await http.close();
    throw error;
  }

  async function closeAll(): Promise<number> {
    over.abort();
    await Promise.all([http.close(), smtp.close()]);
    await within(service.queue.idle(), LIMITS.closeMs);
    onClosed();
    return (await service.queue.pending()).length;
  }

  let closing: Promise<number> | undefined;
  return {
    host,
    httpPort: http.port,
    mxPort: smtp.mxPort,
    submissionPort: smtp.submissionPort,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${http.port}`,
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
