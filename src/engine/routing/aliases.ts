/** The alias engine: exact, then subaddress, then wildcard or pattern with the longest literal first, then `*`. */
import type { Guard } from "../../base/guard.ts";
import { REJECT_NO_ALIAS, stepOf } from "./decision.ts";
import { type MessageView, userOf } from "./message-view.ts";
import { FactIndex } from "./plan/fact-index.ts";
import type { Resolution } from "./resolution.ts";
import type { CompiledAlias } from "./rules/compiled-rule.ts";

/** From so many aliases on, looking for their literals costs no more than trying each. */
const INDEXED_ALIASES_MIN = 8;

/** Finds which aliases a local part can match. */
export class AliasPlan {
  /** By local part: literal aliases are looked up, not tried one by one. */
  readonly literals: ReadonlyMap<string, CompiledAlias>;
  /** Wildcards, patterns and `*`, in the order of trial. */
  readonly #others: readonly CompiledAlias[];
  /** Places of those of which nothing is known. */
  readonly #always: number[] = [];
  #index: FactIndex | undefined;

  /** `aliases` are in the order of trial. */
  constructor(aliases: readonly CompiledAlias[]) {
    const literals = aliases.filter(({ matcher }) => matcher.form === "literal");
    this.literals = new Map(literals.map((alias) => [alias.matcher.alias, alias]));
    this.#others = aliases.slice(literals.length);
  }

  /** The literal alias of a local part, as it is or without its detail. */
  literalFor(localPart: string): CompiledAlias | undefined {
    return this.literals.get(localPart) ?? this.literals.get(userOf(localPart) ?? localPart);
  }

  /** The other aliases that it may match, including all that it does match, in the order of trial. */
  othersFor(localPart: string, guard: Guard): readonly CompiledAlias[] {
    const others = this.#others;
    if (others.length < INDEXED_ALIASES_MIN) return others;
    this.#index ??= this.#createIndex();
    const places = new Set(this.#always);
    this.#index.openText(localPart, {
      guard,
      open: (place) => void places.add(place),
      cannotFail: () => false,
      before: others.length,
      notesHits: false,
      stats: null,
    });
    return [...places].sort((a, b) => a - b).map((place) => others[place]!);
  }

  #createIndex(): FactIndex {
    const index = new FactIndex("localPart", null);
    this.#others.forEach(({ matcher }, place) => {
      const gate = matcher.gate();
      if (gate === null) this.#always.push(place);
      else for (const opening of gate.openings) index.add(place, opening, null);
    });
    return index;
  }
}

function tryAlias(alias: CompiledAlias, message: MessageView, guard: Guard): Resolution | null {
  const step = stepOf(alias, alias.matcher.match(message, { guard }), guard);
  return "resolution" in step ? step.resolution : null;
}

/** The decision; once the guard has refused, it has no meaning. */
export function resolveByAlias(plan: AliasPlan, message: MessageView, guard: Guard): Resolution {
  const { localPart } = message;
  if (localPart === undefined) return { verdict: "undecided", needs: "envelope" };
  const literal = plan.literalFor(localPart);
  const exact = literal === undefined ? null : tryAlias(literal, message, guard);
  if (exact !== null) return exact;
  for (const alias of plan.othersFor(localPart, guard)) {
    const resolution = tryAlias(alias, message, guard);
    if (resolution !== null) return resolution;
    if (guard.isSpent) break;
  }
  return REJECT_NO_ALIAS;
}
