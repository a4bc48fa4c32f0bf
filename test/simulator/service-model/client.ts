/** A client of either version, which answers what both of them know. */
import { expect } from "vitest";
import {
  type Answer,
  type Batched,
  type Dialect,
  idsOf,
  type SeenLog,
  told,
  type Verb,
} from "./dialect.ts";
import type { Verdict } from "./reference.ts";
import type { AliasWords, DomainFields, RuleChange, RuleWords } from "./vocabulary.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A request to a path that begins with the version, or with `/_sim`. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

export interface SeenAlias extends AliasWords {
  readonly id: string;
}

/** By ids, or in version 3 by its bulk. */
export type Way = "batch" | "bulk";

export type Resource = "aliases" | "rules";

type Entries = readonly (Fields & { readonly id?: string })[];

export interface Batch extends Batched {
  readonly verdict: Verdict;
  /** The fields by which failed entries are told. */
  readonly names: readonly string[];
}

const NOTHING = { names: [], done: [], failed: [] } as const;
const RULE_FIELDS = ["id", "type", "config", "rank", "active"] as const;
const ADDED = { aliases: ["alias", "forward"], rules: ["type", "config"] } as const;
const UPDATED = { aliases: "forward", rules: "config" } as const;
const METHODS = { added: "POST", updated: "PUT", deleted: "DELETE" } as const;
const BEHAVIORS = { added: "add", updated: "update", deleted: "delete" } as const;

function seenAlias({ id, alias, forward }: Fields): SeenAlias {
  return { id: String(id), alias: alias as string, forward: forward as string };
}

export class Client {
  private readonly ask: Ask;
  readonly dialect: Dialect;

  constructor(ask: Ask, dialect: Dialect) {
    this.ask = ask;
    this.dialect = dialect;
  }

  private call(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.ask(method, `/${this.dialect.version}/domains${path}`, body);
  }

  /** `done` for the status that success has, else what it was refused with. */
  private verdict({ status, body }: Answer, done: number): Verdict {
    if (status === done) return "done";
    expect([400, 403, 404], `${status} ${JSON.stringify(body)}`).toContain(status);
    return status as Verdict;
  }

  private async change(method: string, path: string, body?: unknown): Promise<Verdict> {
    return this.verdict(await this.call(method, path, body), 200);
  }

  private async remove(path: string): Promise<Verdict> {
    return this.verdict(await this.call("DELETE", path), this.dialect.deleted);
  }

  private async one(path: string): Promise<unknown> {
    const { status, body } = await this.call("GET", path);
    expect([200, 404]).toContain(status);
    return status === 404 ? null : body;
  }

  createDomain(name: string, fields: DomainFields): Promise<Verdict> {
    return this.change("POST", "", { domain: name, ...fields });
  }

  updateDomain(name: string, fields: DomainFields): Promise<Verdict> {
    return this.change("PUT", `/${name}`, fields);
  }

  deleteDomain(name: string): Promise<Verdict> {
    return this.remove(`/${name}`);
  }

  /** And whether the MX records were found to be right. */
  async verifyDomain(name: string): Promise<{ verdict: Verdict; isReady: unknown }> {
    const [method, path] = this.dialect.verify;
    const answer = await this.call(method, `/${name}/${path}`);
    const { records } = answer.body as { records?: { mx: { valid: boolean } } };
    return { verdict: this.verdict(answer, 200), isReady: records?.mx.valid };
  }

  private shownDomain(domain: Fields): Fields {
    return {
      ...told(domain, ["domain", ...this.dialect.domainFields]),
      isReady: this.dialect.isReady(domain),
    };
  }

  async domains(): Promise<{ readonly rows: readonly Fields[]; readonly total: unknown }> {
    const { body } = await this.call("GET", "");
    const { domains, total } = body as { domains: Fields[]; total: unknown };
    return { rows: domains.map((each) => this.shownDomain(each)), total };
  }

  async domain(name: string): Promise<Fields | null> {
    const body = (await this.one(`/${name}`)) as { domain: Fields } | null;
    return body === null ? null : this.shownDomain(body.domain);
  }

  /** All pages of a list, of `limit` rows each. */
  private async list(name: string, of: string, limit: number): Promise<readonly Fields[]> {
    const rows: Fields[] = [];
    for (let page = 1; ; page++) {
      const { status, body } = await this.call("GET", `/${name}/${of}?limit=${limit}&page=${page}`);
      expect(status).toBe(200);
      const { [of]: found, total = null } = body as Fields;
      rows.push(...(found as Fields[]));
      if ((found as Fields[]).length < limit) {
        // Version 3 does not count credentials.
        if (total !== null) expect(total).toBe(rows.length);
        return rows;
      }
    }
  }

  async aliases(name: string, limit: number): Promise<readonly SeenAlias[]> {
    return (await this.list(name, "aliases", limit)).map(seenAlias);
  }

  async alias(name: string, { id, alias }: SeenAlias): Promise<SeenAlias | null> {
    const isV4 = this.dialect.version === "v4";
    const body = await this.one(`/${name}/aliases/${isV4 ? id : encodeURIComponent(alias)}`);
    return body === null ? null : seenAlias((body as { alias: Fields }).alias);
  }

