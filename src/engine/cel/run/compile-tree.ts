/** Checked tree → closures: every node becomes a function of the frame, and evaluation walks no tree. */
import type { Problem } from "../../../base/diagnostic.ts";
import { STAGES, type Stage } from "../../facts/facts.ts";
import type { PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import { qualifiedName } from "../check/check-tree.ts";
import {
  type CallNode,
  childrenOf,
  type LogicNode,
  type LoopNode,
  literalText,
  type Node,
} from "../syntax/tree.ts";
import { type CelType, DYN } from "../values/type.ts";
import { CelError, TYPE_VALUES } from "../values/value.ts";
import { runIndex, runSelect } from "./compile-access.ts";
import { runList, runMap } from "./compile-aggregate.ts";
import { runCall } from "./compile-call.ts";
import { runCompare } from "./compile-compare.ts";
import { runChoice, runLogic } from "./compile-logic.ts";
import { runLoop } from "./compile-loop.ts";
import { runBind, runFallback, runHas, runOptionalMap } from "./compile-optional.ts";
import type { Run } from "./frame.ts";
import { runConstantPattern } from "./matches.ts";

/** A variable of the environment. */
export interface Variable {
  readonly type: CelType;
  /** When it becomes known: operands of `&&` and `||` that need later facts are tried later. */
  readonly stage: Stage;
  /** Its value. If it is unknown, notes the stage in `frame.needs` and returns `UNKNOWN`. */
  readonly read: Run;
}

export type Variables = ReadonlyMap<string, Variable>;

/** `tracing` notes the value of every node that is not a literal in `frame.steps`. */
export type Mode = "plain" | "tracing";

/** The variables of macros, outermost first: each is kept in the slot of its place. */
type MacroScope = readonly string[];

interface CompileContext {
  readonly variables: Variables;
  readonly types: ReadonlyMap<Node, CelType>;
  readonly engine: PatternEngine | null;
  readonly mode: Mode;
  readonly problems: Problem[];
  /** The most variables of macros that are in scope at once. */
  slots: number;
}

export interface CompiledTree {
  readonly run: Run;
  /** Length of `frame.locals`. */
  readonly slots: number;
  readonly problems: readonly Problem[];
}

/** Compiles a checked tree. Its only problems are constant patterns that are refused. */
export function compileTree(
  tree: Node,
  types: ReadonlyMap<Node, CelType>,
  environment: { readonly variables: Variables; readonly engine: PatternEngine | null },
  mode: Mode,
): CompiledTree {
  const context: CompileContext = { ...environment, types, mode, problems: [], slots: 0 };
  const run = compile(tree, [], context);
  return { run, slots: context.slots, problems: context.problems };
}

function compile(node: Node, scope: MacroScope, context: CompileContext): Run {
  const run = compileNode(node, scope, context);
  if (context.mode === "plain" || node.kind === "literal") return run;
  const { span } = node;
  return (frame) => {
    const result = run(frame);
    frame.steps.push({ span, result });
    return result;
  };
}

function compileNode(node: Node, scope: MacroScope, context: CompileContext): Run {
  const below = (child: Node): Run => compile(child, scope, context);
  const typeOf = (child: Node): CelType => context.types.get(child) ?? DYN;
  switch (node.kind) {
    case "literal": {
      const { value } = node;
      return () => value;
    }
    case "name":
      return compileName(node.name, scope, context);
    case "select": {
      const constant = TYPE_VALUES.get(qualifiedName(node) ?? "");
      if (constant !== undefined) return () => constant;
      return runSelect(node, below(node.operand), typeOf(node.operand));
    }
    case "index":
      return runIndex(node, below(node.operand), below(node.index), typeOf);
    case "call":
      return compileCall(node, node.args.map(below), node.args.map(typeOf), context);
    case "list":
      return runList(node, node.items.map(below));
    case "map":
      return runMap(
        node,
        node.entries.map(({ key, value }) => ({ key: below(key), value: below(value) })),
      );
    case "choice":
      return runChoice(node, below(node.test), below(node.yes), below(node.no));
    case "logic":
      return runLogic(node, operandsInOrder(node, context.variables, scope).map(below));
    case "compare":
      return runCompare(node, below(node.left), below(node.right), typeOf);
    case "has":
      return runHas(node, below(node.target.operand));
    case "loop":
      return compileLoop(node, scope, context);
    case "bind": {
      const body = compile(node.body, declare([node.variable], scope, context), context);
      return runBind(below(node.value), scope.length, body);
    }
    case "optional-map": {
      const body = compile(node.body, declare([node.variable], scope, context), context);
      return runOptionalMap(node, below(node.operand), scope.length, body);
    }
    case "fallback":
      return runFallback(node, below(node.operand), below(node.fallback));
  }
}

function declare(names: readonly string[], outer: MacroScope, context: CompileContext): MacroScope {
  // Programs keep it, and spreading makes room for sixteen names more.
  const inner = outer.concat(names);
  context.slots = Math.max(context.slots, inner.length);
  return inner;
}

function compileName(name: string, scope: MacroScope, context: CompileContext): Run {
  const slot = scope.lastIndexOf(name);
  if (slot >= 0) return (frame) => frame.locals[slot]!;
  const variable = context.variables.get(name);
  if (variable !== undefined) return variable.read;
  const constant = TYPE_VALUES.get(name) ?? new CelError(`unknown name \`${name}\``);
  return () => constant;
}

function compileCall(
  node: CallNode,
  args: readonly Run[],
  types: readonly CelType[],
  context: CompileContext,
): Run {
  const source = literalText(node.args[1]);
  if (node.name === "matches" && args.length === 2 && source !== null) {
    return runConstantPattern(node, args[0]!, source, context.engine, context.problems);
  }
  const constants = node.args.map((arg) => (arg.kind === "literal" ? arg.value : undefined));
  return runCall(node, args, types, constants);
}

function compileLoop(node: LoopNode, scope: MacroScope, context: CompileContext): Run {
  const inner = declare(node.variables, scope, context);
  const parts = [node.filter, node.body].filter((part) => part !== null);
  return runLoop(node, {
    range: compile(node.range, scope, context),
    filter: node.filter === null ? null : compile(node.filter, inner, context),
    body: node.body === null ? null : compile(node.body, inner, context),
    slot: scope.length,
    fuel: 1 + parts.reduce((sum, part) => sum + nodeFuel(part, context.types), 0),
    mode: context.mode,
  });
}

/** Fuel of a value that is an object, where many may be held: measured 200 to 300 ns and 30 to 200 octets. */
const OBJECT_FUEL = 16;

/** Whether evaluating a node makes an object. Literals of lists and maps pay by their size. */
function makesObject(node: Node, types: ReadonlyMap<Node, CelType>): boolean {
  if (node.kind === "loop" || node.kind === "optional-map") return true;
  const { kind } = types.get(node) ?? DYN;
  return node.kind === "call" && kind !== "bool" && kind !== "int";
}

/** What one evaluation of a node costs; the body of a loop charges for itself. */
function nodeFuel(node: Node, types: ReadonlyMap<Node, CelType>): number {
  const children = node.kind === "loop" ? [node.range] : childrenOf(node);
  const own = makesObject(node, types) ? OBJECT_FUEL : 1;
  return own + children.reduce((sum, child) => sum + nodeFuel(child, types), 0);
}

/**
 * The operands, ordered by the stage of the facts they need. CEL allows any order for `&&` and `||`, and if an
 * operand decides before an unknown fact is read, the later stage of reception is not needed.
 */
export function operandsInOrder(
  node: LogicNode,
  variables: Variables,
  scope: MacroScope = [],
): readonly Node[] {
  const ranks = new Map(node.operands.map((each) => [each, latestStage(each, scope, variables)]));
  return node.operands.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!);
}

/** The latest stage of any fact that the node names, as an index into `STAGES`. */
function latestStage(node: Node, scope: MacroScope, variables: Variables): number {
  if (node.kind === "name") {
    const variable = variables.get(node.name);
    if (variable === undefined || scope.includes(node.name)) return 0;
    return STAGES.indexOf(variable.stage);
  }
  return childrenOf(node).reduce(
    (latest, child) => Math.max(latest, latestStage(child, scope, variables)),
    0,
  );
}
