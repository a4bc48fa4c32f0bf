/** What clients, senders and time do to the account: each command does it to both, and compares. */
import fc from "fast-check";
import { expect } from "vitest";
import type { Batch, Resource, Way } from "./client.ts";
import { told, type Verb } from "./dialect.ts";
import type { Done, Verdict } from "./reference.ts";
import type { RefFault } from "./reference-mail.ts";
import * as words from "./vocabulary.ts";
import type { Model, Real } from "./world.ts";

/** `text` is how a failing run prints it. */
class Command implements fc.AsyncCommand<Model, Real> {
  private readonly text: string;
  private readonly work: (model: Model, real: Real) => Promise<void>;

  constructor(text: string, work: (model: Model, real: Real) => Promise<void>) {
    this.text = text;
    this.work = work;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.work(model, real);
    await real.compare(model);
  }

  toString(): string {
    return this.text;
  }
}

export type AnyCommand = fc.Arbitrary<fc.AsyncCommand<Model, Real>>;

function command<Words extends readonly unknown[]>(
  text: string,
  given: { [Index in keyof Words]: fc.Arbitrary<Words[Index]> },
  work: (model: Model, real: Real, ...chosen: Words) => Promise<void>,
): AnyCommand {
  return fc.tuple<unknown[]>(...(given as fc.Arbitrary<unknown>[])).map((chosen) => {
    const shown = chosen.map((each) => JSON.stringify(each)).join(", ");
    return new Command(`${text}(${shown})`, (model, real) =>
      work(model, real, ...(chosen as unknown as Words)),
    );
  });
}

/** One that is there, and for every eighth number one that is not. */
interface Pick {
  readonly index: number;
}

function pickFrom<Row>(rows: readonly Row[] | undefined, { index }: Pick): Row | undefined {
  return index % 8 === 7 ? undefined : rows?.[index % rows.length];
}

const pick: fc.Arbitrary<Pick> = fc.record({ index: fc.nat(79) });
const picks = fc.uniqueArray(pick, { maxLength: 4, selector: ({ index }) => index });
const GHOST_ALIAS = { id: "12345", alias: "ghost", forward: "ann@dest.test" };
const GHOST_RULE = "eeeeeeee-0000-4000-8000-000000000000";

function aliasAt({ account }: Model, name: string, at: Pick): typeof GHOST_ALIAS {
  const { id, alias } = pickFrom(account.find(name)?.aliases, at) ?? GHOST_ALIAS;
  return { id, alias, forward: GHOST_ALIAS.forward };
}

function ruleAt({ account }: Model, name: string, at: Pick): string {
  return pickFrom(account.find(name)?.rules, at)?.id ?? GHOST_RULE;
}

const way: fc.Arbitrary<Way> = fc.constantFrom("batch", "bulk");

/** Holds a batch's answer against what the reference did with each of the entries. */
function compareBatch(
  model: Model,
  name: string,
  batch: Batch,
  entries: readonly object[],
  results: readonly Done<{ id: string }>[],
): void {
  if (model.account.find(name) === undefined) {
    expect(batch.verdict).toBe(404);
    return;
  }
  expect(batch.verdict).toBe("done");
  const failed = entries.filter((_, index) => results[index]!.verdict !== "done");
  expect(batch.failed).toEqual(failed.map((entry) => told(entry, batch.names)));
  const rows = results.flatMap(({ verdict, row }) => (verdict === "done" ? [row!] : []));
  expect(batch.done).toHaveLength(rows.length);
  for (const [index, row] of rows.entries()) {
    if (row.id === "") row.id = batch.done[index]!;
    expect(batch.done[index]).toBe(row.id);
  }
}

async function inBatch<Entry extends object>(
  model: Model,
  real: Real,
  what: { name: string; of: Resource; verb: Verb; way: Way },
  entries: readonly Entry[],
  each: (entry: Entry) => Done<{ id: string }>,
): Promise<void> {
  const { name, of, verb } = what;
  const batch = await real.client.batch(name, of, verb, entries as never, what.way);
  compareBatch(model, name, batch, entries, entries.map(each));
}

const guard = fc.constantFrom("?all=true", "?all=true", "?all=false", "");

function deleteAll(of: Resource): AnyCommand {
  return command(
    `delete all ${of}`,
    [words.name, guard] as const,
    async ({ account }, real, name: string, given: string) => {
      const { status, body } = await real.client.deleteAll(name, of, given);
      if (given !== "?all=true") return expect(status).toBe(400);
      const deleted = account.deleteAll(name, of);
      if (deleted === undefined) return expect(status).toBe(404);
      expect([status, body]).toEqual([200, { deleted }]);
    },
  );
}

