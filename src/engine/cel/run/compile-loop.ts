/** Literals of lists and maps, and macros: loops over them, `cel.bind`, and those that evaluate a body only where it is needed. */

import type { Span } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";
import {
  isLoop,
  type ListNode,
  type LoopMacro,
  type Macro,
  type MacroNode,
  type MapNode,
} from "../syntax/tree.ts";
import {
  Abnormal,
  CelError,
  Double,
  EXHAUSTED,
  isList,
  isMap,
  type Key,
  keyOf,
  keyValue,
  Optional,
  type Result,
  Uint,
  type Value,
} from "../values/value.ts";
import { graver } from "./compile-logic.ts";
import { dropSteps, type Frame, type Mode, overspends, type Run } from "./frame.ts";

/** Fuel of a list and of a map that is built, without what is in it: 48 and some 200 octets, which are let go of late. */
const LIST_FUEL = 32;
const MAP_FUEL = 64;
/** Fuel of an element that a macro adds to a list, beside its iteration: lists that grow leave copies behind. */
const LIST_ITEM_FUEL = 3;
/** Fuel of one entry of a map that is built: measured at 150 ns and 40 octets, and as many that a smaller map leaves behind, on a quiet processor; a busy one took twice as long. */
const MAP_ENTRY_FUEL = 18;

/** A map that remembers which of its keys are uints, so that its keys come out as they went in. */
class BuiltMap extends Map<Key, Value> {
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
  const unitsMax = LIMITS.celKeyUnitsMax;
  const longKey = new CelError(`a key of more than ${unitsMax} characters`, node.span);
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
      if (typeof key === "string" && key.length > unitsMax) return longKey;
      if (!map.add(key, from, value)) return twice;
    }
    return map;
  };
}

/** What the parts of a macro are compiled to. */
export interface MacroParts {
  readonly operand: Run;
  readonly condition: Run | null;
  readonly body: Run | null;
  /** Where the first variable is kept; the second is next to it. */
  readonly slot: number;
  /** Fuel of one iteration, charged before it runs: one, and one for each node evaluated, more where it makes an object. */
  readonly fuel: number;
  readonly mode: Mode;
}

export function runMacro(node: MacroNode, parts: MacroParts): Run {
  const { macro } = node;
  if (isLoop(macro)) return runLoop(node, macro, parts);
  return macro === "cel.bind" ? runBind(parts) : runOptional(macro, node.span, parts);
}

function runLoop(node: MacroNode, macro: LoopMacro, parts: MacroParts): Run {
  const noRange = new CelError(
    `\`${macro}\` of a value that is neither a list nor a map`,
    node.operand.span,
  );
  // Not the node: a program that keeps it keeps the whole tree.
  const two = node.variables.length === 2;
  const { operand } = parts;
  const over = overOf(macro, node.span, parts, binder(two, parts));
  return (frame) => {
    const value = operand(frame);
    if (isList(value as Value)) return over(value as readonly Value[], null, frame);
    if (value instanceof Abnormal) return value;
    if (!isMap(value)) return noRange;
    if (overspends(frame, value.size)) return EXHAUSTED;
    const keys = Array.from(value.keys(), (key) => keyValue(value, key));
    return over(two ? Array.from(value.values()) : keys, keys, frame);
  };
}

/** A loop over elements or values; `keys` is `null` for a list, whose keys are its indices. */
type Over = (values: readonly Value[], keys: readonly Value[] | null, frame: Frame) => Result;

/** Binds the variables of an iteration and pays for it; returns whether the fuel is spent. */
type Bind = (
  frame: Frame,
  values: readonly Value[],
  keys: readonly Value[] | null,
  index: number,
) => boolean;

function binder(two: boolean, { slot, fuel, mode }: MacroParts): Bind {
  const tracing = mode === "tracing";
  if (!tracing && !two) {
    return (frame, values, _, index) => {
      frame.locals[slot] = values[index]!;
      return overspends(frame, fuel);
    };
  }
  let mark = 0;
  return (frame, values, keys, index) => {
    const element = values[index]!;
    // A trace keeps only the last iteration, which decided, and so is as short as the expression.
    if (tracing && index === 0) mark = frame.trace!.steps.length;
    if (tracing) dropSteps(frame.trace!, mark);
    frame.locals[slot] = two ? (keys === null ? index : keys[index]!) : element;
    if (two) frame.locals[slot + 1] = element;
    return overspends(frame, fuel);
  };
}

/** `all` and `exists`: the deciding value wins over errors and unknowns of other elements. */
function quantify(decisive: boolean, notBool: CelError, condition: Run, bind: Bind): Over {
  return (values, keys, frame) => {
    let pending: Abnormal | null = null;
    for (let index = 0; index < values.length; index++) {
      if (bind(frame, values, keys, index)) return EXHAUSTED;
      const value = condition(frame);
      if (value === !decisive) continue;
      if (value === decisive || value === EXHAUSTED) return value;
      pending = graver(pending, value instanceof Abnormal ? value : notBool);
    }
    return pending ?? !decisive;
  };
}

