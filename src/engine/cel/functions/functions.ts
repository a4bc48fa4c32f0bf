/** The function tables of CEL put together, and looked up by name, form and number of arguments. */
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

const byCall: ReadonlyMap<string, readonly Overload[]> = overloads.reduce((calls, overload) => {
  const { name, form, params } = overload;
  const call = `${form} ${name} ${params.length}`;
  return calls.set(call, [...(calls.get(call) ?? []), overload]);
}, new Map<string, readonly Overload[]>());

/** The overloads of a call; a method's receiver counts as an argument. */
export function findOverloads(name: string, form: Form, count: number): readonly Overload[] {
  return byCall.get(`${form} ${name} ${count}`) ?? [];
}

/** All overloads of one form, in the order of the tables. */
export function listOverloads(form: Form): readonly Overload[] {
  return overloads.filter((overload) => overload.form === form);
}
