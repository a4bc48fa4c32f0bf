/** Releases a message of the inboxes: sends it to a real server, octet for octet. */
import { outgoingAddress, splitAddress } from "../../../engine/facts/address.ts";
import { fieldProblem, ServiceProblem } from "../../model/problem.ts";
import type { Dns, Service } from "../../model/service.ts";
import { createRelay, type Relay } from "../../outbound/relay.ts";
import { createSystemDns } from "../../outbound/system-dns.ts";
import { contentOf, destinationOf, getMessage } from "./inbox.ts";

export interface Release {
  /** Default: the mailbox where the message arrived. */
  readonly to?: readonly string[] | undefined;
  /** An SMTP server; default: the relay, or else the mail exchangers of each address in the real DNS. */
  readonly host?: string | undefined;
  /** Default 25. */
  readonly port?: number | undefined;
}

/** A server's answer for a recipient. */
export interface Released {
  readonly recipient: string;
  readonly code: number;
  readonly message: string;
  readonly server: string;
}

interface Server {
  readonly host: string;
  readonly port: number;
}

const SMTP_PORT = 25;

/** How mail exchangers are looked up, and the port on which they listen. */
export interface Exchangers {
  readonly dns: Pick<Dns, "mx">;
  readonly port: number;
}

/** The mail exchangers of an address in the order to try; a domain without one receives its mail itself (RFC 5321 §5.1). */
async function exchangersOf(
  { dns, port }: Exchangers,
  address: string,
): Promise<readonly Server[]> {
  const { domain } = splitAddress(address);
  const hosts = await dns.mx(domain);
  return (hosts.length === 0 ? [domain] : hosts).map((host) => ({ host, port }));
}

type RelayedMail = Parameters<Relay["handOver"]>[0];

/** The answer of the first server that answers. */
async function handOn(
  name: string,
  servers: readonly Server[],
  mail: RelayedMail,
): Promise<Released> {
  const recipient = mail.destination;
  let released: Released | undefined;
  for (const { host, port } of servers) {
    // A domain that accepts no mail has an MX record with an empty host (RFC 7505).
    if (host === "") break;
    const relay = createRelay({ host, port, name });
    const { code, message, server, reached } = await relay.handOver(mail);
    relay.close();
    released = { recipient, code, message, server };
    if (reached !== false) break;
  }
  return (
    released ?? { recipient, code: 556, message: "5.1.10 the domain takes no mail", server: "" }
  );
}

/**
 * Sends a message on with its envelope sender, and returns each server's answer; the message stays in the inbox. Throws 404 if
 * there is no such message, 400 for a webhook's.
 */
export async function releaseMessage(
  service: Service,
  id: string,
  { to, host, port = SMTP_PORT }: Release,
  exchangers: Exchangers = { dns: createSystemDns(), port: SMTP_PORT },
): Promise<readonly Released[]> {
  const row = await getMessage(service.store, id);
  if (row.kind !== "mailbox") {
    throw new ServiceProblem(
      400,
      "what a webhook was sent is not mail: give a message of a mailbox",
    );
  }
  if (host === undefined && port !== SMTP_PORT) {
    throw fieldProblem({ host: ["`host` is missing: give it with `port`"] });
  }
  const message = await contentOf(service.store, id);
  const { relay, hostname } = service.settings;
  const given = host === undefined ? relay : { host, port };
  const release = (destination: string): Promise<Released> => {
    const mail = { destination, envelopeSender: row.envelopeSender, message };
    const answer = (servers: readonly Server[]): Promise<Released> =>
      handOn(hostname, servers, mail);
    if (given !== undefined) return answer([given]);
    return exchangersOf(exchangers, destination).then(answer, (error: Error) => ({
      recipient: destination,
      code: 451,
      message: `4.4.3 the DNS does not answer: ${error.message}`,
      server: "",
    }));
  };
  // One after another at each server or domain, so that none is flooded; a domain that hangs delays only its own recipients.
  const last = new Map<string, Promise<unknown>>();
  const answers = (to ?? [destinationOf(row)]).map((address) => {
    const destination = outgoingAddress(address);
    const place = given === undefined ? splitAddress(destination).domain : given.host;
    const answer = Promise.resolve(last.get(place)).then(() => release(destination));
    last.set(place, answer);
    return answer;
  });
  return Promise.all(answers);
}
