/** Static types of CEL: how they are written, compared and joined. */

export type CelType =
  | { readonly kind: Simple }
  /** `of`: the type of what it holds. */
  | { readonly kind: "list" | "optional"; readonly of: readonly [CelType] }
  /** `of`: the types of its keys and of its values. */
  | { readonly kind: "map"; readonly of: readonly [CelType, CelType] }
  | {
      readonly kind: "struct";
      readonly name: string;
      readonly fields: ReadonlyMap<string, CelType>;
    }
  /** A type parameter of a signature: any one type. */
  | { readonly kind: "param"; readonly name: string };

const SIMPLE = [
  "dyn",
  "bool",
  "int",
  "uint",
  "double",
  "string",
  "bytes",
  "null",
  "type",
  "timestamp",
  "duration",
] as const;
type Simple = (typeof SIMPLE)[number];

export const DYN: CelType = { kind: "dyn" };
export const BOOL: CelType = { kind: "bool" };
export const INT: CelType = { kind: "int" };
export const UINT: CelType = { kind: "uint" };
export const DOUBLE: CelType = { kind: "double" };
export const STRING: CelType = { kind: "string" };
export const BYTES: CelType = { kind: "bytes" };
export const NULL: CelType = { kind: "null" };
export const TYPE: CelType = { kind: "type" };

export function listOf(element: CelType): CelType {
  return { kind: "list", of: [element] };
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: "map", of: [key, value] };
}

export function optionalOf(value: CelType): CelType {
  return { kind: "optional", of: [value] };
}

/** What a list, a map or an optional is made of. */
function partsOf(type: CelType): readonly CelType[] {
  return "of" in type ? type.of : [];
}

/** The same type of other parts. */
function withParts(type: CelType, change: (part: CelType, nth: number) => CelType): CelType {
  if (!("of" in type)) return type;
  return { kind: type.kind, of: type.of.map(change) } as unknown as CelType;
}

function isSameKind(a: CelType, b: CelType): boolean {
  return a.kind === b.kind && (a.kind !== "struct" || a.name === (b as typeof a).name);
}

/** Reads `map<string, list<A>>`; one capital letter is a parameter. Throws on anything else: a defect of mailflow. */
export function readType(text: string): CelType {
  const trimmed = text.trim();
  // The constant itself, because a text that was cut from another is compared more slowly.
  const kind = SIMPLE.find((one) => one === trimmed);
  if (kind !== undefined) return { kind };
  if (/^[A-Z]$/.test(trimmed)) return { kind: "param", name: trimmed };
  const [, outer, inner = ""] = /^(list|map|optional)<(.+)>$/.exec(trimmed) ?? [];
  const of = splitTypes(inner);
  if (of.length !== (outer === "map" ? 2 : 1)) throw new Error(`not a type: ${text}`);
  return { kind: outer, of } as unknown as CelType;
}

/** A type with at most two levels of parts, as tables of functions have them. */
const PART = /[^,<]+(?:<(?:[^<>]|<[^<>]*>)*>)?/g;

/** Reads types that commas separate. */
export function splitTypes(text: string): readonly CelType[] {
  return (text.match(PART) ?? []).map(readType);
}

export function formatType(type: CelType): string {
  if ("name" in type) return type.name;
  const parts = partsOf(type).map(formatType);
  return parts.length === 0 ? type.kind : `${type.kind}<${parts.join(", ")}>`;
}

/** `an int`, `a string`. */
export function describeType(type: CelType): string {
  const text = formatType(type);
  return /^[aeio]/.test(text) ? `an ${text}` : `a ${text}`;
}

/** A value of type `dyn` may hold anything in place of each parameter. */
function bindParams(type: CelType, bound: Map<string, CelType>): void {
  if (type.kind === "param") bound.set(type.name, DYN);
  for (const part of partsOf(type)) bindParams(part, bound);
}

/**
 * Whether `actual` fits where `expected` is required. Binds parameters. `dyn` fits everywhere, unless `checking` is
 * `sure`: then only if every value fits, so that nothing is left to test at run time.
 */
export function fits(
  actual: CelType,
  expected: CelType,
  bound?: Map<string, CelType>,
  checking: "possible" | "sure" = "possible",
): boolean {
  if (expected.kind === "dyn") return true;
  if (actual.kind === "dyn" && checking === "possible") {
    if (bound !== undefined) bindParams(expected, bound);
    return true;
  }
  if (expected.kind === "param") {
    const earlier = bound?.get(expected.name);
    if (earlier !== undefined && !fits(actual, earlier)) return false;
    bound?.set(expected.name, earlier === undefined ? actual : (joinTypes(actual, earlier) ?? DYN));
    return true;
  }
  const wanted = partsOf(expected);
  return (
    isSameKind(actual, expected) &&
    partsOf(actual).every((part, nth) => fits(part, wanted[nth]!, bound, checking))
  );
}

/** The type that covers both; `null` if they have nothing in common. */
export function joinTypes(a: CelType, b: CelType): CelType | null {
  if (a.kind === "dyn" || b.kind === "dyn") return DYN;
  if (!isSameKind(a, b)) return null;
  const others = partsOf(b);
  return withParts(a, (part, nth) => joinTypes(part, others[nth]!) ?? DYN);
}

/** The type with its parameters filled in; an unbound parameter becomes `dyn`. */
export function substitute(type: CelType, bound: ReadonlyMap<string, CelType>): CelType {
  if (type.kind === "param") return bound.get(type.name) ?? DYN;
  return withParts(type, (part) => substitute(part, bound));
}
