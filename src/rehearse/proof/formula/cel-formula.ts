/**
 * A CEL expression as a formula: when it is true, and when it is false. Parts that a formula cannot express are left
 * free.
 */
import { parseSource } from "../../../engine/cel/syntax/parse-source.ts";
import {
  type CallNode,
  literalText,
  type MacroNode,
  type Node,
} from "../../../engine/cel/syntax/tree.ts";
import { ANY_CHAR } from "../text/char-set.ts";
import { anchored, charsNode, literalNode, sourceNode } from "../text/text-program.ts";
import {
  attachmentField,
  type CelContext,
  constantNumber,
  constantText,
  follow,
  hasHeader,
  listTerm,
  NO_NAMES,
  NotUnderstood,
  payRead,
  READS_MAX,
  type TextTerm,
  textTerm,
  withName,
} from "./cel-terms.ts";
import {
  type AtomTable,
  and,
  certain,
  FALSE,
  type Formula,
  neverErrs,
  not,
  or,
  TRUE,
  type Verdicts,
} from "./formula.ts";

/** Longest text for which a condition is followed. */
const LENGTH_MAX = 500;

/** Atoms of one formula, with repetitions: nested choices repeat their tests. */
const LITERALS_MAX = 5_000;

/** The literals of both formulas, up to the most that are allowed. */
function isWithinLiterals({ yes, no }: Verdicts): boolean {
  let count = 0;
  const pending = [yes, no];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === "and" || next.kind === "or") pending.push(...next.parts);
    else if (++count > LITERALS_MAX) return false;
  }
  return true;
}

/** A part of which nothing is known: it may be true, false or an error, but equal parts have equal results. */
function leftFree({ span }: Node, { atoms, source, names, within }: CelContext): Verdicts {
  if (within === "element") throw new NotUnderstood();
  const about = source.slice(span.start, span.end);
  // Names are bound to spans of this source, so the key includes it.
  const key = names.bound.size === 0 ? about : `${about} ${names.key} ${source}`;
  const yes = atoms.free(`true ${key}`, about);
  return { yes, no: and(not(yes), atoms.free(`not an error ${key}`, about)) };
}

function opposite({ yes, no }: Verdicts): Verdicts {
  return { yes: no, no: yes };
}

/** `condition` if what it is about is present; otherwise an error. */
function where(present: Formula, condition: Formula): Verdicts {
  return { yes: and(present, condition), no: and(present, not(condition)) };
}

type SearchMethod = "equals" | "startsWith" | "endsWith" | "contains";

function searched(
  term: TextTerm,
  search: SearchMethod,
  text: string,
  { atoms }: CelContext,
): Formula {
  const { variable, changes, suffix } = term;
  const node = literalNode(text);
  const root = {
    equals: () => anchored(node, "both"),
    startsWith: () => anchored(node, "begin"),
    endsWith: () => anchored(node, "end"),
    contains: () => node,
  }[search]();
  return atoms.text(variable, { key: `${search} ${text}`, root, changes, suffix });
}

function isAtMost(term: TextTerm, length: number, { atoms }: CelContext): Formula {
  const { variable, suffix } = term;
  const root = anchored(charsNode(ANY_CHAR, 0, length), "both");
  return atoms.text(variable, { key: `length ${length}`, root, changes: [], suffix });
}

function isIn(term: TextTerm, list: Node, context: CelContext): Formula | null {
  const { node, context: inner } = follow(list, context);
  if (node.kind !== "list") return null;
  const texts = node.items.map((item) => constantText(item, inner));
  if (texts.some((text) => text === null)) return null;
  return or(...texts.map((text) => searched(term, "equals", text!, context)));
}

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "in"]);

function readCompare(node: CallNode, context: CelContext): Verdicts {
  const { name: operator, args } = node;
  const [left, right] = args as [Node, Node];
  if (operator === "in") {
    const term = textTerm(left, context);
    const listed = term === null ? null : isIn(term, right, context);
    if (term !== null && listed !== null) return where(term.present, listed);
    const text = constantText(left, context);
    if (text === null) return leftFree(node, context);
    if (right.kind === "name" && right.name === "headers" && !context.names.bound.has("headers")) {
      return certain(hasHeader(text, context));
    }
    const list = listTerm(right, context);
    if (list?.element.kind !== "text") return leftFree(node, context);
    const { variable } = list.element;
    const element = { variable, changes: [], suffix: "", present: TRUE };
    const some = context.atoms.element(list.list, searched(element, "equals", text, context));
    return where(list.present, some);
  }
  const equal = readEqual(left, right, context) ?? readEqual(right, left, context);
  if (equal === null) return leftFree(node, context);
  return operator === "==" ? equal : opposite(equal);
}

