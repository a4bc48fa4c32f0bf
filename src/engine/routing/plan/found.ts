/** Receives the rules that a search of a fact opens. */
import type { Guard } from "../../../base/guard.ts";
import type { ResolveStats } from "../resolve-stats.ts";

/** Rules are identified by their place in the order of trial. */
export interface Found {
  /** Pays for the search. Once it refuses, what was found has no meaning. */
  readonly guard: Guard;
  open(place: number): void;
  /** Only rules before this place matter. */
  readonly before: number;
  /** Whether the places of literals are needed later. */
  readonly notesHits: boolean;
  readonly stats: ResolveStats | null;
}
