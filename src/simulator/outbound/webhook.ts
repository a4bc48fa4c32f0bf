/** POSTs to webhooks over real HTTP: one connection each, no redirects, only to public addresses unless allowed. */
import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { LIMITS } from "../../base/limits.ts";
import type { HandoverAnswer } from "../model/service.ts";
import { assertPublicHost, publicLookup, RefusedTargetError } from "./public-address.ts";

export interface WebhookOptions {
  /** `any` allows webhooks on this machine and its network; default `public`. */
  readonly targets?: "public" | "any" | undefined;
  /** Default `LIMITS.webhookTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Looks up names for public targets; default: the system's lookup, checked. */
  readonly lookup?: LookupFunction | undefined;
  /** Aborts running requests. */
  readonly closed?: AbortSignal | undefined;
}

function post(url: URL, body: Uint8Array, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? requestHttps : requestHttp;
    const headers = {
      "content-type": "application/json",
      "content-length": body.length,
      "user-agent": "mailflow",
    };
    request(url, { ...options, method: "POST", headers, agent: false }, resolve)
      .on("error", reject)
      // After 101 Switching Protocols Node.js closes the connection and reports neither an answer nor an error.
      .on("close", () => reject(new Error("the connection ended without an answer")))
      .end(body);
  });
}

const REASON_UNITS_MAX = 200;

/**
 * The SMTP code for a webhook's HTTP status: 250 for 2xx; 450, which is tried again, for all others, redirects included.
 */
export function answerOfStatus(status: number, said: string, server: string): HandoverAnswer {
  const message = `HTTP ${status} ${said}`.trim().slice(0, REASON_UNITS_MAX);
  return { code: status >= 200 && status < 300 ? 250 : 450, message, server };
}

/**
 * POSTs `body` to `destination` and resolves to `answerOfStatus`. Every failure is a 450 without a host, a refused target a
 * 550. Redirects are not followed. Never rejects.
 */
export async function postWebhook(
  destination: string,
  body: Uint8Array,
  options: WebhookOptions = {},
): Promise<HandoverAnswer> {
  const { targets = "public", timeoutMs = LIMITS.webhookTimeoutMs, lookup, closed } = options;
  const url = new URL(destination);
  const server = url.host;
  try {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = closed === undefined ? timeout : AbortSignal.any([timeout, closed]);
    const asked: RequestOptions = { signal };
    if (targets === "public") {
      assertPublicHost(url.hostname);
      asked.lookup = lookup ?? publicLookup();
    }
    const response = await post(url, body, asked);
    // The response's body is not read.
    response.destroy();
    return answerOfStatus(response.statusCode ?? 0, response.statusMessage ?? "", server);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = reason.slice(0, REASON_UNITS_MAX);
    if (error instanceof RefusedTargetError) return { code: 550, message, server };
    return { code: 450, message, server, reached: false };
  }
}
