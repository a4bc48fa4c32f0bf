/** Fields and elements: `a.b`, `a.?b`, `has(a.b)`, `a[i]`, `a[?i]`. */
import { type AccessNode, literalText } from "../syntax/tree.ts";
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
  type Struct,
  typeNameOf,
  Uint,
  type Value,
} from "../values/value.ts";
import type { Run } from "./frame.ts";

/** The answer of `partOf` for values that have no fields or elements at all. */
const NO_PARTS: unique symbol = Symbol("no parts");

/** A field or an element of a value, `undefined` if the value has none of that key. */
function partOf(
  value: Value,
  key: Value,
  form: AccessNode["form"],
): Value | undefined | typeof NO_PARTS {
  if (isMap(value)) {
    const known = keyOf(key);
    if (known !== undefined) return value.get(known);
    return key instanceof Double ? undefined : NO_PARTS;
  }
  if (form === "field") {
    if (typeNameOf(value) !== "attachment") return NO_PARTS;
    const field = key as string;
    return Object.hasOwn(value as Struct, field) ? (value as Struct)[field] : undefined;
  }
  if (!isList(value)) return NO_PARTS;
  if (typeof key === "number") return value[key];
  if (key instanceof Uint || key instanceof Double) {
    const whole = keyOf(key);
    return typeof whole === "number" ? value[whole] : undefined;
  }
  return typeof key === "bigint" ? undefined : NO_PARTS;
}

/** Errors are made here, once per node, so that a failure at run time allocates nothing. */
function faultsOf({ form, key, span }: AccessNode, type: CelType) {
  const field = literalText(key);
  const missing =
    form === "field"
      ? `no key \`${field}\`: test it with \`has\` or \`in\` first`
      : type.kind === "list"
        ? "index out of range: test `size()` first"
        : "no such key: test it with `in` first";
  const noParts =
    form === "field"
      ? `a value that has no field \`${field}\``
      : "a value that cannot be indexed so";
  return { missing: new CelError(missing, span), noParts: new CelError(noParts, span) };
}

export function runAccess(node: AccessNode, operand: Run, readKey: Run, type: CelType): Run {
  const { form, access } = node;
  const key = node.key.kind === "literal" ? node.key.value : undefined;
  const { missing, noParts } = faultsOf(node, type);
  if (access === "plain" && key !== undefined) {
    const known = runKnown(type, operand, key, missing);
    if (known !== null) return known;
  }
  return (frame) => {
    const value = operand(frame);
    if (value instanceof Abnormal) return value;
    const at = key === undefined ? readKey(frame) : key;
    if (at instanceof Abnormal) return at;
    const isViral = value instanceof Optional;
    const owner = isViral ? value.value : value;
    if (owner === undefined) return access === "test" ? false : NONE;
    const found = partOf(owner, at, form);
    if (found === NO_PARTS) return noParts;
    if (access === "test") return found !== undefined;
    // There a missing value is not an error.
    if (isViral || access === "optional") return found === undefined ? NONE : new Optional(found);
    return found === undefined ? missing : found;
  };
}

/** What most rules read: a part by a key known at compile time; `null` if the type of its owner is not known. */
function runKnown({ kind }: CelType, operand: Run, key: Value, missing: CelError): Run | null {
  if (kind === "map" && typeof key === "string") {
    return (frame) => {
      const value = operand(frame);
      // The first test is fast for maps, the second only for other values.
      if (!(value instanceof Map) && value instanceof Abnormal) return value;
      const found = (value as ReadonlyMap<string, Value>).get(key);
      return found === undefined ? missing : found;
    };
  }
  if (kind === "struct") {
    return (frame) => {
      const value = operand(frame);
      return value instanceof Abnormal ? value : ((value as Struct)[key as string] ?? missing);
    };
  }
  if (kind !== "list" || typeof key !== "number") return null;
  return (frame) => {
    const value = operand(frame);
    if (value instanceof Abnormal) return value;
    const found = (value as readonly Value[])[key];
    return found === undefined ? missing : found;
  };
}
