/** Signatures of functions, methods and operators, as the function tables write them. */
import type { Run } from "../run/frame.ts";
import { type CelType, readType, splitTypes } from "../values/type.ts";
import type { Result } from "../values/value.ts";

export type Form = "function" | "method" | "operator";

/** Gets the arguments (a method's receiver first), never abnormal. Never throws. */
type RunFunction = (...args: never[]) => Result;

/** One overload beyond its signature. */
interface FunctionEntry {
  /** Fuel charged before `run`, from the arguments: what `run` handles and what it produces. */
  readonly cost?: (...args: never[]) => number;
  /** Why a second argument known at compile time is refused, and what to write; `null` if it is accepted. */
  readonly refuse?: (constant: never) => string | null;
  readonly run: RunFunction;
  /** Whether `run` gets the frame before the arguments, because it pays for more than `cost` knows. */
  readonly takesFrame?: true;
  /** A faster form of the whole call, for a second argument known at compile time. It charges its own fuel and never fails. */
  readonly prepare?: (first: Run, constant: never) => Run;
}

/**
 * Overloads by signature: adding a function to CEL is adding a row. A signature is `name(T, …): T` for a function
 * (`optional.of(A): …` too), `T.name(T, …): T` for a method, `+(T, T): T` for an operator. One capital letter is any
 * one type; a last parameter with a `?` can be left out, which makes two overloads.
 */
export type FunctionTable = Readonly<Record<string, RunFunction | FunctionEntry>>;

/** A table of functions that all cost the same. */
export function charged(
  cost: (...args: never[]) => number,
  runs: Readonly<Record<string, RunFunction>>,
): FunctionTable {
  return Object.fromEntries(
    Object.entries(runs).map(([signature, run]) => [signature, { cost, run }]),
  );
}

export interface Overload {
  readonly name: string;
  readonly form: Form;
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly cost: ((...args: unknown[]) => number) | null;
  readonly refuse: ((constant: unknown) => string | null) | null;
  readonly run: (...args: unknown[]) => Result;
  readonly takesFrame: boolean;
  readonly prepare: ((first: Run, constant: unknown) => Run) | null;
}

/** Names before a dot that are not receivers. */
const NAMESPACE = /^(?:optional|strings|cel)$/;

/** Throws if the signature is malformed, which is a defect of the table. */
export function readSignature([signature, row]: [string, RunFunction | FunctionEntry]): Overload[] {
  const optional = /(?:, )?[\w<>]+\?\)/;
  if (optional.test(signature)) {
    const both = [signature.replace(optional, ")"), signature.replace("?", "")];
    return both.flatMap((each) => readSignature([each, row]));
  }
  const match =
    /^(?:(?<owner>[\w<>, ]+)\.)?(?<name>[\w]+|[-+*/%!<>=]+)\((?<params>.*)\): (?<result>.+)$/.exec(
      signature,
    );
  if (match === null) throw new Error(`not a signature: ${signature}`);
  const entry: FunctionEntry = typeof row === "function" ? { run: row } : row;
  const { owner, name, params, result } = match.groups as Record<string, string | undefined>;
  const namespaced = owner !== undefined && NAMESPACE.test(owner);
  const receiver = owner === undefined || namespaced ? [] : [readType(owner)];
  const form = receiver.length > 0 ? "method" : /^\w/.test(name!) ? "function" : "operator";
  const overload: Overload = {
    name: namespaced ? `${owner}.${name}` : name!,
    form,
    params: [...receiver, ...splitTypes(params!)],
    result: readType(result!),
    cost: (entry.cost as Overload["cost"]) ?? null,
    refuse: (entry.refuse as Overload["refuse"]) ?? null,
    run: entry.run as Overload["run"],
    takesFrame: entry.takesFrame === true,
    prepare: (entry.prepare as Overload["prepare"]) ?? null,
  };
  return [overload];
}
