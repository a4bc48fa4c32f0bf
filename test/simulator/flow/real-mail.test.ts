/** Real mail over real SMTP: the service decides as `mailflow route` does, logs every message, and changes no octet of it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { afterAll, expect, test } from "vitest";
import {
  type ArrivedMessage,
  createSimulator,
  type Simulator,
  type WorldDomain,
} from "../../../src/simulator/index.ts";
import { mailflow } from "../../cli/memory-io.ts";
import { DATASET, datasetFiles } from "../../dataset/dataset.ts";
import { allLogs, json, type Log, statusesOf } from "./api.ts";

const MESSAGES = 500;
/** Messages of one connection: the MX ends it when it has refused a recipient twenty times. */
const PER_CONNECTION = 15;
const DOMAINS = ["alias", "regex", "cel"] as const;
const FOLDER = await mkdtemp(join(tmpdir(), "mailflow-real-mail-"));

afterAll(() => rm(FOLDER, { recursive: true }));

interface Mail {
  readonly recipients: readonly string[];
  readonly octets: Buffer;
}

/** The domain of the dataset's tests, under a name of its own and with ids that the service gives. */
async function domainOf(name: string): Promise<WorldDomain> {
  const file = new URL(`../../dataset/domains/${name}.json`, import.meta.url);
  const { aliases, rules, ...domain } = JSON.parse(await readFile(file, "utf8"));
  const withoutId = (list: readonly { id: string }[] | undefined): object =>
    list?.map(({ id: _, ...entry }) => entry) ?? [];
  return {
    ...domain,
    domain: `${name}.test`,
    aliases: withoutId(aliases),
    rules: withoutId(rules),
  } as WorldDomain;
}

/** As it is handed over: CRLF lines, on top the recipients that it has, each of whom no other message has. */
async function mailOf(file: string, index: number): Promise<Mail> {
  const text = (await readFile(join(DATASET, file), "latin1"))
    .replace(/^From .*\r?\n/, "")
    .replace(/\r\n|\r|\n/g, "\r\n")
    .replace(/(?:\r\n)?$/, "\r\n");
  const to = /^to:.*?([\w.-]+)@[\w.-]+/im.exec(text)?.[1] ?? "nobody";
  const local = to
    .slice(0, 40)
    .replace(/^\.|\.(?=\.)|\.$/g, "")
    .toLowerCase();
  const recipients = DOMAINS.map((name) => `${local || "nobody"}+m${index}@${name}.test`);
  const fields = recipients.map((each) => `X-Original-To: ${each}\r\n`).join("");
  return { recipients, octets: Buffer.from(fields + text, "latin1") };
}

async function sendAll(port: number, mails: readonly Mail[]): Promise<void> {
  const transport = createTransport({
    host: "127.0.0.1",
    port,
    pool: true,
    maxConnections: 2,
    maxMessages: PER_CONNECTION,
    tls: { rejectUnauthorized: false },
  });
  const sent = mails.map(({ recipients, octets }) =>
    transport.sendMail({
      envelope: { from: "sender@source.test", to: [...recipients] },
      raw: octets,
    }),
  );
  for (const [index, result] of (await Promise.all(sent)).entries()) {
    // The domain that routes by aliases takes some, the other two take all.
    expect(result.accepted, mails[index]!.recipients[0]).toEqual(
      expect.arrayContaining(mails[index]!.recipients.slice(1)),
    );
  }
  transport.close();
}

interface Decided {
  readonly message: string;
  readonly recipient: string;
  readonly action: "forward" | "discard" | "reject";
  readonly reply?: { readonly code: number };
  readonly destinations: readonly { readonly address?: string; readonly url?: string }[];
}

/** What `mailflow route` says of the same octets, under the domain as the API shows it; by recipient. */
async function routed(simulator: Simulator, name: string): Promise<ReadonlyMap<string, Decided>> {
  const path = `/v4/domains/${name}.test`;
  const { domain } = await json<{ domain: object }>(simulator, path);
  const { aliases } = await json<{ aliases: object[] }>(simulator, `${path}/aliases?limit=200`);
  const { rules } = await json<{ rules: object[] }>(simulator, `${path}/rules?limit=200`);
  await writeFile(join(FOLDER, `${name}.json`), JSON.stringify({ ...domain, aliases, rules }));
  const argv = ["route", `${name}.json`, "mail", "--json", "--sender", "sender@source.test"];
  const { stdout } = await mailflow(argv, { cwd: FOLDER });
  const decisions = stdout
    .trimEnd()
    .split("\n")
    .map((line): Decided => JSON.parse(line));
  return new Map(decisions.map((decided) => [decided.recipient, decided]));
}

