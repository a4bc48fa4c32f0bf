/** Receives the rules that a search of a fact opens. */
import type { Guard } from "../../../base/guard.ts";
import type { ResolveStats } from "../resolve-stats.ts";

/** Rules are identified by their place in the order of trial. */
export interface Found {
  /** Pays for the search. Once it refuses, what was found has no meaning. */
  readonly guard: Guard;
  open(place: number): void;
  /** Whether the rule decides once it matches. */
  cannotFail(place: number): boolean;
  /** Only rules before this place matter. */
  readonly before: number;
  /** Whether the places of literals are needed later. */
  readonly notesHits: boolean;
  readonly stats: ResolveStats | null;
}

/** Rules in the order of trial. */
export type Rules = number[];

export const byPlace = (a: number, b: number): number => a - b;

export function openAll(rules: Rules, found: Found): void {
  for (const rule of rules) {
    if (rule >= found.before) return;
    found.open(rule);
  }
}

/** Adds to the list of a key. */
export function pushTo<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const items = map.get(key);
  if (items === undefined) map.set(key, [item]);
  else items.push(item);
}
