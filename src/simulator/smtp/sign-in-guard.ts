/** Slows down clients that guess passwords; counts by address, over all their connections. */
import { LIMITS } from "../../base/limits.ts";
import type { SignInFailures } from "../model/service.ts";

/** Counts in this process. `nowMs` is real time, because guessers use real time. */
export function createSignInFailures(nowMs: () => number): SignInFailures {
  const failures = new Map<string, { readonly count: number; readonly lastMs: number }>();

  function countNow(address: string): number {
    const kept = failures.get(address);
    if (kept === undefined || nowMs() - kept.lastMs > LIMITS.signInWindowMs) return 0;
    return kept.count;
  }

  return {
    countOf: async (address) => countNow(address),
    async add(address) {
      const count = countNow(address) + 1;
      failures.delete(address);
      failures.set(address, { count, lastMs: nowMs() });
      if (failures.size > LIMITS.signInAddressesMax) {
        const [oldest] = failures.keys();
        failures.delete(oldest!);
      }
      return count;
    },
    async clear(address) {
      failures.delete(address);
    },
  };
}

export interface SignInGuard {
  /** Milliseconds to wait before answering a failed sign-in; `null` if the address has failed too often for now. */
  failed(address: string): Promise<number | null>;
  /** Whether the address may try to sign in at all. */
  mayTry(address: string): Promise<boolean>;
  succeeded(address: string): Promise<void>;
}

export function createSignInGuard(failures: SignInFailures): SignInGuard {
  return {
    async failed(address) {
      const count = await failures.add(address);
      if (count > LIMITS.signInFailuresMax) return null;
      return Math.min(LIMITS.signInDelayMs * 2 ** (count - 1), LIMITS.signInDelayMaxMs);
    },
    mayTry: async (address) => (await failures.countOf(address)) <= LIMITS.signInFailuresMax,
    succeeded: (address) => failures.clear(address),
  };
}
