/** The tree of cel-js → mailflow's: literals decoded and checked, macros recognised, logic chains flattened. */
import type { ASTNode } from "@marcbachmann/cel-js";
import type { Span } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";
import { CONTROLS } from "../values/render-value.ts";
import { canonicalInt, Double, INT_MAX, INT_MIN, Uint, type Value } from "../values/value.ts";
import { RefusedSource, refuse, tooDeep, widenSpan } from "./scan-source.ts";
import { MACRO_FORMS, type Macro, type Node } from "./tree.ts";

/** Names before the dot of functions that look like methods, such as `optional.of`. */
const NAMESPACES: ReadonlySet<string> = new Set(["optional", "cel", "strings"]);

/** Throws a `RefusedSource` at the first problem. */
export function convertTree(ast: ASTNode, source: string, pairs: readonly Span[], depth = 1): Node {
  const span = widenSpan(ast, pairs);
  if (depth > LIMITS.celDepthMax) throw new RefusedSource(tooDeep(span));
  const below = (child: ASTNode): Node => convertTree(child, source, pairs, depth + 1);
  switch (ast.op) {
    case "value":
      return { kind: "literal", span, value: literalValue(ast, span, source) };
    case "id":
      return { kind: "name", span, name: ast.args };
    case ".":
    case ".?": {
      const operand = below(ast.args[0]);
      const key: Node = { kind: "literal", span, value: ast.args[1] };
      const access = ast.op === "." ? "plain" : "optional";
      return { kind: "access", span, operand, key, form: "field", access };
    }
    case "[]":
    case "[?]": {
      const [operand, key] = [below(ast.args[0]), below(ast.args[1])];
      const access = ast.op === "[]" ? "plain" : "optional";
      return { kind: "access", span, operand, key, form: "element", access };
    }
    case "call":
      return convertFunction(ast.args[0], ast.args[1], span, below);
    case "rcall":
      return convertMethod(ast.args, span, source, below);
    case "list":
      return { kind: "list", span, items: ast.args.map(below) };
    case "map": {
      const entries = ast.args.map(([key, value]) => ({ key: below(key), value: below(value) }));
      return { kind: "map", span, entries };
    }
    case "?:":
      return { kind: "logic", span, operator: ast.op, operands: ast.args.map(below) };
    case "&&":
    case "||":
      return { kind: "logic", span, operator: ast.op, operands: chain(ast, ast.op).map(below) };
    case "!_":
    case "-_": {
      if (ast.op === "-_" && isNumber(ast.args)) {
        return { kind: "literal", span, value: literalValue(ast.args, span, source, "-") };
      }
      const args = [below(ast.args)];
      return { kind: "call", span, nameSpan: span, name: ast.op[0]!, form: "operator", args };
    }
    default: {
      const args = ast.args.map(below);
      return { kind: "call", span, nameSpan: span, name: ast.op, form: "operator", args };
    }
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

function isNumber({ op, args }: ASTNode): boolean {
  return op === "value" && (typeof args === "number" || typeof args === "bigint");
}

/** `sign`: what stands before a number. */
function literalValue(ast: ASTNode, span: Span, source: string, sign: "" | "-" = ""): Value {
  const raw = ast.args;
  // For a literal such as `.5`, the parser was given an integer.
  const isFraction = source.charAt(ast.start) === ".";
  const number = isFraction ? Number(source.slice(ast.start, ast.end)) : raw;
  const signed = sign === "-" ? -(number as number | bigint) : number;
  if (typeof signed === "number") return new Double(signed);
  if (typeof signed === "bigint") {
    if (signed >= INT_MIN && signed <= INT_MAX) return canonicalInt(signed);
    return refuse(`\`${signed}\` is not a 64-bit integer: write a smaller number`, span);
  }
  if (raw instanceof Uint8Array) return decodeBytes(source.slice(span.start, span.end));
  if (typeof raw !== "object" || raw === null) return raw as string | boolean | null;
  // The only case left is the parser's object for uints, which it has checked.
  return new Uint(canonicalInt((raw as { valueOf(): bigint }).valueOf()));
}

/** The octets of `b"…"`, which the parser has accepted: it keeps one byte per character, where CEL wants UTF-8. */
function decodeBytes(literal: string): Uint8Array {
  const width = /^b(?:"""|''')/i.test(literal) ? 3 : 1;
  const encoder = new TextEncoder();
  const octets: number[] = [];
  const pieces = literal.slice(1 + width, -width).match(/\\[xX]..|\\[0-7]{3}|\\.|[^\\]+/gsu) ?? [];
  for (const piece of pieces) {
    const control = CONTROLS.indexOf(piece[1]!);
    if (!piece.startsWith("\\")) octets.push(...encoder.encode(piece));
    else if (/^\\[xX]/.test(piece)) octets.push(Number.parseInt(piece.slice(2), 16));
    else if (/^\\[0-7]/.test(piece)) octets.push(Number.parseInt(piece.slice(1), 8));
    else octets.push(control < 0 ? piece.charCodeAt(1) : 7 + control);
  }
  return Uint8Array.from(octets);
}

function convertFunction(
  name: string,
  args: readonly ASTNode[],
  span: Span,
  below: (child: ASTNode) => Node,
): Node {
  if (name === "has") {
    const target = args.length === 1 ? below(args[0]!) : null;
    if (target?.kind !== "access" || target.form !== "field" || target.access !== "plain") {
      return refuse("`has` takes one field, such as `has(x.y)`", span);
    }
    const { operand, key } = target;
    return { kind: "access", span, operand, key, form: "field", access: "test" };
  }
  const nameSpan = { start: span.start, end: span.start + name.length };
  return { kind: "call", span, nameSpan, name, form: "function", args: args.map(below) };
}

function convertMethod(
  [name, receiver, rawArgs]: readonly [string, ASTNode, readonly ASTNode[]],
  span: Span,
  source: string,
  below: (child: ASTNode) => Node,
): Node {
  const args = rawArgs.map(below);
  if (receiver.op === "id" && NAMESPACES.has(receiver.args)) {
    const full = `${receiver.args}.${name}`;
    if (full === "cel.bind" && args.length === 3) {
      const [variable, operand, body] = args as [Node, Node, Node];
      return convertMacro(full, operand, [variable, body], span)!;
    }
    const nameSpan = { start: span.start, end: receiver.end + 1 + name.length };
    return { kind: "call", span, nameSpan, name: full, form: "function", args };
  }
  const operand = below(receiver);
  const macro = convertMacro(name === "existsOne" ? "exists_one" : name, operand, args, span);
  if (macro !== null) return macro;
  const at = source.indexOf(name, operand.span.end);
  const nameSpan = { start: at, end: at + name.length };
  return { kind: "call", span, nameSpan, name, form: "method", args: [operand, ...args] };
}

/** `null` if there is no such macro, or the arguments fit no form of it: then it is an unknown function. */
function convertMacro(name: string, operand: Node, args: readonly Node[], span: Span): Node | null {
  if (!Object.hasOwn(MACRO_FORMS, name)) return null;
  const macro = name as Macro;
  const form = MACRO_FORMS[macro].find(({ length }) => length === args.length);
  if (form === undefined) return null;
  const variables = args
    .filter((_, nth) => form[nth] === "v")
    .map((arg) => {
      if (arg.kind === "name") return arg.name;
      return refuse(`\`${macro}\` takes a plain variable name here, such as \`v\``, arg.span);
    });
  const condition = args[form.indexOf("c")] ?? null;
  const body = args[form.indexOf("b")] ?? null;
  return { kind: "macro", span, macro, operand, variables, condition, body };
}
