/** Comprehension macros as loops. */
import { BuiltMap } from "./compile-aggregate.ts";
import { type Frame, overspends, type Run } from "./frame.ts";
import type { LoopNode } from "./tree.ts";
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
} from "./value.ts";

export interface LoopParts {
  readonly range: Run;
  readonly filter: Run | null;
  readonly body: Run | null;
  /** Where the first variable is kept; the second is next to it. */
  readonly slot: number;
  /** What one iteration costs before it is run: one, and one for each node evaluated. */
  readonly fuel: number;
  readonly mode: "plain" | "tracing";
}

/** Does one iteration: `undefined` goes on, anything else is the loop's result. */
type Step = (frame: Frame) => Result | undefined;

/** What the macro makes of a whole range: the steps of one evaluation, and the result after the last. */
type Collect = (notBool: CelError, parts: LoopParts) => { step: Step; done: () => Result };

export function runLoop(node: LoopNode, parts: LoopParts): Run {
  const { macro, span } = node;
  const noRange = new CelError(
    `\`${macro}\` of a value that is no list and no map`,
    node.range.span,
  );
  const notBool = new CelError(`\`${macro}\` with a condition that is no bool`, span);
  const collect = COLLECTORS[macro];
  const two = node.variables.length === 2;
  return (frame) => {
    const over = parts.range(frame);
    if (over instanceof Abnormal) return over;
    if (!isList(over) && !isMap(over)) return noRange;
    let values = isList(over) ? over : [];
    let keys: readonly Value[] | null = null;
    if (isMap(over)) {
      if (overspends(frame, over.size)) return EXHAUSTED;
      keys = Array.from(over.keys(), (key) => keyValue(over, key));
      values = two ? Array.from(over.values()) : keys;
    }
    const { step, done } = collect(notBool, parts);
    const mark = frame.steps.length;
    for (let index = 0; index < values.length; index++) {
      if (overspends(frame, parts.fuel)) return EXHAUSTED;
      // Only the last iteration stays in a trace: it decided, and so a trace is as short as the expression.
      if (parts.mode === "tracing") frame.steps.length = mark;
      frame.locals[parts.slot] = two ? (keys?.[index] ?? index) : values[index]!;
      if (two) frame.locals[parts.slot + 1] = values[index]!;
      const result = step(frame);
      if (result !== undefined) return result;
    }
    return done();
  };
}

/** `all` and `exists`: the deciding value wins over errors and unknowns of other elements. */
function quantifier(decisive: boolean): Collect {
  return (notBool, { body }) => {
    let pending: Abnormal | null = null;
    return {
      step: (frame) => {
        const value = body!(frame);
        if (value === decisive || value === EXHAUSTED) return value;
        if (value === !decisive) return undefined;
        const abnormal = value instanceof Abnormal ? value : notBool;
        if (pending === null || abnormal === UNKNOWN) pending = abnormal;
        return undefined;
      },
      done: () => pending ?? !decisive,
    };
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
      const key = frame.locals[slot]!;
      const kept = filter === null || filter(frame);
      if (kept === false) return undefined;
      if (kept !== true) return kept instanceof Abnormal ? kept : notBool;
      const value = body!(frame);
      if (value instanceof Abnormal) return value;
      map.add(keyOf(key)!, key, value);
      return undefined;
    },
    done: () => map,
  };
};

const NO_MAP = "`transformMapEntry` of a value that is no map";
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
      if (overspends(frame, entries.size)) return EXHAUSTED;
      for (const [key, value] of entries) {
        if (!merged.add(key, keyValue(entries, key), value))
          return new CelError(TWICE, notBool.span);
      }
      return undefined;
    },
    done: () => merged,
  };
};

const COLLECTORS: Readonly<Record<LoopNode["macro"], Collect>> = {
  all: quantifier(false),
  exists: quantifier(true),
  exists_one: existsOne,
  filter: collectList,
  map: collectList,
  transformList: collectList,
  transformMap: collectMap,
  transformMapEntry: collectEntries,
};
