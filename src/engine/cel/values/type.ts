/** Static types of CEL: how they are written, compared and joined. */

export type CelType =
  | { readonly kind: Simple }
  | { readonly kind: "list"; readonly element: CelType }
  | { readonly kind: "map"; readonly key: CelType; readonly value: CelType }
  | { readonly kind: "optional"; readonly value: CelType }
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

const simple: Readonly<Record<Simple, CelType>> = Object.fromEntries(
  SIMPLE.map((kind) => [kind, { kind }]),
) as Record<Simple, CelType>;

export const DYN: CelType = simple.dyn;
export const BOOL: CelType = simple.bool;
export const INT: CelType = simple.int;
export const UINT: CelType = simple.uint;
export const DOUBLE: CelType = simple.double;
export const STRING: CelType = simple.string;
export const BYTES: CelType = simple.bytes;
export const NULL: CelType = simple.null;
export const TYPE: CelType = simple.type;

export function listOf(element: CelType): CelType {
  return { kind: "list", element };
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: "map", key, value };
}

export function optionalOf(value: CelType): CelType {
  return { kind: "optional", value };
}

/** Reads `map<string, list<A>>`; one capital letter is a parameter. Throws on anything else: a defect of mailflow. */
export function readType(text: string): CelType {
  const trimmed = text.trim();
  if (Object.hasOwn(simple, trimmed)) return simple[trimmed as Simple];
  if (/^[A-Z]$/.test(trimmed)) return { kind: "param", name: trimmed };
  const generic = /^(list|map|optional)<(.+)>$/.exec(trimmed);
  const inner = generic === null ? [] : splitTypes(generic[2]!);
  if (generic?.[1] === "list" && inner.length === 1) return listOf(inner[0]!);
  if (generic?.[1] === "optional" && inner.length === 1) return optionalOf(inner[0]!);
  if (generic?.[1] === "map" && inner.length === 2) return mapOf(inner[0]!, inner[1]!);
  throw new Error(`not a type: ${text}`);
}

/** Reads types that commas separate. */
export function splitTypes(text: string): readonly CelType[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const unit of text) {
    if (unit === "<") depth++;
    if (unit === ">") depth--;
    if (unit === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else part += unit;
  }
  if (part.trim() !== "") parts.push(part);
  return parts.map(readType);
}

export function formatType(type: CelType): string {
  switch (type.kind) {
    case "list":
      return `list<${formatType(type.element)}>`;
    case "map":
      return `map<${formatType(type.key)}, ${formatType(type.value)}>`;
    case "optional":
      return `optional<${formatType(type.value)}>`;
    case "struct":
    case "param":
      return type.name;
    default:
      return type.kind;
  }
}

/** `an int`, `a string`. */
export function describeType(type: CelType): string {
  const text = formatType(type);
  return /^[aeio]/.test(text) ? `an ${text}` : `a ${text}`;
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
  if (actual.kind === "dyn" && checking === "possible") return true;
  const within = (inner: CelType, outer: CelType): boolean => fits(inner, outer, bound, checking);
  switch (expected.kind) {
    case "dyn":
      return true;
    case "param": {
      const earlier = bound?.get(expected.name);
      if (earlier === undefined) {
        bound?.set(expected.name, actual);
        return true;
      }
      if (!fits(actual, earlier)) return false;
      bound?.set(expected.name, joinTypes(actual, earlier) ?? DYN);
      return true;
    }
    case "list":
      return actual.kind === "list" && within(actual.element, expected.element);
    case "optional":
      return actual.kind === "optional" && within(actual.value, expected.value);
    case "map":
      return (
        actual.kind === "map" &&
        within(actual.key, expected.key) &&
        within(actual.value, expected.value)
      );
    case "struct":
      return actual.kind === "struct" && actual.name === expected.name;
    default:
      return actual.kind === expected.kind;
  }
}

/** The type that covers both; `null` if they have nothing in common. */
export function joinTypes(a: CelType, b: CelType): CelType | null {
  if (a.kind === "dyn" || b.kind === "dyn") return DYN;
  if (a.kind === "list" && b.kind === "list") return listOf(joinTypes(a.element, b.element) ?? DYN);
  if (a.kind === "optional" && b.kind === "optional") {
    return optionalOf(joinTypes(a.value, b.value) ?? DYN);
  }
  if (a.kind === "map" && b.kind === "map") {
    return mapOf(joinTypes(a.key, b.key) ?? DYN, joinTypes(a.value, b.value) ?? DYN);
  }
  if (a.kind === "struct" && b.kind === "struct") return a.name === b.name ? a : null;
  return a.kind === b.kind ? a : null;
}

/** The type with its parameters filled in; an unbound parameter becomes `dyn`. */
export function substitute(type: CelType, bound: ReadonlyMap<string, CelType>): CelType {
  switch (type.kind) {
    case "param":
      return bound.get(type.name) ?? DYN;
    case "list":
      return listOf(substitute(type.element, bound));
    case "optional":
      return optionalOf(substitute(type.value, bound));
    case "map":
      return mapOf(substitute(type.key, bound), substitute(type.value, bound));
    default:
      return type;
  }
}
