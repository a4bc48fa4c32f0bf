/** A small POP3 server (RFC 1939) for mail programs that read a mailbox of the simulated internet. */
import { createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { LIMITS } from "../../base/limits.ts";
import { keyHolder } from "../api/read/authenticate.ts";
import type { Service } from "../model/service.ts";
import { openPort } from "../open-port.ts";
import { createSignInFailures, createSignInGuard } from "../smtp/sign-in-guard.ts";
import { type Pop3Reply, Pop3Session, type SignIn } from "./pop3-session.ts";

export interface Pop3Options {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** The password of every mailbox. */
  readonly apiKey: string;
  /** `any` accepts every password. */
  readonly logins?: "credentials" | "any" | undefined;
  readonly onFailure: (error: unknown) => void;
}

export interface RunningPop3 {
  readonly port: number;
  close(): Promise<void>;
}

/** Lines end in CRLF, a leading dot is doubled, and a single dot ends the message (RFC 1939 §3). */
function stuffed(octets: Uint8Array): Buffer {
  const text = Buffer.from(octets)
    .toString("latin1")
    .replace(/\r\n|\r|\n/g, "\r\n");
  const ended = text.endsWith("\r\n") || text === "" ? text : `${text}\r\n`;
  return Buffer.from(`${ended.replace(/^\./gm, "..")}.\r\n`, "latin1");
}

function write(socket: Socket, { text, octets }: Pop3Reply): Promise<void> {
  const head = Buffer.from(`${text}\r\n`);
  const whole = octets === undefined ? head : Buffer.concat([head, stuffed(octets)]);
  // Also called, with an error, if the connection is gone.
  return new Promise((resolve) => socket.write(whole, () => resolve()));
}

async function serveClient(session: Pop3Session, socket: Socket): Promise<void> {
  await write(socket, { text: "+OK mailflow POP3" });
  let rest = "";
  for await (const chunk of socket) {
    rest += (chunk as Buffer).toString("latin1");
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      const line = rest.slice(0, end).replace(/\r$/, "");
      rest = rest.slice(end + 1);
      const isLong = line.length > LIMITS.pop3LineBytesMax;
      const reply: Pop3Reply = isLong
        ? { text: "-ERR this line is too long", over: true }
        : await session.take(Buffer.from(line, "latin1").toString("utf8"));
      await write(socket, reply);
      if (reply.over) return;
    }
    if (rest.length > LIMITS.pop3LineBytesMax) {
      return write(socket, { text: "-ERR this line is too long", over: true });
    }
  }
}

/** Every mailbox opens with the API key. Failed sign-ins slow down an address over all its connections. */
function signInFrom(
  guard: ReturnType<typeof createSignInGuard>,
  { apiKey, logins }: Pop3Options,
  address: string,
): SignIn {
  const isKey = keyHolder(apiKey);
  return async (_name, password) => {
    if (logins === "any") return true;
    if (!(await guard.mayTry(address))) return false;
    if (isKey(`Basic api:${password}`)) {
      await guard.succeeded(address);
      return true;
    }
    await wait((await guard.failed(address)) ?? LIMITS.signInDelayMaxMs, undefined, { ref: false });
    return false;
  };
}

/** Rejects with the system's error, which has the `port`. */
export async function startPop3(service: Service, options: Pop3Options): Promise<RunningPop3> {
  const clients = new Map<string, number>();
  const sockets = new Set<Socket>();
  const guard = createSignInGuard(service.signIns ?? createSignInFailures(Date.now));
  const server = createServer((socket) => {
    const address = socket.remoteAddress ?? "";
    const count = clients.get(address) ?? 0;
    socket.on("error", () => {});
    if (sockets.size >= LIMITS.pop3ClientsMax || count >= LIMITS.pop3ClientsOfAddressMax) {
      socket.end("-ERR too many connections, come back later\r\n");
      return;
    }
    sockets.add(socket);
    clients.set(address, count + 1);
    socket.setTimeout(LIMITS.pop3IdleMs, () => socket.destroy());
    socket.once("close", () => {
      sockets.delete(socket);
      const left = clients.get(address)! - 1;
      if (left === 0) clients.delete(address);
      else clients.set(address, left);
    });
    const session = new Pop3Session(service, signInFrom(guard, options, address));
    serveClient(session, socket).then(
      () => socket.end(),
      (error: unknown) => {
        // A client that went away is not a defect.
        if (!socket.destroyed) options.onFailure(error);
        socket.destroy();
      },
    );
  });
  return {
    port: await openPort(server, options.port, options.host),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
