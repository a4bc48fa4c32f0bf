/** The function tables of CEL put together, and what can be called. */
import { MACRO_FORMS } from "../syntax/tree.ts";
import { type CelType, formatType } from "../values/type.ts";
import { CONVERSION_FUNCTIONS } from "./functions-conversions.ts";
import { OPERATOR_FUNCTIONS } from "./functions-operators.ts";
import { OPTIONAL_FUNCTIONS } from "./functions-optionals.ts";
import { STRING_FUNCTIONS } from "./functions-strings.ts";
import { TIME_FUNCTIONS } from "./functions-times.ts";
import { type Form, type FunctionTable, type Overload, readSignature } from "./signature.ts";

const TABLE: FunctionTable = {
  ...OPERATOR_FUNCTIONS,
  ...CONVERSION_FUNCTIONS,
  ...STRING_FUNCTIONS,
  ...TIME_FUNCTIONS,
  ...OPTIONAL_FUNCTIONS,
};

const overloads: readonly Overload[] = Object.entries(TABLE).flatMap(readSignature);

const byName: ReadonlyMap<string, readonly Overload[]> = overloads.reduce((named, overload) => {
  const key = `${overload.form} ${overload.name}`;
  return named.set(key, [...(named.get(key) ?? []), overload]);
}, new Map<string, readonly Overload[]>());

/** The overloads of a name, or those with so many arguments; a method's receiver counts as one. */
export function findOverloads(name: string, form: Form, count?: number): readonly Overload[] {
  const named = byName.get(`${form} ${name}`) ?? [];
  return count === undefined ? named : named.filter(({ params }) => params.length === count);
}

/** All overloads of one form, in the order of the tables. */
export function listOverloads(form: Form): readonly Overload[] {
  return overloads.filter((overload) => overload.form === form);
}

/** Macros, which are called like functions but have no overloads. */
const MACROS: Readonly<Record<Form, readonly string[]>> = {
  function: ["has", "cel.bind"],
  method: [...Object.keys(MACRO_FORMS).filter((name) => name !== "cel.bind"), "existsOne"],
  operator: [],
};

/** Every name that can be called in this form, each once, with a namespace where it has one. */
export function callableNames(form: Form): readonly string[] {
  return [...new Set([...listOverloads(form).map(({ name }) => name), ...MACROS[form]])];
}

/** `list<A>.join(string)` */
export function formatCall(
  { name, form }: Pick<Overload, "name" | "form">,
  types: readonly CelType[],
): string {
  const shown = types.map(formatType);
  const receiver = form === "method" ? `${shown.shift()}.` : "";
  return `${receiver}${name}(${shown.join(", ")})`;
}
