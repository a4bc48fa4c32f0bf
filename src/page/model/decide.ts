/** What happens to the current message: the decision, every rule's part in it, and the text that matched. */
import type { Span } from "../../base/diagnostic.ts";
import type { Facts } from "../../engine/facts/facts.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import type { RuleTraceEntry, TraceEntry } from "../../engine/routing/explain.ts";
import { explainLazily } from "../../engine/routing/explain.ts";
import type { Decision, Scope } from "../../engine/routing/resolution.ts";
import { valuesInSteps, valuesOf } from "../../rehearse/cel-conditions.ts";
import type { FailedClause } from "../../rehearse/why/failed-clause.ts";
import { failedClauses } from "../../rehearse/why/failed-clauses.ts";
import { type Clause, clausesOf } from "../../rehearse/why/failed-conditions.ts";
import { factsOf, type Mail } from "./mail.ts";

export type Verdict = TraceEntry["verdict"] | "nearest";

export interface ShownOutcome {
  readonly entry: TraceEntry;
  /** `nearest`: the rule that missed with the most true clauses. */
  readonly verdict: Verdict;
  /** What was false; empty for a match and for a rule that was not reached. */
  readonly failed: readonly FailedClause[];
  /** How many clauses were true, of how many; `null` for a rule with one clause. */
  readonly held: { readonly count: number; readonly of: number } | null;
  /** The clauses of an expression that was tried, each with its value; empty for other rules. */
  readonly clauses: readonly Clause[];
}

/** A stretch of a text that a rule matched; groups lie within it. */
export interface Mark {
  readonly span: Span;
  readonly groups: readonly Span[];
}

export interface Decided {
  readonly decision: Decision;
  readonly outcomes: readonly ShownOutcome[];
  readonly marks: Readonly<Partial<Record<Scope, Mark>>>;
  /** The texts of `$1` to `$9`. */
  readonly captures: readonly string[];
}

/** Where each captured text is in the match, searched from left to right. */
export function groupSpans(
  text: string,
  span: Span,
  captures: readonly (string | undefined)[],
): readonly Span[] {
  const spans: Span[] = [];
  let from = span.start;
  for (const capture of captures) {
    if (capture === undefined || capture === "") continue;
    const at = text.indexOf(capture, from);
    if (at < 0 || at + capture.length > span.end) continue;
    spans.push({ start: at, end: at + capture.length });
    from = at + capture.length;
  }
  return spans;
}

/** The number of conditions joined by `&&` at the top of an expression, outside brackets and strings. */
export function countClauses(expression: string): number {
  let depth = 0;
  let clauses = 1;
  const bare = expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (text) =>
    "_".repeat(text.length),
  );
  for (let at = 0; at < bare.length; at++) {
    const unit = bare[at]!;
    if ("([{".includes(unit)) depth++;
    else if (")]}".includes(unit)) depth--;
    else if (depth === 0 && bare.startsWith("&&", at)) clauses++;
    else if (depth === 0 && bare.startsWith("||", at)) return 1;
  }
  return clauses;
}

function isCel(entry: TraceEntry): entry is RuleTraceEntry<"cel"> {
  return entry.kind === "rule" && entry.type === "cel";
}

/** What is already known of an outcome. */
export interface Known {
  readonly held: ShownOutcome["held"];
  readonly failed?: readonly FailedClause[];
}

/**
 * A rule's part in the decision. The reason for a miss is worked out only when it is read: of many rules most are never looked
 * at.
 */
class LazyOutcome implements ShownOutcome {
  readonly entry: TraceEntry;
  readonly verdict: Verdict;
  readonly #facts: Facts;
  #held: ShownOutcome["held"] | undefined;
  #failed: readonly FailedClause[] | undefined;
  #clauses: readonly Clause[] | undefined;

  constructor(entry: TraceEntry, facts: Facts, verdict: Verdict, known?: Known) {
    this.entry = entry;
    this.verdict = verdict;
    this.#facts = facts;
    this.#held = known?.held;
    this.#failed = known?.failed;
  }

