/** What a trace entry says, in words: why an alias or rule matched, or by how little it did not. */
import { compilePattern } from "../regex/compile-pattern.ts";
import { re2jsEngine } from "../regex/re2js-engine.ts";
import { valuesInSteps } from "../rehearse/cel-conditions.ts";
import { failedConditions } from "../rehearse/failed-clauses.ts";
import type {
  AliasForm,
  CelRuleTraceEntry,
  RegexRuleTraceEntry,
  ScopeTrace,
  TraceEntry,
} from "../routing/resolution.ts";
import { context, cut, quoted } from "./excerpt.ts";
import { type Line, type Piece, styled } from "./line.ts";

/** Code units shown of patterns and expressions. */
const SOURCE_UNITS = 120;
/** Operands shown of a condition that was false. */
const OPERANDS_MAX = 3;

function source(text: string): string {
  return cut(text, SOURCE_UNITS);
}

/** `, $1 = "2231", $2 = "x"`. */
function captured(captures: readonly (string | undefined)[] | undefined): string {
  const groups = (captures ?? []).slice(0, 9);
  return groups
    .map((text, index) => `, $${index + 1} ${text === undefined ? "empty" : `= ${quoted(text)}`}`)
    .join("");
}

interface AliasEntry {
  readonly alias: string;
  readonly form: AliasForm;
  readonly actual?: string;
  readonly captures?: readonly (string | undefined)[];
}

function aliasMatched({ alias, form, actual = "", captures }: AliasEntry): string {
  switch (form) {
    case "literal":
      return `\`${alias}\` is the part before the @`;
    case "subaddress":
      return `\`${actual}\` is \`${alias}\` with the detail \`${actual.slice(alias.length + 1)}\``;
    case "wildcard":
      return `\`${actual}\` fits \`${alias}\``;
    case "pattern":
      return `\`${actual}\` matches /${source(alias)}/${captured(captures)}`;
    case "catch-all":
      return "`*` takes every address";
  }
}

function aliasMissed({ alias, form, actual = "" }: AliasEntry): string {
  if (form === "pattern") return `\`${actual}\` does not match /${source(alias)}/`;
  if (form === "wildcard") return `\`${actual}\` does not fit \`${alias}\``;
  return `wants \`${alias}\`, the address has \`${actual}\``;
}

function scopeMatched(regex: string, { scope, actual, span, captures }: ScopeTrace): Line {
  const head = `${scope} matched /${source(regex)}/`;
  if (actual === undefined || span === undefined) return [head];
  const { before, match, after } = context(actual, span);
  const marked: Piece[] = ["[", styled("bold", match), "]"];
  return [`${head} at "${before}`, ...marked, `${after}"${captured(captures)}`];
}

/** Longest text, in code units, that is searched again for the sake of a hint. */
const HINT_UNITS_MAX = 10_000;

/** Whether the only difference between the pattern and one of the texts is that of case. */
function differsInCase({ regex, scopes }: RegexRuleTraceEntry): boolean {
  const folded = compilePattern(`(?i)${regex}`, re2jsEngine);
  if (!folded.ok) return false;
  return scopes.some(
    ({ actual = "" }) => actual.length <= HINT_UNITS_MAX && folded.pattern.test(actual),
  );
}

function regexMissed(entry: RegexRuleTraceEntry): Line {
  const texts = entry.scopes.map(({ scope, verdict, actual }) =>
    verdict === "unknown" || actual === undefined
      ? `${scope} (unknown)`
      : `${scope} ${actual === "" ? "(empty)" : quoted(actual)}`,
  );
  const said = `/${source(entry.regex)}/ is not in ${texts.join(", nor in ")}`;
  if (!differsInCase(entry)) return [said];
  return [said, styled("yellow", "; only the case differs: begin it with (?i)")];
}

function celMissed({ expression, steps }: CelRuleTraceEntry): string {
  const miss = failedConditions(expression, valuesInSteps(steps)).find(
    ({ value }) => value === "false",
  );
  if (miss === undefined) return `\`${source(expression)}\` is false`;
  const operands = miss.operands
    .slice(0, OPERANDS_MAX)
    .map(({ source: text, value }) => `\`${source(text)}\` is ${cut(value)}`);
  const where = operands.length === 0 ? "" : `: ${operands.join(", ")}`;
  return `\`${source(miss.source)}\` is false${where}`;
}

function failed(entry: TraceEntry): string {
  const failure = ("failure" in entry && entry.failure) || "no reason given";
  if (!("failureSpan" in entry) || entry.failureSpan === undefined) return failure;
  const { start, end } = entry.failureSpan;
  return `${failure}, at \`${source(entry.expression.slice(start, end))}\``;
}

/** Why the entry matched. */
export function describeMatch(entry: TraceEntry): Line {
  if (entry.kind === "alias" || entry.type === "alias") return [aliasMatched(entry)];
  if (entry.type === "cel") return [`\`${source(entry.expression)}\` is true`];
  const scope = entry.scopes.find(({ verdict }) => verdict === "matched");
  return scope === undefined ? [] : scopeMatched(entry.regex, scope);
}

/** What became of the entry, whatever that was. */
export function describeEntry(entry: TraceEntry): Line {
  switch (entry.verdict) {
    case "matched":
      return describeMatch(entry);
    case "failed":
      return [failed(entry)];
    case "undecided":
      return ["depends on a fact that the message does not have"];
    case "inactive":
    case "unreached":
      return [];
    case "missed":
      if (entry.kind === "alias" || entry.type === "alias") return [aliasMissed(entry)];
      return entry.type === "cel" ? [celMissed(entry)] : regexMissed(entry);
  }
}
