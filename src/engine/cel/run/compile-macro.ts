/** Macros that go over no elements: `cel.bind`, and those of optionals, which evaluate their bodies only where needed. */
import { isLoop, type MacroNode } from "../syntax/tree.ts";
import { Abnormal, CelError, EXHAUSTED, Optional } from "../values/value.ts";
import { type MacroParts, runLoop } from "./compile-loop.ts";
import type { Run } from "./frame.ts";

export function runMacro(node: MacroNode, parts: MacroParts): Run {
  const { macro, span } = node;
  if (isLoop(macro)) return runLoop(node, macro, parts);
  const { operand, slot } = parts;
  if (macro === "cel.bind") return runBind(operand, slot, parts.body!);
  const noOptional = new CelError(`\`${macro}\` of a value that is not an optional`, span);
  const optional = optionalPart(operand, noOptional);
  const isFlat = macro === "or" || macro === "optFlatMap";
  const body = isFlat ? optionalPart(parts.body!, noOptional) : parts.body!;
  return macro === "or" || macro === "orValue"
    ? runFallback(optional, body, isFlat)
    : runOptionalMap(optional, slot, body, isFlat);
}

function runBind(value: Run, slot: number, body: Run): Run {
  return (frame) => {
    const bound = value(frame);
    // An error or an unknown counts only where the variable is used.
    if (bound === EXHAUSTED) return bound;
    frame.locals[slot] = bound;
    return body(frame);
  };
}

/** Makes sure that a part of the macro gives an optional. */
function optionalPart(part: Run, noOptional: CelError): Run {
  return (frame) => {
    const value = part(frame);
    return value instanceof Optional || value instanceof Abnormal ? value : noOptional;
  };
}

function runOptionalMap(operand: Run, slot: number, body: Run, isFlat: boolean): Run {
  return (frame) => {
    const optional = operand(frame);
    if (!(optional instanceof Optional) || optional.value === undefined) return optional;
    frame.locals[slot] = optional.value;
    const mapped = body(frame);
    return isFlat || mapped instanceof Abnormal ? mapped : new Optional(mapped);
  };
}

function runFallback(operand: Run, fallback: Run, isFlat: boolean): Run {
  return (frame) => {
    const optional = operand(frame);
    if (!(optional instanceof Optional)) return optional;
    if (optional.value === undefined) return fallback(frame);
    return isFlat ? optional : optional.value;
  };
}
