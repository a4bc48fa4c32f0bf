/** Signatures of functions, methods and operators, as the function tables write them. */
import type { Run } from "../run/frame.ts";
import { type CelType, readType, splitTypes } from "../values/type.ts";
import type { Result } from "../values/value.ts";

export type Form = "function" | "method" | "operator";

/** One overload, as a table writes it: adding a function to CEL is adding one of these. */
export interface FunctionEntry {
  /**
   * `name(T, …): T` for a function (`optional.of(A): …` too), `T.name(T, …): T` for a method,
   * `+(T, T): T` for an operator. One capital letter is any one type.
   */
  readonly signature: string;
  /** Fuel charged before `run`, from the arguments: what `run` handles and what it produces. */
  readonly cost?: (...args: never[]) => number;
  /** Why a second argument known at compile time is refused, and what to write; `null` if it is accepted. */
  readonly refuse?: (constant: never) => string | null;
  /** Gets the arguments (a method's receiver first), never abnormal, and then the frame. Never throws. */
  readonly run: (...args: never[]) => Result;
  /** A faster form of the whole call, for a second argument known at compile time. It charges its own fuel and never fails. */
  readonly prepare?: (first: Run, constant: never) => Run;
}

export interface Overload {
  readonly name: string;
  readonly form: Form;
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly cost: ((...args: unknown[]) => number) | null;
  readonly refuse: ((constant: unknown) => string | null) | null;
  readonly run: (...args: unknown[]) => Result;
  readonly prepare: ((first: Run, constant: unknown) => Run) | null;
}

/** Names before a dot that are not receivers. */
const NAMESPACE = /^(?:optional|strings|cel)$/;

/** Throws if the signature is malformed, which is a defect of the table. */
export function readSignature(entry: FunctionEntry): Overload {
  const match =
    /^(?:(?<owner>[\w<>, ]+)\.)?(?<name>[\w]+|[-+*/%!<>=]+)\((?<params>.*)\): (?<result>.+)$/.exec(
      entry.signature,
    );
  if (match === null) throw new Error(`not a signature: ${entry.signature}`);
  const { owner, name, params, result } = match.groups as Record<string, string | undefined>;
  const namespaced = owner !== undefined && NAMESPACE.test(owner);
  const receiver = owner === undefined || namespaced ? [] : [readType(owner)];
  const form = receiver.length > 0 ? "method" : /^\w/.test(name!) ? "function" : "operator";
  return {
    name: namespaced ? `${owner}.${name}` : name!,
    form,
    params: [...receiver, ...splitTypes(params!)],
    result: readType(result!),
    cost: (entry.cost as Overload["cost"]) ?? null,
    refuse: (entry.refuse as Overload["refuse"] | undefined) ?? null,
    run: entry.run as Overload["run"],
    prepare: (entry.prepare as Overload["prepare"] | undefined) ?? null,
  };
}
