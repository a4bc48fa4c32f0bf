/** The state of resolving one message by a plan: which rules are open, and how they are tried. */
import type { Span } from "../base/diagnostic.ts";
import { LIMITS } from "../base/limits.ts";
import { windowsAround } from "../regex/window.ts";
import { Budget } from "./budget.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import type { FactIndex } from "./fact-index.ts";
import type { Found } from "./found.ts";
import { BIT_OF, gateText } from "./gate.ts";
import { type MessageView, viewMessage } from "./message-view.ts";
import { isRegex } from "./regex-rule.ts";
import type { Scope } from "./resolution.ts";
import type { ResolveStats } from "./resolve-stats.ts";
import type { Trial } from "./rule-matcher.ts";

/** Code units of a text in which windows around literals are worth making. */
const WINDOWED_UNITS_MIN = 512;

const NONE: readonly number[] = [];

const byPlace = (a: number, b: number): number => a - b;

const NO_MESSAGE = viewMessage({});
const NO_BUDGET = new Budget(0);

/** A plan has one, used again for each message: resolving is synchronous, and calls nothing that resolves. */
export class PlanRun implements Trial, Found {
  readonly rules: readonly CompiledRule[];
  /** By rule: the facts of its openings, as a mask; 0 where no gate shuts it. */
  readonly #factsOf: Uint8Array;
  message: MessageView = NO_MESSAGE;
  budget: Budget = NO_BUDGET;
  stats: ResolveStats | null = null;
  captures: Trial["captures"] = "unused";
  gate: Trial["gate"] = "open";
  /** `body-later`: the body has not been looked through; `body-only`: all the rest has been tried. */
  phase: "all" | "body-later" | "body-only" = "all";
  /** Facts that are unknown, as a mask. */
  unknown = 0;
  before = 0;
  #bit = 0;
  #place = 0;
  #opened: number[] = [];
  #notesHits = false;
  #hits: Map<number, Span[]> | null = null;
  /** By rule: the facts that opened it, valid where the stamp is that of the message at hand. */
  readonly #openBy: Uint8Array;
  readonly #stamps: Uint32Array;
  #stamp = 0;

  /** `rules` are in the order of trial, by which a rule is named by its place. */
  constructor(rules: readonly CompiledRule[], factsOf: Uint8Array) {
    this.rules = rules;
    this.#factsOf = factsOf;
    this.#openBy = new Uint8Array(rules.length);
    this.#stamps = new Uint32Array(rules.length);
  }

  start(message: MessageView, budget: Budget, stats: ResolveStats | null): this {
    this.message = message;
    this.budget = budget;
    this.stats = stats;
    this.phase = "all";
    this.unknown = 0;
    if (this.#stamp === 0xffff_ffff) {
      this.#stamps.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
    return this;
  }

  /** Lets the message go. */
  end(): void {
    this.message = NO_MESSAGE;
    this.budget = NO_BUDGET;
    this.stats = null;
    this.#hits = null;
  }

  /** The facts that have opened a rule. */
  openBy(place: number): number {
    return this.#stamps[place] === this.#stamp ? this.#openBy[place]! : 0;
  }

  open(place: number): void {
    const by = this.openBy(place);
    this.#stamps[place] = this.#stamp;
    this.#openBy[place] = by | this.#bit;
    if (by === 0 || (this.phase === "body-only" && this.#awaitsBody(place, by))) {
      this.#opened.push(place);
    }
  }

  /** Whether a rule that was tried has yet to search the body; all but those of patterns were tried in full. */
  #awaitsBody(place: number, openedBy: number): boolean {
    return (openedBy & BIT_OF.body) === 0 && isRegex(this.rules[place]!.matcher);
  }

  /** The rules opened since it was last asked, in the order of trial. */
  takeOpened(): readonly number[] {
    const opened = this.#opened;
    if (opened.length === 0) return NONE;
    this.#opened = [];
    return opened.length > 1 ? opened.sort(byPlace) : opened;
  }

  /** Whether any rules have been opened since. */
  get hasOpened(): boolean {
    return this.#opened.length > 0;
  }

  /** Opens the rules before `before` that a fact may let match; notes it where it is unknown. */
  lookThrough(index: FactIndex, before: number): "known" | "unknown" {
    this.before = before;
    this.#bit = index.bit;
    if (index.fact === "headers") {
      const { headers } = this.message;
      if (headers === undefined) return this.#noteUnknown(index);
      index.openFields(headers, this);
      return "known";
    }
    const text = gateText(this.message, index.fact);
    if (text === undefined) return this.#noteUnknown(index);
    this.#notesHits = index.fact === "body" && text.length >= WINDOWED_UNITS_MIN;
    index.openText(text, this);
    if (index.searchedFuel === 0) return "known";
    // As if all were searched whole: should that not be left, rules are tried one by one in their order.
    this.budget.addAtMost(index.searchedFuel * (text.length + 1), null);
    index.runSearched(text, this);
    return "known";
  }

  #noteUnknown({ bit }: FactIndex): "unknown" {
    this.unknown |= bit;
    return "unknown";
  }

