/** One worker and the messages that wait for it. A worker that misses a deadline is replaced before the next message. */
import type { Worker } from "node:worker_threads";
import { LIMITS } from "../base/limits.ts";
import type { Facts } from "../engine/facts/facts.ts";
import type { Request, WorkerAnswer } from "./protocol.ts";
import type { LoadedDomain, RunResult } from "./run-result.ts";

interface LaneSettings {
  readonly deadlineMs: number;
  readonly fuelMax: number;
}

type LaneFailure = "deadline" | "crash";

export class Lane {
  readonly #spawn: () => Worker;
  readonly #settings: LaneSettings;
  #worker: Worker | null = null;
  /** Keys of the domains that the worker has loaded. */
  #loaded = new Set<string>();
  #tail: Promise<unknown> = Promise.resolve();
  /** Messages given and not yet answered. */
  length = 0;

  constructor(spawn: () => Worker, settings: LaneSettings) {
    this.#spawn = spawn;
    this.#settings = settings;
  }

  /** Resolves messages one after another, so that it is known which of them took too long. */
  resolve(domain: LoadedDomain, facts: Facts): Promise<RunResult> {
    this.length++;
    const result = this.#tail.then(() => this.#run(domain, facts));
    const done = (): void => {
      this.length--;
    };
    this.#tail = result.then(done, done);
    return result;
  }

  /** Unloads the domain once the messages given before are resolved. */
  unload({ key }: LoadedDomain): void {
    this.#tail = this.#tail.then(() => {
      if (this.#loaded.delete(key)) this.#worker?.postMessage({ kind: "unload", domain: key });
    });
  }

  async close(): Promise<void> {
    await this.#tail;
    await this.#worker?.terminate();
    this.#worker = null;
  }

  async #run(domain: LoadedDomain, facts: Facts): Promise<RunResult> {
    const failure = await this.#prepare(domain);
    if (failure !== null) return { ok: false, failure };
    const { deadlineMs, fuelMax } = this.#settings;
    const answer = await this.#ask(
      { kind: "resolve", domain: domain.key, facts, fuelMax },
      deadlineMs,
    );
    if (typeof answer === "string") return { ok: false, failure: answer };
    if (answer.kind !== "resolved") throw new Error(`a worker answered \`${answer.kind}\``);
    return { ok: true, resolution: answer.resolution };
  }

  /** Starts the worker and loads the domain where needed; this time does not count against the message's deadline. */
  async #prepare({ key, config }: LoadedDomain): Promise<LaneFailure | null> {
    if (this.#worker === null) {
      this.#worker = this.#spawn();
      this.#loaded = new Set();
      const ready = await this.#ask(null, LIMITS.runnerLoadMs);
      if (typeof ready === "string") return ready;
    }
    if (this.#loaded.has(key)) return null;
    const loaded = await this.#ask({ kind: "load", domain: key, config }, LIMITS.runnerLoadMs);
    if (typeof loaded === "string") return loaded;
    this.#loaded.add(key);
    return null;
  }

  /** Sends a request and returns the next answer. If none comes in time, ends the worker; the next message gets a new one. */
  #ask(request: Request | null, deadlineMs: number): Promise<WorkerAnswer | LaneFailure> {
    const worker = this.#worker!;
    return new Promise((settle, reject) => {
      const forget = (): void => {
        clearTimeout(timer);
        worker.off("message", finish).off("error", crash).off("exit", crash);
      };
      const finish = (outcome: WorkerAnswer | LaneFailure): void => {
        forget();
        if (typeof outcome !== "string") {
          settle(outcome);
          return;
        }
        this.#worker = null;
        // Ignores later errors of a worker that was given up.
        worker.on("error", () => {});
        worker.terminate().then(() => settle(outcome), reject);
      };
      const crash = (): void => finish("crash");
      const timer = setTimeout(() => finish("deadline"), deadlineMs);
      worker.on("message", finish).on("error", crash).on("exit", crash);
      try {
        if (request !== null) worker.postMessage(request);
      } catch (error) {
        // The facts or the configuration hold a value that cannot be sent; the worker has not seen the request.
        forget();
        reject(error);
      }
    });
  }
}
