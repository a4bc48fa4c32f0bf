/** Counts requests in windows of a minute, per caller and endpoint (API v4 §8). */
import { LIMITS } from "../../../base/limits.ts";
import type { Clock } from "../../queue/clock.ts";

/** The rest of a caller's limit after a request. */
export interface RateState {
  readonly verdict: "allowed" | "refused";
  readonly headers: Readonly<Record<string, string>>;
}

export interface RateLimits {
  /** Counts a request under `key`; refused requests do not count. */
  count(key: string, requestsMax: number): RateState | Promise<RateState>;
}

interface Window {
  readonly startMs: number;
  readonly requests: number;
}

/** The state of a window as a client sees it after its request. */
export function rateState(
  { startMs, requests, verdict }: Window & Pick<RateState, "verdict">,
  requestsMax: number,
  nowMs: number,
): RateState {
  const endMs = startMs + LIMITS.rateWindowMs;
  const retry = { "Retry-After": String(Math.ceil((endMs - nowMs) / 1_000)) };
  return {
    verdict,
    headers: {
      "X-RateLimit-Limit": String(requestsMax),
      "X-RateLimit-Remaining": String(Math.max(0, requestsMax - requests)),
      "X-RateLimit-Reset": String(Math.ceil(endMs / 1_000)),
      ...(verdict === "refused" ? retry : {}),
    },
  };
}

// ASSUMPTION(rate-window): a window begins with its first request and lasts 60 seconds
export function createRateLimits(clock: Clock): RateLimits & { clear(): void } {
  /** Twice the number of endpoints: keys are route patterns, never paths. */
  const windows = new Map<string, Window>();

  function windowOf(key: string, nowMs: number): Window {
    const window = windows.get(key);
    const isOpen =
      window !== undefined &&
      nowMs >= window.startMs &&
      nowMs < window.startMs + LIMITS.rateWindowMs;
    return isOpen ? window : { startMs: nowMs, requests: 0 };
  }

  return {
    count(key, requestsMax) {
      const nowMs = clock.nowMs();
      const { startMs, requests } = windowOf(key, nowMs);
      const verdict = requests < requestsMax ? "allowed" : "refused";
      const counted = verdict === "allowed" ? requests + 1 : requests;
      windows.set(key, { startMs, requests: counted });
      return rateState({ startMs, requests: counted, verdict }, requestsMax, nowMs);
    },
    clear: () => windows.clear(),
  };
}
