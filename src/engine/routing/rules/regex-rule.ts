/** Rule type `regex`: one pattern searched in the sender, recipient, subject or body; any listed scope suffices. */
import type { Span } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";
import { STAGE_OF, type Stage } from "../../facts/facts.ts";
import { type CompiledPattern, compilePattern } from "../../pattern/engines/compile-pattern.ts";
import type { PatternMatch } from "../../pattern/engines/pattern-engine.ts";
import type { PatternTree } from "../../pattern/syntax/pattern-tree.ts";
import {
  type RequiredLiteral,
  type RequiredLiterals,
  startLiterals,
} from "../../pattern/syntax/required-literals.ts";
import type { MessageView } from "../message-view.ts";
import { type Gate, gateText, type Opening } from "../plan/gate.ts";
import type { Scope } from "../resolution.ts";
import {
  choicesField,
  type ExplainedRule,
  MATCHED,
  MISSED,
  OVER_BUDGET,
  type RuleMatcher,
  type RuleOutcome,
  type RuleType,
  ruleType,
  type SearchedPattern,
  type Trial,
  textField,
} from "./rule-type.ts";

/**
 * `config` of a rule of type `regex`.
 * @inline
 */
export interface RegexRuleConfig {
  /** A pattern in the syntax of RE2; a match anywhere in a scope suffices. */
  readonly regex: string;
  /** The facts that are searched: a match in one of them suffices. */
  readonly scopes: readonly Scope[];
  /** Destinations, separated by commas; `$1` is what the first group captured. */
  readonly forward: string;
}

/** What happened to one scope of a regex rule. */
export interface ScopeTrace {
  readonly scope: Scope;
  /** `unreached`: nothing more had to be found, or the budget was spent first. */
  readonly verdict: "matched" | "missed" | "unknown" | "unreached";
  /** The text searched; absent when unknown or unreached. */
  readonly actual?: string;
  /** Where in `actual` the pattern matched. */
  readonly span?: Span;
  /** `captures[0]` is `$1`. */
  readonly captures?: readonly (string | undefined)[];
}

/**
 * What a trace says of a rule of type `regex`.
 * @inline
 */
export interface RegexRuleDetail {
  readonly type: "regex";
  readonly regex: string;
  /** In the order of search (recipient, sender, subject, body); empty when inactive or unreached. */
  readonly scopes: readonly ScopeTrace[];
}

/**
 * Scopes in the order of search: by the stage that makes them known, so that a rule decides early, and
 * captures come from the same scope at every stage.
 */
// ASSUMPTION(scope-order): captures come from the first matching scope of recipient, sender, subject, body
export const SCOPES: readonly Scope[] = ["recipient", "sender", "subject", "body"];

/** By scope: what was found in it. */
type FoundByScope = Map<Scope, PatternMatch | null>;

// ASSUMPTION(regex-any-scope): a regex rule matches when its pattern occurs in any listed scope
/** A class, as for the other types: a host keeps millions of rules, and closures take a KB for each. */
class RegexRule implements RuleMatcher, SearchedPattern {
  #starts: readonly RequiredLiteral[] | null | undefined;

  constructor(
    private readonly pattern: CompiledPattern,
    readonly scopes: readonly Scope[],
  ) {}

  get searches(): SearchedPattern {
    return this;
  }

  get source(): string {
    return this.pattern.source;
  }

  get groupCount(): number {
    return this.pattern.groupCount;
  }

  get tree(): PatternTree {
    return this.pattern.tree;
  }

  required(): RequiredLiterals | null {
    return this.pattern.required();
  }

  gate(): Gate {
    if (this.#starts === undefined) this.#starts = startLiterals(this.tree);
    const starts = this.#starts;
    const literals = starts ?? this.required()?.literals;
    const kind = starts === null ? "literals" : "starts";
    const openings = this.scopes.map(
      (fact): Opening =>
        literals === undefined ? { fact, kind: "searched" } : { fact, kind, literals },
    );
    return { openings, alsoNeeds: [] };
  }

  match(message: MessageView, trial: Trial): RuleOutcome {
    return this.#search(message, trial, null);
  }

  explain(message: MessageView, trial: Trial): ExplainedRule<RegexRuleDetail> {
    const found: FoundByScope = new Map();
    const outcome = this.#search(message, trial, found);
    const scopes = this.scopes.map((scope) => traceScope(message, scope, found));
    return { outcome, detail: { type: "regex", regex: this.source, scopes } };
  }

  untried(): RegexRuleDetail {
    return { type: "regex", regex: this.source, scopes: [] };
  }

  /** Searches the scopes in order; `traced` receives what was found in each. */
  #search(message: MessageView, trial: Trial, traced: FoundByScope | null): RuleOutcome {
    const { guard, captures } = trial;
    const finds = captures === "needed" || traced !== null;
    const pattern = this.pattern;
    let needs: Stage | undefined;
    for (const scope of this.scopes) {
      if (trial.isPassed(scope)) continue;
      const text = gateText(message, scope);
      if (text === undefined) {
        needs ??= STAGE_OF[scope];
        continue;
      }
      const windows = trial.windows(scope);
      const found = finds ? pattern.find(text, guard, windows) : null;
      const occurs = finds ? found !== null : pattern.test(text, guard, windows);
      if (guard.isSpent) return OVER_BUDGET;
      traced?.set(scope, found);
      if (!occurs) continue;
      if (captures === "unused") return MATCHED;
      // An earlier scope that is still unknown could match too, and would then fill the captures.
      if (needs !== undefined) break;
      return { verdict: "matched", parts: { captures: found!.groups.slice(1) } };
    }
    return needs === undefined ? MISSED : { verdict: "undecided", needs };
  }
}

function traceScope(message: MessageView, scope: Scope, found: FoundByScope): ScopeTrace {
  const match = found.get(scope);
  const actual = message[scope];
  if (actual === undefined) return { scope, verdict: "unknown" };
  if (match === undefined) return { scope, verdict: "unreached" };
  if (match === null) return { scope, verdict: "missed", actual };
  const { start, end, groups } = match;
  const captures = groups.slice(1);
  return { scope, verdict: "matched", actual, span: { start, end }, captures };
}

/** One array for all rules of the same scopes: a host keeps millions. */
const SCOPE_LISTS = new Map<string, readonly Scope[]>();

export const regexType: RuleType = ruleType<{ regex: CompiledPattern; scopes: readonly Scope[] }>({
  type: "regex",
  description: "searches a pattern in parts of the message",
  fields: {
    regex: textField<CompiledPattern>(
      Number.POSITIVE_INFINITY,
      (source, { engine }) => {
        const result = compilePattern(source, engine);
        return result.ok ? result.pattern : [result.problem];
      },
      {
        description:
          "A pattern in RE2's syntax, found anywhere in the text, case-sensitive unless it begins with `(?i)`. In JSON every backslash is written twice.",
        maxLength: LIMITS.patternUnitsMax,
        examples: ["(?i)\\binvoice (\\d+)"],
      },
    ),
    scopes: choicesField(SCOPES, "scope", { description: "Where to search; one match suffices." }),
  },
  compile({ regex, scopes }) {
    const shared = SCOPE_LISTS.get(scopes.join()) ?? Object.freeze(scopes);
    SCOPE_LISTS.set(scopes.join(), shared);
    return new RegexRule(regex, shared);
  },
});
