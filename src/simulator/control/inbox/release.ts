/** Lets a message of the inboxes out: to a real server, octet for octet. */
import { resolveMx } from "node:dns/promises";
import { splitAddress } from "../../../engine/facts/address.ts";
import { fieldProblem, ServiceProblem } from "../../model/problem.ts";
import type { Service } from "../../model/service.ts";
import { createRelay } from "../../outbound/relay.ts";
import { contentOf, getMessage } from "./inbox.ts";

export interface Release {
  /** Default: the mailbox that the message arrived at. */
  readonly to?: readonly string[] | undefined;
  /** An SMTP server; default: the relay, or else the mail exchanger of each address in the real DNS. */
  readonly host?: string | undefined;
  /** Default 25. */
  readonly port?: number | undefined;
}

/** What a server said of a recipient. */
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

/** The most preferred mail exchanger; a domain without one takes its mail itself (RFC 5321 §5.1). */
async function exchangerOf(domain: string): Promise<Server> {
  const found = await resolveMx(domain).catch(() => []);
  const [first] = found.sort((a, b) => a.priority - b.priority);
  return { host: first?.exchange ?? domain, port: SMTP_PORT };
}

async function handOn(
  { settings: { hostname } }: Service,
  server: Server,
  recipient: string,
  envelopeSender: string,
  message: Uint8Array,
): Promise<Released> {
  const relay = createRelay({ ...server, name: hostname });
  try {
    const parcel = { destination: recipient, envelopeSender, message };
    const { code, message: said, server: name } = await relay.handOver(parcel);
    return { recipient, code, message: said, server: name };
  } finally {
    relay.close?.();
  }
}

/**
 * Sends a message on under the envelope sender it arrived with, and gives each server's answer; it stays in the inbox. 404
 * where there is none, 400 for what a webhook was sent.
 */
export async function releaseMessage(
  service: Service,
  id: string,
  { to, host, port = SMTP_PORT }: Release,
): Promise<readonly Released[]> {
  const row = await getMessage(service.store, id);
  if (row.kind !== "mailbox") {
    throw new ServiceProblem(
      400,
      "what a webhook was sent is no mail: give a message of a mailbox",
    );
  }
  if (host === undefined && port !== SMTP_PORT) {
    throw fieldProblem({ host: ["`host` is missing: give it with `port`"] });
  }
  const message = await contentOf(service.store, id);
  const given = host === undefined ? service.settings.relay : { host, port };
  const released: Released[] = [];
  for (const recipient of to ?? [row.destination]) {
    const server = given ?? (await exchangerOf(splitAddress(recipient).domain));
    released.push(await handOn(service, server, recipient, row.envelopeSender, message));
  }
  return released;
}
