/** `has`, `cel.bind`, and the macros of optionals, which evaluate their arguments only where needed. */
import type { FallbackNode, HasNode, OptionalMapNode } from "../syntax/tree.ts";
import { Abnormal, CelError, EXHAUSTED, NONE, Optional } from "../values/value.ts";
import { fieldOf, NO_FIELDS } from "./compile-access.ts";
import type { Run } from "./frame.ts";

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

export function runBind(value: Run, slot: number, body: Run): Run {
  return (frame) => {
    const bound = value(frame);
    // An error or an unknown counts only where the variable is used.
    if (bound === EXHAUSTED) return bound;
    frame.locals[slot] = bound;
    return body(frame);
  };
}

export function runOptionalMap(node: OptionalMapNode, operand: Run, slot: number, body: Run): Run {
  const noOptional = new CelError(
    `\`${node.macro}\` of a value that is not an optional`,
    node.span,
  );
  const flat = node.macro === "optFlatMap";
  return (frame) => {
    const optional = operand(frame);
    if (optional instanceof Abnormal) return optional;
    if (!(optional instanceof Optional)) return noOptional;
    if (optional.value === undefined) return NONE;
    frame.locals[slot] = optional.value;
    const mapped = body(frame);
    if (mapped instanceof Abnormal) return mapped;
    if (!flat) return new Optional(mapped);
    return mapped instanceof Optional ? mapped : noOptional;
  };
}

export function runFallback(node: FallbackNode, operand: Run, fallback: Run): Run {
  const noOptional = new CelError(
    `\`${node.macro}\` of a value that is not an optional`,
    node.span,
  );
  return (frame) => {
    const optional = operand(frame);
    if (optional instanceof Abnormal) return optional;
    if (!(optional instanceof Optional)) return noOptional;
    if (node.macro === "orValue") {
      return optional.value === undefined ? fallback(frame) : optional.value;
    }
    if (optional.value !== undefined) return optional;
    const other = fallback(frame);
    return other instanceof Abnormal || other instanceof Optional ? other : noOptional;
  };
}
