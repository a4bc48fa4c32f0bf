/** Slows down whoever guesses passwords: by the address of the client, over all its connections. */
import { LIMITS } from "../../base/limits.ts";

interface Failures {
  readonly count: number;
  readonly lastMs: number;
}

export interface SignInGuard {
  /** Milliseconds that the answer to a failed sign-in waits; `null`: the address has failed too often for now. */
  failed(address: string): number | null;
  /** Whether the address may try at all. */
  mayTry(address: string): boolean;
  succeeded(address: string): void;
}

/** `nowMs` is real time: what is bounded is the guesser. */
export function createSignInGuard(nowMs: () => number): SignInGuard {
  const failures = new Map<string, Failures>();

  function countOf(address: string): number {
    const kept = failures.get(address);
    if (kept === undefined || nowMs() - kept.lastMs > LIMITS.signInWindowMs) return 0;
    return kept.count;
  }

  return {
    failed(address) {
      const count = countOf(address) + 1;
      failures.delete(address);
      failures.set(address, { count, lastMs: nowMs() });
      if (failures.size > LIMITS.signInAddressesMax) {
        const [oldest] = failures.keys();
        failures.delete(oldest!);
      }
      if (count > LIMITS.signInFailuresMax) return null;
      return Math.min(LIMITS.signInDelayMs * 2 ** (count - 1), LIMITS.signInDelayMaxMs);
    },
    mayTry: (address) => countOf(address) <= LIMITS.signInFailuresMax,
    succeeded(address) {
      failures.delete(address);
    },
  };
}
