/** Why a CEL expression was false: its first false conjunct, and what stood in it. */
import type { Span } from "../base/diagnostic.ts";
import type { StepTrace } from "../cel/expression.ts";

/** Operands shown of the false conjunct. */
const OPERANDS_MAX = 3;

export interface NearMiss {
  /** Source of the first conjunct that was false. */
  readonly conjunct: string;
  readonly operands: readonly { readonly source: string; readonly value: string }[];
}

// Strings (raw, triple-quoted, or plain), comments, `&&`, and single characters.
const TOKEN =
  /[rR]?[bB]?[rR]?(?:"""(?:\\.|[^\\])*?"""|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*')|\/\/[^\n]*|&&|\|\||./gs;

function trim(source: string, { start, end }: Span): Span {
  const text = source.slice(start, end);
  const from = start + text.length - text.trimStart().length;
  return { start: from, end: Math.max(from, end - (text.length - text.trimEnd().length)) };
}

/** Parts of a chain of `&&` from left to right; what is no such chain is one part. */
function conjunctsOf(source: string, whole: Span): Span[] {
  const parts: Span[] = [];
  let depth = 0;
  let start = whole.start;
  /** How often depth 0 was left: once, from the first character to the last, is a pair of parentheses around all. */
  let closedAt = -1;
  for (const { 0: token, index } of source.slice(whole.start, whole.end).matchAll(TOKEN)) {
    const at = whole.start + index;
    if ("([{".includes(token)) depth++;
    else if (")]}".includes(token)) {
      depth--;
      if (depth === 0 && closedAt < 0) closedAt = at;
    } else if (depth > 0) continue;
    else if (token === "||" || token === "?") return [whole];
    else if (token === "&&") {
      parts.push(trim(source, { start, end: at }));
      start = at + token.length;
    }
  }
  if (parts.length === 0) {
    const wrapped = source[whole.start] === "(" && closedAt === whole.end - 1;
    if (!wrapped) return [whole];
    return conjunctsOf(source, trim(source, { start: whole.start + 1, end: whole.end - 1 }));
  }
  parts.push(trim(source, { start, end: whole.end }));
  return parts.flatMap((part) => conjunctsOf(source, part));
}

function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function widest(steps: readonly StepTrace[]): StepTrace | undefined {
  return steps.reduce<StepTrace | undefined>(
    (best, step) =>
      best === undefined || step.span.end - step.span.start >= best.span.end - best.span.start
        ? step
        : best,
    undefined,
  );
}

const LITERAL = /^(?:[rRbB]{0,2}["'].*["']|-?\d[\w.+-]*|true|false|null)$/s;

function isLiteral(source: string, value: string): boolean {
  const bare = (text: string): string => text.replace(/\s+/g, "").replaceAll("'", '"');
  return LITERAL.test(source) || bare(source) === bare(value);
}

/** What the conjunct's outermost operation worked on, without the literals the author can see. */
function operandsOf(source: string, root: StepTrace, steps: readonly StepTrace[]): StepTrace[] {
  const inner = steps.filter(
    ({ span }) =>
      contains(root.span, span) && span.end - span.start < root.span.end - root.span.start,
  );
  // Evaluated more than once, as in a macro: the last value counts.
  const last = new Map(inner.map((step) => [`${step.span.start}-${step.span.end}`, step]));
  const outermost = [...last.values()].filter(
    (step) =>
      ![...last.values()].some((other) => other !== step && contains(other.span, step.span)),
  );
  // Of a map, as of all the headers, a line shows nothing that helps.
  return outermost.filter(
    ({ span, value }) =>
      !value.startsWith("{") && !isLiteral(source.slice(span.start, span.end), value),
  );
}

/** The near miss of an expression that was false, or `null` if its steps do not tell. */
export function celNearMiss(source: string, steps: readonly StepTrace[]): NearMiss | null {
  const whole = trim(source, { start: 0, end: source.length });
  for (const conjunct of conjunctsOf(source, whole)) {
    const within = steps.filter(({ span }) => contains(conjunct, span));
    const root = widest(within);
    if (root?.value !== "false") continue;
    const operands = operandsOf(source, root, within).slice(0, OPERANDS_MAX);
    return {
      conjunct: source.slice(conjunct.start, conjunct.end),
      operands: operands.map(({ span, value }) => ({
        source: source.slice(span.start, span.end),
        value,
      })),
    };
  }
  return null;
}
