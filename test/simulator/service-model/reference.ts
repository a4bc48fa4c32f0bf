/** The account as the API texts describe it, kept in plain arrays: what both versions are held against. */
import type { AliasWords, DomainFields, RuleChange, RuleWords } from "./vocabulary.ts";
import { isRightAlias, isRightDomainFields, isRightForward, isRightRule } from "./vocabulary.ts";

export const DEFAULT_FORWARD = "owner@account.example";

/** Of the account's plan: small enough to be reached. */
export const PLAN = {
  domains_limit: 3,
  aliases_limit: 12,
  rules_limit: 10,
  daily_receive_limit: 12,
  daily_send_limit: 2,
} as const;

export interface RefAlias {
  /** `""` until an answer has told it. */
  id: string;
  readonly alias: string;
  forward: string;
}

export interface RefRule extends Required<RuleWords> {
  readonly createdMs: number;
}

/** One thing that happened to a log entry. */
export interface RefEvent {
  readonly status: string;
  readonly code: number;
  readonly atMs: number;
}

export interface RefLog {
  /** `""` until it has been seen: nobody was told the id of mail that came from another domain of the account. */
  id: string;
  readonly createdMs: number;
  readonly sender: string;
  readonly recipient: string;
  readonly forward: string | null;
  readonly subject: string;
  readonly transport: "mx" | "api";
  readonly events: RefEvent[];
}

export interface RefDomain {
  readonly name: string;
  readonly createdMs: number;
  fields: Required<DomainFields>;
  isReady: boolean;
  maySend: boolean;
  aliases: RefAlias[];
  rules: RefRule[];
  credentials: string[];
  logs: RefLog[];
}

/** What an operation is answered: done, or refused with this status. */
export type Verdict = "done" | 400 | 403 | 404;

export interface Done<Row> {
  readonly verdict: Verdict;
  /** What was added, changed or deleted. */
  readonly row?: Row;
}

/** An empty text clears a field. */
function emptyAsNull(fields: DomainFields): DomainFields {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    value === "" ? null : value,
  ]);
  return Object.fromEntries(entries);
}

const refused = (verdict: Verdict): { readonly verdict: Verdict } => ({ verdict });

export class Reference {
  nowMs: number;
  domains: RefDomain[] = [];
  /** Names whose MX records lead elsewhere. */
  readonly brokenMx: Set<string> = new Set();

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  find(name: string): RefDomain | undefined {
    return this.domains.find((domain) => domain.name === name);
  }

  private count(of: "aliases" | "rules"): number {
    return this.domains.reduce((sum, domain) => sum + domain[of].length, 0);
  }

  createDomain(name: string, fields: DomainFields): Verdict {
    if (this.find(name) !== undefined || !isRightDomainFields(name, fields)) return 400;
    const isFull = this.domains.length >= PLAN.domains_limit;
    if (isFull || this.count("aliases") >= PLAN.aliases_limit) return 403;
    const standard = {
      notification_email: DEFAULT_FORWARD,
      whitelabel: null,
      routing_engine: "alias",
      rules_fallback_email: null,
    } as const;
    this.domains.push({
      name,
      createdMs: this.nowMs,
      fields: { ...standard, ...emptyAsNull(fields) },
      isReady: false,
      maySend: false,
      aliases: [{ id: "", alias: "*", forward: DEFAULT_FORWARD }],
      rules: [],
      credentials: [],
      logs: [],
    });
    return "done";
  }

  updateDomain(name: string, fields: DomainFields): Verdict {
    const domain = this.find(name);
    if (domain === undefined) return 404;
    if (!isRightDomainFields(name, fields)) return 400;
    domain.fields = { ...domain.fields, ...emptyAsNull(fields) };
    return "done";
  }

  verifyDomain(name: string): Verdict {
    const domain = this.find(name);
    if (domain === undefined) return 404;
    domain.isReady = !this.brokenMx.has(name);
    domain.maySend = true;
    return "done";
  }

  deleteDomain(name: string): Verdict {
    if (this.find(name) === undefined) return 404;
    this.domains = this.domains.filter((domain) => domain.name !== name);
    return "done";
  }

