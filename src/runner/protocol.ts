/** The messages between a runner and its workers. */
import type { Facts } from "../engine/facts/facts.ts";
import type { Resolution } from "../engine/routing/resolution.ts";

export type Request =
  /** `config` is known to compile. */
  | { readonly kind: "load"; readonly domain: string; readonly config: unknown }
  | { readonly kind: "unload"; readonly domain: string }
  | {
      readonly kind: "resolve";
      readonly domain: string;
      readonly facts: Facts;
      readonly fuelMax: number;
    };

/** One for each request except `unload`, in the same order. Before them, `ready` says that the worker has started. */
export type WorkerAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "loaded" }
  | { readonly kind: "resolved"; readonly resolution: Resolution };
