/** What must hold for a message to make a CEL expression true, or false: wishes about places in the message. */
import {
  type CallNode,
  literalText,
  type MacroNode,
  type Node,
} from "../../engine/cel/syntax/tree.ts";
import type { Facts } from "../../engine/facts/facts.ts";
import { spanKey } from "../cel-conditions.ts";
import type { TextFact } from "./message-change.ts";

/** A place in a message that a wish is about. */
export type FactPlace =
  | { readonly kind: "text"; readonly fact: TextFact }
  | { readonly kind: "size" }
  /** All values of a header field; its first value. */
  | { readonly kind: "header" | "header-value"; readonly name: string }
  | { readonly kind: "attachments" }
  /** One more value of a header field, one more attachment, and a field of that attachment. */
  | { readonly kind: "new-header-value"; readonly name: string }
  | { readonly kind: "new-attachment" }
  | { readonly kind: "attachment-field"; readonly field: string };

export type Wish =
  | {
      readonly place: FactPlace;
      readonly op: "equals" | "starts" | "ends" | "contains" | "matches" | "lacks" | "differs";
      readonly text: string;
    }
  | { readonly place: FactPlace; readonly op: "number"; readonly number: number }
  | { readonly place: FactPlace; readonly op: "present" | "absent" };

/** Alternatives: fulfilling any one of these lists of wishes suffices. */
export type Wishes = readonly (readonly Wish[])[];

/** Most alternatives to keep for one part. */
const ALTERNATIVES_MAX = 8;

interface WishContext {
  /** Values of sub-expressions for the message as it is. */
  readonly values: ReadonlyMap<string, string>;
  readonly bindings: ReadonlyMap<string, FactPlace>;
}

const TEXT_FACTS: ReadonlySet<string> = new Set(["recipient", "sender", "subject", "body"]);
/** Methods whose operand is still recognised as a text. */
const TRANSPARENT: ReadonlySet<string> = new Set(["lowerAscii", "upperAscii", "trim"]);

function numberOf(node: Node | undefined): number | null {
  return node?.kind === "literal" && typeof node.value === "number" ? node.value : null;
}

function namedPlace(name: string, { bindings }: WishContext): FactPlace | null {
  const bound = bindings.get(name);
  if (bound !== undefined) return bound;
  if (TEXT_FACTS.has(name)) return { kind: "text", fact: name as TextFact };
  if (name === "size" || name === "attachments") return { kind: name };
  return null;
}

function headerPlace(operand: Node, name: string | null): FactPlace | null {
  const isHeaders = operand.kind === "name" && operand.name === "headers";
  return isHeaders && name !== null ? { kind: "header", name } : null;
}

function placeOf(node: Node, context: WishContext): FactPlace | null {
  switch (node.kind) {
    case "name":
      return namedPlace(node.name, context);
    case "access": {
      const header = headerPlace(node.operand, literalText(node.key));
      if (header !== null) return header;
      const owner = placeOf(node.operand, context);
      if (owner?.kind === "new-attachment" && node.form === "field") {
        return { kind: "attachment-field", field: literalText(node.key)! };
      }
      const isFirst = owner?.kind === "header" && numberOf(node.key) === 0;
      return isFirst ? { kind: "header-value", name: owner.name } : null;
    }
    case "macro":
      return node.macro.startsWith("or") ? placeOf(node.operand, context) : null;
    case "call":
      return node.form === "method" && TRANSPARENT.has(node.name)
        ? placeOf(node.args[0]!, context)
        : null;
    default:
      return null;
  }
}

/** Combines every alternative of one part with every alternative of the next. */
function together(parts: readonly Wishes[]): Wishes {
  return parts.reduce<Wishes>(
    (done, part) =>
      done.flatMap((some) => part.map((more) => [...some, ...more])).slice(0, ALTERNATIVES_MAX),
    [[]],
  );
}

function wishEquality(place: FactPlace | null, literal: Node, wanted: boolean): Wishes {
  if (place === null) return [];
  const text = literalText(literal);
  if (text !== null) return [[{ place, op: wanted ? "equals" : "differs", text }]];
  const number = numberOf(literal);
  return number === null ? [] : [[{ place, op: "number", number: wanted ? number : number + 1 }]];
}

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "in"]);

function wishCompare(
  { name: operator, args }: CallNode,
  wanted: boolean,
  context: WishContext,
): Wishes {
  const [left, right] = args as [Node, Node];
  if (operator !== "in") {
    const isEqual = (operator === "==") === wanted;
    const [side, literal] = left.kind === "literal" ? [right, left] : [left, right];
    return wishEquality(placeOf(side, context), literal, isEqual);
  }
  if (right.kind === "list") {
    const place = placeOf(left, context);
    const single = right.items.map((item) => wishEquality(place, item, wanted));
    return wanted ? single.flat().slice(0, ALTERNATIVES_MAX) : together(single);
  }
  const name = literalText(left);
  const header = right.kind === "name" && right.name === "headers" ? name : null;
  if (header !== null) {
    return [[{ place: { kind: "header", name: header }, op: wanted ? "present" : "absent" }]];
  }
  const list = placeOf(right, context);
  if (list?.kind !== "header" || name === null) return [];
  if (!wanted) return [[{ place: list, op: "absent" }]];
  return [[{ place: { kind: "new-header-value", name: list.name }, op: "equals", text: name }]];
}

