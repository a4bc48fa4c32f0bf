/** The tools for rules of type `cel`. */
import type { Facts } from "../../engine/facts/facts.ts";
import type { RuleTraceEntry } from "../../engine/routing/explain.ts";
import { conditionsOf, spanKey, treeOf, valuesInSteps, valuesOf } from "../cel-conditions.ts";
import { expressionFindings } from "../check/cel-warnings.ts";
import { celSlips } from "../mutate/slips.ts";
import { celFormula } from "../proof/formula/cel-formula.ts";
import { wishesFor } from "../why/cel-wishes.ts";
import type { FailedClause } from "../why/failed-clause.ts";
import { failedConditions } from "../why/failed-conditions.ts";
import { fulfil } from "../why/fulfil-wishes.ts";
import { cut, cutSource } from "../words/excerpt.ts";
import type { MessageChanges, Reached, RuleChange, RuleTools } from "./rule-tools.ts";
import { ruleForSender, widerBySender } from "./this-message.ts";

function fulfilExpression(
  entry: RuleTraceEntry<"cel">,
  wanted: boolean,
  facts: Facts,
): MessageChanges[] {
  const tree = treeOf(entry.expression);
  if (tree === null) return [];
  const alternatives = wishesFor(tree, wanted, valuesOf(entry.expression, facts));
  return alternatives.map((wishes) => fulfil(wishes, facts)).filter(({ length }) => length > 0);
}

/** The expression with the text in quotes in lower case. */
function lowerTexts({ expression: from }: RuleTraceEntry<"cel">): RuleChange[] {
  const to = from.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, (text) =>
    text.includes("\\") ? text : text.toLowerCase(),
  );
  return to === from ? [] : [{ field: "expression", from, to }];
}

function failedClauses(entry: RuleTraceEntry<"cel">, facts: Facts): readonly FailedClause[] {
  const { expression, failure } = entry;
  const clauses = failedConditions(expression, valuesOf(expression, facts));
  if (failure === undefined) return clauses;
  // A condition with an error reports it itself; spent fuel is an error of the whole expression.
  const isTold = clauses.some(({ value }) => value !== "false");
  return isTold ? clauses : [...clauses, { kind: "failure", failure }];
}

function increase(counts: Map<string, number>, key: string, by: number = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function countSteps({ steps, earlier }: RuleTraceEntry<"cel">, { trueAt, falseAt }: Reached): void {
  for (const { span, timesTrue, timesFalse } of earlier ?? []) {
    increase(trueAt, spanKey(span), timesTrue);
    increase(falseAt, spanKey(span), timesFalse);
  }
  for (const { span, value } of steps) {
    if (value === "true") increase(trueAt, spanKey(span));
    if (value === "false") increase(falseAt, spanKey(span));
  }
}

/** Operands to show of a condition that was false. */
const OPERANDS_MAX = 3;

function celMissed({ expression, steps }: RuleTraceEntry<"cel">): string {
  const miss = failedConditions(expression, valuesInSteps(steps)).find(
    ({ value }) => value === "false",
  );
  if (miss === undefined) return `\`${cutSource(expression)}\` is false`;
  const operands = miss.operands
    .slice(0, OPERANDS_MAX)
    .map(({ source: text, value }) => `\`${cutSource(text)}\` is ${cut(value)}`);
  const where = operands.length === 0 ? "" : `: ${operands.join(", ")}`;
  return `\`${cutSource(miss.source)}\` is false${where}`;
}

export const CEL_TOOLS: RuleTools<RuleTraceEntry<"cel">> = {
  condition: "expression",
  describe: ({ config }) => `the expression \`${cutSource(String(config.expression))}\``,
  fails: "on some messages",
  findings: ({ expression }, domain) => expressionFindings(String(expression), domain),
  ways({ expression }, domain, atoms) {
    const condition = String(expression);
    return [{ formula: celFormula(condition, domain, atoms), condition, filled: "plain" }];
  },
  slips: celSlips,
  parts: ({ expression }) => ({ scopes: [], conditions: conditionsOf(String(expression)) }),
  count: countSteps,
  shorten: (entry) => ({ ...entry, steps: [] }),
  matched: ({ expression }) => [`\`${cutSource(expression)}\` is true`],
  missed: (entry) => [celMissed(entry)],
  failedClauses,
  widen: lowerTexts,
  addAlternative: ({ expression: from }, facts) =>
    widerBySender(from, facts).map((to) => ({ field: "expression", from, to })),
  another: ruleForSender,
  toMatch: (entry, _, facts) => fulfilExpression(entry, true, facts),
  toMiss: (entry, _, facts) => fulfilExpression(entry, false, facts),
};
