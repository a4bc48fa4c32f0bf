/** Type check: syntax tree → the type of every node, and everything that is wrong with it. */
import type { Problem, Span } from "../../../base/diagnostic.ts";
import { nearestName } from "../../../base/nearest-name.ts";
import { quote } from "../../../base/quote.ts";
import { listOverloads } from "../functions/functions.ts";
import type {
  CallNode,
  CompareNode,
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
  TYPE,
} from "../values/type.ts";
import { TYPE_VALUES } from "../values/value.ts";
import { checkCall } from "./check-call.ts";

export interface Checked {
  readonly types: ReadonlyMap<Node, CelType>;
  readonly problems: readonly Problem[];
}

/** Variables of macros, outermost first. */
type TypeScope = readonly { readonly name: string; readonly type: CelType }[];

interface CheckContext {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly types: Map<Node, CelType>;
  readonly problems: Problem[];
}

/**
 * Checks a whole tree. A node with a problem has type `dyn`, so that one mistake is reported once. `dyn` fits
 * everywhere and is then checked at run time.
 */
export function checkTree(tree: Node, variables: ReadonlyMap<string, CelType>): Checked {
  const context: CheckContext = { variables, types: new Map(), problems: [] };
  check(tree, [], context);
  return { types: context.types, problems: context.problems };
}

/** The qualified name that the node spells, such as `google.protobuf.Timestamp`; `null` if it spells none. */
export function qualifiedName(node: Node): string | null {
  if (node.kind === "name") return node.name;
  if (node.kind !== "select" || node.access !== "plain") return null;
  const owner = qualifiedName(node.operand);
  return owner === null ? null : `${owner}.${node.field}`;
}

function check(node: Node, scope: TypeScope, context: CheckContext): CelType {
  const type = typeOf(node, scope, context);
  context.types.set(node, type);
  return type;
}

function report(
  context: CheckContext,
  code: Problem["code"],
  message: string,
  span: Span,
): CelType {
  context.problems.push({ code, message, span });
  return DYN;
}

function typeOf(node: Node, scope: TypeScope, context: CheckContext): CelType {
  const below = (child: Node): CelType => check(child, scope, context);
  switch (node.kind) {
    case "literal":
      return node.type;
    case "name":
      return nameType(node.name, node.span, scope, context);
    case "select":
      return selectType(node, scope, context);
    case "index":
      return indexType(node, below(node.operand), below(node.index), context);
    case "call":
      return callType(node, scope, context);
    case "list":
      return listOf(common(node.items.map(below)));
    case "map": {
      const keys = node.entries.map(({ key }) => keyType(key, below(key), context));
      return mapOf(common(keys), common(node.entries.map(({ value }) => below(value))));
    }
    case "choice": {
      expectBool(node.test, below(node.test), "the condition of `?:`", context);
      const [yes, no] = [below(node.yes), below(node.no)];
      const joined = joinTypes(yes, no);
      if (joined !== null) return joined;
      const message = `\`?:\` gives ${describeType(yes)} or ${describeType(no)}: make both sides one type`;
      return report(context, "cel/type", message, node.span);
    }
    case "logic":
      for (const operand of node.operands) {
        expectBool(operand, below(operand), `\`${node.operator}\``, context);
      }
      return BOOL;
    case "compare":
      checkCompared(node, below(node.left), below(node.right), context);
      return BOOL;
    case "has":
      selectType(node.target, scope, context);
      return BOOL;
    case "loop":
      return loopType(node, scope, context);
    case "bind": {
      const bound = { name: node.variable, type: below(node.value) };
      return check(node.body, [...scope, bound], context);
    }
    case "optional-map": {
      const inner = optionalValue(node.operand, below(node.operand), node.macro, context);
      const bound = { name: node.variable, type: inner };
      const body = check(node.body, [...scope, bound], context);
      if (node.macro === "optMap") return optionalOf(body);
      return optionalOf(optionalValue(node.body, body, node.macro, context));
    }
    case "fallback": {
      const inner = optionalValue(node.operand, below(node.operand), node.macro, context);
      let other = below(node.fallback);
      if (node.macro === "or") other = optionalValue(node.fallback, other, node.macro, context);
      const joined = joinTypes(inner, other);
      if (joined !== null) return node.macro === "or" ? optionalOf(joined) : joined;
      const message = `\`${node.macro}\` gives ${describeType(inner)} or ${describeType(other)}: make both one type`;
      return report(context, "cel/type", message, node.span);
    }
  }
}

