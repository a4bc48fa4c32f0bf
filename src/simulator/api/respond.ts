/** Handles one request from its credentials to its response: counts, authenticates, runs and presents it. */
import { LIMITS } from "../../base/limits.ts";
import { accountRow, isPaid } from "../model/account.ts";
import { ServiceProblem } from "../model/problem.ts";
import type { Service } from "../model/service.ts";
import { StoreUnavailableError } from "../store/store.ts";
import { exchangeOf } from "./exchange.ts";
import type { RateLimits } from "./read/rate-limits.ts";
import type { Answer } from "./route.ts";
import type { ShownProblem, Version } from "./version.ts";

/** What all requests share. */
export interface ApiDesk {
  readonly service: Service;
  /** Whether an `Authorization` header carries the API key. */
  readonly isAuthentic: (authorization: string | null) => boolean;
  readonly rateLimits: RateLimits;
  readonly onDefect: (defect: unknown) => void;
}

/** The request. */
export interface Asked {
  /** Method and path pattern, by which requests are counted. */
  readonly endpoint: string;
  /** A limit of its own; by default the plan's. */
  readonly requestsMax?: number;
  readonly access: "account" | "anyone";
  /** Throws a `ServiceProblem` for what is refused. */
  answer(): Promise<Answer>;
}

// ASSUMPTION(rate-strangers): requests without valid credentials are counted apart, against the same limits
function callerOf({ isAuthentic }: ApiDesk, { access }: Asked, request: Request): string {
  if (access === "anyone") return access;
  if (!isAuthentic(request.headers.get("authorization"))) return "stranger";
  return request.headers.get("sec-fetch-site") === "same-origin" ? "page" : "account";
}

/** The simulator's own page is not a client: it does not count against the limits, even while the clock is frozen. */
const UNCOUNTED = "page";

function problemOf({ onDefect }: ApiDesk, thrown: unknown): ShownProblem {
  if (thrown instanceof ServiceProblem) return thrown;
  if (thrown instanceof StoreUnavailableError) {
    const message = "the service is unavailable now: try again";
    return { status: 503, message, errors: {}, about: "server" };
  }
  onDefect(thrown);
  return { status: 500, message: "server error", errors: {}, about: "server" };
}

function write(request: Request, { status, body, headers }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers: { ...headers } });
  const text = JSON.stringify(body);
  const exchange = exchangeOf(request);
  if (exchange !== undefined) exchange.answered = text;
  return new Response(text, {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

/** Never rejects. */
export async function respond(
  desk: ApiDesk,
  version: Version,
  asked: Asked,
  request: Request,
): Promise<Response> {
  let headers: Readonly<Record<string, string>> = {};
  try {
    const caller = callerOf(desk, asked, request);
    if (caller !== UNCOUNTED) {
      const { plan } = await accountRow(desk.service);
      const planMax = isPaid(plan) ? LIMITS.paidRequestsMax : LIMITS.freeRequestsMax;
      const key = `${caller} ${version.name} ${asked.endpoint}`;
      const rate = await desk.rateLimits.count(key, asked.requestsMax ?? planMax);
      headers = rate.headers;
      if (rate.verdict === "refused") {
        const seconds = headers["Retry-After"];
        const wait = seconds === "1" ? "1 second" : `${seconds} seconds`;
        throw new ServiceProblem(429, `too many requests: wait ${wait}`, {}, "ratelimit");
      }
    }
    if (caller === "stranger") {
      headers = { ...headers, "WWW-Authenticate": 'Basic realm="API", charset="UTF-8"' };
      const message = "missing or invalid credentials: use `api` and the API key";
      throw new ServiceProblem(401, message, {}, "authorization");
    }
    const answer = await asked.answer();
    return write(request, { ...answer, headers: { ...headers, ...answer.headers } });
  } catch (thrown) {
    const problem = problemOf(desk, thrown);
    const body = version.presentProblem(problem);
    return write(request, { status: problem.status, body, headers });
  }
}
