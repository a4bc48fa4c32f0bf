/** Calls: their types, or what to write instead. The overload is chosen at compile time if the types allow, else by the values. */
import type { Problem, Span } from "../../../base/diagnostic.ts";
import { nearestName } from "../../../base/nearest-name.ts";
import { quote } from "../../../base/quote.ts";
import { callableNames, findOverloads, formatCall, listOverloads } from "../functions/functions.ts";
import type { Overload } from "../functions/signature.ts";
import type { CallNode } from "../syntax/tree.ts";
import { type CelType, DYN, describeType, fits, joinTypes, substitute } from "../values/type.ts";
import {
  Abnormal,
  CelError,
  EXHAUSTED,
  type Result,
  TYPE_VALUES,
  typeNameOf,
  type Value,
} from "../values/value.ts";
import { overspends, type Run } from "./frame.ts";

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
  const own = findOverloads(name, form);
  if (own.length > 0) {
    const forms = own.map(({ params }) => `\`${formatCall(node, params)}\``).join(" or ");
    const message = `\`${formatCall(node, args)}\` does not exist: write ${forms}`;
    return { code: "cel/type", message, span };
  }
  const other = form === "method" ? "function" : "method";
  if (findOverloads(name, other).length > 0) {
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

/** The names of types' values, where they differ from the types' own. */
const VALUE_NAMES: Readonly<Partial<Record<CelType["kind"], string>>> = {
  null: "null_type",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
  optional: "optional_type",
};

/** Whether the values are of the overload's types. Elements are not checked: functions that depend on theirs check them. */
function takes({ params }: Overload, values: readonly Value[]): boolean {
  return params.every((type, index) => {
    if (type.kind === "dyn" || type.kind === "param") return true;
    return typeNameOf(values[index]!) === (VALUE_NAMES[type.kind] ?? type.kind);
  });
}

/** Chooses the first overload that takes the values; `null` if none does. */
type Choose = (values: readonly Value[]) => Overload | null;

/** Every type's name, with a number below 16. */
const TYPE_NUMBERS: ReadonlyMap<string, number> = new Map(
  [...TYPE_VALUES.keys()].map((name, number) => [name, number]),
);

/** Remembers what it chose for values of the same types: trying the overloads one by one takes up to 2 µs. */
function chooser(overloads: readonly Overload[]): Choose {
  const chosen = new Map<number, Overload | null>();
  return (values) => {
    let key = 0;
    for (const value of values) key = 16 * key + TYPE_NUMBERS.get(typeNameOf(value))!;
    let overload = chosen.get(key);
    if (overload === undefined) {
      overload = overloads.find((each) => takes(each, values)) ?? null;
      chosen.set(key, overload);
    }
    return overload;
  };
}

/** Fuel of choosing an overload by the values: measured at 60 to 100 ns with the call. */
const CHOICE_FUEL = 8;

/** Gives a function's error the span of the call. */
function located(result: Result, span: Span): Result {
  if (typeof result !== "object" || !(result instanceof CelError)) return result;
  return result.span === null ? new CelError(result.message, span) : result;
}

export function runCall(node: CallNode, args: readonly Run[], types: readonly CelType[]): Run {
  const overloads = findOverloads(node.name, node.form, args.length).filter(({ params }) =>
    params.every((param, index) => fits(types[index]!, param)),
  );
  const [only, ...others] = overloads;
  const sure = only?.params.every((param, nth) => fits(types[nth]!, param, undefined, "sure"));
  if (only === undefined || others.length > 0 || sure !== true) {
    return runMany(node, args, overloads, null);
  }
  if (args.length === 1) return runUnary(only, args[0]!, node.span);
  if (args.length !== 2) return runMany(node, args, overloads, only);
  const second = node.args[1]!;
  return second.kind === "literal" && only.prepare !== undefined
    ? only.prepare(args[0]!, second.value)
    : runBinary(only, args[0]!, args[1]!, node.span);
}

function runUnary(overload: Overload, operand: Run, span: Span): Run {
  const { run, cost, takesFrame } = overload;
  return (frame) => {
    const value = operand(frame);
    if (value instanceof Abnormal) return value;
    if (cost !== undefined && overspends(frame, cost(value))) return EXHAUSTED;
    return located(takesFrame ? run(frame, value) : run(value), span);
  };
}

function runBinary(overload: Overload, left: Run, right: Run, span: Span): Run {
  const { run, cost, takesFrame } = overload;
  return (frame) => {
    const a = left(frame);
    if (a instanceof Abnormal) return a;
    const b = right(frame);
    if (b instanceof Abnormal) return b;
    if (cost !== undefined && overspends(frame, cost(a, b))) return EXHAUSTED;
    return located(takesFrame ? run(frame, a, b) : run(a, b), span);
  };
}

/** Calls the one overload that is known to fit, or else the first that the values fit. */
function runMany(
  { name, span }: CallNode,
  args: readonly Run[],
  overloads: readonly Overload[],
  known: Overload | null,
): Run {
  const none = new CelError(`\`${name}\` of values of types it does not take`, span);
  const choose = known === null ? chooser(overloads) : null;
  return (frame) => {
    const values: Value[] = [];
    for (const arg of args) {
      const value = arg(frame);
      if (value instanceof Abnormal) return value;
      values.push(value);
    }
    if (choose !== null && overspends(frame, CHOICE_FUEL)) return EXHAUSTED;
    const overload = choose === null ? known : choose(values);
    if (overload === null) return none;
    const { run, cost, takesFrame } = overload;
    if (cost !== undefined && overspends(frame, cost(...values))) return EXHAUSTED;
    return located(takesFrame ? run(frame, ...values) : run(...values), span);
  };
}