function readEqual(one: Node, other: Node, context: CelContext): Verdicts | null {
  const text = constantText(other, context);
  const term = text === null ? null : textTerm(one, context);
  if (term !== null) return where(term.present, searched(term, "equals", text!, context));
  const number = constantNumber(other, context);
  if (number === null) return null;
  const atMost = numberTerm(one, context);
  if (atMost === null) return null;
  return where(atMost.present, and(atMost.of(number), not(atMost.of(number - 1))));
}

/** A number of the message, and when it is at most a bound. */
interface NumberTerm {
  readonly present: Formula;
  of(bound: number): Formula;
}

function numberTerm(given: Node, outer: CelContext): NumberTerm | null {
  const { node, context } = follow(given, outer);
  const { atoms } = context;
  const variable = (name: string, present: Formula = TRUE): NumberTerm => ({
    present,
    of: (bound) => (bound < 0 ? FALSE : atoms.atMost(name, bound)),
  });
  if (node.kind === "name") {
    return node.name === "size" && !context.names.bound.has("size") ? variable("size") : null;
  }
  const field = attachmentField(node, context);
  if (field !== null) {
    return field.variable.endsWith(".size") ? variable(field.variable, field.present) : null;
  }
  if (node.kind !== "call" || node.name !== "size" || node.args.length !== 1) return null;
  const [counted] = node.args;
  const list = listTerm(counted!, context);
  if (list?.list === "attachments") {
    const count = variable("attachments.count");
    const none = not(atoms.element("attachments", TRUE));
    return { ...count, of: (bound) => (bound === 0 ? none : count.of(bound)) };
  }
  const term = list === null ? textTerm(counted!, context) : null;
  if (term === null) return null;
  return {
    present: term.present,
    of(bound) {
      if (bound < 0) return FALSE;
      if (bound > LENGTH_MAX) throw new NotUnderstood();
      return isAtMost(term, bound, context);
    },
  };
}

const FLIPPED: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function readOrder(node: CallNode, context: CelContext): Verdicts {
  const [left, right] = node.args as [Node, Node];
  const bound = constantNumber(right, context);
  const [measured, limit, operator] =
    bound === null
      ? [right, constantNumber(left, context), FLIPPED[node.name]!]
      : [left, bound, node.name];
  const number = limit === null ? null : numberTerm(measured, context);
  if (number === null || limit === null) return leftFree(node, context);
  const isWithin = operator === "<=" || operator === ">";
  const atMost = number.of(isWithin ? limit : limit - 1);
  return where(number.present, operator.startsWith("<") ? atMost : not(atMost));
}

const SEARCHES: ReadonlySet<string> = new Set(["startsWith", "endsWith", "contains"]);

function readCall(node: CallNode, context: CelContext): Verdicts {
  const { name, form, args } = node;
  if (form === "operator" && name === "!") return opposite(read(args[0]!, context));
  if (form === "operator" && Object.hasOwn(FLIPPED, name)) return readOrder(node, context);
  if (form === "operator" && COMPARISONS.has(name)) return readCompare(node, context);
  const term = args.length === 2 ? textTerm(args[0]!, context) : null;
  const text = term === null ? null : constantText(args[1]!, context);
  if (term === null || text === null) return leftFree(node, context);
  if (form === "method" && SEARCHES.has(name)) {
    return where(term.present, searched(term, name as SearchMethod, text, context));
  }
  const root = name === "matches" ? sourceNode(text) : null;
  if (root === null) return leftFree(node, context);
  const { variable, changes, suffix } = term;
  const pattern = { key: `/${text}/`, root, changes, suffix };
  return where(term.present, context.atoms.text(variable, pattern));
}

