/** An HTTP server that answers all requests before it closes, whatever connections its clients keep open. */
import { createServer, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { LIMITS } from "../base/limits.ts";
import { openPort } from "./open-port.ts";
import { within } from "./within.ts";

export interface HttpServer {
  readonly port: number;
  /** Accepts no more requests; settles when those in progress are answered, after at most `LIMITS.closeMs`. */
  close(): Promise<void>;
}

/** Answers input that is not a request with a normal refusal, and closes the connection. */
async function writeRefusal(socket: Duplex, refusal: Promise<Response>): Promise<void> {
  if (!socket.writable) return void socket.destroy();
  const response = await refusal;
  const body = Buffer.from(await response.arrayBuffer());
  const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const head = [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ""}`,
    ...fields,
    `content-length: ${body.length}`,
    "connection: close",
    "",
    "",
  ].join("\r\n");
  socket.end(Buffer.concat([Buffer.from(head), body]));
}

interface ClientError extends NodeJS.ErrnoException {
  /** The octets that were being read. */
  readonly rawPacket?: Uint8Array;
}

/** The path in the request line if it can be read, else `/`. */
function targetOf({ rawPacket }: ClientError): string {
  const start = Buffer.from(rawPacket ?? []).toString("latin1", 0, LIMITS.urlUnitsMax);
  return /^[A-Z]+ (\/\S*) /.exec(start)?.[1] ?? "/";
}

/** Rejects with the system's error, which has the `port`. */
export async function openHttp(
  listener: RequestListener,
  port: number,
  host: string,
  refuse: (status: 400 | 431, message: string, target: string) => Promise<Response>,
): Promise<HttpServer> {
  const answering = new Set<ServerResponse>();
  let onIdle: () => void = () => {};
  const server = createServer((request, response) => {
    answering.add(response);
    response.once("close", () => {
      answering.delete(response);
      if (answering.size === 0) onIdle();
    });
    return listener(request, response);
  });
  server.on("clientError", (error: ClientError, socket: Duplex) => {
    const isLong = error.code === "HPE_HEADER_OVERFLOW";
    const said = isLong ? "the headers are too long" : "the request is not HTTP";
    void writeRefusal(socket, refuse(isLong ? 431 : 400, said, targetOf(error)));
  });
  return {
    port: await openPort(server, port, host),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
        if (answering.size === 0) resolve();
      });
      await within(idle, LIMITS.closeMs);
      // Idle connections: clients keep some open, and open others before they need them.
      server.closeAllConnections();
      await closed;
    },
  };
}
