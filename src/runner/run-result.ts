/** The domains that a runner loads and the results it returns. */
import type { Resolution } from "../engine/routing/resolution.ts";

/** A resolution, or why there is none: the deadline passed, or the worker crashed. */
export type RunResult =
  | { readonly ok: true; readonly resolution: Resolution }
  /** `deadline`: it took too long. `crash`: its worker ended meanwhile, most likely out of memory. */
  | { readonly ok: false; readonly failure: "deadline" | "crash" };

/** A configuration that compiles, as workers receive it. Each load has a key of its own. */
export interface LoadedDomain {
  readonly key: string;
  readonly config: unknown;
}
