/** What a runner and its workers say to one another. */
import type { Facts } from "../engine/facts/facts.ts";
import type { Resolution } from "../engine/routing/resolution.ts";

export type Request =
  /** `config` compiles. */
  | { readonly kind: "load"; readonly domain: string; readonly config: unknown }
  | { readonly kind: "unload"; readonly domain: string }
  | {
      readonly kind: "resolve";
      readonly domain: string;
      readonly facts: Facts;
      readonly fuelMax: number;
    };

/** One for each request but `unload`, in their order; the first says that the worker is there. */
export type Answer =
  | { readonly kind: "ready" }
  | { readonly kind: "loaded" }
  | { readonly kind: "resolved"; readonly resolution: Resolution };
