/** HTTP by hand: octets exactly as given, over a real socket, and whatever comes back. */
import { connect, type Socket } from "node:net";

export interface RawHttp {
  readonly socket: Socket;
  /** Settles when the octets may be followed by more, or when the server has gone. */
  send(octets: string | Uint8Array): Promise<void>;
  /** The status of the first answer; `null` when the server closes without one. */
  status(): Promise<number | null>;
  close(): void;
}

export async function rawHttp(port: number): Promise<RawHttp> {
  const socket = connect({ port, host: "127.0.0.1" });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  let text = "";
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  const answered = new Promise<number | null>((resolve) => {
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
      if (status !== undefined) resolve(Number(status));
    });
    void closed.then(() => resolve(null));
  });
  return {
    socket,
    async send(octets) {
      if (socket.destroyed || socket.write(octets)) return;
      await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
    },
    status: () => answered,
    close: () => void socket.destroy(),
  };
}
