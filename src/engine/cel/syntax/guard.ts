/** Guards: conditions on the texts in a message's facts without which an expression cannot be true. */
import { type FactName, STAGE_OF } from "../../facts/facts.ts";
import { readPattern } from "../../pattern/syntax/re2-syntax.ts";
import { type RequiredLiteral, requiredLiterals } from "../../pattern/syntax/required-literals.ts";
import { type CallNode, childrenOf, isLoop, literalText, type Node, namesIn } from "./tree.ts";

type GuardText = Extract<FactName, "recipient" | "sender" | "subject" | "body">;

/** One way to be true: the fact is one of `values` (`headers`: has a field of such a name), or contains a literal. */
export type CelOpening =
  | {
      readonly kind: "values";
      readonly fact: GuardText | "headers";
      readonly values: readonly string[];
    }
  | {
      readonly kind: "literals";
      readonly fact: GuardText;
      readonly literals: readonly RequiredLiteral[];
    };

/** If every opening is shut, the expression is not true. */
export interface CelGuard {
  readonly openings: readonly CelOpening[];
  /**
   * Facts that must be known for this: while one is unknown, the result may be *unknown* although every opening
   * is shut. Facts of the openings are not repeated.
   */
  readonly alsoNeeds: readonly FactName[];
}

/** A condition that is true only if one of its openings is open. */
interface GuardCondition {
  readonly openings: readonly CelOpening[];
  /** With every opening shut, the result is `false` for little fuel (`decides`), or may be an error or spent fuel (`errs`). */
  readonly shut: "decides" | "errs";
}

const TEXT_FACTS: ReadonlySet<string> = new Set(["recipient", "sender", "subject", "body"]);

/** So many searches cannot together spend the fuel of an expression, however long the fact. */
const CHEAP_SEARCHES_MAX = 4;

function textFact(node: Node | undefined): GuardText | null {
  return node?.kind === "name" && TEXT_FACTS.has(node.name) ? (node.name as GuardText) : null;
}

function isHeaders(node: Node): boolean {
  return node.kind === "name" && node.name === "headers";
}

/** What must hold for a call to be true; `null` if nothing is known. */
type ReadCondition = (node: CallNode) => GuardCondition | null;

function isOneOf(fact: GuardText | "headers" | null, values: readonly (string | null)[]) {
  if (fact === null || values.includes(null)) return null;
  const opening = { kind: "values", fact, values: values as readonly string[] } as const;
  return { openings: [opening], shut: "decides" } as const;
}

const equalityCondition: ReadCondition = ({ args: [left, right] }) =>
  isOneOf(textFact(left) ?? textFact(right), [literalText(right) ?? literalText(left)]);

const membershipCondition: ReadCondition = ({ args }) => {
  const [left, right] = args as [Node, Node];
  if (isHeaders(right)) return isOneOf("headers", [literalText(left)]);
  return right.kind === "list" ? isOneOf(textFact(left), right.items.map(literalText)) : null;
};

const CASES: ReadonlySet<string> = new Set(["lowerAscii", "upperAscii"]);

const searchCondition: ReadCondition = ({ args }) => {
  const text = literalText(args[1]);
  if (text === null || text === "") return null;
  const receiver = args[0]!;
  // After `lowerAscii` or `upperAscii` a fact contains the text only if it contained it in some case.
  const recased = receiver.kind === "call" && CASES.has(receiver.name);
  const fact = textFact(recased ? receiver.args[0] : receiver);
  if (fact === null) return null;
  const literals = [{ text, fold: recased }];
  return { openings: [{ kind: "literals", fact, literals }], shut: "decides" };
};

const matchesCondition: ReadCondition = ({ args }) => {
  const fact = textFact(args[0]);
  const source = literalText(args[1]);
  const read = fact === null || source === null ? null : readPattern(source);
  const required = read?.ok === true ? requiredLiterals(read.tree) : null;
  if (fact === null || required === null) return null;
  const { literals } = required;
  return { openings: [{ kind: "literals", fact, literals }], shut: "errs" };
};