  async addAlias(name: string, words: AliasWords): Promise<{ verdict: Verdict; id: string }> {
    const answer = await this.call("POST", `/${name}/aliases`, words);
    const { alias } = answer.body as { alias?: Fields };
    return { verdict: this.verdict(answer, 200), id: String(alias?.id) };
  }

  changeAlias(name: string, id: string, forward: string): Promise<Verdict> {
    return this.change("PUT", `/${name}/aliases/${id}`, { forward });
  }

  deleteAlias(name: string, id: string): Promise<Verdict> {
    return this.remove(`/${name}/aliases/${id}`);
  }

  async rules(name: string, limit: number): Promise<readonly Fields[]> {
    return (await this.list(name, "rules", limit)).map((row) => told(row, RULE_FIELDS));
  }

  async rule(name: string, id: string): Promise<Fields | null> {
    const body = await this.one(`/${name}/rules/${id}`);
    return body === null ? null : told(this.dialect.rule(body), RULE_FIELDS);
  }

  addRule(name: string, words: RuleWords): Promise<Verdict> {
    return this.change("POST", `/${name}/rules`, words);
  }

  changeRule(name: string, id: string, change: RuleChange): Promise<Verdict> {
    return this.change("PUT", `/${name}/rules/${id}`, change);
  }

  deleteRule(name: string, id: string): Promise<Verdict> {
    return this.remove(`/${name}/rules/${id}`);
  }

  /** Each entry has an `id`, by which it is changed or deleted; aliases are named by `alias` in bulk. */
  async batch(name: string, of: Resource, verb: Verb, entries: Entries, way: Way): Promise<Batch> {
    if (way === "bulk" && this.dialect.version === "v3") return this.bulk(name, of, verb, entries);
    const names =
      verb === "deleted" ? ["id"] : verb === "updated" ? ["id", UPDATED[of]] : ADDED[of];
    const body = verb === "deleted" ? { ids: entries.map(({ id }) => id) } : { [of]: entries };
    const answer = await this.call(METHODS[verb], `/${name}/${of}/batch`, body);
    if (answer.status >= 400) return { verdict: this.verdict(answer, 200), ...NOTHING };
    return { verdict: "done", names, ...this.dialect.batch(answer, verb, entries, names) };
  }

  private async bulk(name: string, of: Resource, verb: Verb, entries: Entries): Promise<Batch> {
    const behavior = BEHAVIORS[verb];
    const answer = await this.call("POST", `/${name}/${of}/bulk`, { [of]: entries, behavior });
    const verdict = this.verdict(answer, 200);
    if (verdict !== "done") return { verdict, ...NOTHING };
    const body = answer.body as Readonly<Record<string, readonly Fields[]>>;
    if (of === "aliases") {
      const names = verb === "deleted" ? ["alias"] : ["alias", "forward"];
      const failed = body.failed!.map((entry) => told(entry, names));
      return { verdict, names, done: idsOf(body[verb]), failed };
    }
    const done = idsOf(body.results!.map(({ rule }) => rule));
    return {
      verdict,
      names: ["id"],
      done,
      failed: body.errors!.map(({ rule }) => told(rule, ["id"])),
    };
  }

  /** With the guard, or without; how many there were. */
  async deleteAll(name: string, of: Resource, guard: string): Promise<Answer> {
    return this.call("DELETE", `/${name}/${this.dialect.all[of]}${guard}`);
  }

  async credentials(name: string): Promise<readonly unknown[]> {
    return (await this.list(name, "credentials", 2)).map(({ username }) => username);
  }

  addCredential(name: string, username: string, password: string): Promise<Verdict> {
    return this.change("POST", `/${name}/credentials`, { username, password });
  }

  changeCredential(name: string, username: string, password: string): Promise<Verdict> {
    return this.change("PUT", `/${name}/credentials/${username}`, { password });
  }

  deleteCredential(name: string, username: string): Promise<Verdict> {
    return this.remove(`/${name}/credentials/${username}`);
  }

  /** Only version 4 sends. */
  async send(name: string, words: Fields): Promise<{ verdict: Verdict; id: string }> {
    const answer = await this.ask("POST", `/v4/domains/${name}/emails/outbound`, words);
    const { id } = answer.body as { id?: unknown };
    return { verdict: this.verdict(answer, 200), id: String(id) };
  }

  /** All entries, the latest first, page by page. */
  async logs(name: string): Promise<readonly SeenLog[]> {
    const { first, cursor } = this.dialect.logQuery;
    const logs: SeenLog[] = [];
    let next: string | null = null;
    do {
      const from: string = next === null ? "" : `&${cursor}=${next}`;
      const { status, body } = await this.call("GET", `/${name}/logs?${first}${from}`);
      expect(status).toBe(200);
      const page = body as { logs: unknown[]; next_cursor: string | null };
      logs.push(...page.logs.map((log) => this.dialect.log(log)));
      next = page.next_cursor;
    } while (next !== null);
    return logs;
  }

  async log(name: string, id: string): Promise<SeenLog | null> {
    const body = await this.one(`/${name}/logs/${id}`);
    return body === null ? null : this.dialect.log(body);
  }

  async countLogs(name: string, query: string): Promise<unknown> {
    const { body } = await this.call("GET", `/${name}/logs/count?${query}`);
    return (body as { total: unknown }).total;
  }
}