const ORDERS: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);
const FLIPPED: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function wishOrder(node: CallNode, wanted: boolean, context: WishContext): Wishes {
  const [left, right] = node.args as [Node, Node];
  const isFlipped = left.kind === "literal";
  const bound = numberOf(isFlipped ? left : right);
  const operator = isFlipped ? FLIPPED[node.name]! : node.name;
  const measured = isFlipped ? right : left;
  if (bound === null) return [];
  const isBelow = (operator[0] === "<") === wanted;
  const includes = operator.endsWith("=") === wanted;
  const number = includes ? bound : isBelow ? bound - 1 : bound + 1;
  const place = placeOf(measured, context);
  if (place !== null) return [[{ place, op: "number", number }]];
  const counted =
    measured.kind === "call" && measured.name === "size" ? measured.args[0] : undefined;
  const list = counted === undefined ? null : placeOf(counted, context);
  if (list === null) return [];
  if (isBelow && number === 0) return [[{ place: list, op: "absent" }]];
  return !isBelow && number === 1 ? [[{ place: list, op: "present" }]] : [];
}

const TEXT_OPS = {
  startsWith: "starts",
  endsWith: "ends",
  contains: "contains",
  matches: "matches",
} as const;

function wishCall(node: CallNode, wanted: boolean, context: WishContext): Wishes {
  if (COMPARISONS.has(node.name)) return wishCompare(node, wanted, context);
  if (node.form === "operator" && node.name === "!") return wish(node.args[0]!, !wanted, context);
  if (ORDERS.has(node.name)) return wishOrder(node, wanted, context);
  const op = Object.hasOwn(TEXT_OPS, node.name)
    ? TEXT_OPS[node.name as keyof typeof TEXT_OPS]
    : undefined;
  const place = op === undefined ? null : placeOf(node.args[0]!, context);
  const text = literalText(node.args[1]);
  if (op === undefined || place === null || text === null) return [];
  if (wanted) return [[{ place, op, text }]];
  return op === "contains"
    ? [[{ place, op: "lacks", text }]]
    : [[{ place, op: "differs", text: "" }]];
}

function newElement(range: FactPlace | null): FactPlace | null {
  if (range?.kind === "header") return { kind: "new-header-value", name: range.name };
  return range?.kind === "attachments" ? { kind: "new-attachment" } : null;
}

function wishMacro(node: MacroNode, wanted: boolean, context: WishContext): Wishes {
  const { macro, operand, variables, condition } = node;
  const range = placeOf(operand, context);
  const element = newElement(range);
  const variable = variables.at(-1)!;
  if (range === null || element === null || condition === null) return [];
  const wantsElement = macro === "exists" || macro === "exists_one" ? wanted : !wanted;
  if (!wantsElement) return [[{ place: range, op: "absent" }]];
  const bindings = new Map([...context.bindings, [variable, element]]);
  // For an element that does not exist yet, nothing holds already.
  return wish(condition, wanted, { values: new Map(), bindings });
}

function wishChoice(operands: readonly Node[], wanted: boolean, context: WishContext): Wishes {
  const [test, yes, no] = operands as [Node, Node, Node];
  const first = together([wish(test, true, context), wish(yes, wanted, context)]);
  const second = together([wish(test, false, context), wish(no, wanted, context)]);
  return [...first, ...second].slice(0, ALTERNATIVES_MAX);
}

/** The wishes that give `node` the value `wanted`; none if it already has that value. */
function wish(node: Node, wanted: boolean, context: WishContext): Wishes {
  if (context.values.get(spanKey(node.span)) === String(wanted)) return [[]];
  switch (node.kind) {
    case "logic": {
      if (node.operator === "?:") return wishChoice(node.operands, wanted, context);
      const parts = node.operands.map((operand) => wish(operand, wanted, context));
      const needsAll = (node.operator === "&&") === wanted;
      return needsAll ? together(parts) : parts.flat().slice(0, ALTERNATIVES_MAX);
    }
    case "call":
      return wishCall(node, wanted, context);
    case "macro":
      return wishMacro(node, wanted, context);
    case "access": {
      const place = node.access === "test" ? placeOf(node, context) : null;
      return place === null ? [] : [[{ place, op: wanted ? "present" : "absent" }]];
    }
    default:
      return [];
  }
}

/** The alternatives that most likely give the expression the value `wanted`. The caller checks each. */
export function wishesFor(
  tree: Node,
  wanted: boolean,
  values: ReadonlyMap<string, string>,
): Wishes {
  return wish(tree, wanted, { values, bindings: new Map() });
}

/** The message's text at a place; `""` if the place has no text of its own. */
export function currentText(place: FactPlace, facts: Facts): string {
  if (place.kind === "text") return facts[place.fact] ?? "";
  if (place.kind === "header-value") return facts.headers?.get(place.name)?.[0] ?? "";
  return "";
}
