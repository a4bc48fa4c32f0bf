/** Checks the matchers of a host's rule types, and what they return: a wrong value would send mail elsewhere without a word. */
import { quote } from "../../../base/quote.ts";
import { STAGES } from "../../facts/facts.ts";
import { isRecord, isTexts } from "../config/config-fields.ts";
import { GATE_FACTS, type Gate, type Opening } from "../plan/gate.ts";
import type { RuleMatcher, RuleOutcome } from "./rule-matcher.ts";
import type { RuleType } from "./rule-type.ts";

const MATCHER_FUNCTIONS = ["gate", "match", "explain", "untried"] as const;

function assertMatcher(type: string, matcher: RuleMatcher): void {
  const missing = MATCHER_FUNCTIONS.find((name) => typeof matcher?.[name] !== "function");
  const isCounted = Number.isSafeInteger(matcher?.groupCount) && matcher.groupCount >= 0;
  if (missing === undefined && isCounted) return;
  const wrong =
    missing === undefined
      ? "its `groupCount` is not a whole number from 0"
      : `it lacks the function \`${missing}\``;
  throw new TypeError(`\`compile\` of rule type ${quote(type)} makes no matcher: ${wrong}`);
}

function isOutcome(outcome: RuleOutcome | undefined): boolean {
  if (!isRecord(outcome)) return false;
  switch (outcome.verdict) {
    case "matched":
      return isRecord(outcome.parts);
    case "failed":
      return typeof outcome.failure === "string";
    case "undecided":
      return STAGES.includes(outcome.needs);
    case "missed":
    case "over-budget":
      return true;
    default:
      return false;
  }
}

function assertOutcome(type: string, name: string, outcome: RuleOutcome | undefined): void {
  if (isOutcome(outcome)) return;
  const wanted = '`{ verdict: "matched", parts: {} }`, `{ verdict: "missed" }` or another outcome';
  throw new TypeError(
    `\`${name}\` of rule type ${quote(type)} returned no outcome: return ${wanted}`,
  );
}

function isOpening(opening: Opening): boolean {
  if (!isRecord(opening) || !GATE_FACTS.includes(opening.fact)) return false;
  if (opening.kind === "searched") return true;
  if (opening.kind === "values") return isTexts(opening.values);
  const isKnown = opening.kind === "literals" || opening.kind === "starts";
  if (!isKnown || !Array.isArray(opening.literals)) return false;
  return opening.literals.every((literal) => typeof literal?.text === "string");
}

function assertGate(type: string, gate: Gate | null): void {
  if (gate === null) return;
  const { openings, alsoNeeds } = isRecord(gate) ? gate : {};
  if (Array.isArray(openings) && openings.every(isOpening) && Array.isArray(alsoNeeds)) return;
  const wanted = "`null`, or `{ openings, alsoNeeds }`";
  throw new TypeError(`\`gate\` of rule type ${quote(type)} returned no gate: return ${wanted}`);
}

/** The rule type, with matchers that throw a `TypeError` for what is wrong with them or with what they return. */
export function checkedType(own: RuleType): RuleType {
  const { type, description, fields } = own;
  return {
    type,
    ...(description !== undefined && { description }),
    fields,
    compile(values) {
      const matcher = own.compile(values);
      assertMatcher(type, matcher);
      return {
        ...(matcher.searches !== undefined && { searches: matcher.searches }),
        groupCount: matcher.groupCount,
        gate() {
          const gate = matcher.gate();
          assertGate(type, gate);
          return gate;
        },
        match(message, trial) {
          const outcome = matcher.match(message, trial);
          assertOutcome(type, "match", outcome);
          return outcome;
        },
        explain(message, trial) {
          const explained = matcher.explain(message, trial);
          assertOutcome(type, "explain", explained?.outcome);
          return explained;
        },
        untried: () => matcher.untried(),
      };
    },
  };
}
