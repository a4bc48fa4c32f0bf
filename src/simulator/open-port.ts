/** Opens the port of a server. */
import type { AddressInfo, Server } from "node:net";

/** Returns the port; 0 asks for any free port. Rejects with the system's error, which has the `port`. */
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