/** A macro over a list literal: once for each of its items. */
function readWrittenOut(node: MacroNode, items: readonly Node[], context: CelContext): Verdicts {
  const variable = node.variables[0]!;
  const each = items.map((item) => {
    const bound = { kind: "node", node: item, names: context.names } as const;
    const names = withName(context.names, variable, bound);
    return read(node.condition!, { ...context, names });
  });
  const [yes, no] = [each.map((verdicts) => verdicts.yes), each.map((verdicts) => verdicts.no)];
  return node.macro === "exists"
    ? { yes: or(...yes), no: and(...no) }
    : { yes: and(...yes), no: or(...no) };
}

function readMacro(node: MacroNode, context: CelContext): Verdicts {
  const { macro, operand, variables, condition } = node;
  if (macro === "cel.bind") return readBind(node, context);
  const isKnown = (macro === "exists" || macro === "all") && variables.length === 1;
  if (!isKnown || condition === null) return leftFree(node, context);
  const range = follow(operand, context);
  if (range.node.kind === "list") {
    const { items } = range.node;
    const isPlain = items.every(({ kind }) => kind === "literal");
    return isPlain ? readWrittenOut(node, items, context) : leftFree(node, context);
  }
  const list = listTerm(operand, context);
  if (list === null || context.within === "element") return leftFree(node, context);
  try {
    const names = withName(context.names, variables[0]!, list.element);
    const of = read(condition, { ...context, names, within: "element" });
    if (!neverErrs(of)) return leftFree(node, context);
    const isExists = macro === "exists";
    const some = context.atoms.element(list.list, isExists ? of.yes : of.no);
    return where(list.present, isExists ? some : not(some));
  } catch (error) {
    if (error instanceof NotUnderstood) return leftFree(node, context);
    throw error;
  }
}

/** Puts the value in place of its name. If the value is an error and the name is never used, the error does not count. */
function readBind({ operand, variables, body }: MacroNode, context: CelContext): Verdicts {
  const bound = { kind: "node", node: operand, names: context.names } as const;
  return read(body!, { ...context, names: withName(context.names, variables[0]!, bound) });
}

/** `?:`, from its three parts. */
function chosen(parts: readonly Verdicts[]): Verdicts {
  const [test, yes, no] = parts as [Verdicts, Verdicts, Verdicts];
  const way = (side: "yes" | "no"): Formula => or(and(test.yes, yes[side]), and(test.no, no[side]));
  const verdicts = { yes: way("yes"), no: way("no") };
  if (!isWithinLiterals(verdicts)) throw new NotUnderstood();
  return verdicts;
}

function read(node: Node, context: CelContext): Verdicts {
  payRead(context);
  switch (node.kind) {
    case "literal":
      return typeof node.value === "boolean"
        ? certain(node.value ? TRUE : FALSE)
        : leftFree(node, context);
    case "logic": {
      const each = node.operands.map((operand) => read(operand, context));
      if (node.operator === "?:") return chosen(each);
      const [yes, no] = [each.map((verdicts) => verdicts.yes), each.map((verdicts) => verdicts.no)];
      return node.operator === "&&"
        ? { yes: and(...yes), no: or(...no) }
        : { yes: or(...yes), no: and(...no) };
    }
    case "call":
      return readCall(node, context);
    case "access": {
      const { operand, key, access } = node;
      const isHeaders = operand.kind === "name" && operand.name === "headers";
      const isKnown = access === "test" && isHeaders && !context.names.bound.has("headers");
      return isKnown ? certain(hasHeader(literalText(key)!, context)) : leftFree(node, context);
    }
    case "macro":
      return readMacro(node, context);
    case "name": {
      const followed = follow(node, context);
      return followed.node === node
        ? leftFree(node, context)
        : read(followed.node, followed.context);
    }
    default:
      return leftFree(node, context);
  }
}

/** When a rule's expression is true. `domain` is the recipient's. */
export function celFormula(source: string, domain: string, atoms: AtomTable): Formula {
  const whole = atoms.free(`expression ${source}`, source);
  const parsed = parseSource(source);
  if (!parsed.ok) return whole;
  try {
    const reads = { left: READS_MAX };
    const context = { atoms, reads, domain, source, names: NO_NAMES, within: "message" } as const;
    return read(parsed.tree, context).yes;
  } catch (error) {
    if (error instanceof NotUnderstood) return whole;
    throw error;
  }
}
