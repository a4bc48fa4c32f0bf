/** An SMTP server that limits everything a client can repeat, and that answers messages in progress before it closes. */
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import { LIMITS } from "../../base/limits.ts";
import type { Reply } from "../receive/receive-recipient.ts";
import { type Certificate, makeCertificate } from "./certificate.ts";
import type { IntakeFault, IntakeStep } from "./intake-faults.ts";
import { faultRefusal, stepOf } from "./intake-steps.ts";
import type { SmtpLogger } from "./transcripts.ts";

/** An answer in smtp-server's form; the enhanced code is part of the text. */
export class SmtpRefusal extends Error {
  readonly responseCode: number;

  constructor({ code, enhanced, text }: Reply) {
    super(`${enhanced} ${text}`);
    this.responseCode = code;
  }
}

/** Whether the connection is closed after the answer. */
function tooMany(what: string): SmtpRefusal {
  return new SmtpRefusal({
    code: 421,
    enhanced: "4.7.0",
    text: `too many ${what}, come back later`,
  });
}

/** Counts of what a connection has repeated so far. */
interface Counts {
  refusals: number;
  transactions: number;
}

/** What a server does at each step. Each may throw an `SmtpRefusal`; any other error is answered with 451. */
export interface Handlers {
  /** A connection begins, or continues under TLS. */
  onConnect?(session: SMTPServerSession): void;
  onSecure?(session: SMTPServerSession): void;
  onMailFrom?(sender: string, session: SMTPServerSession): Promise<void>;
  onRcptTo(recipient: string, session: SMTPServerSession): Promise<void>;
  /** The text of the 250, with its enhanced code. */
  onData(stream: Readable, session: SMTPServerSession): Promise<string>;
  onAuth?: SMTPServerOptions["onAuth"];
}

/** Faults at the steps of a session. */
export interface StepFaults {
  isEmpty(): boolean;
  /** The fault that applies, whose use is counted. */
  take(step: IntakeStep, text: string): IntakeFault | undefined;
}

const NO_FAULTS: StepFaults = { isEmpty: () => true, take: () => undefined };

export interface PortOptions {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** The server's name in its greeting. */
  readonly name: string;
  readonly messageBytesMax: number;
  /** Receives errors of the service itself, which clients see as a 451. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** Receives what both sides say. */
  readonly logger?: SmtpLogger | undefined;
  /** Faults at commands; default: none. */
  readonly faults?: StepFaults | undefined;
  /** Default: a self-signed one. */
  readonly certificate?: Certificate | undefined;
}

export interface RunningServer {
  readonly port: number;
  /** Accepts no more connections and commands; settles when each message being received has its answer. */
  close(): Promise<void>;
}

const FAILED: Reply = { code: 451, enhanced: "4.3.0", text: "internal error, try again later" };

type Connection = SMTPServer["connections"] extends Set<infer Each> ? Each : never;

/** Ends connections that send too many commands; smtp-server counts only unknown ones. */
class CommandCountingServer extends SMTPServer {
  /** While the server closes, it accepts no more commands, but messages being received get their answers. */
  state: "open" | "closing" = "open";
  faults: StepFaults = NO_FAULTS;

  /** Applies a fault: answers in place of the command, or delays it. */
  strike(
    connection: Connection,
    fault: IntakeFault,
    proceed: () => void,
    refused: () => void,
  ): void {
    const run = (): void => {
      if (fault.action === "cut") connection._socket.destroy();
      else if (fault.action === "delay") proceed();
      else {
        const { responseCode, message } = new SmtpRefusal(faultRefusal(fault));
        connection.send(responseCode, message);
        refused();
      }
    };
    if (fault.delayMs > 0) setTimeout(run, fault.delayMs).unref();
    else run();
  }

