/** What a part of a CEL expression refers to: a text, a number or a list of the message, or a constant. */
import { literalText, type Node } from "../../../engine/cel/syntax/tree.ts";
import type { CaseChange } from "../text/text-program.ts";
import { type AtomTable, FALSE, type Formula, TRUE } from "./formula.ts";

/** Thrown for a part that a formula cannot express: the macro around it, or the expression, is then left free. */
export class NotUnderstood extends Error {}

/** Names that `cel.bind` and macros bind. */
export interface Names {
  readonly bound: ReadonlyMap<string, BoundTerm>;
  /** Which names these are: equal ones of one source have the same key. */
  readonly key: string;
}

export type BoundTerm =
  | { readonly kind: "node"; readonly node: Node; readonly names: Names }
  | { readonly kind: "text"; readonly variable: string }
  | { readonly kind: "attachment" };

/** Parts of an expression to read. A name is read wherever it is used, so short expressions can have very many. */
export const READS_MAX = 5_000;

export interface CelContext {
  readonly atoms: AtomTable;
  /** What is left of `READS_MAX`. */
  readonly reads: { left: number };
  /** The domain's name, in lower case. */
  readonly domain: string;
  readonly source: string;
  readonly names: Names;
  /** Whether this is inside the predicate of one element, where nothing may be left open. */
  readonly within: "message" | "element";
}

/** A text of the message; `present`: when it is present and not an error. */
export interface TextTerm {
  readonly variable: string;
  readonly changes: readonly CaseChange[];
  readonly suffix: string;
  readonly present: Formula;
}

const TEXT_VARIABLES: Readonly<Record<string, string>> = {
  sender: "sender",
  recipient: "local",
  subject: "subject",
  body: "body",
};

const CHANGES: Readonly<Record<string, CaseChange>> = { lowerAscii: "lower", upperAscii: "upper" };

/** Pays for reading one part. */
export function payRead({ reads }: CelContext): void {
  if (--reads.left < 0) throw new NotUnderstood();
}

export const NO_NAMES: Names = { bound: new Map(), key: "" };

export function withName(names: Names, name: string, term: BoundTerm): Names {
  const shown = JSON.stringify([name, term.kind === "node" ? term.node.span : term]);
  return { bound: new Map([...names.bound, [name, term]]), key: shown + names.key };
}

/** Resolves names that `cel.bind`, or a macro over a list literal, has bound. */
export function follow(node: Node, context: CelContext): { node: Node; context: CelContext } {
  if (node.kind !== "name") return { node, context };
  const bound = context.names.bound.get(node.name);
  if (bound?.kind !== "node") return { node, context };
  return follow(bound.node, { ...context, names: bound.names });
}

export function constantText(given: Node, given_: CelContext): string | null {
  const text = literalText(follow(given, given_).node);
  return text?.isWellFormed() ? text : null;
}

/** The value of a whole number, or of a sum or product of such. */
export function constantNumber(given: Node, outer: CelContext): number | null {
  payRead(outer);
  const { node, context } = follow(given, outer);
  if (node.kind === "literal") return typeof node.value === "number" ? node.value : null;
  if (node.kind !== "call" || node.form !== "operator" || node.args.length !== 2) return null;
  const [left, right] = node.args.map((arg) => constantNumber(arg, context));
  if (left === null || right === null || left === undefined || right === undefined) return null;
  const value = { "*": left * right, "+": left + right, "-": left - right }[node.name];
  return value !== undefined && Number.isSafeInteger(value) ? value : null;
}

/** A list of the message. Each element is represented by one text or one attachment. */
export interface ListTerm {
  readonly list: string;
  readonly element: Exclude<BoundTerm, { readonly kind: "node" }>;
  /** When the list is present and not an error. */
  readonly present: Formula;
}

/** Header names are in lower case; no field has another name. */
export function hasHeader(name: string, { atoms }: CelContext): Formula {
  return name === name.toLowerCase() ? atoms.element(`headers.${name}`, TRUE) : FALSE;
}

function headerName(node: Node, context: CelContext): string | null {
  const isHeaders = (operand: Node): boolean =>
    operand.kind === "name" && operand.name === "headers" && !context.names.bound.has("headers");
  if (node.kind !== "access" || node.access !== "plain" || !isHeaders(node.operand)) return null;
  return constantText(node.key, context);
}

export function listTerm(given: Node, outer: CelContext): ListTerm | null {
  const { node, context } = follow(given, outer);
  if (node.kind === "name" && node.name === "attachments" && !context.names.bound.has(node.name)) {
    return { list: "attachments", element: { kind: "attachment" }, present: TRUE };
  }
  const name = headerName(node, context);
  if (name === null) return null;
  const list = `headers.${name}`;
  return {
    list,
    element: { kind: "text", variable: `${list}[]` },
    present: hasHeader(name, context),
  };
}

/** The first element of a list: `headers["list-id"][0]`. */
function firstOf(node: Node, context: CelContext): ListTerm | null {
  if (node.kind !== "access" || node.access !== "plain" || node.form !== "element") return null;
  if (constantNumber(node.key, context) !== 0) return null;
  const list = listTerm(node.operand, context);
  if (list === null) return null;
  const present =
    list.list === "attachments" ? context.atoms.element("attachments", TRUE) : list.present;
  return { ...list, present };
}

/** The field of an attachment that a macro has bound, or of the first attachment. */
export function attachmentField(
  node: Node,
  context: CelContext,
): { readonly variable: string; readonly present: Formula } | null {
  if (node.kind !== "access" || node.access !== "plain" || node.form !== "field") return null;
  const { operand } = node;
  const field = literalText(node.key);
  if (operand.kind === "name" && context.names.bound.get(operand.name)?.kind === "attachment") {
    return { variable: `attachments[].${field}`, present: TRUE };
  }
  const first = firstOf(operand, context);
  if (first?.element.kind !== "attachment") return null;
  return { variable: `attachments[0].${field}`, present: first.present };
}

export function textTerm(given: Node, outer: CelContext): TextTerm | null {
  const { node, context } = follow(given, outer);
  const plain = (variable: string, present: Formula = TRUE): TextTerm => {
    const suffix = variable === "local" ? `@${context.domain}` : "";
    return { variable, changes: [], suffix, present };
  };
  if (node.kind === "name") {
    const bound = context.names.bound.get(node.name);
    if (bound !== undefined) return bound.kind === "text" ? plain(bound.variable) : null;
    return Object.hasOwn(TEXT_VARIABLES, node.name) ? plain(TEXT_VARIABLES[node.name]!) : null;
  }
  if (node.kind === "call" && node.form === "method" && Object.hasOwn(CHANGES, node.name)) {
    const inner = textTerm(node.args[0]!, context);
    return inner && { ...inner, changes: [...inner.changes, CHANGES[node.name]!] };
  }
  const field = attachmentField(node, context);
  if (field !== null) {
    return field.variable.endsWith(".size") ? null : plain(field.variable, field.present);
  }
  const first = firstOf(node, context);
  return first?.element.kind === "text" ? plain(`${first.list}[0]`, first.present) : null;
}
