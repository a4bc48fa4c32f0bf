/** How the plain walk tries rules: every scope is searched whole, whatever gates say. */
import type { Budget } from "./budget.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import type { Scope } from "./resolution.ts";
import type { Trial } from "./rule-matcher.ts";

/** What gates say of the rules of a domain on one message: only what they cost depends on it. */
export interface OpenGates {
  ruleGate(rule: CompiledRule): Trial["gate"];
  scopeIsOpen(rule: CompiledRule, scope: Scope): boolean;
}

/** A trial for one rule after another. */
export class PlainTrial implements Trial {
  readonly budget: Budget;
  captures: Trial["captures"] = "unused";
  gate: Trial["gate"] = "open";
  readonly #gates: OpenGates | null;
  #rule: CompiledRule | null = null;

  /** Without gates every rule is charged for, which is at least what it costs. */
  constructor(budget: Budget, gates: OpenGates | null) {
    this.budget = budget;
    this.#gates = gates;
  }

  begin(rule: CompiledRule): this {
    this.#rule = rule;
    this.captures = rule.forward.usesCaptures ? "needed" : "unused";
    if (this.#gates !== null) this.gate = this.#gates.ruleGate(rule);
    return this;
  }

  scopeGate(scope: Scope): "open" | "shut" {
    const gates = this.#gates;
    return gates === null || gates.scopeIsOpen(this.#rule!, scope) ? "open" : "shut";
  }

  windows(): null {
    return null;
  }
}
