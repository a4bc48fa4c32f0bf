/** Values and types of the cel-spec test data as ours, and the comparison of a result with what a case expects. */
import type { Type } from "@bufbuild/cel-spec/cel/expr/checked_pb.js";
import type { Value as SpecValue } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import { renderResult } from "../../src/engine/cel/values/render-value.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  readType,
  STRING,
  TYPE,
  UINT,
} from "../../src/engine/cel/values/type.ts";
import {
  canonicalInt,
  Double,
  type Key,
  keyOf,
  type Result,
  TypeValue,
  Uint,
  type Value,
} from "../../src/engine/cel/values/value.ts";

/** A value of the test data; throws on those that only protobuf messages have. */
export function specValue(value: SpecValue): Value {
  const { kind } = value;
  switch (kind.case) {
    case "nullValue":
      return null;
    case "boolValue":
    case "stringValue":
    case "bytesValue":
      return kind.value;
    case "int64Value":
      return canonicalInt(kind.value);
    case "uint64Value":
      return new Uint(canonicalInt(kind.value));
    case "doubleValue":
      return new Double(kind.value);
    case "typeValue":
      return new TypeValue(kind.value);
    case "listValue":
      return kind.value.values.map(specValue);
    case "mapValue": {
      const map: Map<Key, Value> & { uintKeys?: Set<Key> } = new Map();
      for (const entry of kind.value.entries) {
        const key = specValue(entry.key!);
        if (key instanceof Uint) {
          map.uintKeys ??= new Set();
          map.uintKeys.add(key.value);
        }
        map.set(keyOf(key)!, specValue(entry.value!));
      }
      return map;
    }
    default:
      throw new Error(`a protobuf value: ${kind.case}`);
  }
}

/** A declared type; throws on messages. */
export function specType(type: Type): CelType {
  const { typeKind } = type;
  switch (typeKind.case) {
    case "dyn":
      return DYN;
    case "null":
      return NULL;
    case "type":
      return TYPE;
    case "primitive":
      return [DYN, BOOL, INT, UINT, DOUBLE, STRING, BYTES][typeKind.value]!;
    case "wellKnown":
      return typeKind.value === 1 ? DYN : readType(typeKind.value === 2 ? "timestamp" : "duration");
    case "listType":
      return listOf(specType(typeKind.value.elemType!));
    case "mapType":
      return mapOf(specType(typeKind.value.keyType!), specType(typeKind.value.valueType!));
    case "abstractType":
      if (typeKind.value.name !== "optional_type") break;
      return optionalOf(specType(typeKind.value.parameterTypes[0]!));
    case undefined:
      return DYN;
    default:
  }
  throw new Error(`a protobuf type: ${typeKind.case}`);
}

/** Equal in type and value; NaN equals NaN, and maps are equal in any order. */
export function isSame(actual: Result, expected: Value): boolean {
  if (actual instanceof Map && expected instanceof Map) {
    if (actual.size !== expected.size) return false;
    return [...expected].every(
      ([key, value]) =>
        actual.has(key) &&
        Boolean((actual as { uintKeys?: Set<Key> }).uintKeys?.has(key)) ===
          Boolean((expected as { uintKeys?: Set<Key> }).uintKeys?.has(key)) &&
        isSame(actual.get(key), value),
    );
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return (
      actual.length === expected.length &&
      actual.every((item, index) => isSame(item, expected[index]))
    );
  }
  if (actual instanceof Double && expected instanceof Double) {
    return Object.is(actual.value, expected.value);
  }
  if (actual instanceof Uint && expected instanceof Uint) return actual.value === expected.value;
  if (actual instanceof TypeValue && expected instanceof TypeValue) {
    return actual.name === expected.name;
  }
  if (actual instanceof Uint8Array && expected instanceof Uint8Array) {
    return renderResult(actual) === renderResult(expected);
  }
  return actual === expected;
}