function common(types: readonly CelType[]): CelType {
  const [first, ...rest] = types;
  if (first === undefined) return DYN;
  return rest.reduce((joined, type) => joinTypes(joined, type) ?? DYN, first);
}

function nameType(name: string, span: Span, scope: TypeScope, context: CheckContext): CelType {
  const local = scope.findLast((one) => one.name === name);
  const type = local?.type ?? context.variables.get(name);
  if (type !== undefined) return type;
  if (TYPE_VALUES.has(name)) return TYPE;
  const known = [...context.variables.keys(), ...scope.map((one) => one.name).reverse()];
  const nearest = nearestName(name, known);
  const advice =
    nearest === undefined ? `use one of ${known.join(", ")}` : `did you mean \`${nearest}\``;
  return report(context, "cel/unknown-identifier", `unknown name ${quote(name)}: ${advice}`, span);
}

function selectType(node: SelectNode, scope: TypeScope, context: CheckContext): CelType {
  const qualified = qualifiedName(node);
  if (qualified !== null && TYPE_VALUES.has(qualified)) return TYPE;
  const operand = check(node.operand, scope, context);
  const inner = operand.kind === "optional" ? operand.of[0] : operand;
  const field = fieldType(node, inner, context);
  return operand.kind === "optional" || node.access === "optional" ? optionalOf(field) : field;
}

function fieldType(node: SelectNode, owner: CelType, context: CheckContext): CelType {
  if (owner.kind === "dyn") return DYN;
  if (owner.kind === "map" && fits(STRING, owner.of[0])) return owner.of[1];
  if (owner.kind === "struct") {
    const type = owner.fields.get(node.field);
    if (type !== undefined) return type;
    const names = [...owner.fields.keys()].join(", ");
    const message = `${describeType(owner)} has no field ${quote(node.field)}: it has ${names}`;
    return report(context, "cel/type", message, node.span);
  }
  const isMethod = listOverloads("method").some(({ name }) => name === node.field);
  const hint = isMethod ? `write \`.${node.field}(…)\`` : "remove it";
  const message = `${describeType(owner)} has no field ${quote(node.field)}: ${hint}`;
  return report(context, "cel/type", message, node.span);
}

function indexType(
  node: IndexNode,
  operand: CelType,
  index: CelType,
  context: CheckContext,
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
  return report(context, "cel/type", message, node.span);
}

function keyType(key: Node, type: CelType, context: CheckContext): CelType {
  if (["dyn", "bool", "int", "uint", "string"].includes(type.kind)) return type;
  const message = `${describeType(type)} cannot be the key of a map: use a string, int, uint or bool`;
  return report(context, "cel/type", message, key.span);
}

function expectBool(node: Node, type: CelType, where: string, context: CheckContext): void {
  if (fits(type, BOOL)) return;
  const message = `${where} takes a bool, found ${describeType(type)}: compare it with something`;
  report(context, "cel/type", message, node.span);
}

function convertHint(left: CelType, right: CelType): string {
  const numbers = ["int", "uint", "double"];
  if (numbers.includes(left.kind) && numbers.includes(right.kind)) {
    return `convert one, as in \`${left.kind}(…)\``;
  }
  if (left.kind === "null" || right.kind === "null") return "only `dyn` values can be null";
  return "compare values of one type";
}

function callType(node: CallNode, scope: TypeScope, context: CheckContext): CelType {
  const before = context.problems.length;
  const type = checkCall(
    node,
    node.args.map((arg) => check(arg, scope, context)),
  );
  if ("kind" in type) return type;
  // The arguments of a mistyped macro use variables that the macro would have declared.
  const within = context.problems.splice(before);
  const kept = within.filter(({ code }) => code !== "cel/unknown-identifier");
  context.problems.push(...(type.code === "cel/unknown-function" ? kept : within), type);
  return DYN;
}