  addAlias(name: string, words: AliasWords): Done<RefAlias> {
    const domain = this.find(name);
    if (domain === undefined) return refused(404);
    const { alias } = words;
    const folded = alias.toLowerCase();
    const isTaken = domain.aliases.some((each) => each.alias.toLowerCase() === folded);
    if (isTaken || !isRightAlias(alias) || !isRightForward(name, words.forward)) {
      return refused(400);
    }
    if (this.count("aliases") >= PLAN.aliases_limit) return refused(403);
    const row = { id: "", alias, forward: words.forward };
    domain.aliases.push(row);
    return { verdict: "done", row };
  }

  changeAlias(name: string, id: string, forward: string): Done<RefAlias> {
    const row = this.find(name)?.aliases.find((each) => each.id === id);
    if (row === undefined) return refused(404);
    if (!isRightForward(name, forward)) return refused(400);
    row.forward = forward;
    return { verdict: "done", row };
  }

  deleteAlias(name: string, id: string): Done<RefAlias> {
    const domain = this.find(name);
    const row = domain?.aliases.find((each) => each.id === id);
    if (domain === undefined || row === undefined) return refused(404);
    domain.aliases = domain.aliases.filter((each) => each !== row);
    return { verdict: "done", row };
  }

  /** How many there were; nothing without a domain. */
  deleteAll(name: string, of: "aliases" | "rules"): number | undefined {
    const domain = this.find(name);
    const count = domain?.[of].length;
    if (domain !== undefined) domain[of] = [];
    return count;
  }

  addRule(name: string, words: RuleWords): Done<RefRule> {
    // The shape of a body is looked at before the domain is.
    if (!["alias", "regex", "cel"].includes(words.type)) return refused(400);
    const domain = this.find(name);
    if (domain === undefined) return refused(404);
    const isTaken = domain.rules.some(({ id }) => id === words.id);
    if (isTaken || !isRightRule(name, words)) return refused(400);
    if (this.count("rules") >= PLAN.rules_limit) return refused(403);
    const rank = Math.max(0, ...domain.rules.map((rule) => rule.rank)) + 1;
    const row: RefRule = { rank, active: true, ...words, createdMs: this.nowMs };
    domain.rules.push(row);
    return { verdict: "done", row };
  }

  changeRule(name: string, id: string, change: RuleChange): Done<RefRule> {
    const domain = this.find(name);
    const before = domain?.rules.find((rule) => rule.id === id);
    if (domain === undefined || before === undefined) return refused(404);
    // What a config leaves out stays; what only another type has is refused.
    const isForeign = Object.keys(change.config ?? {}).some((field) => !(field in before.config));
    const config = { ...before.config, ...change.config };
    const row: RefRule = { ...before, ...change, config };
    if (isForeign || !isRightRule(name, row)) return refused(400);
    domain.rules = domain.rules.map((rule) => (rule === before ? row : rule));
    return { verdict: "done", row };
  }

  deleteRule(name: string, id: string): Done<RefRule> {
    const domain = this.find(name);
    const row = domain?.rules.find((rule) => rule.id === id);
    if (domain === undefined || row === undefined) return refused(404);
    domain.rules = domain.rules.filter((rule) => rule !== row);
    return { verdict: "done", row };
  }

  addCredential(name: string, username: string, password: string): Verdict {
    const domain = this.find(name);
    if (domain === undefined) return 404;
    const isRight = /^[\w.-]+$/.test(username) && password.length >= 8;
    if (!isRight || domain.credentials.includes(username)) return 400;
    domain.credentials.push(username);
    return "done";
  }

  changeCredential(name: string, username: string, password: string): Verdict {
    if (this.find(name)?.credentials.includes(username) !== true) return 404;
    return password.length >= 8 ? "done" : 400;
  }

  deleteCredential(name: string, username: string): Verdict {
    const domain = this.find(name);
    if (domain?.credentials.includes(username) !== true) return 404;
    domain.credentials = domain.credentials.filter((each) => each !== username);
    return "done";
  }
}
