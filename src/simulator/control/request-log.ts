/** The last requests to the API with their answers, which show what a client really sent. */
import { LIMITS } from "../../base/limits.ts";
import { watchExchange } from "../api/exchange.ts";

/** A request to the API with its answer. */
export interface KeptRequest {
  /** 1, 2, 3, … */
  readonly id: number;
  /** By the simulator's clock. */
  readonly atMs: number;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly contentType: string | null;
  /** `null` if there is none, or if it is too long to keep or of undeclared length. */
  readonly body: string | null;
  readonly status: number;
  readonly answer: string | null;
}

export interface RequestLog {
  /** Calls `answer`, and keeps the request with its answer. */
  record(request: Request, nowMs: () => number, answer: () => Promise<Response>): Promise<Response>;
  /** The last `limit`, the earliest first. */
  last(limit: number): readonly KeptRequest[];
  clear(): void;
}

/** The unread body of a request that was refused; `undefined` if there is none or its length is undeclared. */
async function unreadBody(request: Request): Promise<Uint8Array | undefined> {
  if (request.body === null || request.bodyUsed) return undefined;
  const declared = request.headers.get("content-length");
  // In process there is no such header, and no stranger either.
  const isShort =
    declared === null ? !request.headers.has("host") : Number(declared) <= LIMITS.keptBodyBytesMax;
  if (!isShort) return undefined;
  return request.arrayBuffer().then(
    (octets) => new Uint8Array(octets),
    () => undefined,
  );
}

/** Finds passwords in JSON, queries and forms, even in an invalid body. */
const PASSWORD =
  /("password"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^,}\]\s]+)|((?:^|[&?])password(?:\[\])?=)[^&\s]*/gi;
/** Up to the blank line before the password. Without one it still matches, so that no later name searches the same lines. */
const FORM_PART = /(name="?password"?[^\r\n]*(?:\r?\n[^\r\n]+)*(\r?\n\r?\n)?)[^\r\n]*/gi;

/** The text without passwords. */
function withoutPasswords(text: string): string {
  return text
    .replace(PASSWORD, (_, json?: string, form?: string) =>
      json === undefined ? `${form}***` : `${json}"***"`,
    )
    .replace(FORM_PART, (part, head: string, blank?: string) =>
      blank === undefined ? part : `${head}***`,
    );
}

/** A kept request, whose texts are made only when it is read. */
interface LoggedRequest extends Omit<KeptRequest, "path" | "body" | "answer"> {
  readonly url: string;
  readonly sent: Uint8Array | undefined;
  readonly answered: string | undefined;
}

function shownText(text: string | undefined): string | null {
  if (text === undefined || text.length > LIMITS.keptBodyBytesMax) return null;
  return withoutPasswords(text);
}

function shown({ url, sent, answered, ...entry }: LoggedRequest): KeptRequest {
  const { pathname, search } = new URL(url);
  const { id, atMs, method, contentType, status } = entry;
  const body = shownText(sent === undefined ? undefined : new TextDecoder().decode(sent));
  const path = pathname + withoutPasswords(search);
  return { id, atMs, method, path, contentType, body, status, answer: shownText(answered) };
}

/** The body if it is short enough to keep. */
function short<Text extends string | Uint8Array>(text: Text | undefined): Text | undefined {
  return text === undefined || text.length > LIMITS.keptBodyBytesMax ? undefined : text;
}

export function createRequestLog(): RequestLog {
  let kept: LoggedRequest[] = [];
  let lastId = 0;
  return {
    async record(request, nowMs, answer) {
      const atMs = nowMs();
      const exchange = watchExchange(request);
      const response = await answer();
      const sent = exchange.sent ?? (await unreadBody(request));
      const { method, url, headers } = request;
      kept.push({
        id: ++lastId,
        atMs,
        method,
        url,
        contentType: headers.get("content-type"),
        sent: short(sent),
        status: response.status,
        answered: short(exchange.answered),
      });
      if (kept.length >= 2 * LIMITS.requestsKept) kept = kept.slice(-LIMITS.requestsKept);
      return response;
    },
    last: (limit) => kept.slice(-LIMITS.requestsKept).slice(-limit).map(shown),
    clear() {
      kept = [];
      lastId = 0;
    },
  };
}
