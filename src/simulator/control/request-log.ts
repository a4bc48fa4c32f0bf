/** The last requests to the API with their answers, for whoever wonders what a client really sent. */
import { LIMITS } from "../../base/limits.ts";

/** A request to the API with its answer. */
export interface KeptRequest {
  /** 1, 2, 3, … */
  readonly id: number;
  /** By the simulator's clock. */
  readonly atMs: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly contentType: string | null;
  /** `null`: none, or longer than is kept, or of undeclared length. */
  readonly body: string | null;
  readonly status: number;
  readonly answer: string | null;
}

export interface RequestLog {
  /** Answers the request by `answer`, and keeps both. */
  record(
    request: Request,
    nowMs: () => number,
    answer: (request: Request) => Promise<Response>,
  ): Promise<Response>;
  /** The last `limit`, the earliest first. */
  last(limit: number): readonly KeptRequest[];
  clear(): void;
}

/** Bodies whose length is not declared are not kept: reading them would change how they are bounded. */
function isKept(request: Request): boolean {
  const declared = request.headers.get("content-length");
  if (request.body === null) return false;
  // In process there is no such header, and no stranger either.
  return declared === null
    ? !request.headers.has("host")
    : Number(declared) <= LIMITS.keptBodyBytesMax;
}

/** Passwords as JSON, a query or a form has them, whatever else is wrong with the body. */
const PASSWORD =
  /("password"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^,}\]\s]+)|((?:^|[&?])password(?:\[\])?=)[^&\s]*/gi;
const FORM_PART = /(name="?password"?[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n)[^\r\n]*/gi;

/** The text without what nobody may read later. */
function withoutPasswords(text: string): string {
  return text
    .replace(PASSWORD, (_, json?: string, form?: string) =>
      json === undefined ? `${form}***` : `${json}"***"`,
    )
    .replace(FORM_PART, "$1***");
}

async function textOf(source: Request | Response): Promise<string | null> {
  try {
    const text = await source.text();
    return text.length > LIMITS.keptBodyBytesMax ? null : withoutPasswords(text);
  } catch {
    return null;
  }
}

export function createRequestLog(): RequestLog {
  let kept: KeptRequest[] = [];
  let lastId = 0;
  return {
    async record(request, nowMs, answer) {
      const atMs = nowMs();
      const { method, url, headers } = request;
      const sent = isKept(request) ? textOf(request.clone()) : null;
      const response = await answer(request);
      const answered = response.body === null ? null : textOf(response.clone());
      const { pathname, search } = new URL(url);
      kept.push({
        id: ++lastId,
        atMs,
        method,
        path: pathname + withoutPasswords(search),
        contentType: headers.get("content-type"),
        body: await sent,
        status: response.status,
        answer: await answered,
      });
      if (kept.length > LIMITS.requestsKept) kept = kept.slice(-LIMITS.requestsKept);
      return response;
    },
    last: (limit) => kept.slice(Math.max(0, kept.length - limit)),
    clear() {
      kept = [];
      lastId = 0;
    },
  };
}
