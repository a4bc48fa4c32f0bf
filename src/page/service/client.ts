/** Calls of the service: version 4 of its API, which needs the key, and the control plane. */
import { computed, signal } from "@preact/signals";

/** How the page was opened; `none`: without a service. */
export const opened = signal<"none" | "service" | "service-signed-in">("none");
export const apiKey = signal("");
export const isSignedIn = computed(
  () => opened.value === "service-signed-in" || apiKey.value !== "",
);

/** A refusal by the service, in its own words. */
export class ServiceError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function wordsOf(said: unknown, status: number): string {
  const { message, errors } = (said ?? {}) as { message?: unknown; errors?: unknown };
  const details = typeof errors === "object" && errors !== null ? Object.values(errors) : [];
  const first = details.flat().find((each) => typeof each === "string" && each !== message);
  const words = typeof message === "string" ? message : `the service answered ${status}`;
  return first === undefined ? words : `${words}: ${first}`;
}

function headersFor(path: string, key: string, body: unknown): Record<string, string> {
  const octets = new TextEncoder().encode(`api:${key}`);
  const isKeyed = key !== "" && path.startsWith("/v4/");
  return {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(isKeyed ? { authorization: `Basic ${btoa(String.fromCharCode(...octets))}` } : {}),
  };
}

/** Code units. A browser refuses more than 64 KiB of bodies that outlive the page; a unit is at most three octets. */
const OUTLIVES_PAGE_MAX = 16_000;

/** Whether a browser sends such a body whole when the page is closed or loaded again at once. */
export const outlivesPage = (body: string | null): boolean =>
  (body?.length ?? 0) <= OUTLIVES_PAGE_MAX;

/**
 * Calls the service; a body is sent as JSON. A change of usual size is sent whole also when the
 * page is closed or loaded again at once. Rejects with a `ServiceError`.
 */
export async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  const text = body === undefined ? null : JSON.stringify(body);
  const key = apiKey.value;
  const response = await fetch(path, {
    method,
    headers: headersFor(path, key, body),
    body: text,
    keepalive: method !== "GET" && outlivesPage(text),
    // The page asks for the service's key itself; the browser must not ask as well.
    credentials: opened.value === "service" ? "omit" : "same-origin",
  }).catch(() => {
    throw new ServiceError(0, "the service does not answer: is it running?");
  });
  if (response.ok) return response;
  if (response.status === 401 && path.startsWith("/v4/")) {
    // Another key may have been typed since.
    if (apiKey.value === key) apiKey.value = "";
    throw new ServiceError(401, "this is not the key of this service");
  }
  throw new ServiceError(
    response.status,
    wordsOf(await response.json().catch(() => null), response.status),
  );
}

/** The JSON of an answer; `undefined` if it has none. */
export async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await ask(method, path, body);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

/** The message of the last failed call. Views show it above their content. */
export const failure = signal<string | null>(null);
let failed: "action" | "load" = "load";

async function run(kind: typeof failed, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    if (kind === "action" || failed === "load") failure.value = null;
    return true;
  } catch (error) {
    failed = kind;
    failure.value = error instanceof Error ? error.message : String(error);
    return false;
  }
}

/** Runs an action of a person and shows its error, if any. Returns whether it worked. */
export const attempt = (work: () => Promise<unknown>): Promise<boolean> => run("action", work);

/** Loads what a view shows, at any time: the error of an action stays until the person has read it. */
export const load = (work: () => Promise<unknown>): Promise<boolean> => run("load", work);

const KEPT = "mailflow-key";

/** The key stays in this tab. */
export function signIn(key: string): void {
  apiKey.value = key;
  sessionStorage.setItem(KEPT, key);
}

export function readKeptKey(): void {
  apiKey.value = sessionStorage.getItem(KEPT) ?? "";
}
