/** Compiles what is being typed: a rule with an error decides by its last correct version, and says so. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { createCompiler } from "../../engine/routing/compile-domain.ts";
import type { DomainDraft, RuleDraft } from "./domain.ts";

export interface CompiledDraft {
  /** `null` if not even the rest of the domain compiles. */
  readonly domain: CompiledDomain | null;
  /** The draft that `domain` was compiled from: wrong rules are replaced by their last correct version. */
  readonly deciding: DomainDraft;
  /** By rule id; their paths begin within the rule, for example `["config", "regex"]`. */
  readonly problems: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Problems outside the rules. */
  readonly general: readonly Diagnostic[];
  /** Rules that decide by an earlier version. A rule without one is left out of the domain. */
  readonly stale: ReadonlySet<string>;
}

export interface DraftCompiler {
  compile(draft: DomainDraft): CompiledDraft;
}

function ruleIndexOf({ path }: Diagnostic): number | null {
  return path[0] === "rules" && typeof path[1] === "number" ? path[1] : null;
}

/** Keeps the last correct version of each rule, and what the engine compiled for every rule so far. */
export function createDraftCompiler(): DraftCompiler {
  const compiler = createCompiler();
  const correct = new Map<string, RuleDraft>();

  function lastCorrect(draft: DomainDraft, wrong: ReadonlySet<number>): RuleDraft[] {
    return draft.rules.flatMap((rule, index) => {
      if (!wrong.has(index)) return [rule];
      const version = correct.get(rule.id);
      return version === undefined ? [] : [{ ...version, rank: rule.rank, active: rule.active }];
    });
  }

  return {
    compile(draft) {
      const whole = compiler.compileDomain(draft);
      if (whole.ok) {
        for (const rule of draft.rules) correct.set(rule.id, rule);
        const none = { problems: new Map(), general: [], stale: new Set<string>() };
        return { domain: whole.domain, deciding: draft, ...none };
      }
      const problems = new Map<string, Diagnostic[]>();
      const general: Diagnostic[] = [];
      const wrong = new Set<number>();
      for (const each of whole.diagnostics) {
        const index = ruleIndexOf(each);
        const rule = index === null ? undefined : draft.rules[index];
        if (index === null || rule === undefined) {
          general.push(each);
          continue;
        }
        wrong.add(index);
        const own = problems.get(rule.id) ?? [];
        problems.set(rule.id, [...own, { ...each, path: each.path.slice(2) }]);
      }
      draft.rules.forEach((rule, index) => {
        if (!wrong.has(index)) correct.set(rule.id, rule);
      });
      const deciding = { ...draft, rules: lastCorrect(draft, wrong) };
      const rest = compiler.compileDomain(deciding);
      const stale = new Set([...problems.keys()].filter((id) => correct.has(id)));
      const domain = rest.ok ? rest.domain : null;
      return { domain, deciding, problems, general, stale };
    },
  };
}
