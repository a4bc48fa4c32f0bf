/** A runner: resolves messages in workers, each with a deadline that holds whatever the message does. */
import { Worker } from "node:worker_threads";
import type { Diagnostic } from "../base/diagnostic.ts";
import { readFuel } from "../base/guard.ts";
import { LIMITS } from "../base/limits.ts";
import { assertOptions } from "../base/options.ts";
import type { Facts } from "../engine/facts/facts.ts";
import { compileDomain } from "../engine/routing/compile-domain.ts";
import { Lane } from "./lane.ts";
import type { LoadedDomain, RunResult } from "./run-result.ts";

export type { RunResult };

/** Options of `createRunner`. A count that is not a whole number of 1 or more is a `RangeError`. */
export interface RunnerOptions {
  /** Workers, each a thread that resolves one message at a time. Default: 1. */
  readonly workers?: number;
  /** Milliseconds for one message. Default: `LIMITS.runnerDeadlineMs`. */
  readonly deadlineMs?: number;
  /** As for `resolve`. */
  readonly fuelMax?: number;
  /** As for `compileDomain`. */
  readonly domainFuelMax?: number;
}

/** Whether the domain was loaded; if not, its diagnostics. */
export type LoadResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Worker threads that resolve messages, each with a deadline. */
export interface Runner {
  /** Loads a domain or its new version. Messages given before are resolved by the old version. */
  load(name: string, config: unknown): LoadResult;
  unload(name: string): void;
  /** Rejects if no such domain is loaded, or the runner is closed. */
  resolve(name: string, facts: Facts): Promise<RunResult>;
  /** Waits for the messages given so far, then ends the workers. */
  close(): Promise<void>;
}

function readCount(name: string, value: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  throw new RangeError(`\`${name}\` is ${value}: give a whole number from 1 to ${max}`);
}

/** `createRunner` with workers made by `spawn`. */
export function createRunnerWith(spawn: () => Worker, options: RunnerOptions = {}): Runner {
  assertOptions(options, ["workers", "deadlineMs", "fuelMax", "domainFuelMax"]);
  const { workers = 1, deadlineMs = LIMITS.runnerDeadlineMs } = options;
  const { fuelMax = LIMITS.messageFuelMax, domainFuelMax = LIMITS.domainFuelMax } = options;
  readFuel("fuelMax", fuelMax);
  readFuel("domainFuelMax", domainFuelMax);
  const settings = {
    deadlineMs: readCount("deadlineMs", deadlineMs, LIMITS.hostTimerMsMax),
    fuelMax,
  };
  const lanes = Array.from(
    { length: readCount("workers", workers, LIMITS.runnerWorkersMax) },
    () => new Lane(spawn, settings),
  );
  const domains = new Map<string, LoadedDomain>();
  let loads = 0;
  let closed = false;
  const unload = (name: string): void => {
    const domain = domains.get(name);
    domains.delete(name);
    if (domain !== undefined) for (const lane of lanes) lane.unload(domain);
  };
  return {
    load(name, config) {
      const result = compileDomain(config, { domainFuelMax });
      if (!result.ok) return result;
      unload(name);
      loads++;
      // The host may change its `config` later.
      domains.set(name, { key: `${loads} ${name}`, config: structuredClone(config) });
      return { ok: true };
    },
    unload,
    async resolve(name, facts) {
      const domain = domains.get(name);
      if (closed) throw new Error("the runner is closed");
      if (domain === undefined) throw new Error(`no domain \`${name}\`: load it first`);
      const shortest = lanes.reduce((best, lane) => (lane.length < best.length ? lane : best));
      return shortest.resolve(domain, facts);
    },
    async close() {
      closed = true;
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

/** Starts workers; they keep the process alive until the runner is closed. */
export function createRunner(options: RunnerOptions = {}): Runner {
  return createRunnerWith(
    () => new Worker(new URL("./runner-worker.js", import.meta.url)),
    options,
  );
}
