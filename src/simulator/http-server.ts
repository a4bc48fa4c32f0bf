/** An HTTP server that ends by answering what it was asked, whatever connections its clients keep open. */
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { LIMITS } from "../base/limits.ts";
import { within } from "./within.ts";

export interface HttpServer {
  readonly port: number;
  /** Takes no more requests; settles when those it has are answered, for at most `LIMITS.closeMs`. */
  close(): Promise<void>;
}

/** Rejects with what the system says, its `port` among it. */
export async function openHttp(
  listener: RequestListener,
  port: number,
  host: string,
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
