/** Signatures of functions, methods and operators, as the function tables write them. */
import type { Run } from "../run/frame.ts";
import { type CelType, readType, splitTypes } from "../values/type.ts";
import type { Result } from "../values/value.ts";

export type Form = "function" | "method" | "operator";

/** An overload beyond its signature; `Args` are the arguments (a method's receiver first), never abnormal. */
interface FunctionBody<Args extends readonly unknown[], Constant> {
  /** Fuel charged before `run`: what `run` handles and what it produces, if it depends on the arguments. */
  readonly cost?: number | ((...args: Args) => number) | undefined;
  /** Why a second argument known at compile time is refused, and what to write; `null` if it is accepted. */
  readonly refuse?: ((constant: Constant) => string | null) | undefined;
  /** Never throws. */
  readonly run: (...args: Args) => Result;
  /** Whether `run` gets the frame before the arguments, because it pays for more than `cost` knows. */
  readonly takesFrame?: true | undefined;
  /** A faster form of the whole call, for a second argument known at compile time. It charges its own fuel and never fails. */
  readonly prepare?: ((first: Run, constant: Constant) => Run) | undefined;
}
/** Of any arguments: each row of a table knows its own. */
type FunctionEntry = FunctionBody<never[], never>;

/**
 * Overloads by signature: adding a function to CEL is adding a row. A signature is `name(T, …): T` for a function
 * (`optional.of(A): …` too), `T.name(T, …): T` for a method, `+(T, T): T` for an operator. One capital letter is any
 * one type; a last parameter with a `?` can be left out, which makes two overloads.
 */
export type FunctionTable = Readonly<Record<string, FunctionEntry["run"] | FunctionEntry>>;

/** A table of functions that all cost the same. */
export function charged(
  cost: FunctionEntry["cost"],
  runs: Readonly<Record<string, FunctionEntry["run"]>>,
): FunctionTable {
  return Object.fromEntries(
    Object.entries(runs).map(([signature, run]) => [signature, { cost, run }]),
  );
}

export interface Overload extends FunctionBody<unknown[], unknown> {
  readonly cost: ((...args: unknown[]) => number) | undefined;
  readonly name: string;
  readonly form: Form;
  readonly params: readonly CelType[];
  readonly result: CelType;
}

/** Names before a dot that are not receivers. */
const NAMESPACE = /^(?:optional|strings|cel)$/;

/** Throws if the signature is malformed, which is a defect of the table. */
export function readSignature([signature, row]: [string, FunctionTable[string]]): Overload[] {
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
  const body = (typeof row === "function" ? { run: row } : row) as FunctionBody<unknown[], unknown>;
  const { owner, name, params, result } = match.groups as Record<string, string | undefined>;
  const namespaced = owner !== undefined && NAMESPACE.test(owner);
  const receiver = owner === undefined || namespaced ? [] : [readType(owner)];
  const form = receiver.length > 0 ? "method" : /^\w/.test(name!) ? "function" : "operator";
  const { cost, refuse, run, takesFrame, prepare } = body;
  return [
    {
      name: namespaced ? `${owner}.${name}` : name!,
      form,
      params: [...receiver, ...splitTypes(params!)],
      result: readType(result!),
      cost: typeof cost === "number" ? () => cost : cost,
      refuse,
      run,
      takesFrame,
      prepare,
    },
  ];
}