const domains: readonly AnyCommand[] = [
  command(
    "create domain",
    [words.name, words.domainFields] as const,
    async ({ account }, { client }, name: string, fields: words.DomainFields) => {
      expect(await client.createDomain(name, fields)).toBe(account.createDomain(name, fields));
    },
  ),
  command(
    "update domain",
    [words.name, words.domainFields] as const,
    async ({ account }, { client }, name: string, fields: words.DomainFields) => {
      expect(await client.updateDomain(name, fields)).toBe(account.updateDomain(name, fields));
    },
  ),
  command("verify domain", [words.name] as const, async ({ account }, { client }, name: string) => {
    const { verdict, isReady } = await client.verifyDomain(name);
    expect(verdict).toBe(account.verifyDomain(name));
    expect(isReady).toBe(account.find(name)?.isReady);
  }),
  command("delete domain", [words.name] as const, async ({ account }, { client }, name: string) => {
    expect(await client.deleteDomain(name)).toBe(account.deleteDomain(name));
  }),
  command("domain anew", [words.name] as const, async ({ account }, { client }, name: string) => {
    expect(await client.deleteDomain(name)).toBe(account.deleteDomain(name));
    expect(await client.createDomain(name, {})).toBe(account.createDomain(name, {}));
    expect((await client.verifyDomain(name)).verdict).toBe(account.verifyDomain(name));
  }),
  command(
    "MX records",
    [words.name, fc.constantFrom("wrong", "right")] as const,
    async ({ account }, { simulator }, name: string, state: string) => {
      const { dns } = simulator.control;
      if (state === "right") {
        dns.unset("MX", name);
        account.brokenMx.delete(name);
      } else {
        dns.set({ type: "MX", name, values: ["mx.elsewhere.test"] });
        account.brokenMx.add(name);
      }
    },
  ),
];

const aliases: readonly AnyCommand[] = [
  command(
    "add alias",
    [words.name, words.aliasWords] as const,
    async ({ account }, { client }, name: string, given: words.AliasWords) => {
      const { verdict, id } = await client.addAlias(name, given);
      const expected = account.addAlias(name, given);
      expect(verdict).toBe(expected.verdict);
      if (expected.row !== undefined) expected.row.id = id;
    },
  ),
  command(
    "change alias",
    [words.name, pick, words.forward] as const,
    async (model, { client }, name: string, at: Pick, forward: string) => {
      const { id } = aliasAt(model, name, at);
      const verdict = await client.changeAlias(name, id, forward);
      expect(verdict).toBe(model.account.changeAlias(name, id, forward).verdict);
    },
  ),
  command(
    "delete alias",
    [words.name, pick] as const,
    async (model, real, name: string, at: Pick) => {
      const { id } = aliasAt(model, name, at);
      const verdict = await real.client.deleteAlias(name, id);
      expect(verdict).toBe(model.account.deleteAlias(name, id).verdict);
    },
  ),
  command(
    "add aliases",
    [words.name, fc.array(words.aliasWords, { maxLength: 4 }), way] as const,
    async (model, real, name: string, entries: readonly words.AliasWords[], by: Way) => {
      const what = { name, of: "aliases", verb: "added", way: by } as const;
      await inBatch(model, real, what, entries, (entry) => model.account.addAlias(name, entry));
    },
  ),
  command(
    "change aliases",
    [words.name, picks, words.forward, way] as const,
    async (model, real, name: string, at: readonly Pick[], forward: string, by: Way) => {
      const what = { name, of: "aliases", verb: "updated", way: by } as const;
      const entries = at.map((each) => ({ ...aliasAt(model, name, each), forward }));
      await inBatch(model, real, what, entries, ({ id }) =>
        model.account.changeAlias(name, id, forward),
      );
    },
  ),
  command(
    "delete aliases",
    [words.name, picks, way] as const,
    async (model, real, name: string, at: readonly Pick[], by: Way) => {
      const what = { name, of: "aliases", verb: "deleted", way: by } as const;
      const entries = at.map((each) => aliasAt(model, name, each));
      await inBatch(model, real, what, entries, ({ id }) => model.account.deleteAlias(name, id));
    },
  ),
  deleteAll("aliases"),
];

