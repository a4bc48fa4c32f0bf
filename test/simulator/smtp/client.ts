/** A raw SMTP client for tests: sends octets as they are, and reads answers line by line. */
import { connect, type Socket } from "node:net";

export interface RawClient {
  /** The next whole answer, its lines joined by LF; `shape`: of another form than usual. */
  answer(shape?: RegExp): Promise<string>;
  /** Sends a command with its CRLF, and gives the answer. */
  ask(command: string): Promise<string>;
  /** Sends exactly this. */
  send(octets: string | Uint8Array): void;
  /** Settles when the server has closed the connection. */
  closed(): Promise<void>;
  close(): void;
}

const SMTP_ANSWER = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/;

/** `usual`: the form of answers, by default SMTP's. */
export async function rawClient(port: number, usual: RegExp = SMTP_ANSWER): Promise<RawClient> {
  const socket: Socket = connect({ port, host: "127.0.0.1" });
  let text = "";
  let wake: () => void = () => {};
  let state: "open" | "closed" = "open";
  socket.setEncoding("utf8");
  socket.on("data", (chunk) => {
    text += chunk;
    wake();
  });
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      state = "closed";
      wake();
      resolve();
    });
  });
  socket.on("end", () => socket.end());

  async function answer(shape: RegExp = usual): Promise<string> {
    for (;;) {
      const whole = shape.exec(text)?.[0];
      if (whole !== undefined) {
        text = text.slice(whole.length);
        return whole.trimEnd().replaceAll("\r\n", "\n");
      }
      if (state === "closed") throw new Error(`closed after ${JSON.stringify(text)}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    answer,
    ask(command) {
      socket.write(`${command}\r\n`);
      return answer();
    },
    send: (octets) => void socket.write(octets),
    closed: () => closed,
    close: () => void socket.destroy(),
  };
}

/** A client that has been greeted and has said EHLO. */
export async function greeted(port: number): Promise<RawClient> {
  const client = await rawClient(port);
  await client.answer();
  await client.ask("EHLO client.example");
  return client;
}