function checkCompared(
  node: CompareNode,
  left: CelType,
  right: CelType,
  context: CheckContext,
): void {
  if (node.operator === "in") {
    checkMembership(node.right, left, right, context);
    return;
  }
  if (fits(left, right)) return;
  const field = left.kind === "string" ? headerField(node.right) : headerField(node.left);
  if (field !== null && (left.kind === "string" || right.kind === "string")) {
    const message = `a header field has a list of values: write \`${field}[0]\` for the first`;
    report(context, "cel/type", message, node.span);
    return;
  }
  const message = `${describeType(left)} never equals ${describeType(right)}: ${convertHint(left, right)}`;
  report(context, "cel/type", message, node.span);
}

/** The header field as it is written; `null` if the node is not one. */
function headerField(node: Node): string | null {
  if (node.kind !== "select" && node.kind !== "index") return null;
  if (node.operand.kind !== "name" || node.operand.name !== "headers") return null;
  if (node.kind === "select") return `headers.${node.field}`;
  const { index } = node;
  return index.kind === "literal" ? `headers[${JSON.stringify(index.value)}]` : null;
}

function checkMembership(at: Node, item: CelType, range: CelType, context: CheckContext): void {
  if (range.kind === "dyn") return;
  const inner = range.kind === "list" || range.kind === "map" ? range.of[0] : null;
  if (inner !== null && fits(item, inner)) return;
  const message =
    inner === null
      ? `\`in\` takes a list or a map, found ${describeType(range)}: ${range.kind === "string" ? "use `contains`" : "write a list"}`
      : `${describeType(item)} is never in ${describeType(range)}: compare values of one type`;
  report(context, "cel/type", message, at.span);
}

function optionalValue(node: Node, type: CelType, macro: string, context: CheckContext): CelType {
  if (type.kind === "optional") return type.of[0];
  if (type.kind === "dyn") return DYN;
  const message = `\`${macro}\` takes an optional, found ${describeType(type)}: write \`.?\`, \`[?…]\` or \`optional.of(…)\``;
  return report(context, "cel/type", message, node.span);
}

function loopType(node: LoopNode, scope: TypeScope, context: CheckContext): CelType {
  const range = check(node.range, scope, context);
  let types: readonly [CelType, CelType] = [DYN, DYN];
  if (range.kind === "list") types = [INT, range.of[0]];
  else if (range.kind === "map") types = range.of;
  else if (range.kind !== "dyn") {
    const message = `\`${node.macro}\` goes over a list or a map, found ${describeType(range)}: ${range.kind === "string" ? "use `contains` or `matches`" : "write a list"}`;
    report(context, "cel/type", message, node.range.span);
  }
  const [first, second] = node.variables;
  const single = range.kind === "map" ? types[0] : types[1];
  const bound =
    second === undefined
      ? [{ name: first, type: single }]
      : [
          { name: first, type: types[0] },
          { name: second, type: types[1] },
        ];
  const inner = [...scope, ...bound];
  if (node.filter !== null) {
    expectBool(node.filter, check(node.filter, inner, context), `\`${node.macro}\``, context);
  }
  const body = node.body === null ? single : check(node.body, inner, context);
  switch (node.macro) {
    case "all":
    case "exists":
    case "exists_one":
      expectBool(node.body!, body, `\`${node.macro}\``, context);
      return BOOL;
    case "filter":
    case "map":
    case "transformList":
      return listOf(body);
    case "transformMap":
      return mapOf(types[0], body);
    case "transformMapEntry": {
      if (body.kind === "map") return body;
      if (body.kind === "dyn") return mapOf(DYN, DYN);
      const message = `\`transformMapEntry\` makes maps of one entry, found ${describeType(body)}: write \`{key: value}\``;
      return report(context, "cel/type", message, node.body!.span);
    }
  }
}