const rules: readonly AnyCommand[] = [
  command(
    "add rule",
    [words.name, words.ruleWords] as const,
    async ({ account }, { client }, name: string, given: words.RuleWords) => {
      expect(await client.addRule(name, given)).toBe(account.addRule(name, given).verdict);
    },
  ),
  command(
    "change rule",
    [words.name, pick, words.ruleChange] as const,
    async (model, { client }, name: string, at: Pick, change: words.RuleChange) => {
      const id = ruleAt(model, name, at);
      const verdict = await client.changeRule(name, id, change);
      expect(verdict).toBe(model.account.changeRule(name, id, change).verdict);
    },
  ),
  command(
    "delete rule",
    [words.name, pick] as const,
    async (model, real, name: string, at: Pick) => {
      const id = ruleAt(model, name, at);
      const verdict = await real.client.deleteRule(name, id);
      expect(verdict).toBe(model.account.deleteRule(name, id).verdict);
    },
  ),
  command(
    "add rules",
    [words.name, fc.array(words.ruleWords, { maxLength: 4 }), way] as const,
    async (model, real, name: string, entries: readonly words.RuleWords[], by: Way) => {
      const what = { name, of: "rules", verb: "added", way: by } as const;
      await inBatch(model, real, what, entries, (entry) => model.account.addRule(name, entry));
    },
  ),
  command(
    "change rules",
    [words.name, picks, words.ruleChange, way] as const,
    async (model, real, name: string, at: readonly Pick[], change: words.RuleChange, by: Way) => {
      const what = { name, of: "rules", verb: "updated", way: by } as const;
      const entries = at.map((each) => ({ id: ruleAt(model, name, each), ...change }));
      await inBatch(model, real, what, entries, ({ id }) =>
        model.account.changeRule(name, id, change),
      );
    },
  ),
  command(
    "delete rules",
    [words.name, picks, way] as const,
    async (model, real, name: string, at: readonly Pick[], by: Way) => {
      const what = { name, of: "rules", verb: "deleted", way: by } as const;
      const entries = at.map((each) => ({ id: ruleAt(model, name, each) }));
      await inBatch(model, real, what, entries, ({ id }) => model.account.deleteRule(name, id));
    },
  ),
  deleteAll("rules"),
];

const username = fc.constantFrom("info", "sales", "not one");
const password = fc.constantFrom("s3cret-enough", "s3cret-enough", "short");

const credentials: readonly AnyCommand[] = [
  command(
    "add credential",
    [words.name, username, password] as const,
    async ({ account }, { client }, name: string, user: string, secret: string) => {
      const verdict = await client.addCredential(name, user, secret);
      expect(verdict).toBe(account.addCredential(name, user, secret));
    },
  ),
  command(
    "change credential",
    [words.name, username, password] as const,
    async ({ account }, { client }, name: string, user: string, secret: string) => {
      const verdict = await client.changeCredential(name, user, secret);
      expect(verdict).toBe(account.changeCredential(name, user, secret));
    },
  ),
  command(
    "delete credential",
    [words.name, username] as const,
    async ({ account }, { client }, name: string, user: string) => {
      expect(await client.deleteCredential(name, user)).toBe(account.deleteCredential(name, user));
    },
  ),
];

/** A message comes in; each recipient's answer and log entries are as expected. */
async function receive(
  { mail }: Model,
  { simulator }: Real,
  given: words.Mail,
  recipients: readonly string[],
): Promise<void> {
  const { sender, subject, body } = given;
  const written = { ...given, deliveredTo: [] };
  const expected = mail.receive(written, recipients);
  const answers = await simulator.receive({
    envelope: { sender, recipients },
    message: `From: ${sender}\nSubject: ${subject}\n\n${body}\n`,
  });
  expect(answers.map(({ code }) => code)).toEqual(expected.map(({ code }) => code));
  for (const [index, { domain, entries }] of expected.entries()) {
    const { logIds } = answers[index]!;
    expect(logIds).toHaveLength(entries.length);
    for (const [at, entry] of entries.entries()) {
      mail.keep(domain!, logIds[at]!, entry, entry.forward, written);
    }
  }
  mail.run();
}

