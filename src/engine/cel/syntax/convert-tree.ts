/** The tree of cel-js → mailflow's: literals decoded and checked, macros recognised, logic chains flattened. */
import type { ASTNode } from "@marcbachmann/cel-js";
import type { Problem, Span } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";
import { BOOL, BYTES, type CelType, DOUBLE, INT, NULL, STRING, UINT } from "../values/type.ts";
import { canonicalInt, Double, INT_MAX, INT_MIN, Uint, type Value } from "../values/value.ts";
import { decodeBytes } from "./decode-bytes.ts";
import { type Pairs, tooDeep, widenSpan } from "./scan-source.ts";
import {
  type LiteralNode,
  LOOP_FORMS,
  type LoopMacro,
  type LoopNode,
  type Node,
  type SelectNode,
} from "./tree.ts";

/** Stops the conversion at the first problem; never leaves this file. */
class RefusedTree {
  constructor(readonly problem: Problem) {}
}

interface ConvertContext {
  readonly source: string;
  readonly pairs: Pairs;
}

function refuse(message: string, span: Span): never {
  throw new RefusedTree({ code: "cel/syntax", message, span });
}

/** Names before the dot of functions that look like methods, such as `optional.of`. */
const NAMESPACES: ReadonlySet<string> = new Set(["optional", "cel", "strings"]);

export function convertTree(
  ast: ASTNode,
  source: string,
  pairs: Pairs,
): { ok: true; tree: Node } | { ok: false; problem: Problem } {
  try {
    return { ok: true, tree: convert(ast, 1, { source, pairs }) };
  } catch (error) {
    if (error instanceof RefusedTree) return { ok: false, problem: error.problem };
    throw error;
  }
}

function convert(ast: ASTNode, depth: number, context: ConvertContext): Node {
  const span = widenSpan(ast, context.pairs);
  if (depth > LIMITS.celDepthMax) throw new RefusedTree(tooDeep(span));
  const below = (child: ASTNode): Node => convert(child, depth + 1, context);
  switch (ast.op) {
    case "value":
      return literal(fractionOf(ast, context) ?? ast.args, span, context);
    case "id":
      return { kind: "name", span, name: ast.args };
    case "-_":
      if (ast.args.op === "value" && isNumber(ast.args.args)) {
        return literal(-(fractionOf(ast.args, context) ?? ast.args.args), span, context);
      }
      return operator("-", [below(ast.args)], span);
    case "!_":
      return operator("!", [below(ast.args)], span);
    case ".":
    case ".?": {
      const access = ast.op === "." ? "plain" : "optional";
      return { kind: "select", span, operand: below(ast.args[0]), field: ast.args[1], access };
    }
    case "[]":
    case "[?]": {
      const access = ast.op === "[]" ? "plain" : "optional";
      const [operand, index] = [below(ast.args[0]), below(ast.args[1])];
      return { kind: "index", span, operand, index, access };
    }
    case "call":
      return convertFunction(ast.args[0], ast.args[1], span, below);
    case "rcall":
      return convertMethod(ast.args, span, context, below);
    case "list":
      return { kind: "list", span, items: ast.args.map(below) };
    case "map": {
      const entries = ast.args.map(([key, value]) => ({ key: below(key), value: below(value) }));
      return { kind: "map", span, entries };
    }
    case "?:": {
      const [test, yes, no] = ast.args.map(below) as [Node, Node, Node];
      return { kind: "choice", span, test, yes, no };
    }
    case "&&":
    case "||":
      return { kind: "logic", span, operator: ast.op, operands: chain(ast, ast.op).map(below) };
    case "==":
    case "!=":
    case "in": {
      const [left, right] = [below(ast.args[0]), below(ast.args[1])];
      return { kind: "compare", span, operator: ast.op, left, right };
    }
    default:
      return operator(ast.op, ast.args.map(below), span);
  }
}

/** The operands of a chain, left to right; a loop, because a chain is as deep as it is long. */
function chain(ast: ASTNode, op: "&&" | "||"): readonly ASTNode[] {
  const operands: ASTNode[] = [];
  let rest: ASTNode = ast;
  while (rest.op === op) {
    operands.push(rest.args[1]);
    rest = rest.args[0];
  }
  operands.push(rest);
  return operands.reverse();
}

function operator(name: string, args: readonly Node[], span: Span): Node {
  return { kind: "call", span, nameSpan: span, name, form: "operator", args };
}