  /** Opens all rules whose gate is open, for a plain walk. */
  lookThroughAll(index: FactIndex): void {
    this.before = this.rules.length;
    this.#bit = index.bit;
    this.#notesHits = false;
    if (index.fact === "headers") {
      index.openFields(this.message.headers!, this);
      return;
    }
    const text = gateText(this.message, index.fact);
    if (text !== undefined) index.openText(text, this);
    index.openSearched(this);
  }

  get notesHits(): boolean {
    return this.#notesHits;
  }

  noteHit(place: number, start: number, end: number): void {
    if (!isRegex(this.rules[place]!.matcher)) return;
    this.#hits ??= new Map();
    const noted = this.#hits.get(place);
    if (noted === undefined) this.#hits.set(place, [{ start, end }]);
    else if (noted.length <= LIMITS.literalHitsMax) noted.push({ start, end });
  }

  begin(place: number): this {
    this.#place = place;
    this.captures = this.rules[place]!.forward.usesCaptures ? "needed" : "unused";
    this.gate = this.gateOf(place);
    if (this.stats !== null) this.stats.candidates++;
    return this;
  }

  gateOf(place: number): Trial["gate"] {
    const facts = this.#factsOf[place]!;
    if (facts === 0 || this.openBy(place) !== 0) return "open";
    return (facts & this.unknown) === 0 ? "shut" : "perhaps";
  }

  scopeIsOpen(place: number, scope: Scope): boolean {
    return (this.openBy(place) & BIT_OF[scope]) !== 0;
  }

  scopeGate(scope: Scope): "open" | "passed" {
    if (this.phase !== "all" && (scope === "body") !== (this.phase === "body-only")) {
      return "passed";
    }
    if (this.scopeIsOpen(this.#place, scope)) return "open";
    return gateText(this.message, scope) === undefined ? "open" : "passed";
  }

  windows(scope: Scope): readonly string[] | null {
    const found = scope === "body" && this.#hits !== null ? this.#bodyWindows(this.#hits) : null;
    if (this.stats !== null) {
      if (found === null) this.stats.fullScans++;
      else this.stats.windows += found.length;
    }
    return found;
  }

  #bodyWindows(noted: ReadonlyMap<number, Span[]>): readonly string[] | null {
    const hits = noted.get(this.#place);
    if (hits === undefined || hits.length > LIMITS.literalHitsMax) return null;
    const { matcher } = this.rules[this.#place]!;
    const reach = isRegex(matcher) ? matcher.required() : null;
    if (reach === null) return null;
    const text = this.message.body!;
    hits.sort((a, b) => a.start - b.start);
    const spans = windowsAround(text, hits, reach);
    const units = spans.reduce((sum, { start, end }) => sum + end - start, 0);
    // As much text twice over would be searched whole anyway.
    if (units * 2 > text.length) return null;
    return spans.map(({ start, end }) => text.slice(start, end));
  }
}
