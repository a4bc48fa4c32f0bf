/** Parses JSON (RFC 8259) with a bounded depth, and reports the place of the first mistake. */
import { findJsonMistake } from "../../../base/json-text.ts";
import { LIMITS } from "../../../base/limits.ts";
import { lineColumnAt } from "../../../base/render-diagnostic.ts";
import { ServiceProblem } from "../../model/problem.ts";

/** The offset of the quote that closes the string opened at `start`, or the text's end. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 34) return at;
    if (unit === 92) at++;
  }
  return text.length;
}

/** The offset of the first bracket that is too deep, or -1. For a text that is not JSON, the result does not matter. */
function tooDeepAt(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 34) at = endOfString(text, at);
    else if (unit === 93 || unit === 125) depth--;
    else if ((unit === 91 || unit === 123) && ++depth > LIMITS.jsonDepthMax) return at;
  }
  return -1;
}

function problemAt(text: string, offset: number, fault: string, advice: string): ServiceProblem {
  const { line, column } = lineColumnAt(text, offset);
  return new ServiceProblem(400, `${fault} at line ${line}, column ${column}: ${advice}`);
}

/** Throws 400 with the line and column of the mistake. */
export function parseJson(text: string): unknown {
  const deep = tooDeepAt(text);
  if (deep >= 0) {
    const advice = `at most ${LIMITS.jsonDepthMax} levels are allowed`;
    throw problemAt(text, deep, "the body goes too deep", advice);
  }
  try {
    return JSON.parse(text);
  } catch {
    // A text that cannot be parsed has a mistake.
    const { message, span } = findJsonMistake(text)!;
    throw problemAt(text, span.start, "the body is not JSON", message);
  }
}
