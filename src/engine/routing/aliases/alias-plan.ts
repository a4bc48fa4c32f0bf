/** Finds which wildcard and pattern aliases a local part can match, by their literals. */
import type { Guard } from "../../../base/guard.ts";
import { FactIndex } from "../plan/fact-index.ts";
import type { Found } from "../plan/found.ts";
import type { CompiledAlias } from "./compile-aliases.ts";

/** The aliases that `localPart` may match, including all that it does match, in the order of trial. */
export type AliasPlan = (localPart: string, guard: Guard) => readonly CompiledAlias[];

/** From so many aliases on, a plan costs no more than trying each. */
const PLANNED_ALIASES_MIN = 8;

/** `aliases` are not literal, and are in the order of trial. */
export function createAliasPlan(aliases: readonly CompiledAlias[]): AliasPlan {
  if (aliases.length < PLANNED_ALIASES_MIN) return () => aliases;
  const index = new FactIndex("localPart", null);
  const always: number[] = [];
  aliases.forEach(({ matcher }, place) => {
    const gate = matcher.gate();
    if (gate === null) always.push(place);
    else for (const opening of gate.openings) index.add(place, opening, null);
  });
  return (localPart, guard) => {
    const places = new Set(always);
    const open = (place: number): void => void places.add(place);
    const found: Found = {
      guard,
      open,
      before: aliases.length,
      cannotFail: () => false,
      notesHits: false,
      stats: null,
    };
    index.openText(localPart, found);
    return [...places].sort((a, b) => a - b).map((place) => aliases[place]!);
  };
}
