/** POSTs to webhooks over real HTTP: one connection each, no redirects, only to public addresses unless allowed. */
import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { LIMITS } from "../base/limits.ts";
import type { HandoverAnswer } from "../service/service.ts";
import { assertPublicHost, publicLookup, RefusedTargetError } from "./public-address.ts";

export interface WebhookOptions {
  /** `any` lets webhooks lead to this machine and its network; default `public`. */
  readonly targets?: "public" | "any" | undefined;
  /** Default `LIMITS.webhookTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** How names are looked up for public targets; default: by the system, and checked. */
  readonly lookup?: LookupFunction | undefined;
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
      .end(body);
  });
}

const REASON_UNITS_MAX = 200;

/**
 * POSTs `body` to `destination`. 2xx gives 250; every other status, a redirect too, and every failure 450, to be tried
 * again; a target that is refused 550. Never rejects.
 */
export async function postWebhook(
  destination: string,
  body: Uint8Array,
  { targets = "public", timeoutMs = LIMITS.webhookTimeoutMs, lookup }: WebhookOptions = {},
): Promise<HandoverAnswer> {
  const url = new URL(destination);
  const server = url.host;
  try {
    const options: RequestOptions = { signal: AbortSignal.timeout(timeoutMs) };
    if (targets === "public") {
      assertPublicHost(url.hostname);
      options.lookup = lookup ?? publicLookup();
    }
    const response = await post(url, body, options);
    // Nobody reads what it says.
    response.destroy();
    const { statusCode: status = 0, statusMessage = "" } = response;
    const message = `HTTP ${status} ${statusMessage}`.trim().slice(0, REASON_UNITS_MAX);
    return { code: status >= 200 && status < 300 ? 250 : 450, message, server };
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(
      0,
      REASON_UNITS_MAX,
    );
    return { code: error instanceof RefusedTargetError ? 550 : 450, message: reason, server };
  }
}
