/** A simulator of the whole service in this process: requests and messages in, responses and answers out. */

import { answer, type Entrance } from "./answer.ts";
import { assemble } from "./assemble.ts";
import { fromLoopback } from "./control/access.ts";
import type { Control } from "./control/control.ts";
import { messageOctets } from "./control/message-octets.ts";
import type { Listening, ListenOptions } from "./listen.ts";
import { readOptions, type SimulatorOptions } from "./options.ts";
import type { SimulatedClock } from "./queue/clock.ts";
import { type RecipientAnswer, receive } from "./receive/receive.ts";

/** A message as an SMTP client sends it. */
export interface IncomingMessage {
  /** Addresses without angle brackets; the sender of a bounce is `""`. */
  readonly envelope: { readonly sender: string; readonly recipients: readonly string[] };
  /** The lines of a text may end in LF. */
  readonly message: string | Uint8Array;
}

/** The time of a simulator. While the clock is frozen, nothing happens by itself. */
export type SimulatorClock = Pick<
  SimulatedClock,
  "nowMs" | "frozen" | "freeze" | "unfreeze" | "set" | "advance"
>;

/**
 * While the clock is frozen and nothing leaves the process (no relay, no real webhooks), `fetch` and `receive` settle when all
 * work that was due is done: an accepted message has been delivered. Otherwise deliveries continue in the background.
 */
export interface Simulator {
  /** Password of the API's Basic credentials; the user is `api`. */
  readonly apiKey: string;
  readonly clock: SimulatorClock;
  readonly control: Control;
  /** The API below `/v4` and `/v3`, the control plane below `/_sim`. */
  fetch(request: Request): Promise<Response>;
  /** What the MX answers to each recipient, in their order. */
  receive(message: IncomingMessage): Promise<readonly RecipientAnswer[]>;
  /** Opens HTTP and SMTP servers, by default on free ports of this machine. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Stops listening, lets running deliveries end, and drops everything. */
  close(): Promise<void>;
}

/** Throws a `TypeError` that says what is missing. */
function checkedMessage(given: IncomingMessage): IncomingMessage {
  const { envelope, message } = (given ?? {}) as Partial<IncomingMessage>;
  const wrong = (name: string, wanted: string): TypeError =>
    new TypeError(`\`${name}\` is missing or wrong: give ${wanted}`);
  if (typeof envelope !== "object" || envelope === null) {
    throw wrong("envelope", "`{ sender, recipients }`");
  }
  const { sender, recipients } = envelope as Partial<IncomingMessage["envelope"]>;
  if (typeof sender !== "string")
    throw wrong("envelope.sender", 'an address, or `""` for a bounce');
  const areTexts =
    Array.isArray(recipients) && recipients.every((each) => typeof each === "string");
  if (!areTexts || recipients.length === 0) {
    throw wrong("envelope.recipients", "the addresses, one at least");
  }
  if (typeof message !== "string" && !(message instanceof Uint8Array)) {
    throw wrong("message", "a text or its octets");
  }
  return { envelope, message };
}

/** Deterministic: under the same options, the same calls one after another give the same octets, ids and times. */
export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const assembly = await assemble(readOptions(options));
  const { settings, parts, control, settle } = assembly;
  const { service, clock, feed } = parts;
  const servers = new Set<Listening>();
  const over = new AbortController();
  const inProcess: Entrance = { access: fromLoopback, over: over.signal };
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw new Error("the simulator is closed: create another one");
  }

  async function closeAll(): Promise<void> {
    over.abort();
    feed.close();
    await Promise.all([...servers].map((server) => server.close()));
    // Hanging connections to the outside are closed; their deliveries stay in the store.
    service.outbound.close?.();
    await service.queue.stop();
    clock.close();
    await assembly.leave();
    await service.store.close();
  }

  return {
    apiKey: settings.apiKey,
    clock,
    control,
    async fetch(request) {
      assertOpen();
      return answer(assembly, request, inProcess);
    },
    async receive(given) {
      assertOpen();
      const { envelope, message } = checkedMessage(given);
      const answers = await receive(service, { envelope, message: messageOctets(message) });
      await settle();
      return answers;
    },
    async listen(listenOptions = {}) {
      assertOpen();
      const { listen } = await import("./listen.ts");
      const onClosed = (): void => {
        servers.delete(server);
      };
      const server = await listen(assembly, listenOptions, onClosed);
      servers.add(server);
      return server;
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
