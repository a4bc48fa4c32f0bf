/** Rule type `regex`: one pattern searched in the sender, recipient, subject or body; any listed scope suffices. */
import { earlierStage, STAGE_OF, type Stage } from "../mail/facts.ts";
import type { Pattern, PatternMatch } from "../regex/pattern-engine.ts";
import type { MessageView } from "./message-view.ts";
import type { Scope, ScopeTrace } from "./resolution.ts";
import type { RuleMatcher, RuleOutcome } from "./rule-matcher.ts";

/**
 * Scopes in the order of search: by the stage that makes them known, so that a rule decides early, and
 * captures come from the same scope at every stage.
 */
// ASSUMPTION(scope-order): captures come from the first matching scope of recipient, sender, subject, body
export const SCOPES: readonly Scope[] = ["recipient", "sender", "subject", "body"];

const MISSED: RuleOutcome = { verdict: "missed" };

interface Search {
  readonly outcome: RuleOutcome;
  readonly scope?: Scope;
  readonly found?: PatternMatch | null;
}

// ASSUMPTION(regex-any-scope): a regex rule matches when its pattern occurs in any listed scope
export function regexRuleMatcher(pattern: Pattern, listed: ReadonlySet<Scope>): RuleMatcher {
  const scopes = SCOPES.filter((scope) => listed.has(scope));
  const untried = { type: "regex", regex: pattern.source, scopes: [] } as const;

  function search(message: MessageView, captures: "needed" | "unused"): Search {
    let needs: Stage | undefined;
    for (const scope of scopes) {
      const text = message[scope];
      if (text === undefined) {
        needs = needs === undefined ? STAGE_OF[scope] : earlierStage(needs, STAGE_OF[scope]);
        continue;
      }
      if (captures === "unused") {
        if (pattern.test(text)) return { outcome: { verdict: "matched", parts: {} }, scope };
        continue;
      }
      const found = pattern.find(text);
      if (found === null) continue;
      // An earlier scope that is still unknown could match too, and would then fill the captures.
      if (needs !== undefined) break;
      const parts = { captures: found.groups.slice(1) };
      return { outcome: { verdict: "matched", parts }, scope, found };
    }
    return { outcome: needs === undefined ? MISSED : { verdict: "undecided", needs } };
  }

  function traceScopes(
    message: MessageView,
    { outcome, scope: decisive, found }: Search,
  ): ScopeTrace[] {
    let reached = true;
    return scopes.map((scope): ScopeTrace => {
      const actual = message[scope];
      if (!reached) return { scope, verdict: "unreached" };
      if (actual === undefined) return { scope, verdict: "unknown" };
      const tried = scope === decisive || outcome.verdict === "undecided";
      const match = tried ? (found ?? pattern.find(actual)) : null;
      if (match === null) return { scope, verdict: "missed", actual };
      if (scope === decisive) reached = false;
      const span = { start: match.start, end: match.end };
      return { scope, verdict: "matched", actual, span, captures: match.groups.slice(1) };
    });
  }

  return {
    groupCount: pattern.groupCount,
    match: (message, captures) => search(message, captures).outcome,
    explain(message, captures) {
      const result = search(message, captures);
      return {
        outcome: result.outcome,
        detail: { type: "regex", regex: pattern.source, scopes: traceScopes(message, result) },
      };
    },
    untried: () => untried,
  };
}
