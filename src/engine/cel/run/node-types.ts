/** The types of each kind of node, from those of its parts, and what is wrong with them. */
import type { Problem, Span } from "../../../base/diagnostic.ts";
import { quote } from "../../../base/quote.ts";
import { findOverloads } from "../functions/functions.ts";
import {
  type AccessNode,
  type CallNode,
  isLoop,
  literalText,
  type MacroNode,
  type Node,
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
export type Reporter = (message: string, span: Span, code?: Problem["code"]) => CelType;

/** The type that the items of a list, or the keys or values of a map, have in common. */
export function commonType(types: readonly CelType[]): CelType {
  const [first, ...rest] = types;
  if (first === undefined) return DYN;
  return rest.reduce((joined, type) => joinTypes(joined, type) ?? DYN, first);
}

function mistyped(
  { node, type }: Typed,
  wanted: string,
  advice: string,
  report: Reporter,
): CelType {
  return report(`${wanted}, found ${describeType(type)}: ${advice}`, node.span);
}

/** The type of `?:`. */
export function choiceType(span: Span, yes: CelType, no: CelType, report: Reporter): CelType {
  const message = `\`?:\` gives ${describeType(yes)} or ${describeType(no)}: make both sides one type`;
  return joinTypes(yes, no) ?? report(message, span);
}

/** The type of a field or an element, `key` being the type of its key. */
export function accessType(node: AccessNode, of: CelType, key: CelType, report: Reporter): CelType {
  const owner = of.kind === "optional" ? of.of[0] : of;
  const wraps = of.kind === "optional" || node.access === "optional";
  const type =
    node.form === "field" ? fieldType(node, owner, report) : elementType(node, owner, key, report);
  if (node.access === "test") return BOOL;
  return type === null ? DYN : wraps ? optionalOf(type) : type;
}

function fieldType({ key }: AccessNode, owner: CelType, report: Reporter): CelType {
  if (owner.kind === "dyn") return DYN;
  if (owner.kind === "map" && fits(STRING, owner.of[0])) return owner.of[1];
  const name = literalText(key)!;
  const missing = `${describeType(owner)} has no field ${quote(name)}`;
  if (owner.kind === "struct") {
    const fields = [...owner.fields.keys()].join(", ");
    return owner.fields.get(name) ?? report(`${missing}: it has ${fields}`, key.span);
  }
  const isMethod = findOverloads(name, "method").length > 0;
  return report(`${missing}: ${isMethod ? `write \`.${name}(…)\`` : "remove it"}`, key.span);
}

/** `null` if the value has no such elements, which is then reported. */
function elementType({ span }: AccessNode, owner: CelType, key: CelType, report: Reporter) {
  if (owner.kind === "dyn") return DYN;
  if (owner.kind !== "list" && owner.kind !== "map") {
    report(`${describeType(owner)} cannot be indexed: only lists and maps can`, span);
    return null;
  }
  const wanted = owner.kind === "list" ? INT : owner.of[0];
  if (fits(key, wanted)) return owner.of.at(-1)!;
  const message = `${describeType(owner)} is not indexed by ${describeType(key)}: use ${describeType(wanted)}`;
  report(message, span);
  return null;
}

/** The type of a key of a map literal. */
export function keyType({ node, type }: Typed, report: Reporter): CelType {
  if (["dyn", "bool", "int", "uint", "string"].includes(type.kind)) return type;
  const message = `${describeType(type)} cannot be the key of a map: use a string, int, uint or bool`;
  return report(message, node.span);
}

export function expectBool(part: Typed, where: string, report: Reporter): void {
  if (fits(part.type, BOOL)) return;
  mistyped(part, `${where} takes a bool`, "compare it with something", report);
}

function convertHint(left: CelType, right: CelType): string {
  const numbers = ["int", "uint", "double"];
  if (numbers.includes(left.kind) && numbers.includes(right.kind)) {
    return `convert one, as in \`${left.kind}(…)\``;
  }
  if (left.kind === "null" || right.kind === "null") return "only `dyn` values can be null";
  return "compare values of one type";
}