/** The value of a literal such as `.5`, for which the parser was given an integer. */
function fractionOf({ start, end }: ASTNode, { source }: ConvertContext): number | null {
  return source.charAt(start) === "." ? Number(source.slice(start, end)) : null;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Written out: an object made by spreading takes a hundred octets more, and expressions have most of these nodes. */
const literalNode = (span: Span, value: Value, type: CelType): LiteralNode => ({
  kind: "literal",
  span,
  value,
  type,
});

function literal(raw: unknown, span: Span, { source }: ConvertContext): Node {
  switch (typeof raw) {
    case "string":
      return literalNode(span, raw, STRING);
    case "boolean":
      return literalNode(span, raw, BOOL);
    case "number":
      return literalNode(span, new Double(raw), DOUBLE);
    case "bigint":
      if (raw >= INT_MIN && raw <= INT_MAX) return literalNode(span, canonicalInt(raw), INT);
      return refuse(`\`${raw}\` is not a 64-bit integer: write a smaller number`, span);
    default: {
      if (raw === null) return literalNode(span, null, NULL);
      if (raw instanceof Uint8Array) {
        return literalNode(span, decodeBytes(source.slice(span.start, span.end)), BYTES);
      }
      // The only case left is the parser's object for uints, which it has checked.
      const value = new Uint(canonicalInt((raw as { valueOf(): bigint }).valueOf()));
      return literalNode(span, value, UINT);
    }
  }
}

function variableName(node: Node, macro: string): string {
  if (node.kind === "name") return node.name;
  return refuse(`\`${macro}\` takes a plain variable name here, such as \`v\``, node.span);
}

function convertFunction(
  name: string,
  args: readonly ASTNode[],
  span: Span,
  below: (child: ASTNode) => Node,
): Node {
  if (name === "has") {
    const target = args.length === 1 ? below(args[0]!) : null;
    if (target?.kind !== "select" || target.access !== "plain") {
      return refuse("`has` takes one field, such as `has(x.y)`", span);
    }
    return { kind: "has", span, target: target satisfies SelectNode };
  }
  const nameSpan = { start: span.start, end: span.start + name.length };
  return { kind: "call", span, nameSpan, name, form: "function", args: args.map(below) };
}

function convertMethod(
  [name, receiver, rawArgs]: readonly [string, ASTNode, readonly ASTNode[]],
  span: Span,
  context: ConvertContext,
  below: (child: ASTNode) => Node,
): Node {
  const args = rawArgs.map(below);
  const [first, second, third] = args;
  if (receiver.op === "id" && NAMESPACES.has(receiver.args)) {
    const full = `${receiver.args}.${name}`;
    if (full === "cel.bind" && args.length === 3) {
      const variable = variableName(first!, full);
      return { kind: "bind", span, variable, value: second!, body: third! };
    }
    const nameSpan = { start: span.start, end: receiver.end + 1 + name.length };
    return { kind: "call", span, nameSpan, name: full, form: "function", args };
  }
  const operand = below(receiver);
  const loop = convertLoop(name === "existsOne" ? "exists_one" : name, operand, args, span);
  if (loop !== null) return loop;
  if ((name === "optMap" || name === "optFlatMap") && args.length === 2) {
    const variable = variableName(first!, name);
    return { kind: "optional-map", span, macro: name, operand, variable, body: second! };
  }
  if ((name === "or" || name === "orValue") && args.length === 1) {
    return { kind: "fallback", span, macro: name, operand, fallback: first! };
  }
  const at = context.source.indexOf(name, operand.span.end);
  const nameSpan = { start: at, end: at + name.length };
  return { kind: "call", span, nameSpan, name, form: "method", args: [operand, ...args] };
}

/** `null` if there is no such macro, or the arguments fit no form of it: then it is an unknown function. */
function convertLoop(name: string, range: Node, args: readonly Node[], span: Span): Node | null {
  if (!Object.hasOwn(LOOP_FORMS, name)) return null;
  const macro = name as LoopMacro;
  const form = LOOP_FORMS[macro].find(({ length }) => length === args.length);
  if (form === undefined) return null;
  const names = args.filter((_, nth) => form[nth] === "v").map((arg) => variableName(arg, macro));
  const variables = names as unknown as LoopNode["variables"];
  const filter = args[form.indexOf("f")] ?? null;
  const body = args[form.indexOf("b")] ?? null;
  return { kind: "loop", span, macro, range, variables, filter, body };
}
