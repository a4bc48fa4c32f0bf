/** The types of each kind of node, from those of its parts, and what is wrong with them. */
import type { Problem, Span } from "../../../base/diagnostic.ts";
import { quote } from "../../../base/quote.ts";
import { listOverloads } from "../functions/functions.ts";
import type {
  CompareNode,
  FallbackNode,
  IndexNode,
  LoopNode,
  Node,
  SelectNode,
} from "../syntax/tree.ts";
import {
  BOOL,
  type CelType,
  DYN,
  describeType,
  fits,
  INT,
  joinTypes,
  listOf,
  mapOf,
  optionalOf,
  STRING,
} from "../values/type.ts";

/** A node whose type is known. */
export interface Typed {
  readonly node: Node;
  readonly type: CelType;
}

/**
 * Reports a problem, of code `cel/type` unless it says another. Returns `dyn`, so that one mistake is reported once: `dyn` fits
 * everywhere, and is then checked at run time.
 */
export type TypeReport = (message: string, span: Span, code?: Problem["code"]) => CelType;

/** The type that the items of a list, or the keys or values of a map, have in common. */
export function commonType(types: readonly CelType[]): CelType {
  const [first, ...rest] = types;
  if (first === undefined) return DYN;
  return rest.reduce((joined, type) => joinTypes(joined, type) ?? DYN, first);
}

/** The type of `?:`. */
export function choiceType(node: Node, yes: CelType, no: CelType, report: TypeReport): CelType {
  const message = `\`?:\` gives ${describeType(yes)} or ${describeType(no)}: make both sides one type`;
  return joinTypes(yes, no) ?? report(message, node.span);
}

export function selectType(node: SelectNode, operand: CelType, report: TypeReport): CelType {
  const inner = operand.kind === "optional" ? operand.of[0] : operand;
  const field = fieldType(node, inner, report);
  return operand.kind === "optional" || node.access === "optional" ? optionalOf(field) : field;
}

function fieldType(node: SelectNode, owner: CelType, report: TypeReport): CelType {
  if (owner.kind === "dyn") return DYN;
  if (owner.kind === "map" && fits(STRING, owner.of[0])) return owner.of[1];
  if (owner.kind === "struct") {
    const type = owner.fields.get(node.field);
    if (type !== undefined) return type;
    const names = [...owner.fields.keys()].join(", ");
    const message = `${describeType(owner)} has no field ${quote(node.field)}: it has ${names}`;
    return report(message, node.span);
  }
  const isMethod = listOverloads("method").some(({ name }) => name === node.field);
  const hint = isMethod ? `write \`.${node.field}(…)\`` : "remove it";
  const message = `${describeType(owner)} has no field ${quote(node.field)}: ${hint}`;
  return report(message, node.span);
}

export function indexType(
  node: IndexNode,
  operand: CelType,
  index: CelType,
  report: TypeReport,
): CelType {
  const inner = operand.kind === "optional" ? operand.of[0] : operand;
  const wrap = (type: CelType): CelType =>
    operand.kind === "optional" || node.access === "optional" ? optionalOf(type) : type;
  if (inner.kind === "dyn") return wrap(DYN);
  if (inner.kind === "list" && fits(index, INT)) return wrap(inner.of[0]);
  if (inner.kind === "map" && fits(index, inner.of[0])) return wrap(inner.of[1]);
  const message =
    inner.kind === "list" || inner.kind === "map"
      ? `${describeType(inner)} is not indexed by ${describeType(index)}: use ${inner.kind === "list" ? "an int" : describeType(inner.of[0])}`
      : `${describeType(inner)} cannot be indexed: only lists and maps can`;
  return report(message, node.span);
}

/** The type of a key of a map literal. */
export function keyType({ node, type }: Typed, report: TypeReport): CelType {
  if (["dyn", "bool", "int", "uint", "string"].includes(type.kind)) return type;
  const message = `${describeType(type)} cannot be the key of a map: use a string, int, uint or bool`;
  return report(message, node.span);
}

export function expectBool({ node, type }: Typed, where: string, report: TypeReport): void {
  if (fits(type, BOOL)) return;
  report(
    `${where} takes a bool, found ${describeType(type)}: compare it with something`,
    node.span,
  );
}

