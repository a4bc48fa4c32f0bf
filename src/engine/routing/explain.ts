/** `explain`: the resolution, and what happened to every alias or rule on the way to it. */
import { Guard } from "../../base/guard.ts";
import type { Facts } from "../facts/facts.ts";
import type { CompiledDomain } from "./compile-domain.ts";
import { plainTrial, type Step, stepOf, TRY_FUEL } from "./decision.ts";
import { type MessageView, viewMessage } from "./message-view.ts";
import type { Resolution } from "./resolution.ts";
import { type ResolveOptions, readFuelMax, resolveView } from "./resolve.ts";
import type { AliasRuleDetail } from "./rules/alias-rule.ts";
import type { CompiledRule } from "./rules/compiled-rule.ts";
import type { RuleDetail } from "./rules/rule-type.ts";
import type { RuleShapes, RuleTypeName } from "./rules/rule-types.ts";

/** An alias in the trace: what it was compared with, and whether it matched. */
export interface AliasTraceEntry extends Omit<AliasRuleDetail, "type"> {
  readonly kind: "alias";
  readonly id: string;
  readonly verdict: "matched" | "missed" | "failed" | "undecided" | "over-budget" | "unreached";
  /** Why it failed although it matched. */
  readonly failure?: string;
}

interface RuleTraceBase {
  readonly kind: "rule";
  readonly id: string;
  readonly rank: number;
  /** `over-budget`: the budget was spent before the rule's outcome was known. */
  readonly verdict: AliasTraceEntry["verdict"] | "inactive";
  /** Why it failed on this message; a failed rule counts as missed. */
  readonly failure?: string;
}

/** A rule in the trace, with its outcome: `RuleTraceEntry<"regex">` is of that type. */
export type RuleTraceEntry<Type extends RuleTypeName = RuleTypeName> = {
  readonly [Each in Type]: RuleTraceBase & RuleShapes[Each]["detail"];
}[Type];

/** One alias or rule in the order of trial. */
export type TraceEntry = AliasTraceEntry | RuleTraceEntry;

/** `explain`'s answer: the resolution, and one entry per alias or per rule, in the order of trial. */
export interface Explanation {
  readonly resolution: Resolution;
  readonly trace: readonly TraceEntry[];
  /** Units of the message's budget that the resolution took. */
  readonly fuel: number;
}

function failureOf(step: Step): { readonly failure?: string } {
  return step.verdict === "failed" ? { failure: step.failure } : {};
}

/** Literal aliases are compared all at once, so each of them has matched or missed; later forms may stay unreached. */
function traceAliases(
  { aliases, aliasPlan }: CompiledDomain,
  message: MessageView,
  guard: Guard,
): readonly AliasTraceEntry[] {
  const { localPart: actual } = message;
  const literal = actual === undefined ? undefined : aliasPlan.literalFor(actual);
  let isReached = true;
  return aliases.map((alias): AliasTraceEntry => {
    const { id, matcher } = alias;
    const untried = { kind: "alias", id, alias: matcher.alias, form: matcher.form } as const;
    if (actual !== undefined && matcher.form === "literal" && alias !== literal) {
      return { ...untried, verdict: "missed", actual };
    }
    if (!isReached) return { ...untried, verdict: "unreached" };
    const outcome = matcher.match(message, { guard });
    const step = stepOf(alias, outcome, guard);
    isReached = step.verdict !== "matched";
    const tried = matcher.tried(message, outcome);
    return { kind: "alias", id, ...tried, verdict: step.verdict, ...failureOf(step) };
  });
}

function entryOf(
  rule: CompiledRule,
  verdict: RuleTraceEntry["verdict"],
  detail: RuleDetail = rule.matcher.untried(),
): RuleTraceEntry {
  const { id, rank } = rule;
  const own = { kind: "rule", id, rank, verdict };
  // The details of a host's type may have fields of these names: its rules keep their own.
  return { ...own, ...detail, ...own } as RuleTraceEntry;
}

function traceRule(rule: CompiledRule, message: MessageView, guard: Guard): RuleTraceEntry {
  if (!guard.take(TRY_FUEL)) return entryOf(rule, "over-budget");
  const { outcome, detail } = rule.matcher.explain(message, plainTrial(rule, guard));
  const step = stepOf(rule, outcome, guard);
  return { ...entryOf(rule, step.verdict, detail), ...failureOf(step) };
}

/** The rules are tried one by one, as long as the guard, which has already paid for `decider`, pays for them. */
function traceRules(
  { rules }: CompiledDomain,
  message: MessageView,
  decider: RuleTraceEntry | null,
  guard: Guard,
): readonly RuleTraceEntry[] {
  let isReached = true;
  return rules.map((rule): RuleTraceEntry => {
    if (!rule.active) return entryOf(rule, "inactive");
    if (!isReached) return entryOf(rule, "unreached");
    const entry = rule.id === decider?.id ? decider : traceRule(rule, message, guard);
    isReached = entry.verdict !== "matched" && entry.verdict !== "undecided";
    return entry;
  });
}

/** An explanation whose trace is found when it is asked for: once, because the budget pays for it. */
interface LazyExplanation extends Omit<Explanation, "trace"> {
  /** The rule that decided; `null`: none did, or the domain routes by aliases. */
  readonly decider: RuleTraceEntry | null;
  trace(): readonly TraceEntry[];
}

/** The parts of `explain` one by one, for a host that shows the decision before the trace. Throws what `resolve` throws. */
export function explainLazily(
  domain: CompiledDomain,
  facts: Facts,
  options: Pick<ResolveOptions, "fuelMax"> = {},
): LazyExplanation {
  const guard = new Guard(readFuelMax(options));
  const message = viewMessage(facts);
  const resolution = resolveView(domain, message, guard, null);
  const { used: fuel } = guard;
  const { engine } = domain;
  const decidedBy = resolution.verdict === "decided" ? resolution.decidedBy : null;
  const rule = decidedBy?.kind === "rule" && domain.rules.find(({ id }) => id === decidedBy.id);
  // The plan may have spent less than this trial needs, but the rule is known to match, whatever is left.
  const decider = rule ? { ...traceRule(rule, message, guard), verdict: "matched" as const } : null;
  const trace = (): readonly TraceEntry[] => {
    if (engine === "alias") return traceAliases(domain, message, guard);
    return engine === "rules" ? traceRules(domain, message, decider, guard) : [];
  };
  return { resolution, fuel, decider, trace };
}

/**
 * The resolution of `resolve`, and a trace entry for every alias or every rule, in the order of trial. The rest of
 * the budget pays for the trace: each rule is tried by itself, the one that decided first. Entries reached after the
 * budget is spent are `over-budget`. Throws what `resolve` throws.
 */
export function explain(
  domain: CompiledDomain,
  facts: Facts,
  options: Pick<ResolveOptions, "fuelMax"> = {},
): Explanation {
  const { resolution, trace, fuel } = explainLazily(domain, facts, options);
  return { resolution, trace: trace(), fuel };
}
