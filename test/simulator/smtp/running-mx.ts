/** A running MX over a service of tests, and the steps of a mail transaction. */
import { expect } from "vitest";
import {
  type RunningSmtp,
  type SmtpOptions,
  startSmtp,
} from "../../../src/simulator/smtp/start-smtp.ts";
import { type MailFixture, mailFixture } from "../receive/receive-fixture.ts";
import { greeted, type RawClient } from "./client.ts";

/** Two domains that route by aliases. */
const WORLD = {
  domains: [
    {
      domain: "example.com",
      aliases: [
        { alias: "one", forward: "ann@mail.example" },
        { alias: "two", forward: "bob@mail.example" },
        { alias: "jörg", forward: "jörg@mail.example" },
      ],
    },
    { domain: "bücher.example", aliases: [{ alias: "*", forward: "ann@mail.example" }] },
  ],
};

const running: { smtp: RunningSmtp; clients: RawClient[] }[] = [];

export interface Mx extends MailFixture {
  readonly smtp: RunningSmtp;
  client(): Promise<RawClient>;
}

export async function openMx(options: SmtpOptions = {}, world: object = WORLD): Promise<Mx> {
  const fixture = await mailFixture(world);
  const smtp = await startSmtp(fixture.service, options);
  const clients: RawClient[] = [];
  running.push({ smtp, clients });
  return {
    ...fixture,
    smtp,
    async client() {
      const client = await greeted(smtp.mxPort);
      clients.push(client);
      return client;
    },
  };
}

/** To be run after each test. */
export async function closeAll(): Promise<void> {
  for (const { smtp, clients } of running.splice(0)) {
    for (const client of clients) client.close();
    await smtp.close();
  }
}

/** Names sender and recipients; the answers. */
export async function begin(client: RawClient, recipients: readonly string[]): Promise<string[]> {
  const answers = [await client.ask("MAIL FROM:<author@source.example>")];
  for (const recipient of recipients) answers.push(await client.ask(`RCPT TO:<${recipient}>`));
  return answers;
}

/** The answer to a message sent exactly so, the end of data included. */
export async function data(client: RawClient, octets: string | Uint8Array): Promise<string> {
  expect(await client.ask("DATA")).toMatch(/^354 /);
  client.send(octets);
  return client.answer();
}
