/** Comprehension macros as loops. */

import type { LoopNode } from "../syntax/tree.ts";
import {
  Abnormal,
  CelError,
  EXHAUSTED,
  isList,
  isMap,
  keyOf,
  keyValue,
  type Result,
  UNKNOWN,
  type Value,
} from "../values/value.ts";
import { BuiltMap, MAP_ENTRY_FUEL } from "./compile-aggregate.ts";
import { dropSteps, type Frame, overspends, type Run } from "./frame.ts";

export interface LoopParts {
  readonly range: Run;
  readonly filter: Run | null;
  readonly body: Run | null;
  readonly variables: 1 | 2;
  /** Where the first variable is kept; the second is next to it. */
  readonly slot: number;
  /** Fuel of one iteration, charged before it runs: one, and one for each node evaluated, more where it makes an object. */
  readonly fuel: number;
  readonly mode: "plain" | "tracing";
}

/** Runs one iteration: `undefined` continues, anything else is the loop's result. */
type LoopStep = (frame: Frame) => Result | undefined;

/** How a macro collects a whole range: `step` runs one iteration, `done` gives the result after the last. */
type Collect = (notBool: CelError, parts: LoopParts) => { step: LoopStep; done: () => Result };

export function runLoop(node: LoopNode, parts: LoopParts): Run {
  const { macro, span } = node;
  const noRange = new CelError(
    `\`${macro}\` of a value that is neither a list nor a map`,
    node.range.span,
  );
  const notBool = new CelError(`\`${macro}\` with a condition that is not a bool`, span);
  const two = parts.variables === 2;
  const { range } = parts;
  const over =
    macro === "all" || macro === "exists"
      ? quantify(macro, notBool, parts)
      : collectOver(COLLECTORS[macro], notBool, parts);
  return (frame) => {
    const value = range(frame);
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
  mark: number,
) => boolean;

function binder(parts: LoopParts): Bind {
  const { slot, fuel } = parts;
  if (parts.mode === "plain" && parts.variables === 1) {
    return (frame, values, _, index) => {
      frame.locals[slot] = values[index]!;
      return overspends(frame, fuel);
    };
  }
  const two = parts.variables === 2;
  const tracing = parts.mode === "tracing";
  return (frame, values, keys, index, mark) => {
    const element = values[index]!;
    // A trace keeps only the last iteration, which decided, and so is as short as the expression.
    if (tracing) dropSteps(frame, mark);
    frame.locals[slot] = two ? (keys === null ? index : keys[index]!) : element;
    if (two) frame.locals[slot + 1] = element;
    return overspends(frame, fuel);
  };
}

/** `all` and `exists`: the deciding value wins over errors and unknowns of other elements. */
function quantify(macro: "all" | "exists", notBool: CelError, parts: LoopParts): Over {
  const decisive = macro === "exists";
  const body = parts.body!;
  const bind = binder(parts);
  return (values, keys, frame) => {
    const mark = frame.steps.length;
    let pending: Abnormal | null = null;
    for (let index = 0; index < values.length; index++) {
      if (bind(frame, values, keys, index, mark)) return EXHAUSTED;
      const value = body(frame);
      if (value === !decisive) continue;
      if (value === decisive || value === EXHAUSTED) return value;
      const abnormal = value instanceof Abnormal ? value : notBool;
      if (pending === null || abnormal === UNKNOWN) pending = abnormal;
    }
    return pending ?? !decisive;
  };
}

function collectOver(collect: Collect, notBool: CelError, parts: LoopParts): Over {
  const bind = binder(parts);
  return (values, keys, frame) => {
    const { step, done } = collect(notBool, parts);
    const mark = frame.steps.length;
    for (let index = 0; index < values.length; index++) {
      if (bind(frame, values, keys, index, mark)) return EXHAUSTED;
      const result = step(frame);
      if (result !== undefined) return result;
    }
    return done();
  };
}

const existsOne: Collect = (notBool, { body }) => {
  let count = 0;
  return {
    step: (frame) => {
      const value = body!(frame);
      if (typeof value !== "boolean") return value instanceof Abnormal ? value : notBool;
      if (value) count++;
      return undefined;
    },
    done: () => count === 1,
  };
};

/** `filter`, `map` and `transformList`: `filter` keeps the elements themselves. */
const collectList: Collect = (notBool, { filter, body, slot }) => {
  const list: Value[] = [];
  return {
    step: (frame) => {
      const kept = filter === null || filter(frame);
      if (kept === false) return undefined;
      if (kept !== true) return kept instanceof Abnormal ? kept : notBool;
      const value = body === null ? frame.locals[slot]! : body(frame);
      if (value instanceof Abnormal) return value;
      list.push(value);
      return undefined;
    },
    done: () => list,
  };
};

/** `transformMap` keeps the keys; a list's are its indices. */
const collectMap: Collect = (notBool, { filter, body, slot }) => {
  const map = new BuiltMap();
  return {
    step: (frame) => {
      const key = frame.locals[slot] as Value;
      const kept = filter === null || filter(frame);
      if (kept === false) return undefined;
      if (kept !== true) return kept instanceof Abnormal ? kept : notBool;
      const value = body!(frame);
      if (value instanceof Abnormal) return value;
      if (overspends(frame, MAP_ENTRY_FUEL)) return EXHAUSTED;
      map.add(keyOf(key)!, key, value);
      return undefined;
    },
    done: () => map,
  };
};

const NO_MAP = "`transformMapEntry` of a value that is not a map";
const TWICE = "`transformMapEntry` makes one key twice";

/** `transformMapEntry` merges the maps it is given. */
const collectEntries: Collect = (notBool, { filter, body }) => {
  const merged = new BuiltMap();
  return {
    step: (frame) => {
      const kept = filter === null || filter(frame);
      if (kept === false) return undefined;
      if (kept !== true) return kept instanceof Abnormal ? kept : notBool;
      const entries = body!(frame);
      if (entries instanceof Abnormal) return entries;
      if (!isMap(entries)) return new CelError(NO_MAP, notBool.span);
      if (overspends(frame, MAP_ENTRY_FUEL * entries.size)) return EXHAUSTED;
      for (const [key, value] of entries) {
        if (!merged.add(key, keyValue(entries, key), value))
          return new CelError(TWICE, notBool.span);
      }
      return undefined;
    },
    done: () => merged,
  };
};

const COLLECTORS: Readonly<Record<Exclude<LoopNode["macro"], "all" | "exists">, Collect>> = {
  exists_one: existsOne,
  filter: collectList,
  map: collectList,
  transformList: collectList,
  transformMap: collectMap,
  transformMapEntry: collectEntries,
};
