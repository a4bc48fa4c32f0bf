/** Both versions of the service's HTTP API, as one function from a request to its response. */
import { type Context, type Handler, Hono } from "hono";
import { LIMITS } from "../../base/limits.ts";
import { assertOptions } from "../../base/options.ts";
import { notFound, ServiceProblem } from "../model/problem.ts";
import type { Service } from "../model/service.ts";
import { answerRow } from "./answer-row.ts";
import { writeOpenApi } from "./openapi.ts";
import { keyHolder } from "./read/authenticate.ts";
import { createRateLimits, type RateLimits } from "./read/rate-limits.ts";
import type { UnknownFields } from "./read/read-fields.ts";
import { type ApiDesk, type Asked, respond } from "./respond.ts";
import { type Answer, ok, parametersOf, type Route } from "./route.ts";
import { V3 } from "./v3.ts";
import { V4 } from "./v4.ts";
import type { Version } from "./version.ts";

export interface ApiOptions {
  /** Password of the Basic credentials; the user is `api`. */
  readonly apiKey: string;
  /** Receives defects of the service; the client gets a bare 500. */
  readonly onDefect: (defect: unknown) => void;
  /** Unknown fields and parameters: `"ignored"` (default), or `"refused"` with 400. */
  readonly unknownFields?: UnknownFields;
  /** Default: counted in this process. */
  readonly rateLimits?: RateLimits | undefined;
}

export interface Api {
  /** Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Refuses an unreadable request in the form of the version in its target; without one, of version 4. */
  refuse(status: 400 | 431, message: string, target: string): Promise<Response>;
}

/** Literal segments come before parameters: `/aliases/batch` is the batch, never an id. */
// ASSUMPTION(literal-segments): an alias called `batch`, `bulk` or `aliases-all` is reached by its id only, where these are operations
function byParameters(a: Route, b: Route): number {
  return parametersOf(a.path).length - parametersOf(b.path).length;
}

/** `OPTIONS` lists the methods of a path; any other missing method is refused with that list. */
// ASSUMPTION(method-not-allowed): a method that a known path lacks is answered 405 with `Allow`
async function answerOther(version: Version, path: string, method: string): Promise<Answer> {
  const rows = version.routes.filter((row) => row.path === path).map((row) => row.method);
  const allowed = [...rows, ...(rows.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  const headers = { Allow: allowed };
  if (method === "OPTIONS") return { status: 204, body: undefined, headers };
  const message = `this path does not take the method: use ${allowed}`;
  const body = version.presentProblem({ status: 405, message, errors: {}, about: "method" });
  return { status: 405, body, headers };
}

async function refuseUnknown(): Promise<Answer> {
  throw notFound("path");
}

async function refuseLong(): Promise<Answer> {
  const message = `the URL is too long: at most ${LIMITS.urlUnitsMax} characters`;
  throw new ServiceProblem(400, message, {}, "url");
}

function mount(app: Hono, desk: ApiDesk, version: Version, unknownFields: UnknownFields): void {
  const base = `/${version.name}`;
  const answering = (asked: (context: Context) => Asked): Handler => {
    return (context) => respond(desk, version, asked(context), context.req.raw);
  };
  for (const row of [...version.routes].sort(byParameters)) {
    const answer = answerRow(version, row, unknownFields);
    const { method, path, requestsMax } = row;
    const asked = (context: Context): Asked => ({
      endpoint: `${method} ${path}`,
      ...(requestsMax === undefined ? {} : { requestsMax }),
      access: "account",
      answer: () => answer(desk.service, { request: context.req.raw, params: context.req.param() }),
    });
    app.on(method, base + path, answering(asked));
  }
  const document = { endpoint: "GET /openapi.json", access: "anyone" } as const;
  const answer = async (): Promise<Answer> => ok(writeOpenApi(version));
  app.get(
    `${base}/openapi.json`,
    answering(() => ({ ...document, answer })),
  );
  for (const path of new Set(version.routes.map((row) => row.path))) {
    const asked = ({ req }: Context): Asked => ({
      endpoint: `other ${path}`,
      access: "account",
      answer: () => answerOther(version, path, req.raw.method),
    });
    app.all(base + path, answering(asked));
  }
  const unknown: Asked = { endpoint: "unknown", access: "account", answer: refuseUnknown };
  app.all(
    `${base}/*`,
    answering(() => unknown),
  );
}

function versionOf(target: string): Version {
  return /^\/v3(?:[/?]|$)/.test(target) ? V3 : V4;
}

/** Time and ids come from the service, so the same calls in the same world get the same octets. */
export function createApi(service: Service, options: ApiOptions): Api {
  assertOptions(options, ["apiKey", "onDefect", "unknownFields", "rateLimits"]);
  const { apiKey, onDefect, unknownFields = "ignored" } = options;
  const rateLimits = options.rateLimits ?? createRateLimits(service.clock);
  const desk: ApiDesk = { service, isAuthentic: keyHolder(apiKey), onDefect, rateLimits };
  const app = new Hono({ strict: false });
  for (const version of [V4, V3]) mount(app, desk, version, unknownFields);
  const refuse = (request: Request, answer: () => Promise<Answer>): Promise<Response> => {
    const version = versionOf(new URL(request.url).pathname);
    return respond(desk, version, { endpoint: "unknown", access: "account", answer }, request);
  };
  app.notFound((context) => refuse(context.req.raw, refuseUnknown));
  return {
    refuse(status, message, target) {
      const answer = async (): Promise<Answer> => {
        throw new ServiceProblem(status, message, {}, "request");
      };
      const asked: Asked = { endpoint: "unknown", access: "anyone", answer };
      return respond(desk, versionOf(target), asked, new Request("http://localhost/"));
    },
    async fetch(request) {
      if (request.url.length > LIMITS.urlUnitsMax) return refuse(request, refuseLong);
      return app.fetch(request);
    },
  };
}