  get #wasTried(): boolean {
    return this.entry.verdict === "missed" || this.entry.verdict === "failed";
  }

  get failed(): readonly FailedClause[] {
    this.#failed ??= this.#wasTried ? failedClauses(this.entry, this.#facts) : [];
    return this.#failed;
  }

  get held(): ShownOutcome["held"] {
    if (this.#held === undefined) this.#held = this.#count();
    return this.#held;
  }

  #count(): ShownOutcome["held"] {
    if (!isCel(this.entry) || !this.#wasTried) return null;
    const of = countClauses(this.entry.expression);
    if (of < 2) return null;
    const wrong = this.failed.filter(({ kind }) => kind === "condition").length;
    return { count: Math.max(0, of - wrong), of };
  }

  get clauses(): readonly Clause[] {
    const { entry } = this;
    if (!isCel(entry)) return [];
    if (entry.verdict === "matched") {
      this.#clauses ??= clausesOf(entry.expression, valuesInSteps(entry.steps));
    } else if (this.#wasTried) {
      this.#clauses ??= clausesOf(entry.expression, valuesOf(entry.expression, this.#facts));
    }
    return this.#clauses ?? [];
  }
}

export function outcomeOf(
  entry: TraceEntry,
  facts: Facts,
  verdict: Verdict = entry.verdict,
  known?: Known,
): ShownOutcome {
  return new LazyOutcome(entry, facts, verdict, known);
}

function nearestOf(outcomes: readonly ShownOutcome[]): ShownOutcome | undefined {
  const share = ({ held }: ShownOutcome): number => (held === null ? 0 : held.count / held.of);
  let [nearest, best]: [ShownOutcome | undefined, number] = [undefined, 0];
  for (const each of outcomes) {
    const part = each.verdict === "missed" ? share(each) : 0;
    if (part > best) [nearest, best] = [each, part];
  }
  return nearest;
}

function marksOf(entry: TraceEntry | undefined): Pick<Decided, "marks" | "captures"> {
  if (entry === undefined) return { marks: {}, captures: [] };
  if (entry.kind === "alias" || entry.type !== "regex") {
    const captures = "captures" in entry ? (entry.captures ?? []) : [];
    return { marks: {}, captures: captures.map((text) => text ?? "") };
  }
  const scope = entry.scopes.find(({ verdict }) => verdict === "matched");
  if (scope?.span === undefined || scope.actual === undefined) return { marks: {}, captures: [] };
  const captures = scope.captures ?? [];
  const mark = { span: scope.span, groups: groupSpans(scope.actual, scope.span, captures) };
  return { marks: { [scope.scope]: mark }, captures: captures.map((text) => text ?? "") };
}

function outcomesOf(
  trace: readonly TraceEntry[],
  facts: Facts,
  { decidedBy }: Decision,
): readonly ShownOutcome[] {
  const outcomes: readonly ShownOutcome[] = trace.map((entry) => outcomeOf(entry, facts));
  const nearest = decidedBy === null ? nearestOf(outcomes) : undefined;
  return outcomes.map((each) =>
    each === nearest ? outcomeOf(each.entry, facts, "nearest", each) : each,
  );
}

/** Explains one message. Every fact of a message on the page is known, so the engine always decides. */
export function decide(domain: CompiledDomain, mail: Mail): Decided {
  const facts = factsOf(mail);
  const { resolution, decider, trace } = explainLazily(domain, facts);
  if (resolution.verdict !== "decided") throw new Error("a message with every fact is undecided");
  let traced: readonly TraceEntry[] | undefined;
  const entries = (): readonly TraceEntry[] => {
    traced ??= trace();
    return traced;
  };
  // The trace of aliases is short.
  const match =
    domain.engine === "alias" ? entries().find(({ verdict }) => verdict === "matched") : decider;
  let outcomes: Decided["outcomes"] | undefined;
  return {
    decision: resolution,
    // The decision is drawn first, and read without them.
    get outcomes() {
      outcomes ??= outcomesOf(entries(), facts, resolution);
      return outcomes;
    },
    ...marksOf(match ?? undefined),
  };
}

/** Splits a text into pieces: plain, matched, or a group of the match. */
export interface Piece {
  readonly text: string;
  readonly kind: "plain" | "match" | "group";
}

export function piecesOf(text: string, mark: Mark | undefined): readonly Piece[] {
  if (mark === undefined) return text === "" ? [] : [{ text, kind: "plain" }];
  const pieces: Piece[] = [];
  const push = (from: number, to: number, kind: Piece["kind"]): void => {
    if (to > from) pieces.push({ text: text.slice(from, to), kind });
  };
  push(0, mark.span.start, "plain");
  let at = mark.span.start;
  for (const { start, end } of mark.groups) {
    push(at, start, "match");
    push(start, end, "group");
    at = end;
  }
  push(at, mark.span.end, "match");
  push(mark.span.end, text.length, "plain");
  return pieces;
}
