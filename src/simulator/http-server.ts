/** An HTTP server that ends by answering what it was asked, whatever connections its clients keep open. */
import { createServer, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { LIMITS } from "../base/limits.ts";
import { within } from "./within.ts";

export interface HttpServer {
  readonly port: number;
  /** Takes no more requests; settles when those it has are answered, for at most `LIMITS.closeMs`. */
  close(): Promise<void>;
}

/** Answers what is no request, as every other refusal is answered, and ends the connection. */
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

/** Rejects with what the system says, its `port` among it. */
export async function openHttp(
  listener: RequestListener,
  port: number,
  host: string,
  refuse: (status: 400 | 431, message: string) => Promise<Response>,
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
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    const isLong = error.code === "HPE_HEADER_OVERFLOW";
    const said = isLong ? "the headers are too long" : "the request is not HTTP";
    void writeRefusal(socket, refuse(isLong ? 431 : 400, said));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
        if (answering.size === 0) resolve();
      });
      await within(idle, LIMITS.closeMs);
      // Those on which nothing is asked: clients keep some open, and open others before they need them.
      server.closeAllConnections();
      await closed;
    },
  };
}
