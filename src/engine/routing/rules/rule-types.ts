/** The rule types of the API (API v4 §2, Rule), by name, and those that a host adds, whose matchers are checked. */
import { quote } from "../../../base/quote.ts";
import { STAGES } from "../../facts/facts.ts";
import { isRecord, isTexts } from "../config/config-fields.ts";
import type { MatchParts } from "../forward.ts";
import { GATE_FACTS, type Gate, type Opening } from "../plan/gate.ts";
import { type AliasRuleConfig, type AliasRuleDetail, aliasType } from "./alias-rule.ts";
import { type CelRuleConfig, type CelRuleDetail, celType } from "./cel-rule.ts";
import { type RegexRuleConfig, type RegexRuleDetail, regexType } from "./regex-rule.ts";
import {
  assertRuleType,
  type ExplainedRule,
  type RuleMatcher,
  type RuleOutcome,
  type RuleType,
} from "./rule-type.ts";

/** The types that every domain knows, with their `config` and what a trace says of their rules. */
export interface RuleShapes {
  readonly alias: { readonly config: AliasRuleConfig; readonly detail: AliasRuleDetail };
  readonly regex: { readonly config: RegexRuleConfig; readonly detail: RegexRuleDetail };
  readonly cel: { readonly config: CelRuleConfig; readonly detail: CelRuleDetail };
}

/** The name of a type that every domain knows. The tools are a table by this name, so that tsc reports what a new type lacks. */
export type RuleTypeName = keyof RuleShapes;

export const RULE_TYPES: Readonly<Record<RuleTypeName, RuleType>> = {
  alias: aliasType,
  regex: regexType,
  cel: celType,
};

export type RuleTypes = ReadonlyMap<unknown, RuleType>;

const OWN: RuleTypes = new Map(Object.values(RULE_TYPES).map((one) => [one.type, one]));

function assertMatcher(type: string, matcher: RuleMatcher): RuleMatcher {
  const functions = ["gate", "match", "explain", "untried"] as const;
  const missing = functions.find((name) => typeof matcher?.[name] !== "function");
  const isCounted = Number.isSafeInteger(matcher?.groupCount) && matcher.groupCount >= 0;
  if (missing === undefined && isCounted) return matcher;
  const wrong =
    missing === undefined
      ? "its `groupCount` is not a whole number from 0"
      : `it lacks the function \`${missing}\``;
  throw new TypeError(`\`compile\` of rule type ${quote(type)} makes no matcher: ${wrong}`);
}

/** Captures and the detail fill destinations: a number or an object there would be an address that nobody wrote. */
function isParts(parts: MatchParts): boolean {
  if (!isRecord(parts)) return false;
  const { captures = [], detail } = parts;
  const isText = (one: unknown): boolean => one === undefined || typeof one === "string";
  return Array.isArray(captures) && captures.every(isText) && isText(detail);
}

function isOutcome(outcome: RuleOutcome | undefined): boolean {
  if (!isRecord(outcome)) return false;
  if (outcome.verdict === "matched") return isParts(outcome.parts);
  if (outcome.verdict === "failed") return typeof outcome.failure === "string";
  if (outcome.verdict === "undecided") return STAGES.includes(outcome.needs);
  return outcome.verdict === "missed" || outcome.verdict === "over-budget";
}

function isExplained(explained: ExplainedRule | undefined): boolean {
  return isOutcome(explained?.outcome);
}

function isOpening(opening: Opening): boolean {
  if (!isRecord(opening) || !GATE_FACTS.includes(opening.fact)) return false;
  if (opening.kind === "searched") return true;
  if (opening.kind === "values") return isTexts(opening.values);
  const isKnown = opening.kind === "literals" || opening.kind === "starts";
  if (!isKnown || !Array.isArray(opening.literals)) return false;
  return opening.literals.every((literal) => typeof literal?.text === "string");
}

function isGate(gate: Gate | null): boolean {
  if (gate === null) return true;
  const { openings, alsoNeeds } = isRecord(gate) ? gate : {};
  return Array.isArray(openings) && openings.every(isOpening) && Array.isArray(alsoNeeds);
}

const OUTCOME =
  'no outcome: return `{ verdict: "matched", parts: {} }`, `{ verdict: "missed" }` or another outcome; captures are strings';
const GATE = "no gate: return `null`, or `{ openings, alsoNeeds }`";

/** The rule type, with matchers that throw a `TypeError` for what is wrong with them: it would send mail elsewhere without a word. */
function checkedType(own: RuleType): RuleType {
  const { type, fields } = own;
  const checked = <Value>(
    name: string,
    value: Value,
    isRight: (value: Value) => boolean,
    wanted: string,
  ): Value => {
    if (isRight(value)) return value;
    throw new TypeError(`\`${name}\` of rule type ${quote(type)} returned ${wanted}`);
  };
  return {
    ...own,
    type,
    fields,
    compile(values) {
      const matcher = assertMatcher(type, own.compile(values));
      return {
        ...(matcher.searches !== undefined && { searches: matcher.searches }),
        groupCount: matcher.groupCount,
        gate: () => checked("gate", matcher.gate(), isGate, GATE),
        match: (message, trial) =>
          checked("match", matcher.match(message, trial), isOutcome, OUTCOME),
        explain: (message, trial) =>
          checked("explain", matcher.explain(message, trial), isExplained, OUTCOME),
        untried: () => matcher.untried(),
      };
    },
  };
}

/** The API's rule types and `added`, by name. Throws a `TypeError` on invalid types, or if a name is taken. */
export function ruleTypesWith(added: readonly RuleType[] | undefined): RuleTypes {
  if (added === undefined) return OWN;
  const types = new Map(OWN);
  if (!Array.isArray(added)) throw new TypeError("`ruleTypes` is not an array: list rule types");
  for (const one of added as readonly RuleType[]) {
    assertRuleType(one);
    if (types.has(one.type)) throw new TypeError(`there is a rule type ${quote(one.type)} already`);
    types.set(one.type, checkedType(one));
  }
  return types;
}
