/** The state of resolving one message by a plan: which rules are open, and how they are tried. */
import type { Span } from "../../../base/diagnostic.ts";
import { Guard } from "../../../base/guard.ts";
import { windowsAround } from "../../pattern/search/window.ts";
import { stepOf, TRY_FUEL } from "../decision.ts";
import { type MessageView, viewMessage } from "../message-view.ts";
import type { Resolution, Scope } from "../resolution.ts";
import type { ResolveStats } from "../resolve-stats.ts";
import type { CompiledRule } from "../rules/compiled-rule.ts";
import type { Trial } from "../rules/rule-type.ts";
import type { FactIndex } from "./fact-index.ts";
import { byPlace, type Found } from "./found.ts";
import { BIT_OF, gateText } from "./gate.ts";

/** Ends the walk once the guard has refused; the caller then ignores it. */
const STOPPED: Resolution = { verdict: "undecided", needs: "envelope" };

const NONE: readonly number[] = [];

/** More than any mask of facts. */
const BASE_STEP = 0x100;

const NO_MESSAGE = viewMessage({});
const NO_GUARD = new Guard(0);

/** Plans that share indexes resolve one message at a time. */
export interface PlanTurn {
  isTaken: boolean;
}

/** A plan has one, used again for each message: resolving is synchronous, and nothing that it calls may resolve in the same turn. */
export class PlanRun implements Trial, Found {
  message: MessageView = NO_MESSAGE;
  guard: Guard = NO_GUARD;
  stats: ResolveStats | null = null;
  captures: Trial["captures"] = "unused";
  /** `body-later`: the body has not been searched yet; `body-only`: everything else has been tried. */
  phase: "all" | "body-later" | "body-only" = "all";
  /** Only rules before this place matter: the one there has ended the walk, or is of a later part. */
  before = 0;
  /** How the rule at `before` has ended the walk; `null` if it has not. */
  resolution: Resolution | null = null;
  notesHits = false;
  #bit = 0;
  #place = 0;
  #opened: number[] = [];
  /** Whether these are in the order of trial. */
  #inOrder = true;
  /** Knows the places of literals in the body. */
  #bodyIndex: FactIndex | null = null;
  /** By rule: `#base` and a mask of the facts that opened it; below `#base` if nothing has for the current message. */
  readonly #openBy: Float64Array;
  #base = 0;

  /** `rules` are in the order of trial; a rule is identified by its place in it. */
  constructor(
    readonly rules: readonly CompiledRule[],
    readonly turn: PlanTurn,
  ) {
    this.#openBy = new Float64Array(rules.length);
  }

  start(message: MessageView, guard: Guard, stats: ResolveStats | null): void {
    if (this.turn.isTaken) {
      throw new Error(
        "`resolve` was called while it resolves a message of this domain: a rule type must not",
      );
    }
    this.turn.isTaken = true;
    this.message = message;
    this.guard = guard;
    this.stats = stats;
    this.#base += BASE_STEP;
    this.resolution = null;
  }

  /** Begins with the rules before `end`. */
  startPart(end: number): void {
    this.before = end;
    this.phase = "all";
  }

  /** Tries a rule that is before `before`; whether it ends the walk. */
  tries(place: number): boolean {
    const resolution = this.#outcomeOf(place);
    if (resolution === null) return false;
    this.before = place;
    this.resolution = resolution;
    return true;
  }