/** What the log has to say of a decision: a destination and the statuses, of each entry. */
function expectedLogs({ action, destinations }: Decided): readonly unknown[] {
  if (action === "reject") return [[null, ["REFUSED"]]];
  const to = destinations.map(({ address, url }) => address ?? url);
  return (to.length === 0 ? [null] : to).map((each) => [each, ["QUEUED", "DELIVERED"]]);
}

async function allArrived({ control }: Simulator): Promise<readonly ArrivedMessage[]> {
  const arrived: ArrivedMessage[] = [];
  for (;;) {
    const page = await control.messages({ after: arrived.at(-1)?.id });
    if (page.length === 0) return arrived;
    arrived.push(...(await Promise.all(page.map(({ id }) => control.message(id)))));
  }
}

function expectUnchanged(log: Log, arrived: readonly ArrivedMessage[], mail: Mail): void {
  const [only, ...more] = arrived.filter(({ logId }) => logId === log.id);
  expect(more).toEqual([]);
  if (log.forward?.email.startsWith("https:") === true) {
    expect(JSON.parse(only!.text)["return-path"]).toEqual({
      email: "sender@source.test",
      name: null,
    });
    return;
  }
  const octets = Buffer.from(only!.base64, "base64");
  const added = octets.subarray(0, octets.length - mail.octets.length);
  expect(octets.subarray(added.length).equals(mail.octets), mail.recipients[0]).toBe(true);
  expect(added.toString()).toMatch(
    /^Delivered-To: .*\r\nX-Forwarding-Service: .*\r\nAuthentication-Results: .*\r\nReceived-SPF: .*\r\nReceived: from (?:.*\r\n)(?:\t.*\r\n)+$/,
  );
}

test("500 messages are decided as `mailflow route` decides, logged, and delivered unchanged", async () => {
  const simulator = await createSimulator({
    clock: "running",
    world: { domains: await Promise.all(DOMAINS.map(domainOf)) },
  });
  const files = datasetFiles()
    .filter((_, index) => index % 12 === 0)
    .slice(0, MESSAGES);
  expect(files).toHaveLength(MESSAGES);
  const mails = await Promise.all(files.map(mailOf));
  await mkdir(join(FOLDER, "mail"));
  for (const [index, { octets }] of mails.entries()) {
    await writeFile(join(FOLDER, "mail", `${index}.eml`), octets);
  }
  const { mxPort, close } = await simulator.listen();
  await sendAll(mxPort, mails);
  expect(await close()).toBe(0);

  const arrived = await allArrived(simulator);
  const seen = new Set<string>();
  for (const [place, name] of DOMAINS.entries()) {
    const decisions = await routed(simulator, name);
    const logs = new Map<string, Log[]>();
    for (const log of (await allLogs(simulator, `${name}.test`)).toReversed()) {
      logs.set(log.recipient.email, [...(logs.get(log.recipient.email) ?? []), log]);
    }
    expect([...logs.keys()].sort()).toEqual(
      mails.map(({ recipients }) => recipients[place]).sort(),
    );
    for (const mail of mails) {
      const recipient = mail.recipients[place]!;
      const entries = logs.get(recipient)!;
      const decided = decisions.get(recipient)!;
      const shown = entries.map((log) => [log.forward?.email ?? null, statusesOf(log)]);
      expect(shown, recipient).toEqual(expectedLogs(decided));
      if (decided.action === "reject")
        expect(entries[0]?.events[0]?.code).toBe(decided.reply?.code);
      for (const log of entries) if (log.forward !== null) expectUnchanged(log, arrived, mail);
      seen.add(`${name} ${decided.action}`);
    }
  }
  // It is not that all went one way.
  expect([...seen].sort()).toEqual([
    "alias discard",
    "alias forward",
    "alias reject",
    "cel discard",
    "cel forward",
    "regex discard",
    "regex forward",
  ]);
  await simulator.close();
});
