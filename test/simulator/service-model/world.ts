/** One run of the model: a simulator, a client of one version, the reference, and how the two are held together. */
import { expect } from "vitest";
import { createSimulator, type Simulator } from "../../../src/simulator/index.ts";
import type { StoreOption } from "../../../src/simulator/options.ts";
import { type Ask, Client } from "./client.ts";
import type { Dialect, SeenLog } from "./dialect.ts";
import { PLAN, type RefDomain, Reference, type RefLog } from "./reference.ts";
import { ReferenceMail, type RefHost } from "./reference-mail.ts";

/** Between two commands, so that the minutes of the rate limits go by. */
const STEP_MS = 7_000;

const seconds = (ms: number): number => Math.floor(ms / 1_000);

export interface Model {
  readonly account: Reference;
  readonly mail: ReferenceMail;
}

/** Stands between the client and the simulator; tests of the model itself let it lie. */
export type Wire = (ask: Ask) => Ask;

export class Real {
  readonly simulator: Simulator;
  readonly client: Client;
  readonly ask: Ask;
  private step = 0;
  /** The most deliveries that were seen to wait for one open circuit. */
  mostWaiting = 0;

  constructor(simulator: Simulator, dialect: Dialect, wire: Wire) {
    this.simulator = simulator;
    this.ask = wire(async (method, path, body) => {
      const response = await simulator.fetch(
        new Request(`http://localhost${path}`, {
          method,
          headers: { authorization: `Basic ${btoa(`api:${simulator.apiKey}`)}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      return { status: response.status, body: text === "" ? null : JSON.parse(text) };
    });
    this.client = new Client(this.ask, dialect);
  }

  /** Lets some time go by, and holds all that can be seen against the reference. */
  async compare(model: Model): Promise<void> {
    const { account, mail } = model;
    await this.simulator.clock.advance(STEP_MS);
    mail.advance(STEP_MS);
    this.step++;
    const { client } = this;
    const names = account.domains.map(({ name }) => name).sort();
    const { rows, total } = await client.domains();
    expect([rows.map(({ domain }) => domain), total]).toEqual([names, names.length]);
    for (const [index, name] of names.entries()) {
      const domain = account.find(name)!;
      expect(rows[index]).toEqual(this.shown(domain));
      await this.compareAliases(domain);
      await this.compareRules(domain);
      expect(await client.credentials(name)).toEqual([...domain.credentials].sort());
      await this.compareLogs(domain);
    }
    const missing = ["one.test", "four.test"].find((name) => account.find(name) === undefined);
    if (missing !== undefined) expect(await client.domain(missing)).toBeNull();
    await this.compareReceived(mail);
    await this.compareHosts(model);
  }

  private async compareHosts({ account, mail }: Model): Promise<void> {
    const { body } = await this.ask("GET", "/_sim/breakers");
    const { breakers } = body as { breakers: (RefHost & { host: string; state: string })[] };
    const shown = breakers.map(({ host, state, failures, openUntilMs }) => ({
      host,
      state,
      failures,
      openUntilMs,
    }));
    const hosts = [...mail.hosts].map(([host, { failures, openUntilMs }]) => {
      const isOpen = openUntilMs !== null && account.nowMs < openUntilMs;
      const state = openUntilMs === null ? "closed" : isOpen ? "open" : "half-open";
      this.mostWaiting = Math.max(this.mostWaiting, mail.waitingFor(host));
      return { host, state, failures, openUntilMs };
    });
    expect(shown).toEqual(hosts.sort((a, b) => (a.host < b.host ? -1 : 1)));
  }

  private shown({ name, fields, isReady }: RefDomain): object {
    const shown = this.client.dialect.domainFields.map((each) => [
      each,
      fields[each as keyof typeof fields],
    ]);
    return { domain: name, ...Object.fromEntries(shown), isReady };
  }

  /** One of the rows, another one at each step. */
  private one<Row>(rows: readonly Row[]): Row | undefined {
    return rows[this.step % Math.max(1, rows.length)];
  }

  private async compareAliases({ name, aliases }: RefDomain): Promise<void> {
    const { client } = this;
    const seen = await client.aliases(name, 1 + (this.step % 5));
    for (const alias of aliases) {
      // The alias that a new domain has of itself.
      if (alias.id === "") alias.id = seen.find((each) => each.alias === alias.alias)?.id ?? "";
    }
    expect(seen).toEqual(
      [...aliases].sort((a, b) => (a.alias.toLowerCase() < b.alias.toLowerCase() ? -1 : 1)),
    );
    const one = this.one(aliases);
    if (one !== undefined) expect(await client.alias(name, one)).toEqual(one);
    const gone = { id: "1", alias: "gone", forward: "" };
    expect(await client.alias(name, gone)).toBeNull();
  }

  private async compareRules({ name, rules }: RefDomain): Promise<void> {
    const shown = rules
      .map(({ createdMs: _, ...rule }) => rule)
      .sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
    expect(await this.client.rules(name, 1 + (this.step % 5))).toEqual(shown);
    const one = this.one(shown);
    if (one !== undefined) expect(await this.client.rule(name, one.id)).toEqual(one);
    expect(await this.client.rule(name, "ffffffff-0000-4000-8000-000000000000")).toBeNull();
  }

  private async compareLogs({ name, logs }: RefDomain): Promise<void> {
    const { client } = this;
    const shown = (await client.logs(name)).map(withoutSignature);
    nameLogs(logs, shown);
    const expected = logs.map(seen).sort((a, b) => (a.id < b.id ? 1 : -1));
    expect(shown).toEqual(expected);
    const one = this.one(expected);
    if (one !== undefined) {
      expect(withoutSignature((await client.log(name, one.id))!)).toEqual(one);
    }
    for (const statuses of [
      ["DELIVERED"],
      ["SOFT-BOUNCE", "BOUNCED"],
      ["REFUSED", "HARD-BOUNCE"],
    ]) {
      const found = expected.filter(({ events }) =>
        events.some(({ status }) => statuses.includes(status)),
      );
      const counted = await client.countLogs(name, `status=${statuses.join(",")}`);
      expect(counted, statuses.join()).toBe(found.length);
    }
  }

  private async compareReceived({ received, unread }: ReferenceMail): Promise<void> {
    const counts = new Map<string, number>();
    const open = new Map<string, number>();
    for (const { destination, read } of await this.simulator.control.messages()) {
      counts.set(destination, (counts.get(destination) ?? 0) + 1);
      if (!read) open.set(destination, (open.get(destination) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(received));
    expect(Object.fromEntries(open)).toEqual(Object.fromEntries(unread));
  }
}

/** Without hash and day of a rewritten sender, which only the service can make. */
function withoutSignature(log: SeenLog): SeenLog {
  return { ...log, sender: log.sender.replace(/^SRS0=[^=]+=[^=]+=/i, "SRS0=") };
}

/** Gives entries without an id that of one that is shown, is nobody else's, and says the same. */
function nameLogs(logs: readonly RefLog[], shown: readonly SeenLog[]): void {
  const named = new Set(logs.map(({ id }) => id));
  const saying = ({ id: _, events, ...rest }: SeenLog): string => {
    const happened = events.map(({ status, code, atSeconds }) => [status, code, atSeconds]);
    return JSON.stringify([Object.entries(rest).sort(), happened]);
  };
  for (const log of logs) {
    if (log.id !== "") continue;
    const found = shown.find((each) => !named.has(each.id) && saying(each) === saying(seen(log)));
    log.id = found?.id ?? "";
    named.add(log.id);
  }
}

function seen(log: RefLog): SeenLog {
  const { createdMs, events, ...rest } = log;
  return {
    ...rest,
    atSeconds: seconds(createdMs),
    events: events.map(({ status, code, atMs }, index) => ({
      id: `${log.id}-${index}`,
      status,
      code,
      atSeconds: seconds(atMs),
    })),
  };
}

export async function openWorld(
  dialect: Dialect,
  wire: Wire,
  store: StoreOption = { kind: "memory" },
): Promise<{ model: Model; real: Real }> {
  const simulator = await createSimulator({
    seed: "model",
    world: { plan: PLAN },
    store,
    onDefect(defect) {
      throw defect;
    },
  });
  const account = new Reference(simulator.clock.nowMs());
  const model = { account, mail: new ReferenceMail(account) };
  return { model, real: new Real(simulator, dialect, wire) };
}
