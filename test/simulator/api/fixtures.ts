/** A client for tests, and the worlds they start from. */
import {
  type IncomingMessage,
  openSimulator,
  type Plan,
  type Simulator,
  type SimulatorOptions,
} from "./simulator-port.ts";

export type Version = "v3" | "v4";
export type Fields = Readonly<Record<string, unknown>>;

const BASE = "http://simulator.test";

export interface Answer<Body = Fields> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; `null` when there is no body. */
  readonly body: Body;
}

export interface Client {
  get<Body = Fields>(path: string): Promise<Answer<Body>>;
  post<Body = Fields>(path: string, body?: unknown): Promise<Answer<Body>>;
  put<Body = Fields>(path: string, body?: unknown): Promise<Answer<Body>>;
  delete<Body = Fields>(path: string, body?: unknown): Promise<Answer<Body>>;
  /** Sends exactly this: a string body as it is, no credentials but those in the headers. */
  raw<Body = Fields>(path: string, init: RequestInit): Promise<Answer<Body>>;
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** `path?key=value…` */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
}

export function client(simulator: Simulator, version: Version): Client {
  async function raw<Body>(path: string, init: RequestInit): Promise<Answer<Body>> {
    const response = await simulator.fetch(new Request(`${BASE}/${version}${path}`, init));
    const text = await response.text();
    const body: Body = text === "" ? null : JSON.parse(text);
    return { status: response.status, headers: response.headers, body };
  }
  function call<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    const headers = new Headers({ authorization: basic("api", simulator.apiKey) });
    if (body === undefined) return raw(path, { method, headers });
    headers.set("content-type", "application/json");
    return raw(path, { method, headers, body: JSON.stringify(body) });
  }
  return {
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
    put: (path, body) => call("PUT", path, body),
    delete: (path, body) => call("DELETE", path, body),
    raw,
  };
}

/** Fails with the whole answer where a request of the setup itself went wrong. */
export function succeeded<Body>(answer: Answer<Body>): Body {
  if (answer.status < 200 || answer.status > 207) {
    throw new Error(`setup: status ${answer.status}, ${JSON.stringify(answer.body)}`);
  }
  return answer.body;
}

/** A short message with a text body. */
export function message(subject: string, from = "Sender <sender@source.test>"): string {
  return `From: ${from}\r\nTo: somebody@own.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replace(/\W+/g, ".")}@source.test>\r\nDate: Fri, 20 Nov 2026 09:00:00 +0000\r\n\r\nThe body of ${subject}.\r\n`;
}

/** A window of every rate limit: after it, requests are counted anew. */
export const WINDOW_MS = 61_000;

/** Hands in a message and lets its deliveries end. */
export async function receive(
  simulator: Simulator,
  recipients: readonly string[],
  subject: string,
  sender = "sender@source.test",
): Promise<void> {
  const incoming: IncomingMessage = {
    envelope: { sender, recipients },
    message: message(subject, `Sender <${sender}>`),
  };
  await simulator.receive(incoming);
  await simulator.clock.advance(1_000);
}

/** What stands for the parameters of a path. */
export interface Names {
  readonly domain: string;
  readonly alias: string;
  /** In the version's own form: `"17"` in v4, `17` in v3. */
  readonly aliasId: string;
  readonly ruleId: string;
  readonly username: string;
  readonly template: string;
  readonly logId: string;
}

export interface World {
  readonly simulator: Simulator;
  readonly version: Version;
  readonly api: Client;
  readonly v3: Client;
  readonly v4: Client;
  readonly names: Names;
}

/** A verified domain that routes by alias and has no alias; made through version 4. */
export async function addDomain(simulator: Simulator, domain: string): Promise<void> {
  const v4 = client(simulator, "v4");
  const { domain: made } = succeeded(
    await v4.post<{ domain: { routing_engine: string | null } }>("/domains", { domain }),
  );
  if (made.routing_engine !== "alias") {
    succeeded(await v4.put(`/domains/${domain}`, { routing_engine: "alias" }));
  }
  succeeded(await v4.post(`/domains/${domain}/verify`));
  succeeded(await v4.delete(`/domains/${domain}/aliases?all=true`));
}

