/** Tree → closures: in one walk every node gets its type and becomes a function of the frame; evaluation walks no tree. */
import type { Problem } from "../../../base/diagnostic.ts";
import { nearestName } from "../../../base/nearest-name.ts";
import { quote } from "../../../base/quote.ts";
import { STAGES, type Stage } from "../../facts/facts.ts";
import type { PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import {
  type AccessNode,
  type CallNode,
  isLoop,
  type LogicNode,
  literalText,
  type MacroNode,
  type NameNode,
  type Node,
  namesIn,
} from "../syntax/tree.ts";
import {
  BOOL,
  type CelType,
  DYN,
  listOf,
  mapOf,
  NULL,
  readType,
  STRING,
  TYPE,
} from "../values/type.ts";
import { CelError, type Result, TYPE_VALUES, typeNameOf } from "../values/value.ts";
import { runAccess } from "./compile-access.ts";
import { checkCall, runCall } from "./compile-call.ts";
import { runChoice, runCompare, runLogic } from "./compile-logic.ts";
import { runList, runMacro, runMap } from "./compile-loop.ts";
import type { Mode, Run } from "./frame.ts";
import { runConstantPattern } from "./matches.ts";
import {
  accessType,
  checkCompared,
  choiceType,
  commonType,
  expectBool,
  heldTypes,
  keyType,
  macroType,
  type Reporter,
  type Typed,
} from "./node-types.ts";

/** A variable of the environment. */
export interface Variable {
  readonly type: CelType;
  /** When it becomes known: operands of `&&` and `||` that need later facts are tried later. */
  readonly stage: Stage;
  /** Its value. If it is unknown, notes the stage in `frame.needs` and returns `UNKNOWN`. */
  readonly read: Run;
}

export type Variables = ReadonlyMap<string, Variable>;

/** The variables of macros, outermost first: each is kept in the slot of its place. */
type MacroScope = readonly { readonly name: string; readonly type: CelType }[];

/** The type of a node, and what evaluates it. */
interface Compiled {
  readonly type: CelType;
  readonly run: Run;
}

interface TreeContext {
  readonly variables: Variables;
  readonly engine: PatternEngine | null;
  readonly mode: Mode;
  readonly problems: Problem[];
  readonly report: Reporter;
  /** The most variables of macros that are in scope at once. */
  slots: number;
  /** What one evaluation of the nodes compiled so far costs within a loop. */
  fuel: number;
}

export interface CompiledTree extends Compiled {
  /** Length of `frame.locals`. */
  readonly slots: number;
  /** What is wrong with the types, and constant patterns that are refused. */
  readonly problems: readonly Problem[];
}

export function compileTree(
  tree: Node,
  { variables, engine }: Pick<TreeContext, "variables" | "engine">,
  mode: Mode,
): CompiledTree {
  const problems: Problem[] = [];
  const report: Reporter = (message, span, code = "cel/type") => {
    problems.push({ code, message, span });
    return DYN;
  };
  const context = { variables, engine, mode, problems, report, slots: 0, fuel: 0 };
  const { type, run } = compile(tree, [], context);
  return { type, run, slots: context.slots, problems };
}

function compile(node: Node, scope: MacroScope, context: TreeContext): Compiled & Typed {
  const { type, run } = compileNode(node, scope, context);
  context.fuel += makesObject(node, type) ? OBJECT_FUEL : 1;
  const isTraced = context.mode === "tracing" && node.kind !== "literal";
  return { node, type, run: isTraced ? traced(node, run) : run };
}

function traced({ span }: Node, run: Run): Run {
  return (frame) => {
    const result = run(frame);
    frame.trace!.steps.push({ span, result });
    return result;
  };
}

/** A function of its own, so that a program does not keep what its nodes were compiled with. */
function always(result: Result): Run {
  return () => result;
}

const typesOf = (parts: readonly Compiled[]): readonly CelType[] => parts.map(({ type }) => type);
const runsOf = (parts: readonly Compiled[]): readonly Run[] => parts.map(({ run }) => run);

function compileNode(node: Node, scope: MacroScope, context: TreeContext): Compiled {
  const below = (child: Node): Compiled & Typed => compile(child, scope, context);
  switch (node.kind) {
    case "literal": {
      const type = node.value === null ? NULL : readType(typeNameOf(node.value));
      return { type, run: always(node.value) };
    }
    case "name":
      return compileName(node, scope, context);
    case "access":
      return compileAccess(node, below, context);
    case "call":
      return compileCall(node, below, context);
    case "logic":
      return compileLogic(node, scope, context);
    case "list": {
      const items = node.items.map(below);
      return { type: listOf(commonType(typesOf(items))), run: runList(node, runsOf(items)) };
    }
    case "map": {
      const keys = node.entries.map(({ key }) => below(key));
      const values = node.entries.map(({ value }) => below(value));
      const key = commonType(keys.map((each) => keyType(each, context.report)));
      const type = mapOf(key, commonType(typesOf(values)));
      return { type, run: runMap(node, runsOf(keys), runsOf(values)) };
    }
    case "macro":
      return compileMacro(node, scope, context);
  }
}

/** The qualified name that the node spells, such as `google.protobuf.Timestamp`; `null` if it spells none. */
function qualifiedName(node: Node): string | null {
  if (node.kind === "name") return node.name;
  if (node.kind !== "access" || node.form !== "field" || node.access !== "plain") return null;
  const owner = qualifiedName(node.operand);
  return owner === null ? null : `${owner}.${literalText(node.key)}`;
}

function local(slot: number): Run {
  return (frame) => frame.locals[slot]!;
}

function compileName(
  { name, span }: NameNode,
  scope: MacroScope,
  { variables, report }: TreeContext,
): Compiled {
  const slot = scope.findLastIndex((one) => one.name === name);
  if (slot >= 0) return { type: scope[slot]!.type, run: local(slot) };
  const variable = variables.get(name);
  if (variable !== undefined) return { type: variable.type, run: variable.read };
  const constant = TYPE_VALUES.get(name);
  if (constant !== undefined) return { type: TYPE, run: always(constant) };
  const known = [...variables.keys(), ...scope.map((one) => one.name).reverse()];
  const nearest = nearestName(name, known);
  const advice =
    nearest === undefined ? `use one of ${known.join(", ")}` : `did you mean \`${nearest}\``;
  const message = `unknown name ${quote(name)}: ${advice}`;
  const type = report(message, span, "cel/unknown-identifier");
  return { type, run: always(new CelError(`unknown name \`${name}\``)) };
}

type CompileBelow = (child: Node) => Compiled & Typed;

function compileAccess(node: AccessNode, below: CompileBelow, { report }: TreeContext): Compiled {
  const constant = TYPE_VALUES.get(qualifiedName(node) ?? "");
  if (constant !== undefined) return { type: TYPE, run: always(constant) };
  const operand = below(node.operand);
  // The name of a field is no node of its own.
  const key = node.form === "field" ? { type: STRING, run: always(null) } : below(node.key);
  const type = accessType(node, operand.type, key.type, report);
  return { type, run: runAccess(node, operand.run, key.run, operand.type) };
}

/** Operators of any two values, of which no table can say what is wrong with them. */
const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "in"]);

