/** What these tests ask of a simulator: its API, in process, with the key. */
import type { Simulator } from "../../../src/simulator/index.ts";

export interface Log {
  readonly id: string;
  readonly recipient: { readonly email: string };
  readonly sender: { readonly email: string };
  readonly forward: { readonly email: string } | null;
  readonly transport: string;
  readonly message_id: string;
  readonly events: readonly {
    readonly id: string;
    readonly status: string;
    readonly code: number;
  }[];
}

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** `path` begins with the version, or with `/_sim`. */
export async function ask(
  { fetch, apiKey }: Pick<Simulator, "fetch" | "apiKey">,
  method: string,
  path: string,
  body?: unknown,
): Promise<Asked> {
  const headers = { authorization: `Basic ${btoa(`api:${apiKey}`)}` };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(
    new Request(`http://localhost${path}`, { method, headers, ...sent }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The JSON of an answer; throws when it was refused. */
export async function json<Body>(
  simulator: Pick<Simulator, "fetch" | "apiKey">,
  path: string,
): Promise<Body> {
  const { status, text } = await ask(simulator, "GET", path);
  if (status === 200) return JSON.parse(text);
  throw new Error(`${path}: ${status} ${text}`);
}

/** Every log entry of a domain, the latest first. */
export async function allLogs(simulator: Simulator, domain: string): Promise<readonly Log[]> {
  const logs: Log[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: { logs: Log[]; next_cursor: string | null } = await json(
      simulator,
      `/v4/domains/${domain}/logs?limit=200${from}`,
    );
    logs.push(...page.logs);
    cursor = page.next_cursor;
  }
  return logs;
}

export function statusesOf({ events }: Log): readonly string[] {
  return events.map(({ status }) => status);
}
