/** What a runner takes and gives. */
import type { Resolution } from "../engine/routing/resolution.ts";

/** A resolution, or why there is none: the deadline passed, or the worker crashed. */
export type RunResult =
  | { readonly ok: true; readonly resolution: Resolution }
  /** `deadline`: it overran. `crash`: its worker ended under it, for want of memory most likely. */
  | { readonly ok: false; readonly failure: "deadline" | "crash" };

/** A configuration that compiles, as the workers get it: one for each time that it was loaded. */
export interface LoadedDomain {
  readonly key: string;
  readonly config: unknown;
}