  #outcomeOf(place: number): Resolution | null {
    const { guard, message } = this;
    if (!guard.take(TRY_FUEL)) return STOPPED;
    const rule = this.rules[place]!;
    this.#place = place;
    this.captures = rule.forward.usesCaptures ? "needed" : "unused";
    if (this.stats !== null) this.stats.candidates++;
    const step = stepOf(rule, rule.matcher.match(message, this), guard);
    if ("resolution" in step) return step.resolution;
    // A rule that has failed is not tried again for its body.
    if (step.verdict === "failed") this.#markOpen(place, BIT_OF.body);
    return guard.isSpent ? STOPPED : null;
  }

  /** Drops the message. */
  end(): void {
    this.message = NO_MESSAGE;
    this.guard = NO_GUARD;
    this.stats = null;
    // A rule may have thrown.
    this.#opened = [];
    this.#inOrder = true;
    this.#endBody(this.resolution === null ? null : this.before);
    this.turn.isTaken = false;
  }

  /** `decidedBy`: the rule that has ended the walk, or `null`. */
  #endBody(decidedBy: number | null): void {
    this.#bodyIndex?.endBody(decidedBy);
    this.#bodyIndex = null;
  }

  /** The facts that have opened a rule. */
  #openedBy(place: number): number {
    return Math.max(0, this.#openBy[place]! - this.#base);
  }

  #markOpen(place: number, bit: number): void {
    this.#openBy[place] = this.#base + (this.#openedBy(place) | bit);
  }

  open(place: number): void {
    const by = this.#openedBy(place);
    this.#markOpen(place, this.#bit);
    if (by === 0 || (this.phase === "body-only" && this.#awaitsBody(place, by))) {
      const opened = this.#opened;
      if (opened.length > 0 && opened[opened.length - 1]! > place) this.#inOrder = false;
      opened.push(place);
    }
  }

  cannotFail(place: number): boolean {
    return !this.rules[place]!.forward.usesCaptures;
  }

  /** Whether a rule that was tried has yet to search the body; rules without a pattern were tried in full. */
  #awaitsBody(place: number, openedBy: number): boolean {
    return (openedBy & BIT_OF.body) === 0 && this.rules[place]!.matcher.searches !== undefined;
  }

  /** The rules opened since the last call, in the order of trial. */
  takeOpened(): readonly number[] {
    const opened = this.#opened;
    if (opened.length === 0) return NONE;
    this.#opened = [];
    // Sorting takes longer than trying a rule.
    if (!this.#inOrder) opened.sort(byPlace);
    this.#inOrder = true;
    return opened;
  }

  /** Opens the rules that may match by a fact; false if the fact is unknown. */
  lookThrough(index: FactIndex): boolean {
    if (index.fact === "headers") {
      const { headers } = this.message;
      this.#begin(index);
      if (headers !== undefined) index.openFields(headers, this);
      return headers !== undefined;
    }
    const text = gateText(this.message, index.fact);
    if (text === undefined) return false;
    this.#begin(index);
    index.openText(text, this);
    return true;
  }

  /** Opens what needs no search of the body, and the first rules if they are tried alone. */
  beginBody(index: FactIndex, first: "alone" | "searched"): void {
    this.phase = "body-only";
    this.#begin(index);
    index.begin(this.message.searchedBody!, this, first);
  }

  #begin(index: FactIndex): void {
    this.#bit = index.bit;
    this.notesHits = index.fact === "body";
    if (!this.notesHits) return;
    this.#endBody(null);
    this.#bodyIndex = index;
  }

  /** Runs the `nth` search of the body. */
  searchBody(index: FactIndex, nth: number): void {
    this.#bit = index.bit;
    index.search(nth, this.message.searchedBody!, this);
  }

  isPassed(scope: Scope): boolean {
    if (this.phase !== "all" && (scope === "body") !== (this.phase === "body-only")) return true;
    if ((this.#openedBy(this.#place) & BIT_OF[scope]) !== 0) return false;
    return gateText(this.message, scope) !== undefined;
  }

  windows(scope: Scope): readonly Span[] | null {
    const found = scope === "body" ? this.#bodyWindows() : null;
    if (this.stats !== null) {
      if (found === null) this.stats.fullScans++;
      else this.stats.windows += found.length;
    }
    return found;
  }

  #bodyWindows(): readonly Span[] | null {
    if (this.#bodyIndex === null) return null;
    const reach = this.rules[this.#place]!.matcher.searches?.required();
    if (!reach) return null;
    const hits = this.#bodyIndex.literals.hitsOf(reach.literals, this.before);
    return hits === null ? null : windowsAround(this.message.searchedBody!, hits, reach);
  }
}
