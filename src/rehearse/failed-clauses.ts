/** Which clauses of an alias or a rule failed on a message: what was wanted, and what was there. */
import type { Span } from "../base/diagnostic.ts";
import { childrenOf, type Node } from "../cel/tree.ts";
import type { Facts } from "../mail/facts.ts";
import type { AliasForm, Scope, TraceEntry } from "../routing/resolution.ts";
import { conjunctsOf, spanKey, treeOf, valuesOf } from "./cel-conditions.ts";

/** A part of an expression that had to be true. */
export interface FailedCondition {
  readonly kind: "condition";
  readonly source: string;
  readonly span: Span;
  /** `false`, or `error: …`. */
  readonly value: string;
  /** What it was computed from. */
  readonly operands: readonly { readonly source: string; readonly value: string }[];
}

export type FailedClause =
  /** The domain routes by the other engine, or not at all. */
  | { readonly kind: "engine"; readonly engine: "alias" | "rules" | null }
  /** The rule is switched off. */
  | { readonly kind: "inactive" }
  /** The recipient's local part is not the alias. */
  | {
      readonly kind: "alias";
      readonly alias: string;
      readonly form: AliasForm;
      readonly actual: string;
    }
  /** The pattern is in none of the texts. */
  | {
      readonly kind: "pattern";
      readonly regex: string;
      readonly texts: readonly { readonly scope: Scope; readonly actual: string }[];
    }
  | FailedCondition
  /** It matched, or would have, but failed. */
  | { readonly kind: "failure"; readonly failure: string };

/** A list that is written out is its own value. */
function saysItself(source: string, value: string): boolean {
  const bare = (text: string): string => text.replace(/\s+/g, "").replaceAll("'", '"');
  return bare(source) === bare(value);
}

/** What a condition worked on, without the literals, which its author can see, and without maps. */
function operandsOf(
  node: Node,
  expression: string,
  values: ReadonlyMap<string, string>,
): { source: string; value: string }[] {
  const found = new Map<string, string>();
  const visit = (part: Node): void => {
    const isLogic = part.kind === "logic" || (part.kind === "call" && part.name === "!");
    // Of a macro's predicate only the last element's values are known.
    const children = part.kind === "loop" ? [part.range] : childrenOf(part);
    for (const child of children) {
      if (isLogic) {
        visit(child);
        continue;
      }
      const value = values.get(spanKey(child.span));
      if (child.kind === "literal" || value === undefined || value.startsWith("{")) continue;
      const source = expression.slice(child.span.start, child.span.end);
      if (!saysItself(source, value)) found.set(source, value);
    }
  };
  visit(node);
  return [...found].map(([source, value]) => ({ source, value }));
}

/** The conditions that were not true, in the order of the source. `values`: by span, as far as they are known. */
export function failedConditions(
  expression: string,
  values: ReadonlyMap<string, string>,
): readonly FailedCondition[] {
  const tree = treeOf(expression);
  if (tree === null) return [];
  return conjunctsOf(tree).flatMap((node): FailedCondition[] => {
    const value = values.get(spanKey(node.span));
    if (value === undefined || value === "true") return [];
    const { span } = node;
    const source = expression.slice(span.start, span.end);
    return [
      { kind: "condition", source, span, value, operands: operandsOf(node, expression, values) },
    ];
  });
}

/** The clauses that failed in an entry of a trace that missed or failed; none of one that matched. */
export function failedClauses(entry: TraceEntry, facts: Facts): readonly FailedClause[] {
  if (entry.verdict === "matched") return [];
  if (entry.verdict === "failed" && (entry.kind === "alias" || entry.type !== "cel")) {
    return [{ kind: "failure", failure: entry.failure ?? "no reason given" }];
  }
  if (entry.kind === "alias" || entry.type === "alias") {
    const { alias, form, actual = "" } = entry;
    return [{ kind: "alias", alias, form, actual }];
  }
  if (entry.type === "regex") {
    const texts = entry.scopes.map(({ scope, actual = "" }) => ({ scope, actual }));
    return [{ kind: "pattern", regex: entry.regex, texts }];
  }
  const { expression } = entry;
  const clauses = failedConditions(expression, valuesOf(expression, facts));
  if (entry.failure === undefined) return clauses;
  // What a condition shows as an error it says itself; spent fuel is an error of the whole.
  const isTold = clauses.some((clause) => clause.kind === "condition" && clause.value !== "false");
  return isTold ? clauses : [...clauses, { kind: "failure", failure: entry.failure }];
}