  /** A TLS handshake that does not end counts as a connection of its address: smtp-server has no session for it yet. */
  override _acceptSocket(
    ...[socket, handshake]: Parameters<SMTPServer["_acceptSocket"]>
  ): ReturnType<SMTPServer["_acceptSocket"]> {
    const others = [...this._pendingSockets.keys()];
    const same = others.filter(({ remoteAddress }) => remoteAddress === socket.remoteAddress);
    if (same.length < LIMITS.smtpClientsOfAddressMax) return super._acceptSocket(socket, handshake);
    socket.on("error", () => {}).destroy();
    return false;
  }

  override connect(...given: Parameters<SMTPServer["connect"]>): void {
    super.connect(...given);
    const connection = [...this.connections].at(-1);
    if (connection === undefined) return;
    const onCommand = connection._onCommand.bind(connection);
    let count = 0;
    connection._onCommand = (command, callback): void => {
      if (this.state === "closing") connection.send(421, "4.3.2 closing");
      else if (++count > LIMITS.smtpCommandsMax) connection.send(421, "4.7.0 too many commands");
      else {
        const proceed = (): void => onCommand(command, callback);
        const refused = (): void => callback?.();
        if (this.faults.isEmpty() || connection._nextHandler) proceed();
        else this.tryFaults(connection, command.toString(), proceed, refused);
      }
    };
  }

  tryFaults(
    connection: Connection,
    command: string,
    proceed: () => void,
    refused: () => void,
  ): void {
    const at = stepOf(command, connection.session);
    const fault = at === null ? undefined : this.faults.take(at.step, at.text);
    if (fault === undefined) {
      proceed();
      return;
    }
    if (fault.action !== "delay") {
      const entry = { tnx: "command", cid: connection.id };
      this.logger.debug(entry, "C:", at!.step === "auth" ? "AUTH" : command);
    }
    this.strike(connection, fault, proceed, refused);
  }
}

function optionsOf(
  { name, messageBytesMax }: PortOptions,
  certificate: Certificate,
): SMTPServerOptions {
  return {
    ...certificate,
    minVersion: "TLSv1.2",
    name,
    banner: "mailflow",
    size: messageBytesMax,
    maxClients: LIMITS.smtpClientsMax,
    maxRecipients: LIMITS.smtpRecipientsMax,
    maxCommandLength: LIMITS.smtpCommandBytesMax,
    socketTimeout: LIMITS.smtpIdleMs,
    closeTimeout: LIMITS.smtpGraceMs,
    disableReverseLookup: true,
    // It would copy each entry before it passes it on.
    logger: false,
  };
}

async function emptied(stream: Readable): Promise<void> {
  for await (const _ of stream);
}

/** Delays or rejects a step that is not a command, as its faults say; `undefined` if there is none. */
type StrikeAt = (
  step: IntakeStep,
  text: string,
  session: SMTPServerSession,
) => Promise<void> | undefined;

