/** What is told of rules while a fact is looked through for what opens them. */
import type { Guard } from "../../../base/guard.ts";
import type { ResolveStats } from "../resolve-stats.ts";

/** Rules are named by their place in the order of trial. */
export interface Found {
  /** Pays for what is looked through. Once it refuses, what was found is of no interest. */
  readonly guard: Guard;
  open(place: number): void;
  /** Only rules before it are of interest. */
  readonly before: number;
  /** Whether it asks later where literals stand. */
  readonly notesHits: boolean;
  readonly stats: ResolveStats | null;
}