function convertHint(left: CelType, right: CelType): string {
  const numbers = ["int", "uint", "double"];
  if (numbers.includes(left.kind) && numbers.includes(right.kind)) {
    return `convert one, as in \`${left.kind}(…)\``;
  }
  if (left.kind === "null" || right.kind === "null") return "only `dyn` values can be null";
  return "compare values of one type";
}

export function checkCompared(
  node: CompareNode,
  left: CelType,
  right: CelType,
  report: TypeReport,
): void {
  if (node.operator === "in") {
    checkMembership(node.right, left, right, report);
    return;
  }
  if (fits(left, right)) return;
  const field = left.kind === "string" ? headerField(node.right) : headerField(node.left);
  if (field !== null && (left.kind === "string" || right.kind === "string")) {
    const message = `a header field has a list of values: write \`${field}[0]\` for the first`;
    report(message, node.span);
    return;
  }
  const message = `${describeType(left)} never equals ${describeType(right)}: ${convertHint(left, right)}`;
  report(message, node.span);
}

/** The header field as it is written; `null` if the node is not one. */
function headerField(node: Node): string | null {
  if (node.kind !== "select" && node.kind !== "index") return null;
  if (node.operand.kind !== "name" || node.operand.name !== "headers") return null;
  if (node.kind === "select") return `headers.${node.field}`;
  const { index } = node;
  return index.kind === "literal" ? `headers[${JSON.stringify(index.value)}]` : null;
}

function checkMembership(at: Node, item: CelType, range: CelType, report: TypeReport): void {
  if (range.kind === "dyn") return;
  const inner = range.kind === "list" || range.kind === "map" ? range.of[0] : null;
  if (inner !== null && fits(item, inner)) return;
  const message =
    inner === null
      ? `\`in\` takes a list or a map, found ${describeType(range)}: ${range.kind === "string" ? "use `contains`" : "write a list"}`
      : `${describeType(item)} is never in ${describeType(range)}: compare values of one type`;
  report(message, at.span);
}

/** The type of the value in an optional that a macro takes. */
export function optionalValue({ node, type }: Typed, macro: string, report: TypeReport): CelType {
  if (type.kind === "optional") return type.of[0];
  if (type.kind === "dyn") return DYN;
  const message = `\`${macro}\` takes an optional, found ${describeType(type)}: write \`.?\`, \`[?…]\` or \`optional.of(…)\``;
  return report(message, node.span);
}

export function fallbackType(
  { macro, span }: FallbackNode,
  operand: Typed,
  fallback: Typed,
  report: TypeReport,
): CelType {
  const inner = optionalValue(operand, macro, report);
  const other = macro === "or" ? optionalValue(fallback, macro, report) : fallback.type;
  const joined = joinTypes(inner, other);
  if (joined !== null) return macro === "or" ? optionalOf(joined) : joined;
  const message = `\`${macro}\` gives ${describeType(inner)} or ${describeType(other)}: make both one type`;
  return report(message, span);
}

/** The types of the keys and of the values that a macro goes over; a list's keys are its indices. */
export function rangeTypes(
  { macro }: LoopNode,
  { node, type }: Typed,
  report: TypeReport,
): readonly [CelType, CelType] {
  if (type.kind === "list") return [INT, type.of[0]];
  if (type.kind === "map") return type.of;
  if (type.kind !== "dyn") {
    const advice = type.kind === "string" ? "use `contains` or `matches`" : "write a list";
    const message = `\`${macro}\` goes over a list or a map, found ${describeType(type)}: ${advice}`;
    report(message, node.span);
  }
  return [DYN, DYN];
}

/** The type of a macro over `key`s, from that of what it keeps of an element. */
export function loopType(
  { macro }: LoopNode,
  key: CelType,
  { node, type }: Typed,
  report: TypeReport,
): CelType {
  switch (macro) {
    case "all":
    case "exists":
    case "exists_one":
      expectBool({ node, type }, `\`${macro}\``, report);
      return BOOL;
    case "filter":
    case "map":
    case "transformList":
      return listOf(type);
    case "transformMap":
      return mapOf(key, type);
    case "transformMapEntry": {
      if (type.kind === "map") return type;
      if (type.kind === "dyn") return mapOf(DYN, DYN);
      const message = `\`transformMapEntry\` makes maps of one entry, found ${describeType(type)}: write \`{key: value}\``;
      return report(message, node.span);
    }
  }
}