/** Turns the handlers into smtp-server's callbacks, for each connection. */
function callbacksOf(
  handlers: Handlers,
  inFlight: Set<Promise<unknown>>,
  onFailure: NonNullable<PortOptions["onFailure"]>,
  strikeAt: StrikeAt,
): SMTPServerOptions {
  const asRefusal = (error: unknown): SmtpRefusal => {
    if (error instanceof SmtpRefusal) return error;
    onFailure(error);
    return new SmtpRefusal(FAILED);
  };
  /** Ids of open sessions, by the client's address. */
  const clients = new Map<string, Set<string>>();
  const counts = new Map<string, Counts>();
  const countsOf = ({ id }: SMTPServerSession): Counts => {
    const kept = counts.get(id) ?? { refusals: 0, transactions: 0 };
    counts.set(id, kept);
    return kept;
  };
  /** Answers a command, and counts refusals. */
  const answer = (
    session: SMTPServerSession,
    work: () => Promise<void> | undefined,
    callback: (error?: Error) => void,
  ): void => {
    const refuse = (error: unknown): void => {
      const isLast = ++countsOf(session).refusals >= LIMITS.smtpRefusalsMax;
      callback(isLast ? tooMany("refused commands") : asRefusal(error));
    };
    let working: Promise<void> | undefined;
    try {
      working = work();
    } catch (error) {
      refuse(error);
      return;
    }
    if (working === undefined) callback();
    else working.then(() => callback(), refuse);
  };
  const take = async (stream: Readable, session: SMTPServerSession): Promise<string> => {
    const sender = session.envelope.mailFrom === false ? "" : session.envelope.mailFrom.address;
    try {
      const striking = strikeAt("message", sender, session);
      if (striking !== undefined) await striking;
    } catch (error) {
      // A client reads the answer only after its message has ended.
      await emptied(stream).catch(() => {});
      throw error;
    }
    return handlers.onData(stream, session);
  };
  return {
    onConnect(session, callback) {
      const { id, remoteAddress } = session;
      const ids = clients.get(remoteAddress) ?? new Set();
      if (ids.size >= LIMITS.smtpClientsOfAddressMax) return callback(tooMany("connections"));
      clients.set(remoteAddress, ids.add(id));
      handlers.onConnect?.(session);
      const striking = strikeAt("connect", remoteAddress, session);
      if (striking === undefined) callback();
      else striking.then(() => callback(), callback);
    },
    onSecure(_socket, session, callback) {
      handlers.onSecure?.(session);
      callback();
    },
    onMailFrom({ address }, session, callback) {
      answer(
        session,
        () => {
          if (++countsOf(session).transactions > LIMITS.smtpTransactionsMax) {
            throw tooMany("messages");
          }
          return handlers.onMailFrom?.(address, session);
        },
        callback,
      );
    },
    onRcptTo({ address }, session, callback) {
      answer(session, () => handlers.onRcptTo(address, session), callback);
    },
    onData(stream, session, callback) {
      const taken: Promise<void> = take(stream, session)
        .then(
          (text) => callback(null, text),
          (error: unknown) => callback(asRefusal(error)),
        )
        .finally(() => inFlight.delete(taken));
      inFlight.add(taken);
    },
    onClose({ id, remoteAddress }) {
      counts.delete(id);
      const ids = clients.get(remoteAddress);
      ids?.delete(id);
      if (ids?.size === 0) clients.delete(remoteAddress);
    },
    ...(handlers.onAuth === undefined ? {} : { onAuth: handlers.onAuth }),
  };
}

/** Waits until all connections have ended, or the time is over. */
async function settledWithin(work: Iterable<Promise<unknown>>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.all(work), over]);
  clearTimeout(timer);
}

/** Starts listening. `own` are the options that differ between the servers. */
export async function listenSmtp(
  options: PortOptions,
  own: SMTPServerOptions,
  handlers: Handlers,
): Promise<RunningServer> {
  const inFlight = new Set<Promise<unknown>>();
  const strike = async (fault: IntakeFault, { id }: SMTPServerSession): Promise<void> => {
    if (fault.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    if (fault.action === "delay") return;
    if (fault.action === "cut") {
      for (const connection of server.connections) {
        if (connection.id === id) connection._socket.destroy();
      }
    }
    throw new SmtpRefusal(faultRefusal(fault));
  };
  const strikeAt: StrikeAt = (step, text, session) => {
    const fault = options.faults?.take(step, text);
    return fault === undefined ? undefined : strike(fault, session);
  };
  const server: CommandCountingServer = new CommandCountingServer({
    ...optionsOf(options, options.certificate ?? (await makeCertificate(options.name))),
    ...callbacksOf(handlers, inFlight, options.onFailure ?? (() => {}), strikeAt),
    ...own,
  });
  server.faults = options.faults ?? NO_FAULTS;
  if (options.logger !== undefined) server.logger = options.logger as SMTPServer["logger"];
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.removeListener("error", reject);
      // From here on, errors come from clients that went away.
      server.on("error", () => {});
      resolve();
    });
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    async close() {
      server.state = "closing";
      await settledWithin(inFlight, LIMITS.smtpCloseMs);
      await new Promise<void>((resolve) => server.close(resolve));
      await settledWithin(inFlight, LIMITS.smtpGraceMs);
    },
  };
}