const mails: readonly AnyCommand[] = [
  command("receive", [words.mail, words.recipients] as const, receive),
  command(
    "send",
    [words.name, fc.constantFrom("ann@dest.test", "450@bounce.test")] as const,
    async ({ account, mail }, { client }, name: string, to: string) => {
      const letter = { from: "info", to, subject: "sent", text: "x" };
      const { verdict, id } = await client.send(name, letter);
      expect(verdict).toBe(mail.send(name));
      if (verdict !== "done") return;
      const queued = { status: "QUEUED", code: 250, atMs: account.nowMs };
      const sender = `info@${name}`;
      const log = {
        sender,
        recipient: to,
        forward: null,
        subject: "sent",
        transport: "api",
      } as const;
      const written = { sender, subject: "sent", body: "x", deliveredTo: [] };
      mail.keep(name, id, { ...log, events: [queued] }, to, written);
      mail.run();
    },
  ),
];

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const outside: readonly AnyCommand[] = [
  command(
    "advance",
    [fc.constantFrom(1, MINUTE_MS, 5 * MINUTE_MS, 60 * MINUTE_MS, DAY_MS, 5 * DAY_MS)] as const,
    async ({ mail }, { simulator }, ms: number) => {
      await simulator.clock.advance(ms);
      mail.advance(ms);
    },
  ),
  command(
    "fail",
    [
      words.target,
      fc.constantFrom(421, 451, 550),
      fc.constantFrom("rcpt" as const, "answer" as const, "connect" as const),
      fc.constantFrom(0, 0, 90_000),
    ] as const,
    async (
      { mail },
      { simulator },
      match: string,
      code: number,
      stage: RefFault["stage"],
      delayMs: number,
    ) => {
      const { id } = await simulator.control.faults.add({ match, code, stage, delayMs });
      mail.faults.push({ id, match, code, stage, delayMs });
    },
  ),
  command("restore", [fc.nat(9)] as const, async ({ mail }, { simulator }, index: number) => {
    const fault = mail.faults[index % Math.max(1, mail.faults.length)];
    if (fault === undefined) return;
    await simulator.control.faults.remove(fault.id);
    mail.faults = mail.faults.filter((each) => each !== fault);
  }),
];

const breakers: readonly AnyCommand[] = [
  command(
    "close breaker",
    [fc.constantFrom("dest.test", "bounce.test", "https://hooks.test")] as const,
    async ({ mail }, { ask }, host: string) => {
      const { status } = await ask("DELETE", `/_sim/breakers?host=${encodeURIComponent(host)}`);
      expect(status).toBe(mail.hosts.delete(host) ? 204 : 404);
    },
  ),
];

/**
 * A host gives no answer to several deliveries: its circuit opens between two of them, and the others wait. Only in memory do
 * attempts of one time end in the order in which they begin: a database lets them run side by side.
 */
export const silence: AnyCommand = command(
  "silence",
  [words.mail, fc.constantFrom("*@account.example", "*"), fc.constantFrom(5, 20, 60)] as const,
  async (model, real, given: words.Mail, match: string, minutes: number) => {
    const { mail } = model;
    const settings = { match, code: 421, stage: "connect", delayMs: 0 } as const;
    const { id } = await real.simulator.control.faults.add(settings);
    mail.faults.push({ ...settings, id });
    for (let times = 0; times < 2; times++) {
      await receive(model, real, given, ["info@one.test", "sales@one.test", "nobody@one.test"]);
    }
    await real.simulator.clock.advance(minutes * MINUTE_MS);
    mail.advance(minutes * MINUTE_MS);
  },
);

const destination = fc.constantFrom("ann@dest.test", "bob@dest.test", "s@dest.test");

/** What is done to the inboxes, which no delivery may notice. */
const inbox: readonly AnyCommand[] = [
  command(
    "delete messages",
    [destination] as const,
    async ({ mail }, { simulator }, at: string) => {
      const removed = await simulator.control.deleteMessages({ destination: at });
      expect(removed).toBe(mail.deleteMessages(at));
    },
  ),
  command(
    "mark messages",
    [destination, fc.boolean()] as const,
    async ({ mail }, { ask }, at: string, read: boolean) => {
      const path = `/_sim/messages?destination=${encodeURIComponent(at)}`;
      const { status, body } = await ask("PUT", path, { read });
      expect([status, body]).toEqual([200, { changed: mail.markMessages(at, read) }]);
    },
  ),
];

/** Mail and time twice: they are what the rest is for. */
export const COMMANDS: AnyCommand[] = [
  ...domains,
  ...aliases,
  ...rules,
  ...rules,
  ...credentials,
  ...mails,
  ...mails,
  ...mails,
  ...inbox,
  ...breakers,
  ...outside,
];

/** What every run begins with, so that it does not spend itself on refusals. */
export async function begin(model: Model, real: Real): Promise<void> {
  for (const [name, engine] of [
    ["one.test", "alias"],
    ["two.test", "rules"],
  ] as const) {
    const fields = { routing_engine: engine };
    const verdict: Verdict = await real.client.createDomain(name, fields);
    expect(verdict).toBe(model.account.createDomain(name, fields));
    expect((await real.client.verifyDomain(name)).verdict).toBe(model.account.verifyDomain(name));
  }
  for (const index of [1, 2, 3]) {
    const id = `0000000${index}-0000-4000-8000-000000000000`;
    const config = { alias: "info", forward: "ann@dest.test" };
    const rule = { id, type: "alias", config };
    const { verdict } = model.account.addRule("two.test", rule);
    expect(await real.client.addRule("two.test", rule)).toBe(verdict);
  }
  await real.compare(model);
}
