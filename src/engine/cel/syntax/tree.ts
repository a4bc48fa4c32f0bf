/** The syntax tree of an expression: macros recognised, `&&` and `||` chains flattened, literals decoded. */
import type { Span } from "../../../base/diagnostic.ts";
import type { Value } from "../values/value.ts";

interface NodeOf<Kind extends string> {
  readonly kind: Kind;
  readonly span: Span;
}

export interface LiteralNode extends NodeOf<"literal"> {
  readonly value: Value;
}

export interface NameNode extends NodeOf<"name"> {
  readonly name: string;
}

/** `operand.field`, whose key is a literal with the span of the whole, or the element `operand[key]`. */
export interface AccessNode extends NodeOf<"access"> {
  readonly operand: Node;
  readonly key: Node;
  readonly form: "field" | "element";
  /** `optional`: `operand.?field` or `operand[?key]`; `test`: `has(operand.field)`. */
  readonly access: "plain" | "optional" | "test";
}

/** A function or an operator that needs all its operands; a method's receiver is its first argument. */
export interface CallNode extends NodeOf<"call"> {
  readonly nameSpan: Span;
  readonly name: string;
  readonly form: "function" | "method" | "operator";
  readonly args: readonly Node[];
}

/** A whole chain of `&&` or of `||`, as written, or the three parts of `?:`. */
export interface LogicNode extends NodeOf<"logic"> {
  readonly operator: "&&" | "||" | "?:";
  readonly operands: readonly Node[];
}

export interface ListNode extends NodeOf<"list"> {
  readonly items: readonly Node[];
}

export interface MapNode extends NodeOf<"map"> {
  readonly entries: readonly { readonly key: Node; readonly value: Node }[];
}

/** Macros that go over a list or a map, and what the arguments of each form are: a variable, a condition, or a body. */
const LOOP_FORMS = {
  all: ["vc", "vvc"],
  exists: ["vc", "vvc"],
  exists_one: ["vc", "vvc"],
  filter: ["vc"],
  map: ["vb", "vcb"],
  transformList: ["vvb", "vvcb"],
  transformMap: ["vvb", "vvcb"],
  transformMapEntry: ["vvb", "vvcb"],
} as const;
export type LoopMacro = keyof typeof LOOP_FORMS;

const OTHER_FORMS = {
  "cel.bind": ["vb"],
  optMap: ["vb"],
  optFlatMap: ["vb"],
  or: ["b"],
  orValue: ["b"],
} as const;
export type Macro = LoopMacro | keyof typeof OTHER_FORMS;

export const MACRO_FORMS: Readonly<Record<Macro, readonly string[]>> = {
  ...LOOP_FORMS,
  ...OTHER_FORMS,
};

export function isLoop(macro: Macro): macro is LoopMacro {
  return Object.hasOwn(LOOP_FORMS, macro);
}

/** `operand.macro(variable, …)`, and `cel.bind(variable, operand, body)`. Two variables are index and element, or key and value. */
export interface MacroNode extends NodeOf<"macro"> {
  readonly macro: Macro;
  readonly operand: Node;
  readonly variables: readonly string[];
  /** What must be true of an element, where the macro asks for that. */
  readonly condition: Node | null;
  /** What the macro makes of its variables, or the fallback of `or` and `orValue`; `null` if it makes nothing. */
  readonly body: Node | null;
}

export type Node =
  | LiteralNode
  | NameNode
  | AccessNode
  | CallNode
  | LogicNode
  | ListNode
  | MapNode
  | MacroNode;

/** The text of a string literal; `null` for any other node. */
export function literalText(node: Node | undefined): string | null {
  return node?.kind === "literal" && typeof node.value === "string" ? node.value : null;
}

/** The direct children of a node; the name of a field is none. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "literal":
    case "name":
      return [];
    case "access":
      return node.form === "field" ? [node.operand] : [node.operand, node.key];
    case "call":
      return node.args;
    case "logic":
      return node.operands;
    case "list":
      return node.items;
    case "map":
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case "macro":
      return [node.operand, node.condition, node.body].filter((child) => child !== null);
  }
}

/** The names in a tree, in the order of the source, with repetitions. */
export function namesIn(node: Node): readonly string[] {
  return node.kind === "name" ? [node.name] : childrenOf(node).flatMap(namesIn);
}
