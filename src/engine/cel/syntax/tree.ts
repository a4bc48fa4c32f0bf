/** The syntax tree of an expression: macros recognised, `&&` and `||` chains flattened, literals decoded. */
import type { Span } from "../../../base/diagnostic.ts";
import type { CelType } from "../values/type.ts";
import type { Value } from "../values/value.ts";

interface NodeOf<Kind extends string> {
  readonly kind: Kind;
  readonly span: Span;
}

export interface LiteralNode extends NodeOf<"literal"> {
  readonly value: Value;
  readonly type: CelType;
}

export interface NameNode extends NodeOf<"name"> {
  readonly name: string;
}

/** `operand.field`, or `operand.?field`. */
export interface SelectNode extends NodeOf<"select"> {
  readonly operand: Node;
  readonly field: string;
  readonly access: "plain" | "optional";
}

/** `operand[index]`, or `operand[?index]`. */
export interface IndexNode extends NodeOf<"index"> {
  readonly operand: Node;
  readonly index: Node;
  readonly access: "plain" | "optional";
}

/** A function or an operator of the tables; a method's receiver is its first argument. */
export interface CallNode extends NodeOf<"call"> {
  readonly nameSpan: Span;
  readonly name: string;
  readonly form: "function" | "method" | "operator";
  readonly args: readonly Node[];
}

export interface ListNode extends NodeOf<"list"> {
  readonly items: readonly Node[];
}

export interface MapNode extends NodeOf<"map"> {
  readonly entries: readonly { readonly key: Node; readonly value: Node }[];
}

/** `test ? then : otherwise`. */
export interface ChoiceNode extends NodeOf<"choice"> {
  readonly test: Node;
  readonly yes: Node;
  readonly no: Node;
}

/** A whole chain of `&&` or of `||`, as written. */
export interface LogicNode extends NodeOf<"logic"> {
  readonly operator: "&&" | "||";
  readonly operands: readonly Node[];
}

/** `==`, `!=` or `in`: defined between any two values, so not in the tables. */
export interface CompareNode extends NodeOf<"compare"> {
  readonly operator: "==" | "!=" | "in";
  readonly left: Node;
  readonly right: Node;
}

/** `has(operand.field)`. */
export interface HasNode extends NodeOf<"has"> {
  readonly target: SelectNode;
}

/** The forms of each loop macro, by what its arguments are: a variable, a filter, or a body. */
export const LOOP_FORMS = {
  all: ["vb", "vvb"],
  exists: ["vb", "vvb"],
  exists_one: ["vb", "vvb"],
  filter: ["vf"],
  map: ["vb", "vfb"],
  transformList: ["vvb", "vvfb"],
  transformMap: ["vvb", "vvfb"],
  transformMapEntry: ["vvb", "vvfb"],
} as const;
export type LoopMacro = keyof typeof LOOP_FORMS;

/** `range.macro(variable, …)`: two variables are index and element, or key and value. */
export interface LoopNode extends NodeOf<"loop"> {
  readonly macro: LoopMacro;
  readonly range: Node;
  readonly variables: readonly [string] | readonly [string, string];
  /** The condition of `filter`, and of `map` and the transforms where they have one. */
  readonly filter: Node | null;
  /** The predicate, or what an element becomes; `null` for `filter`. */
  readonly body: Node | null;
}

/** `cel.bind(variable, value, body)`. */
export interface BindNode extends NodeOf<"bind"> {
  readonly variable: string;
  readonly value: Node;
  readonly body: Node;
}

/** `operand.optMap(variable, body)` and `optFlatMap`. */
export interface OptionalMapNode extends NodeOf<"optional-map"> {
  readonly macro: "optMap" | "optFlatMap";
  readonly operand: Node;
  readonly variable: string;
  readonly body: Node;
}

/** `operand.or(fallback)` and `orValue`: the fallback is evaluated only where it is needed. */
export interface FallbackNode extends NodeOf<"fallback"> {
  readonly macro: "or" | "orValue";
  readonly operand: Node;
  readonly fallback: Node;
}

export type Node =
  | LiteralNode
  | NameNode
  | SelectNode
  | IndexNode
  | CallNode
  | ListNode
  | MapNode
  | ChoiceNode
  | LogicNode
  | CompareNode
  | HasNode
  | LoopNode
  | BindNode
  | OptionalMapNode
  | FallbackNode;

/** The text of a string literal; `null` for any other node. */
export function literalText(node: Node | undefined): string | null {
  return node?.kind === "literal" && typeof node.value === "string" ? node.value : null;
}

/** The direct children of a node. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "literal":
    case "name":
      return [];
    case "select":
      return [node.operand];
    case "index":
      return [node.operand, node.index];
    case "call":
      return node.args;
    case "list":
      return node.items;
    case "map":
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case "choice":
      return [node.test, node.yes, node.no];
    case "logic":
      return node.operands;
    case "compare":
      return [node.left, node.right];
    case "has":
      return [node.target.operand];
    case "loop":
      return [node.range, node.filter, node.body].filter((child) => child !== null);
    case "bind":
      return [node.value, node.body];
    case "optional-map":
      return [node.operand, node.body];
    case "fallback":
      return [node.operand, node.fallback];
  }
}