export function aliasRule(alias: string, more: Fields = {}): Fields {
  return { type: "alias", config: { alias, forward: `${alias}@dest.test` }, ...more };
}

const DOMAIN = "own.test";

async function addLog(simulator: Simulator, v4: Client, alias: string): Promise<string> {
  await receive(simulator, [`${alias}@${DOMAIN}`], "The first message");
  const { logs } = succeeded(await v4.get<{ logs: { id: string }[] }>(`/domains/${DOMAIN}/logs`));
  if (logs.length !== 1) throw new Error(`setup: ${logs.length} log entries for one recipient`);
  return logs[0]!.id;
}

/**
 * `own.test` with two aliases (`info`, `sales`), two rules, a credential, a template (not on the free plan)
 * and one received message.
 */
export async function openWorld(version: Version, plan: Plan = "premium"): Promise<World> {
  const options: SimulatorOptions = plan === "premium" ? {} : { plan };
  const simulator = await openSimulator(options);
  const [v3, v4] = [client(simulator, "v3"), client(simulator, "v4")];
  await addDomain(simulator, DOMAIN);
  for (const alias of ["info", "sales"]) {
    succeeded(
      await v4.post(`/domains/${DOMAIN}/aliases`, { alias, forward: `${alias}@dest.test` }),
    );
  }
  const rules: string[] = [];
  for (const alias of ["first", "second"]) {
    const made = await v4.post<{ rule: { id: string } }>(
      `/domains/${DOMAIN}/rules`,
      aliasRule(alias),
    );
    rules.push(succeeded(made).rule.id);
  }
  succeeded(
    await v4.post(`/domains/${DOMAIN}/credentials`, {
      username: "info",
      password: "s3cret-enough",
    }),
  );
  // The first credential asks for new DNS records, and until they are seen nothing may be sent.
  succeeded(await v4.post(`/domains/${DOMAIN}/verify`));
  if (plan === "premium") {
    const template = { name: "welcome", subject: "Hello {{name}}", text_body: "Dear {{name}}" };
    succeeded(await v4.post(`/domains/${DOMAIN}/templates`, template));
  }
  const logId = await addLog(simulator, v4, "info");
  await simulator.clock.advance(WINDOW_MS);
  const aliasId = await aliasIdOf(version === "v3" ? v3 : v4, version, "info");
  return {
    simulator,
    version,
    api: version === "v3" ? v3 : v4,
    v3,
    v4,
    names: {
      domain: DOMAIN,
      alias: "info",
      aliasId,
      ruleId: rules[0]!,
      username: "info",
      template: "welcome",
      logId,
    },
  };
}

async function aliasIdOf(api: Client, version: Version, alias: string): Promise<string> {
  if (version === "v3") {
    const found = await api.get<{ alias: { id: number } }>(`/domains/${DOMAIN}/aliases/${alias}`);
    return String(succeeded(found).alias.id);
  }
  const listed = await api.get<{ aliases: { id: string; alias: string }[] }>(
    `/domains/${DOMAIN}/aliases`,
  );
  return succeeded(listed).aliases.find((each) => each.alias === alias)!.id;
}

const COUNT = /^\d+$/;

/** What is wrong with the headers that every answer carries; empty when nothing is. */
export function headerFaults(answer: Answer<unknown>): string[] {
  const faults: string[] = [];
  const counts = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
  for (const name of counts) {
    const value = answer.headers.get(name);
    if (value === null || !COUNT.test(value)) faults.push(`${name}: ${value}`);
  }
  const [limit, remaining, reset] = counts.map((name) => Number(answer.headers.get(name)));
  if (remaining! > limit!) faults.push(`remaining ${remaining} is above the limit ${limit}`);
  if (String(reset).length !== 10) faults.push(`x-ratelimit-reset is not in seconds: ${reset}`);
  const retryAfter = answer.headers.get("retry-after");
  if ((retryAfter !== null) !== (answer.status === 429)) {
    faults.push(`status ${answer.status} with retry-after ${retryAfter}`);
  }
  const type = answer.headers.get("content-type") ?? "";
  if (answer.body !== null && !/^application\/json\b/.test(type)) faults.push(`type: ${type}`);
  return faults;
}
