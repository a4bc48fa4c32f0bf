/** `has`, `cel.bind`, and the macros of optionals, which evaluate their arguments only where needed. */
import type { FallbackNode, HasNode, OptionalMapNode } from "../syntax/tree.ts";
import { Abnormal, CelError, EXHAUSTED, Optional } from "../values/value.ts";
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