function compileCall(
  node: CallNode,
  below: CompileBelow,
  { problems, engine, report }: TreeContext,
): Compiled {
  const before = problems.length;
  const parts = node.args.map(below);
  const [args, types] = [runsOf(parts), typesOf(parts)];
  if (node.form === "operator" && COMPARISONS.has(node.name)) {
    checkCompared(node, parts[0]!, parts[1]!, report);
    return { type: BOOL, run: runCompare(node, args[0]!, args[1]!, types[0]!) };
  }
  const checked = checkCall(node, types);
  const type = "kind" in checked ? checked : DYN;
  if (!("kind" in checked)) {
    // The arguments of a mistyped macro use variables that the macro would have declared.
    const within = problems.splice(before);
    const kept = within.filter(({ code }) => code !== "cel/unknown-identifier");
    problems.push(...(checked.code === "cel/unknown-function" ? kept : within), checked);
  }
  const source = literalText(node.args[1]);
  if (node.name === "matches" && args.length === 2 && source !== null) {
    return { type, run: runConstantPattern(node, args[0]!, source, engine, problems) };
  }
  return { type, run: runCall(node, args, types) };
}

function compileLogic(node: LogicNode, scope: MacroScope, context: TreeContext): Compiled {
  const { operator, span } = node;
  const { report, variables } = context;
  const isChoice = operator === "?:";
  const ordered = isChoice ? node.operands : operandsInOrder(node, variables, scope);
  const operands = ordered.map((operand) => compile(operand, scope, context));
  if (!isChoice) {
    for (const operand of operands) expectBool(operand, `\`${operator}\``, report);
    return { type: BOOL, run: runLogic(operator, span, runsOf(operands)) };
  }
  const [test, yes, no] = operands as [Compiled & Typed, Compiled, Compiled];
  expectBool(test, "the condition of `?:`", report);
  const type = choiceType(span, yes.type, no.type, report);
  return { type, run: runChoice(span, test.run, yes.run, no.run) };
}

function compileMacro(node: MacroNode, scope: MacroScope, context: TreeContext): Compiled {
  const { mode, report } = context;
  const operand = compile(node.operand, scope, context);
  const held = heldTypes(node, operand, report);
  const inner = scope.concat(node.variables.map((name, nth) => ({ name, type: held[nth]! })));
  context.slots = Math.max(context.slots, inner.length);
  const outside = context.fuel;
  const condition = node.condition && compile(node.condition, inner, context);
  const body = node.body && compile(node.body, inner, context);
  const fuel = 1 + context.fuel - outside;
  // The body of a loop charges for itself.
  if (isLoop(node.macro)) context.fuel = outside;
  if (condition !== null) expectBool(condition, `\`${node.macro}\``, report);
  const type = macroType(node, held[0]!, body ?? { node, type: held[0]! }, report);
  const run = runMacro(node, {
    operand: operand.run,
    condition: condition?.run ?? null,
    body: body?.run ?? null,
    slot: scope.length,
    fuel,
    mode,
  });
  return { type, run };
}

/** Fuel of a value that is an object, where many may be held: measured 200 to 300 ns and 30 to 200 octets on a quiet processor. */
const OBJECT_FUEL = 20;

/** Whether evaluating a node makes an object. Literals of lists and maps pay by their size. */
function makesObject(node: Node, type: CelType): boolean {
  if (node.kind === "macro") return isLoop(node.macro) || node.macro.startsWith("opt");
  return node.kind === "call" && type.kind !== "bool" && type.kind !== "int";
}

/**
 * The operands, ordered by the stage of the facts they need. CEL allows any order for `&&` and `||`, and if an
 * operand decides before an unknown fact is read, the later stage of reception is not needed.
 */
export function operandsInOrder(
  { operands }: LogicNode,
  variables: Variables,
  scope: MacroScope = [],
): readonly Node[] {
  const stageOf = (name: string): number => {
    const variable = scope.some((one) => one.name === name) ? undefined : variables.get(name);
    return variable === undefined ? 0 : STAGES.indexOf(variable.stage);
  };
  const ranks = new Map(operands.map((each) => [each, Math.max(0, ...namesIn(each).map(stageOf))]));
  return operands.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!);
}
