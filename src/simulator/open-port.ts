/** Opens the port of a server. */
import type { AddressInfo, Server } from "node:net";

/** The port that it listens on; 0 asks for any that is free. Rejects with what the system says, its `port` among it. */
export async function openPort(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