/** What an element becomes; `undefined` if the condition is false for it. */
type KeepElement = (element: Value, frame: Frame) => Result | undefined;

function keeper({ condition, body }: MacroParts, notBool: CelError): KeepElement {
  return (element, frame) => {
    const kept = condition === null || condition(frame);
    if (kept === false) return undefined;
    if (kept !== true) return kept instanceof Abnormal ? kept : notBool;
    return body === null ? element : body(frame);
  };
}

/** `filter`, `map` and `transformList`. */
function collectList(keep: KeepElement, bind: Bind): Over {
  return (values, keys, frame) => {
    const list: Value[] = [];
    for (let index = 0; index < values.length; index++) {
      if (bind(frame, values, keys, index)) return EXHAUSTED;
      const value = keep(values[index]!, frame);
      if (value instanceof Abnormal) return value;
      if (value === undefined) continue;
      if (overspends(frame, LIST_ITEM_FUEL)) return EXHAUSTED;
      list.push(value);
    }
    return list;
  };
}

/** `exists_one`. */
function countOne(keep: KeepElement, bind: Bind): Over {
  return (values, keys, frame) => {
    let count = 0;
    for (let index = 0; index < values.length; index++) {
      if (bind(frame, values, keys, index)) return EXHAUSTED;
      const value = keep(values[index]!, frame);
      if (value instanceof Abnormal) return value;
      if (value !== undefined) count++;
    }
    return count === 1;
  };
}

/** Adds what an iteration gives to the map of a macro; an error ends the loop. */
type AddTo = (map: BuiltMap, value: Value, frame: Frame) => Abnormal | null;

function collectMap(keep: KeepElement, bind: Bind, addTo: AddTo): Over {
  return (values, keys, frame) => {
    const map = new BuiltMap();
    for (let index = 0; index < values.length; index++) {
      if (bind(frame, values, keys, index)) return EXHAUSTED;
      const value = keep(values[index]!, frame);
      if (value instanceof Abnormal) return value;
      const error = value === undefined ? null : addTo(map, value, frame);
      if (error !== null) return error;
    }
    return map;
  };
}

/** `transformMap` keeps the keys, the first variable; a list's are its indices. */
function addByKey(slot: number): AddTo {
  return (map, value, frame) => {
    if (overspends(frame, MAP_ENTRY_FUEL)) return EXHAUSTED;
    const key = frame.locals[slot] as Value;
    map.add(keyOf(key)!, key, value);
    return null;
  };
}

/** `transformMapEntry` merges the maps it is given. */
function addEntries(span: Span): AddTo {
  return (map, entries, frame) => {
    if (!isMap(entries)) {
      return new CelError("`transformMapEntry` of a value that is not a map", span);
    }
    if (overspends(frame, MAP_ENTRY_FUEL * entries.size)) return EXHAUSTED;
    for (const [key, value] of entries) {
      if (!map.add(key, keyValue(entries, key), value)) {
        return new CelError("`transformMapEntry` makes one key twice", span);
      }
    }
    return null;
  };
}

function overOf(macro: LoopMacro, span: Span, parts: MacroParts, bind: Bind): Over {
  const notBool = new CelError(`\`${macro}\` with a condition that is not a bool`, span);
  const keep = keeper(parts, notBool);
  switch (macro) {
    case "all":
    case "exists":
      return quantify(macro === "exists", notBool, parts.condition!, bind);
    case "transformMap":
      return collectMap(keep, bind, addByKey(parts.slot));
    case "transformMapEntry":
      return collectMap(keep, bind, addEntries(span));
    case "exists_one":
      return countOne(keep, bind);
    default:
      return collectList(keep, bind);
  }
}

function runBind({ operand, slot, body }: MacroParts): Run {
  return (frame) => {
    const bound = operand(frame);
    // An error or an unknown counts only where the variable is used.
    if (bound === EXHAUSTED) return bound;
    frame.locals[slot] = bound;
    return body!(frame);
  };
}

/** `optMap` and `optFlatMap` evaluate their body for a value, `or` and `orValue` for an empty optional. */
function runOptional(macro: Macro, span: Span, { operand, slot, body }: MacroParts): Run {
  const noOptional = new CelError(`\`${macro}\` of a value that is not an optional`, span);
  const maps = macro === "optMap" || macro === "optFlatMap";
  const isFlat = macro === "optFlatMap" || macro === "or";
  return (frame) => {
    const optional = operand(frame);
    if (!(optional instanceof Optional)) {
      return optional instanceof Abnormal ? optional : noOptional;
    }
    const { value } = optional;
    if (maps) {
      if (value === undefined) return optional;
      frame.locals[slot] = value;
    } else if (value !== undefined) return isFlat ? optional : value;
    const result = body!(frame);
    if (!isFlat) return maps && !(result instanceof Abnormal) ? new Optional(result) : result;
    return result instanceof Optional || result instanceof Abnormal ? result : noOptional;
  };
}
