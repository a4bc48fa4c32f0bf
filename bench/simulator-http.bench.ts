/** Requests to the API, in process: what the whole service costs beside the router it stands on. */
import { Hono } from "hono";
import { LIMITS } from "../src/base/limits.ts";
import { createSimulator } from "../src/simulator/index.ts";
import type { Answers, Bench, Scale, Work } from "./bench.ts";

const REQUESTS: Readonly<Record<Scale, number>> = { full: 150, tiny: 5 };
/** Runs before the first that counts: below some thousand requests, compiling is most of what is measured. */
const WARM_RUNS: Readonly<Record<Scale, number>> = { full: 30, tiny: 0 };
/** Aliases that the list shows. */
const LISTED = 100;
const API_KEY = "k3y";
const ALIASES = "http://localhost/v4/domains/own.test/aliases";
const FORWARD = "ann@dest.test";

const CASES = ["list of 100 aliases", "create an alias", "create refused with 400"] as const;
type Case = (typeof CASES)[number];

function requestOf(caseName: Case, index: number): Request {
  const headers = {
    authorization: `Basic ${btoa(`api:${API_KEY}`)}`,
    "content-type": "application/json",
  };
  if (caseName === CASES[0]) return new Request(`${ALIASES}?limit=${LISTED}`, { headers });
  const forward = caseName === CASES[1] ? FORWARD : "nowhere";
  const body = JSON.stringify({ alias: `new${index}`, forward });
  return new Request(ALIASES, { method: "POST", headers, body });
}

/** What both tell alike of an answer: neither ids nor times, nor the words of a refusal. */
async function told(response: Response): Promise<string> {
  const { alias, aliases, errors } = JSON.parse(await response.text());
  const shown = alias?.alias ?? aliases?.map((each: { alias: string }) => each.alias) ?? errors;
  return `${response.status} ${Array.isArray(shown) ? shown.join() : typeof shown}`;
}

interface Answering {
  fetch(request: Request): Response | Promise<Response>;
  /** Back to the listed aliases, in a new minute of the rate limits. */
  begin(): Promise<void>;
}

async function mailflow(): Promise<Answering> {
  const aliases = Array.from({ length: LISTED }, (_, at) => ({
    alias: `a${at}`,
    forward: FORWARD,
  }));
  const simulator = await createSimulator({
    apiKey: API_KEY,
    world: { domains: [{ domain: "own.test", aliases }] },
  });
  const kept = await simulator.control.snapshot();
  return {
    fetch: simulator.fetch,
    async begin() {
      await simulator.control.restore(kept);
      await simulator.clock.advance(LIMITS.rateWindowMs);
    },
  };
}

/** The same answers from arrays, with nothing checked that need not be. */
async function honoAlone(): Promise<Answering> {
  const row = (alias: string, at: number): Record<string, unknown> => ({
    id: String(10_000_001 + at),
    alias,
    forward: FORWARD,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  });
  const listed = Array.from({ length: LISTED }, (_, at) => row(`a${at}`, at)).sort((a, b) =>
    String(a.alias) < String(b.alias) ? -1 : 1,
  );
  const rows = new Map<string, unknown>();
  const app = new Hono();
  app.get("/v4/domains/:domain/aliases", (context) => {
    const limit = Number(context.req.query("limit"));
    return context.json({ aliases: listed.slice(0, limit), limit, page: 1, total: listed.length });
  });
  app.post("/v4/domains/:domain/aliases", async (context) => {
    const { alias, forward } = await context.req.json<{ alias: string; forward: string }>();
    if (!forward.includes("@")) {
      const message = `\`${forward}\` is neither a mailbox nor a webhook`;
      return context.json({ message, errors: { forward: [message] } }, 400);
    }
    const made = row(alias, rows.size);
    rows.set(alias, made);
    return context.json({ alias: made });
  });
  return { fetch: (request) => app.fetch(request), begin: async () => rows.clear() };
}

/** Each run begins anew, which is not measured. */
async function workOf({ fetch, begin }: Answering, caseName: string, scale: Scale): Promise<Work> {
  const count = REQUESTS[scale];
  async function measure(runs: number): Promise<{ cost: number; answers: Answers }> {
    let cost = 0;
    let answers: Answers = [];
    for (let run = 0; run < runs; run++) {
      await begin();
      const said: Response[] = [];
      const start = process.cpuUsage();
      for (let index = 0; index < count; index++) {
        said.push(await fetch(requestOf(caseName as Case, index)));
      }
      const { user, system } = process.cpuUsage(start);
      cost += (user + system) * 1_000;
      answers = await Promise.all(said.map(told));
    }
    return { cost, answers };
  }
  await measure(WARM_RUNS[scale]);
  return { operations: count, measure };
}

export const simulatorHttpBench: Bench = {
  name: "simulator-http",
  title:
    "CPU of a request to the API, in process, against hono alone answering the same JSON from arrays",
  operation: "request",
  cases: () => CASES,
  contestants: [
    { name: "mailflow", prepare: async (name, scale) => workOf(await mailflow(), name, scale) },
    { name: "hono alone", prepare: async (name, scale) => workOf(await honoAlone(), name, scale) },
  ],
};
