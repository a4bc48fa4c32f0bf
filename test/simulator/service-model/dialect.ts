/** Where version 3 differs from version 4 in what it is asked and in what it answers (API v3 §1, §4). */
import { expect } from "vitest";

type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface SeenEvent {
  readonly id: string;
  readonly status: string;
  readonly code: number;
  readonly atSeconds: number;
}

export interface SeenLog {
  readonly id: string;
  readonly atSeconds: number;
  readonly sender: string;
  readonly recipient: string;
  readonly forward: string | null;
  readonly subject: string;
  readonly transport: string;
  readonly events: readonly SeenEvent[];
}

export type Verb = "added" | "updated" | "deleted";

/** Ids of what was done, and of the entries that failed what tells which they were. */
export interface Batched {
  readonly done: readonly string[];
  readonly failed: readonly Fields[];
}

export interface Dialect {
  readonly version: "v3" | "v4";
  /** What a delete answers. */
  readonly deleted: 200 | 204;
  readonly pageMax: number;
  readonly verify: readonly [method: string, path: string];
  readonly all: Readonly<Record<"aliases" | "rules", string>>;
  /** Of a domain's fields, those that are shown under the same name. */
  readonly domainFields: readonly string[];
  isReady(domain: Fields): unknown;
  rule(body: unknown): unknown;
  /** `names`: the fields by which a failed entry is told. */
  batch(answer: Answer, verb: Verb, entries: readonly unknown[], names: readonly string[]): Batched;
  log(body: unknown): SeenLog;
  /** The page of logs that follows. */
  nextLogs(body: Fields): string | null;
  readonly logQuery: { readonly first: string; readonly cursor: string };
}

interface RawLog {
  readonly id: string;
  readonly sender: { readonly email: string };
  readonly recipient: { readonly email: string };
  readonly forward: { readonly email: string } | null;
  readonly subject: string;
  readonly transport: string;
  readonly events: readonly (Fields & { readonly id: string; readonly status: string })[];
}

function readLog(body: unknown, secondsOf: (entry: Fields) => number): SeenLog {
  const { id, sender, recipient, forward, subject, transport, events } = body as RawLog;
  return {
    id,
    atSeconds: secondsOf(body as Fields),
    sender: sender.email,
    recipient: recipient.email,
    forward: forward?.email ?? null,
    subject,
    transport,
    events: events.map((event) => ({
      id: event.id,
      status: event.status,
      code: event.code as number,
      atSeconds: secondsOf(event),
    })),
  };
}

/** An entry with these fields only, null where it has none. */
export function told(entry: unknown, names: readonly string[]): Fields {
  const fields = (typeof entry === "object" ? entry : { id: entry }) as Fields;
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
}

/** Version 3 answers ids where something was deleted, and rows otherwise. */
export function idsOf(rows: unknown): readonly string[] {
  return (rows as unknown[]).map((row) =>
    String(typeof row === "object" ? (row as { id: unknown }).id : row),
  );
}

export const V4: Dialect = {
  version: "v4",
  deleted: 204,
  pageMax: 200,
  verify: ["POST", "verify"],
  all: { aliases: "aliases", rules: "rules" },
  domainFields: ["notification_email", "whitelabel", "routing_engine", "rules_fallback_email"],
  isReady: (domain) => domain.forwarding_ready,
  rule: (body) => (body as { rule: unknown }).rule,
  batch({ status, body }, verb, entries, names) {
    const {
      failed,
      failed_count: failedCount,
      ...rest
    } = body as {
      failed: { index: number; message: string }[];
      failed_count: number;
    } & Fields;
    expect(status).toBe(failed.length === 0 ? 200 : 207);
    expect(failedCount).toBe(failed.length);
    expect(rest[`${verb}_count`]).toBe((rest[verb] as unknown[]).length);
    return {
      done: idsOf(rest[verb]),
      failed: failed.map(({ index }) => told(entries[index], names)),
    };
  },
  log: (body) => readLog(body, (each) => Date.parse(each.created_at as string) / 1_000),
  nextLogs: (body) => body.next_cursor as string | null,
  logQuery: { first: "limit=7", cursor: "cursor" },
};

export const V3: Dialect = {
  version: "v3",
  deleted: 200,
  pageMax: 100,
  verify: ["GET", "check"],
  all: { aliases: "aliases/aliases-all", rules: "rules-all" },
  domainFields: ["notification_email", "whitelabel"],
  isReady: (domain) => domain.active,
  rule: (body) => body,
  batch({ status, body }, verb, _entries, names) {
    expect(status).toBe(200);
    const { failed, ...rest } = body as { failed: { error: string }[] } & Fields;
    return {
      done: idsOf(rest[verb]),
      failed: failed.map((entry) => told(entry, names)),
    };
  },
  log: (body) => readLog(body, (each) => Math.floor((each.created as number) / 1_000)),
  nextLogs: (body) => body.next_cursor as string | null,
  logQuery: { first: "", cursor: "next_cursor" },
};