const CONDITIONS: ReadonlyMap<string, ReadCondition> = new Map([
  ["==", equalityCondition],
  ["in", membershipCondition],
  ["contains", searchCondition],
  ["startsWith", searchCondition],
  ["endsWith", searchCondition],
  ["matches", matchesCondition],
]);

/** The header fields without which evaluating a node fails, in no particular order. */
function neededFields(node: Node): readonly string[] {
  switch (node.kind) {
    case "access": {
      const key = literalText(node.key);
      if (node.access === "test") return [];
      if (key !== null && node.access === "plain" && isHeaders(node.operand)) return [key];
      return childrenOf(node).flatMap(neededFields);
    }
    case "call":
      return node.args.flatMap(neededFields);
    case "macro":
      return isLoop(node.macro) ? neededFields(node.operand) : [];
    default:
      return [];
  }
}

function fieldCondition(node: Node): GuardCondition | null {
  const [field] = neededFields(node);
  if (field === undefined) return null;
  return { openings: [{ kind: "values", fact: "headers", values: [field] }], shut: "errs" };
}

function anyCondition(operands: readonly Node[]): GuardCondition | null {
  const conditions = operands.map(conditionOf).filter((each) => each !== null);
  if (conditions.length < operands.length) return null;
  const errs = conditions.some(({ shut }) => shut === "errs");
  const openings = conditions.flatMap((each) => each.openings);
  return { openings, shut: errs ? "errs" : "decides" };
}

/** Any one operand will do; the caller does not care which is evaluated first. */
function allCondition(operands: readonly Node[]): GuardCondition | null {
  const best = cheapest(operands.map(conditionOf).filter((each) => each !== null));
  return best === undefined ? null : { openings: best.openings, shut: "errs" };
}

function conditionOf(node: Node): GuardCondition | null {
  switch (node.kind) {
    case "call":
      return CONDITIONS.get(node.name)?.(node) ?? fieldCondition(node);
    case "access":
      if (node.access !== "test" || !isHeaders(node.operand)) return null;
      return isOneOf("headers", [literalText(node.key)]);
    case "logic":
      if (node.operator === "?:") return null;
      return node.operator === "||" ? anyCondition(node.operands) : allCondition(node.operands);
    case "macro":
      return fieldCondition(node);
    default:
      return null;
  }
}

/** How expensive the openings are to test, and how often one is open: less is better. */
function worth(openings: readonly CelOpening[]): number {
  const each = openings.map((opening) => {
    const far = opening.fact === "body" ? 2_000 : 0;
    if (opening.kind === "values") return far + (opening.fact === "headers" ? 900 : 0);
    const shortest = Math.min(...opening.literals.map(({ text }) => text.length));
    return far + 1_000 - Math.min(shortest, 900);
  });
  return Math.max(0, ...each) + openings.length;
}

/** The cheapest to test; of several, the first. */
function cheapest(conditions: readonly GuardCondition[]): GuardCondition | undefined {
  return conditions.toSorted((a, b) => worth(a.openings) - worth(b.openings))[0];
}

/**
 * The guard of a tree of which all `operands` must be true, in the order in which they are evaluated; `null` if
 * nothing is known.
 */
export function findGuard(tree: Node, operands: readonly Node[]): CelGuard | null {
  const conditions: GuardCondition[] = [];
  let searches = 0;
  for (const [index, operand] of operands.entries()) {
    const condition = conditionOf(operand);
    const decides = condition?.shut === "decides";
    searches += decides ? condition.openings.length : Number.POSITIVE_INFINITY;
    if (condition === null) continue;
    // The first operand decides before an unknown fact is read, whatever it costs.
    const sure = decides && (index === 0 || searches <= CHEAP_SEARCHES_MAX);
    conditions.push({ openings: condition.openings, shut: sure ? "decides" : "errs" });
  }
  const best = cheapest(conditions);
  if (best === undefined) return null;
  const { openings, shut } = best;
  const known = new Set<string>(openings.map(({ fact }) => fact));
  const others = [...new Set(namesIn(tree))].filter((name) => isFact(name) && !known.has(name));
  return { openings, alsoNeeds: shut === "decides" ? [] : (others as FactName[]) };
}

function isFact(name: string): boolean {
  return Object.hasOwn(STAGE_OF, name);
}
