/** Type check of calls: the result of the overloads that fit, or what to write instead. */
import type { Problem } from "../../../base/diagnostic.ts";
import { nearestName } from "../../../base/nearest-name.ts";
import { quote } from "../../../base/quote.ts";
import { findOverloads, listOverloads } from "../functions/functions.ts";
import { type CallNode, MACRO_FORMS } from "../syntax/tree.ts";
import {
  type CelType,
  DYN,
  describeType,
  fits,
  formatType,
  joinTypes,
  substitute,
} from "../values/type.ts";

/** Macros, which are called like functions but have no overloads. */
const MACROS: Readonly<Record<CallNode["form"], readonly string[]>> = {
  function: ["has", "cel.bind"],
  method: [...Object.keys(MACRO_FORMS).filter((name) => name !== "cel.bind"), "existsOne"],
  operator: [],
};

/** Every name that can be called in this form, each once, with a namespace where it has one. */
export function callableNames(form: CallNode["form"]): readonly string[] {
  return [...new Set([...listOverloads(form).map(({ name }) => name), ...MACROS[form]])];
}

/** `list<A>.join(string)` */
export function formatCall(
  { name, form }: Pick<CallNode, "name" | "form">,
  types: readonly CelType[],
): string {
  const shown = types.map(formatType);
  const receiver = form === "method" ? `${shown.shift()}.` : "";
  return `${receiver}${name}(${shown.join(", ")})`;
}

/** The type of a call, from those of its arguments. */
export function checkCall(node: CallNode, args: readonly CelType[]): CelType | Problem {
  let result: CelType | null = null;
  const constant = node.args[1];
  for (const overload of findOverloads(node.name, node.form, args.length)) {
    const bound = new Map<string, CelType>();
    if (!overload.params.every((param, index) => fits(args[index]!, param, bound))) continue;
    if (constant?.kind === "literal") {
      const message = overload.refuse?.(constant.value) ?? null;
      if (message !== null) return { code: "cel/unsupported", message, span: constant.span };
    }
    const own = substitute(overload.result, bound);
    result = result === null ? own : (joinTypes(result, own) ?? DYN);
  }
  return result ?? refusal(node, args);
}

function refusal(node: CallNode, args: readonly CelType[]): Problem {
  const { name, form, span, nameSpan } = node;
  if (form === "operator") return { code: "cel/type", message: describeOperands(name, args), span };
  const own = listOverloads(form).filter((overload) => overload.name === name);
  if (own.length > 0) {
    const forms = own.map(({ params }) => `\`${formatCall(node, params)}\``).join(" or ");
    const message = `\`${formatCall(node, args)}\` does not exist: write ${forms}`;
    return { code: "cel/type", message, span };
  }
  const other = form === "method" ? "function" : "method";
  if (listOverloads(other).some((overload) => overload.name === name)) {
    const call = other === "method" ? `x.${name}(…)` : `${name}(…)`;
    const message = `\`${name}\` is a ${other}: write \`${call}\``;
    return { code: "cel/unknown-function", message, span: nameSpan };
  }
  const message = `unknown function ${quote(name)}: ${suggestion(node, args)}`;
  return { code: "cel/unknown-function", message, span: nameSpan };
}

function describeOperands(name: string, args: readonly CelType[]): string {
  const [left, right] = args.map(describeType);
  return right === undefined
    ? `\`${name}\` does not take ${left}: convert it`
    : `\`${name}\` does not take ${left} and ${right}: convert one of them`;
}

/** The nearest name, or else all names that can be called here. */
function suggestion({ name, form }: CallNode, args: readonly CelType[]): string {
  const nearest = nearestName(name, callableNames(form));
  if (nearest !== undefined) return `did you mean \`${nearest}\``;
  const callable = listOverloads(form).filter(
    ({ params }) => form === "function" || fits(args[0]!, params[0]!),
  );
  const names = new Set(callable.map((overload) => overload.name));
  return names.size === 0
    ? `${describeType(args[0]!)} has no methods`
    : `use one of ${[...names].sort().join(", ")}`;
}
