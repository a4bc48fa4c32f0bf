/** A network between two processes that can be cut: what is sent meanwhile is lost, and no connection is told. */
import { connect, createServer, type Socket } from "node:net";

export interface CutProxy {
  readonly port: number;
  /** Passes nothing on from now. */
  cut(): void;
  /** Passes new connections on again; those from before are gone. */
  mend(): void;
  close(): void;
}

export function createCutProxy(targetPort: number): Promise<CutProxy> {
  let state: "whole" | "cut" = "whole";
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  };
  const server = createServer((near) => {
    keep(near);
    if (state === "cut") return;
    const far = connect(targetPort, "127.0.0.1");
    keep(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (chunk) => {
        if (state === "whole") to.write(chunk);
      });
      from.on("close", () => {
        if (state === "whole") to.destroy();
      });
    }
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      resolve({
        port,
        cut() {
          state = "cut";
        },
        mend() {
          for (const socket of sockets) socket.destroy();
          state = "whole";
        },
        close() {
          server.close();
          for (const socket of sockets) socket.destroy();
        },
      });
    });
  });
}
