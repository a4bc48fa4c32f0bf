/** Guards: conditions on the texts in a message's facts without which an expression cannot be true. */
import type { FactName } from "../../facts/facts.ts";
import { readPattern } from "../../pattern/syntax/re2-syntax.ts";
import { type RequiredLiteral, requiredLiterals } from "../../pattern/syntax/required-literals.ts";
import {
  type CallNode,
  childrenOf,
  isLoop,
  type LogicNode,
  literalText,
  type Node,
} from "./tree.ts";

/** Facts that a guard can test. */
export type GuardFact = Extract<FactName, "recipient" | "sender" | "subject" | "body" | "headers">;

/** One way to be true: the fact is one of `values` (`headers`: has a field of such a name), or contains a literal. */
export type CelOpening =
  | { readonly fact: GuardFact; readonly values: readonly string[] }
  | { readonly fact: Exclude<GuardFact, "headers">; readonly literals: readonly RequiredLiteral[] };

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
type GuardText = Exclude<GuardFact, "headers">;

/** So many searches cannot together spend the fuel of an expression, however long the fact. */
const CHEAP_SEARCHES_MAX = 4;

function textFact(node: Node | undefined): GuardText | null {
  return node?.kind === "name" && TEXT_FACTS.has(node.name) ? (node.name as GuardText) : null;
}

function isHeaders(node: Node): boolean {
  return node.kind === "name" && node.name === "headers";
}

function decides(opening: CelOpening): GuardCondition {
  return { openings: [opening], shut: "decides" };
}

function compareCondition({ name, args }: CallNode): GuardCondition | null {
  const [left, right] = args as [Node, Node];
  if (name === "==") {
    const fact = textFact(left) ?? textFact(right);
    const value = literalText(right) ?? literalText(left);
    return fact === null || value === null ? null : decides({ fact, values: [value] });
  }
  if (name !== "in") return null;
  const key = literalText(left);
  if (key !== null && isHeaders(right)) return decides({ fact: "headers", values: [key] });
  const fact = textFact(left);
  if (fact === null || right.kind !== "list") return null;
  const values = right.items.map(literalText).filter((value) => value !== null);
  return values.length === right.items.length ? decides({ fact, values }) : null;
}

const SEARCHES: ReadonlySet<string> = new Set(["contains", "startsWith", "endsWith"]);
const CASES: ReadonlySet<string> = new Set(["lowerAscii", "upperAscii"]);

function searchCondition({ args }: CallNode): GuardCondition | null {
  const text = literalText(args[1]);
  if (text === null || text === "") return null;
  const receiver = args[0]!;
  // After `lowerAscii` or `upperAscii` a fact contains the text only if it contained it in some case.
  const recased = receiver.kind === "call" && CASES.has(receiver.name);
  const fact = textFact(recased ? receiver.args[0] : receiver);
  return fact === null ? null : decides({ fact, literals: [{ text, fold: recased }] });
}

function matchesCondition({ args }: CallNode): GuardCondition | null {
  const fact = textFact(args[0]);
  const source = literalText(args[1]);
  const read = fact === null || source === null ? null : readPattern(source);
  const required = read?.ok === true ? requiredLiterals(read.tree) : null;
  if (fact === null || required === null) return null;
  return { openings: [{ fact, literals: required.literals }], shut: "errs" };
}

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
  return { openings: [{ fact: "headers", values: [field] }], shut: "errs" };
}

function anyCondition(node: LogicNode): GuardCondition | null {
  const conditions = node.operands.map(conditionOf).filter((each) => each !== null);
  if (conditions.length < node.operands.length) return null;
  const errs = conditions.some(({ shut }) => shut === "errs");
  return {
    openings: conditions.flatMap(({ openings }) => openings),
    shut: errs ? "errs" : "decides",
  };
}

/** Any one operand will do; the caller does not care which is evaluated first. */
function allCondition(node: LogicNode): GuardCondition | null {
  const best = cheapest(node.operands.map(conditionOf).filter((each) => each !== null));
  return best === undefined ? null : { openings: best.openings, shut: "errs" };
}

function conditionOf(node: Node): GuardCondition | null {
  switch (node.kind) {
    case "call": {
      const { name, form } = node;
      const read =
        form === "operator"
          ? compareCondition
          : name === "matches"
            ? matchesCondition
            : form === "method" && SEARCHES.has(name)
              ? searchCondition
              : fieldCondition;
      return read(node) ?? fieldCondition(node);
    }
    case "access": {
      const key = literalText(node.key);
      if (node.access !== "test" || key === null || !isHeaders(node.operand)) return null;
      return decides({ fact: "headers", values: [key] });
    }
    case "logic":
      if (node.operator === "?:") return null;
      return node.operator === "||" ? anyCondition(node) : allCondition(node);
    case "macro":
      return fieldCondition(node);
    default:
      return null;
  }
}

/** How expensive the openings are to test, and how often one is open: less is better. */
function worth(openings: readonly CelOpening[]): number {
  let worst = 0;
  for (const opening of openings) {
    const far = opening.fact === "body" ? 2_000 : 0;
    if ("values" in opening) worst = Math.max(worst, far + (opening.fact === "headers" ? 900 : 0));
    else {
      const shortest = Math.min(...opening.literals.map(({ text }) => text.length));
      worst = Math.max(worst, far + 1_000 - Math.min(shortest, 900));
    }
  }
  return worst + openings.length;
}

/** The cheapest to test; of several, the first. */
function cheapest(conditions: readonly GuardCondition[]): GuardCondition | undefined {
  return conditions.toSorted((a, b) => worth(a.openings) - worth(b.openings))[0];
}

/**
 * The guard of a tree whose `&&` operands are evaluated in the order of `operandsOf`; `null` if
 * nothing is known. `facts` are all facts that the expression names.
 */
export function findGuard(
  tree: Node,
  operandsOf: (node: LogicNode) => readonly Node[],
  facts: readonly FactName[],
): CelGuard | null {
  const operands = tree.kind === "logic" && tree.operator === "&&" ? operandsOf(tree) : [tree];
  const conditions: GuardCondition[] = [];
  let searches = 0;
  for (const [index, operand] of operands.entries()) {
    const condition = conditionOf(operand);
    searches +=
      condition?.shut === "decides" ? condition.openings.length : Number.POSITIVE_INFINITY;
    if (condition === null) continue;
    // The first operand decides before an unknown fact is read, whatever it costs.
    const sure = condition.shut === "decides" && (index === 0 || searches <= CHEAP_SEARCHES_MAX);
    conditions.push({ openings: condition.openings, shut: sure ? "decides" : "errs" });
  }
  const best = cheapest(conditions);
  if (best === undefined) return null;
  const { openings, shut } = best;
  const named = openings.map(({ fact }) => fact as FactName);
  const alsoNeeds = shut === "decides" ? [] : facts.filter((fact) => !named.includes(fact));
  return { openings, alsoNeeds };
}
