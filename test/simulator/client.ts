/** What the simulator's tests share: a world, and requests with the API's credentials. */
import type { Simulator, World } from "../../src/simulator/index.ts";

export const WORLD: World = {
  domains: [
    {
      domain: "own.test",
      aliases: [
        { alias: "info", forward: "ann@dest.test, bob@dest.test, https://hooks.test/in" },
        { alias: "later", forward: "450@bounce.test" },
      ],
      credentials: [{ username: "info", password: "s3cret-enough" }],
    },
    {
      domain: "ruled.test",
      routing_engine: "rules",
      rules_fallback_email: "rest@dest.test",
      rules: [
        {
          type: "regex",
          config: { regex: "no (\\d+)", scopes: ["subject"], forward: "n+$1@dest.test" },
        },
        { type: "cel", config: { expression: "size(body) > 100", forward: "long@dest.test" } },
      ],
    },
  ],
};

export interface Said {
  readonly status: number;
  /** As received. */
  readonly text: string;
  readonly headers: Headers;
}

export interface Asked {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `ask(simulator, "POST /v4/domains", { body })`, in process. */
export async function ask(
  simulator: Pick<Simulator, "fetch" | "apiKey">,
  what: string,
  { body, headers = {} }: Asked = {},
): Promise<Said> {
  const [method, path] = what.split(" ") as [string, string];
  const authorization = `Basic ${btoa(`api:${simulator.apiKey}`)}`;
  const response = await simulator.fetch(
    new Request(`http://simulator.test${path}`, {
      method,
      headers: { authorization, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** The JSON of an answer that must have this status. */
export async function json<Body = Record<string, unknown>>(
  simulator: Pick<Simulator, "fetch" | "apiKey">,
  what: string,
  asked: Asked & { readonly status?: number } = {},
): Promise<Body> {
  const { status, text } = await ask(simulator, what, asked);
  if (status === (asked.status ?? 200)) return text === "" ? (null as Body) : JSON.parse(text);
  throw new Error(`${what}: status ${status}, ${text}`);
}

export function mail(subject: string, body: string = "Hello"): string {
  return `From: Ann <ann@source.test>\nTo: info@own.test\nSubject: ${subject}\nMessage-ID: <${subject.length}@source.test>\n\n${body}\n`;
}

/** Statuses of the events of a log entry. */
export async function statuses(simulator: Simulator, id: string): Promise<readonly string[]> {
  const domains = ["own.test", "ruled.test"];
  for (const domain of domains) {
    const { status, text } = await ask(simulator, `GET /v4/domains/${domain}/logs/${id}`);
    if (status !== 200) continue;
    const { events }: { events: { status: string }[] } = JSON.parse(text);
    return events.map((event) => event.status);
  }
  throw new Error(`no log entry ${id}`);
}
