/** Fields, elements and optionals: `a.b`, `a.?b`, `a[i]`, `a[?i]`, `has`, and the macros that evaluate their arguments only where needed. */
import type {
  FallbackNode,
  HasNode,
  IndexNode,
  OptionalMapNode,
  SelectNode,
} from "../syntax/tree.ts";
import type { CelType } from "../values/type.ts";
import {
  Abnormal,
  CelError,
  Double,
  isList,
  isMap,
  keyOf,
  NONE,
  Optional,
  type Result,
  type Struct,
  typeNameOf,
  Uint,
  type Value,
} from "../values/value.ts";
import type { Run } from "./frame.ts";

/** A field of a value, `undefined` if the value has none of that name, `NO_FIELDS` if it can have no fields. */
function fieldOf(value: Value, field: string): Value | undefined | typeof NO_FIELDS {
  if (isMap(value)) return value.get(field);
  if (typeNameOf(value) !== "attachment") return NO_FIELDS;
  return Object.hasOwn(value as Struct, field) ? (value as Struct)[field] : undefined;
}

/** Answers of `fieldOf` and `elementOf` for values that have no fields or elements at all. */
const NO_FIELDS: unique symbol = Symbol("no fields");

function elementOf(value: Value, index: Value): Value | undefined | typeof NO_FIELDS {
  if (isMap(value)) {
    const key = keyOf(index);
    if (key !== undefined) return value.get(key);
    return index instanceof Double ? undefined : NO_FIELDS;
  }
  if (!isList(value)) return NO_FIELDS;
  if (typeof index === "number") return value[index];
  if (index instanceof Uint || index instanceof Double) {
    const whole = keyOf(index);
    return typeof whole === "number" ? value[whole] : undefined;
  }
  return typeof index === "bigint" ? undefined : NO_FIELDS;
}

interface Faults {
  readonly missing: CelError;
  readonly noFields: CelError;
}

/** Applies `read` to the value inside an optional and returns an optional; there a missing value is not an error. */
function readOptional(
  value: Value,
  access: "plain" | "optional",
  faults: Faults,
  read: (value: Value) => Value | undefined | typeof NO_FIELDS,
): Result {
  const viral = value instanceof Optional;
  const inner = viral ? value.value : value;
  if (inner === undefined) return NONE;
  const found = read(inner);
  if (found === NO_FIELDS) return faults.noFields;
  if (viral || access === "optional") return found === undefined ? NONE : new Optional(found);
  return found === undefined ? faults.missing : found;
}

/** What most rules read: an entry of a map, by a name known at compile time. */
function runMapEntry(operand: Run, key: string, missing: CelError): Run {
  return (frame) => {
    const value = operand(frame);
    // The first test is fast for maps, the second only for other values.
    if (!(value instanceof Map) && value instanceof Abnormal) return value;
    const found = (value as ReadonlyMap<string, Value>).get(key);
    return found === undefined ? missing : found;
  };
}

/** Errors are made here, once per node, so that a failure at run time allocates nothing. */
export function runSelect(node: SelectNode, operand: Run, type: CelType): Run {
  const { field, access, span } = node;
  const faults: Faults = {
    missing: new CelError(`no key \`${field}\`: test it with \`has\` or \`in\` first`, span),
    noFields: new CelError(`a value that has no field \`${field}\``, span),
  };
  if (access === "plain" && type.kind === "map") return runMapEntry(operand, field, faults.missing);
  if (access === "plain" && type.kind === "struct") {
    return (frame) => {
      const value = operand(frame);
      return value instanceof Abnormal ? value : ((value as Struct)[field] ?? faults.missing);
    };
  }
  const read = (value: Value): ReturnType<typeof fieldOf> => fieldOf(value, field);
  return (frame) => {
    const value = operand(frame);
    if (value instanceof Abnormal) return value;
    return readOptional(value, access, faults, read);
  };
}

export function runIndex(node: IndexNode, operand: Run, index: Run, type: CelType): Run {
  const { access, span } = node;
  const what =
    type.kind === "list"
      ? "index out of range: test `size()` first"
      : "no such key: test it with `in` first";
  const faults: Faults = {
    missing: new CelError(what, span),
    noFields: new CelError("a value that cannot be indexed so", span),
  };
  const key = node.index.kind === "literal" ? node.index.value : undefined;
  if (access === "plain" && type.kind === "map" && typeof key === "string") {
    return runMapEntry(operand, key, faults.missing);
  }
  if (access === "plain" && type.kind === "list" && typeof key === "number") {
    return (frame) => {
      const value = operand(frame);
      if (value instanceof Abnormal) return value;
      const found = (value as readonly Value[])[key];
      return found === undefined ? faults.missing : found;
    };
  }
  return (frame) => {
    const value = operand(frame);
    if (value instanceof Abnormal) return value;
    const at = index(frame);
    if (at instanceof Abnormal) return at;
    return readOptional(value, access, faults, (inner) => elementOf(inner, at));
  };
}

export function runHas(node: HasNode, operand: Run): Run {
  const { field } = node.target;
  const noFields = new CelError(`a value that has no field \`${field}\``, node.span);
  return (frame) => {
    const value = operand(frame);
    if (value instanceof Abnormal) return value;
    const inner = value instanceof Optional ? value.value : value;
    if (inner === undefined) return false;
    const found = fieldOf(inner, field);
    return found === NO_FIELDS ? noFields : found !== undefined;
  };
}

/** Makes sure that a part of the macro gives an optional. */
function optionalPart({ macro, span }: OptionalMapNode | FallbackNode, part: Run): Run {
  const noOptional = new CelError(`\`${macro}\` of a value that is not an optional`, span);
  return (frame) => {
    const value = part(frame);
    return value instanceof Optional || value instanceof Abnormal ? value : noOptional;
  };
}

export function runOptionalMap(node: OptionalMapNode, operand: Run, slot: number, body: Run): Run {
  const isFlat = node.macro === "optFlatMap";
  const source = optionalPart(node, operand);
  const made = isFlat ? optionalPart(node, body) : body;
  return (frame) => {
    const optional = source(frame);
    if (!(optional instanceof Optional) || optional.value === undefined) return optional;
    frame.locals[slot] = optional.value;
    const mapped = made(frame);
    return isFlat || mapped instanceof Abnormal ? mapped : new Optional(mapped);
  };
}

export function runFallback(node: FallbackNode, operand: Run, fallback: Run): Run {
  const isOptional = node.macro === "or";
  const source = optionalPart(node, operand);
  const other = isOptional ? optionalPart(node, fallback) : fallback;
  return (frame) => {
    const optional = source(frame);
    if (!(optional instanceof Optional)) return optional;
    if (optional.value === undefined) return other(frame);
    return isOptional ? optional : optional.value;
  };
}