/** Checks the operands of `==`, `!=` and `in`. */
export function checkCompared(node: CallNode, left: Typed, right: Typed, report: Reporter): void {
  if (node.name === "in") {
    checkMembership(left.type, right, report);
    return;
  }
  if (fits(left.type, right.type)) return;
  const text = left.type.kind === "string" ? left : right;
  const field = headerField((text === left ? right : left).node);
  const message =
    field !== null && text.type.kind === "string"
      ? `a header field has a list of values: write \`${field}[0]\` for the first`
      : `${describeType(left.type)} never equals ${describeType(right.type)}: ${convertHint(left.type, right.type)}`;
  report(message, node.span);
}

/** The header field as it is written; `null` if the node is not one. */
function headerField(node: Node): string | null {
  if (node.kind !== "access" || node.access === "test" || node.key.kind !== "literal") return null;
  const { operand, key, form } = node;
  if (operand.kind !== "name" || operand.name !== "headers") return null;
  return form === "field" ? `headers.${key.value}` : `headers[${JSON.stringify(key.value)}]`;
}

function checkMembership(item: CelType, range: Typed, report: Reporter): void {
  const { node, type } = range;
  if (type.kind === "dyn") return;
  if (type.kind !== "list" && type.kind !== "map") {
    const advice = type.kind === "string" ? "use `contains`" : "write a list";
    mistyped(range, "`in` takes a list or a map", advice, report);
  } else if (!fits(item, type.of[0])) {
    const message = `${describeType(item)} is never in ${describeType(type)}: compare values of one type`;
    report(message, node.span);
  }
}

/** The type of the value in an optional that a macro takes. */
function optionalValue(part: Typed, macro: string, report: Reporter): CelType {
  if (part.type.kind === "optional") return part.type.of[0];
  if (part.type.kind === "dyn") return DYN;
  const advice = "write `.?`, `[?…]` or `optional.of(…)`";
  return mistyped(part, `\`${macro}\` takes an optional`, advice, report);
}

/** The types of what a macro's variables hold, even if it has fewer of them; a list's keys are its indices. */
export function heldTypes(node: MacroNode, operand: Typed, report: Reporter): readonly CelType[] {
  const { macro, variables } = node;
  const { type } = operand;
  if (macro === "cel.bind") return [type];
  if (!isLoop(macro)) return [optionalValue(operand, macro, report)];
  if (type.kind === "list") return variables.length === 1 ? type.of : [INT, ...type.of];
  if (type.kind === "map") return type.of;
  if (type.kind !== "dyn") {
    const advice = type.kind === "string" ? "use `contains` or `matches`" : "write a list";
    mistyped(operand, `\`${macro}\` goes over a list or a map`, advice, report);
  }
  return [DYN, DYN];
}

/** The type of a macro, from what its first variable holds and what it makes of that. */
export function macroType(node: MacroNode, held: CelType, made: Typed, report: Reporter): CelType {
  const { macro, span } = node;
  const { type } = made;
  switch (macro) {
    case "all":
    case "exists":
    case "exists_one":
      return BOOL;
    case "filter":
    case "map":
    case "transformList":
      return listOf(type);
    case "transformMap":
      return mapOf(held, type);
    case "transformMapEntry":
      if (type.kind === "map") return type;
      if (type.kind === "dyn") return mapOf(DYN, DYN);
      return mistyped(made, `\`${macro}\` makes maps of one entry`, "write `{key: value}`", report);
    case "optMap":
      return optionalOf(type);
    case "optFlatMap":
      return optionalOf(optionalValue(made, macro, report));
    case "or":
    case "orValue": {
      const other = macro === "or" ? optionalValue(made, macro, report) : type;
      const message = `\`${macro}\` gives ${describeType(held)} or ${describeType(other)}: make both one type`;
      const joined = joinTypes(held, other);
      if (joined === null) return report(message, span);
      return macro === "or" ? optionalOf(joined) : joined;
    }
    case "cel.bind":
      return type;
  }
}
