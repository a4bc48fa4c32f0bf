/** List and map literals. */
import type { ListNode, MapNode } from "../syntax/tree.ts";
import {
  Abnormal,
  CelError,
  Double,
  EXHAUSTED,
  type Key,
  keyOf,
  type Result,
  Uint,
  type Value,
} from "../values/value.ts";
import { overspends, type Run } from "./frame.ts";

/** Fuel of a list and of a map that is built, without what is in it: 48 and some 200 octets, which are let go of late. */
const LIST_FUEL = 32;
const MAP_FUEL = 64;
/** Fuel of one entry of a map that is built: measured at 100 ns and 40 octets, eight times an element of a list. */
export const MAP_ENTRY_FUEL = 8;

/** A map that remembers which of its keys are uints, so that its keys come out as they went in. */
export class BuiltMap extends Map<Key, Value> {
  uintKeys?: Set<Key>;

  /** Whether the key was new. */
  add(key: Key, from: Value, value: Value): boolean {
    if (this.has(key)) return false;
    if (from instanceof Uint) {
      this.uintKeys ??= new Set();
      this.uintKeys.add(key);
    }
    this.set(key, value);
    return true;
  }
}

export function runList(node: ListNode, items: readonly Run[]): Run {
  if (node.items.every((item) => item.kind === "literal")) {
    const constant = node.items.map((item) => item.value);
    return () => constant;
  }
  return (frame) => {
    if (overspends(frame, LIST_FUEL + items.length)) return EXHAUSTED;
    // Of its final size: a list that grows takes room for seventeen.
    const list = new Array<Value>(items.length);
    for (const [index, item] of items.entries()) {
      const value = item(frame);
      if (value instanceof Abnormal) return value;
      list[index] = value;
    }
    return list;
  };
}

export function runMap(node: MapNode, keys: readonly Run[], values: readonly Run[]): Run {
  const badKey = new CelError("a key that is not a string, int, uint or bool", node.span);
  const twice = new CelError("a map with one key twice", node.span);
  return (frame): Result => {
    if (overspends(frame, MAP_FUEL + MAP_ENTRY_FUEL * keys.length)) return EXHAUSTED;
    const map = new BuiltMap();
    for (const [nth, readKey] of keys.entries()) {
      const from = readKey(frame);
      if (from instanceof Abnormal) return from;
      const value = values[nth]!(frame);
      if (value instanceof Abnormal) return value;
      const key = from instanceof Double ? undefined : keyOf(from);
      if (key === undefined) return badKey;
      if (!map.add(key, from, value)) return twice;
    }
    return map;
  };
}
