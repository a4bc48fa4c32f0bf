/** Calls of the function tables. The overload is chosen at compile time if the types allow, else by the values. */
import type { Span } from "../../../base/diagnostic.ts";
import { findOverloads } from "../functions/functions.ts";
import type { Overload } from "../functions/signature.ts";
import type { CallNode } from "../syntax/tree.ts";
import { type CelType, fits, surelyFits } from "../values/type.ts";
import {
  Abnormal,
  CelError,
  EXHAUSTED,
  type Result,
  typeNameOf,
  type Value,
} from "../values/value.ts";
import { type Frame, overspends, type Run } from "./frame.ts";

/** The names of types' values, where they differ from the types' own. */
const VALUE_NAMES: Readonly<Partial<Record<CelType["kind"], string>>> = {
  null: "null_type",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
  optional: "optional_type",
};

/** Whether a value is of a type. Elements are not checked: functions that depend on theirs check them. */
function isOf(value: Value, type: CelType): boolean {
  if (type.kind === "dyn" || type.kind === "param") return true;
  const name = type.kind === "struct" ? type.name : (VALUE_NAMES[type.kind] ?? type.kind);
  return typeNameOf(value) === name;
}

/** Gives a function's error the span of the call. */
function located(result: Result, span: Span): Result {
  if (typeof result !== "object" || !(result instanceof CelError) || result.span !== null) {
    return result;
  }
  return new CelError(result.message, span);
}

export function runCall(
  node: CallNode,
  args: readonly Run[],
  types: readonly CelType[],
  constants: readonly (Value | undefined)[],
): Run {
  const overloads = findOverloads(node.name, node.form, args.length).filter(({ params }) =>
    params.every((param, index) => fits(types[index]!, param)),
  );
  const [only, ...others] = overloads;
  const sure = only?.params.every((param, index) => surelyFits(types[index]!, param)) === true;
  if (only === undefined || others.length > 0 || !sure) {
    return runByValues(node, args, overloads);
  }
  if (args.length === 1) return runUnary(only, args[0]!, node.span);
  if (args.length === 2) {
    const constant = constants[1];
    if (constant !== undefined && only.prepare !== null) {
      return only.prepare(args[0]!, constant);
    }
    return runBinary(only, args[0]!, args[1]!, node.span);
  }
  return runMany(only, args, node.span);
}

function runUnary(overload: Overload, operand: Run, span: Span): Run {
  const { run, cost } = overload;
  return (frame) => {
    const value = operand(frame);
    if (value instanceof Abnormal) return value;
    if (cost !== null && overspends(frame, cost(value))) return EXHAUSTED;
    return located(run(value, frame), span);
  };
}

function runBinary(overload: Overload, left: Run, right: Run, span: Span): Run {
  const { run, cost } = overload;
  return (frame) => {
    const a = left(frame);
    if (a instanceof Abnormal) return a;
    const b = right(frame);
    if (b instanceof Abnormal) return b;
    if (cost !== null && overspends(frame, cost(a, b))) return EXHAUSTED;
    return located(run(a, b, frame), span);
  };
}

/** The values of the arguments, or the first result that is not a value. */
function evaluateAll(args: readonly Run[], frame: Frame): Value[] | Abnormal {
  const values: Value[] = [];
  for (const arg of args) {
    const value = arg(frame);
    if (value instanceof Abnormal) return value;
    values.push(value);
  }
  return values;
}

function apply({ run, cost }: Overload, values: readonly Value[], frame: Frame): Result {
  if (cost !== null && overspends(frame, cost(...values))) return EXHAUSTED;
  return run(...values, frame);
}

function runMany(overload: Overload, args: readonly Run[], span: Span): Run {
  return (frame) => {
    const values = evaluateAll(args, frame);
    if (values instanceof Abnormal) return values;
    return located(apply(overload, values, frame), span);
  };
}

function runByValues(node: CallNode, args: readonly Run[], overloads: readonly Overload[]): Run {
  const none = new CelError(`\`${node.name}\` of values of types it does not take`, node.span);
  return (frame) => {
    const values = evaluateAll(args, frame);
    if (values instanceof Abnormal) return values;
    for (const overload of overloads) {
      if (!overload.params.every((param, index) => isOf(values[index]!, param))) continue;
      return located(apply(overload, values, frame), node.span);
    }
    return none;
  };
}
