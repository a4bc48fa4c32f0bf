/** Rule type `regex`: one pattern searched in the sender, recipient, subject or body; any listed scope suffices. */
import { LIMITS } from "../base/limits.ts";
import { patternFuel } from "../cel/pattern-fuel.ts";
import { earlierStage, STAGE_OF, type Stage } from "../mail/facts.ts";
import type { Pattern, PatternMatch } from "../regex/pattern-engine.ts";
import { readPattern } from "../regex/re2-syntax.ts";
import { type RequiredLiterals, requiredLiterals } from "../regex/required-literals.ts";
import { BUDGET_SPENT } from "./budget.ts";
import type { Gate, Opening } from "./gate.ts";
import type { MessageView } from "./message-view.ts";
import type { Scope, ScopeTrace } from "./resolution.ts";
import type { RuleMatcher, RuleOutcome, RuleTraceDetail, Trial } from "./rule-matcher.ts";

/**
 * Scopes in the order of search: by the stage that makes them known, so that a rule decides early, and
 * captures come from the same scope at every stage.
 */
// ASSUMPTION(scope-order): captures come from the first matching scope of recipient, sender, subject, body
export const SCOPES: readonly Scope[] = ["recipient", "sender", "subject", "body"];

const MISSED: RuleOutcome = { verdict: "missed" };
const SPENT: RuleOutcome = { verdict: "failed", failure: BUDGET_SPENT };
const PLAIN_MATCH: RuleOutcome = { verdict: "matched", parts: {} };

interface Search {
  readonly outcome: RuleOutcome;
  readonly scope?: Scope;
  readonly found?: PatternMatch | null;
}

/** What a plan needs to know of a regex rule beyond its matcher. */
export interface RegexMatcher extends RuleMatcher {
  readonly type: "regex";
  readonly source: string;
  readonly scopes: readonly Scope[];
  /** Fuel of searching one character. */
  fuelPerUnit(): number;
  required(): RequiredLiterals | null;
}

export function isRegex(matcher: RuleMatcher): matcher is RegexMatcher {
  return "type" in matcher && matcher.type === "regex";
}

function occurs(pattern: Pattern, text: string, windows: readonly string[] | null): boolean {
  // A window that matches may have taken its edge for the text's.
  return (windows === null || windows.some((window) => pattern.test(window))) && pattern.test(text);
}

function find(
  pattern: Pattern,
  text: string,
  windows: readonly string[] | null,
): PatternMatch | null {
  if (windows !== null && !windows.some((window) => pattern.test(window))) return null;
  return pattern.find(text);
}

// ASSUMPTION(regex-any-scope): a regex rule matches when its pattern occurs in any listed scope
/** A class, as are those of the other types: a host keeps millions of rules, and closures take a KB for each. */
class RegexRule implements RegexMatcher {
  readonly type = "regex";
  readonly scopes: readonly Scope[];
  readonly #pattern: Pattern;
  #fuel = 0;
  #required: RequiredLiterals | null | undefined;

  constructor(pattern: Pattern, scopes: readonly Scope[]) {
    this.#pattern = pattern;
    this.scopes = scopes;
  }

  get source(): string {
    return this.#pattern.source;
  }

  get groupCount(): number {
    return this.#pattern.groupCount;
  }

  fuelPerUnit(): number {
    if (this.#fuel === 0) this.#fuel = patternFuel(this.source);
    return this.#fuel;
  }

  required(): RequiredLiterals | null {
    if (this.#required !== undefined) return this.#required;
    const read = readPattern(this.source);
    this.#required = read.ok ? requiredLiterals(read.tree) : null;
    return this.#required;
  }

  gate(): Gate {
    const known = this.required();
    const openings = this.scopes.map(
      (fact): Opening =>
        known === null
          ? { fact, kind: "searched" }
          : { fact, kind: "literals", literals: known.literals },
    );
    return { openings, alsoNeeds: [] };
  }

  match(message: MessageView, trial: Trial): RuleOutcome {
    return this.#search(message, trial).outcome;
  }

  explain(
    message: MessageView,
    trial: Trial,
  ): { readonly outcome: RuleOutcome; readonly detail: RuleTraceDetail } {
    const result = this.#search(message, trial);
    const scopes = this.#traceScopes(message, result);
    return { outcome: result.outcome, detail: { type: "regex", regex: this.source, scopes } };
  }

  untried(): RuleTraceDetail {
    return { type: "regex", regex: this.source, scopes: [] };
  }

  /** Why a text may not be searched, or `null`; pays for it where a match is possible. */
  #refusal({ budget }: Trial, text: string): RuleOutcome | null {
    switch (budget.take(this.fuelPerUnit() * (text.length + 1))) {
      case "taken":
        return null;
      case "spent":
        return SPENT;
      case "unsure":
        return { verdict: "undecided", needs: budget.needs };
    }
  }

  #search(message: MessageView, trial: Trial): Search {
    const pattern = this.#pattern;
    let needs: Stage | undefined;
    for (const scope of this.scopes) {
      const gate = trial.scopeGate(scope);
      if (gate === "passed") continue;
      const text = message[scope];
      if (text === undefined) {
        needs = needs === undefined ? STAGE_OF[scope] : earlierStage(needs, STAGE_OF[scope]);
        const fuelMax = this.fuelPerUnit() * (LIMITS.factUnitsMax + 1);
        trial.budget.addAtMost(fuelMax, STAGE_OF[scope]);
        continue;
      }
      const refused = gate === "shut" ? null : this.#refusal(trial, text);
      // A scope that is still unknown could have matched before.
      if (refused !== null) return { outcome: needs ? { verdict: "undecided", needs } : refused };
      const windows = trial.windows(scope);
      if (trial.captures === "unused") {
        if (occurs(pattern, text, windows)) return { outcome: PLAIN_MATCH, scope };
        continue;
      }
      const found = find(pattern, text, windows);
      if (found === null) continue;
      // An earlier scope that is still unknown could match too, and would then fill the captures.
      if (needs !== undefined) break;
      const parts = { captures: found.groups.slice(1) };
      return { outcome: { verdict: "matched", parts }, scope, found };
    }
    return { outcome: needs === undefined ? MISSED : { verdict: "undecided", needs } };
  }

  #traceScopes(message: MessageView, { outcome, scope: decisive, found }: Search): ScopeTrace[] {
    let reached = outcome !== SPENT;
    return this.scopes.map((scope): ScopeTrace => {
      const actual = message[scope];
      if (!reached) return { scope, verdict: "unreached" };
      if (actual === undefined) return { scope, verdict: "unknown" };
      const tried = scope === decisive || outcome.verdict === "undecided";
      const match = tried ? (found ?? this.#pattern.find(actual)) : null;
      if (match === null) return { scope, verdict: "missed", actual };
      if (scope === decisive) reached = false;
      const span = { start: match.start, end: match.end };
      return { scope, verdict: "matched", actual, span, captures: match.groups.slice(1) };
    });
  }
}

/** One array for all rules of the same scopes. */
const SCOPE_LISTS: readonly (readonly Scope[])[] = Array.from(
  { length: 1 << SCOPES.length },
  (_, mask) => Object.freeze(SCOPES.filter((_scope, nth) => (mask & (1 << nth)) !== 0)),
);

export function regexRuleMatcher(pattern: Pattern, listed: ReadonlySet<Scope>): RegexMatcher {
  const mask = SCOPES.reduce((sum, scope, nth) => sum + (listed.has(scope) ? 1 << nth : 0), 0);
  return new RegexRule(pattern, SCOPE_LISTS[mask]!);
}
