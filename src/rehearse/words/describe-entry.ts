/** Describes a trace entry: why an alias or rule matched, or how closely it missed. */
import { compilePattern } from "../../engine/pattern/engines/compile-pattern.ts";
import type {
  AliasForm,
  CelRuleTraceEntry,
  RegexRuleTraceEntry,
  RuleTraceEntry,
  ScopeTrace,
  TraceEntry,
} from "../../engine/routing/resolution.ts";
import type { RuleTypeName } from "../../engine/routing/rules/rule-types.ts";
import { valuesInSteps } from "../cel-conditions.ts";
import { failedConditions } from "../why/failed-conditions.ts";
import { context, cut, cutSource, quoted } from "./excerpt.ts";
import { type Line, type LinePiece, styled } from "./line.ts";

/** Operands to show of a condition that was false. */
const OPERANDS_MAX = 3;

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
      return `\`${actual}\` matches /${cutSource(alias)}/${captured(captures)}`;
    case "catch-all":
      return "`*` takes every address";
  }
}

function aliasMissed({ alias, form, actual = "" }: AliasEntry): string {
  if (form === "pattern") return `\`${actual}\` does not match /${cutSource(alias)}/`;
  if (form === "wildcard") return `\`${actual}\` does not fit \`${alias}\``;
  return `wants \`${alias}\`, the address has \`${actual}\``;
}

function scopeMatched(regex: string, { scope, actual, span, captures }: ScopeTrace): Line {
  const head = `${scope} matched /${cutSource(regex)}/`;
  if (actual === undefined || span === undefined) return [head];
  const { before, match, after } = context(actual, span);
  const marked: LinePiece[] = ["[", styled("bold", match), "]"];
  return [`${head} at "${before}`, ...marked, `${after}"${captured(captures)}`];
}

/** Longest text, in code units, to search again for a hint. */
const HINT_UNITS_MAX = 10_000;

/** Whether the pattern would match one of the texts if case were ignored. */
function differsInCase({ regex, scopes }: RegexRuleTraceEntry): boolean {
  const folded = compilePattern(`(?i)${regex}`);
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
  const said = `/${cutSource(entry.regex)}/ is not in ${texts.join(", nor in ")}`;
  if (!differsInCase(entry)) return [said];
  return [
    said,
    styled("yellow", "; only upper and lower case differ: start the pattern with (?i)"),
  ];
}

function celMissed({ expression, steps }: CelRuleTraceEntry): string {
  const miss = failedConditions(expression, valuesInSteps(steps)).find(
    ({ value }) => value === "false",
  );
  if (miss === undefined) return `\`${cutSource(expression)}\` is false`;
  const operands = miss.operands
    .slice(0, OPERANDS_MAX)
    .map(({ source: text, value }) => `\`${cutSource(text)}\` is ${cut(value)}`);
  const where = operands.length === 0 ? "" : `: ${operands.join(", ")}`;
  return `\`${cutSource(miss.source)}\` is false${where}`;
}

function failed(entry: TraceEntry): string {
  const failure = ("failure" in entry && entry.failure) || "no reason given";
  if (!("failureSpan" in entry) || entry.failureSpan === undefined) return failure;
  const { start, end } = entry.failureSpan;
  return `${failure}, at \`${cutSource(entry.expression.slice(start, end))}\``;
}

/** How to describe the trace entries of a type of rule. */
interface Description<Entry> {
  matched(entry: Entry): Line;
  missed(entry: Entry): Line;
}

type EntryOf<Name extends RuleTypeName> = Extract<RuleTraceEntry, { readonly type: Name }>;

const DESCRIPTIONS: { readonly [Name in RuleTypeName]: Description<EntryOf<Name>> } = {
  alias: {
    matched: (entry) => [aliasMatched(entry)],
    missed: (entry) => [aliasMissed(entry)],
  },
  regex: {
    matched({ scopes, regex }) {
      const scope = scopes.find(({ verdict }) => verdict === "matched");
      return scope === undefined ? [] : scopeMatched(regex, scope);
    },
    missed: regexMissed,
  },
  cel: {
    matched: ({ expression }) => [`\`${cutSource(expression)}\` is true`],
    missed: (entry) => [celMissed(entry)],
  },
};

const IDENTITY: ReadonlySet<string> = new Set(["kind", "id", "rank", "type", "verdict", "failure"]);

/** `header "list-id", contains "news"`. */
export function shownFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([name]) => !IDENTITY.has(name))
    .map(
      ([name, value]) =>
        `${name} ${typeof value === "string" ? quoted(value) : cutSource(JSON.stringify(value) ?? "unknown")}`,
    )
    .join(", ");
}

/** For a rule type that the host added: the fields of its trace entry. */
const HOST_DESCRIPTIONS: Description<RuleTraceEntry> = {
  matched: (entry) => [shownFields({ ...entry })],
  missed: (entry) => [`does not hold: ${shownFields({ ...entry })}`],
};

const BY_NAME: ReadonlyMap<unknown, unknown> = new Map(Object.entries(DESCRIPTIONS));

function descriptionOf(entry: TraceEntry): Description<TraceEntry> {
  const name = entry.kind === "alias" ? entry.kind : entry.type;
  return (BY_NAME.get(name) ?? HOST_DESCRIPTIONS) as Description<TraceEntry>;
}

/** Why the entry matched. */
export function describeMatch(entry: TraceEntry): Line {
  return descriptionOf(entry).matched(entry);
}

/** Describes the entry, whatever its verdict. */
export function describeEntry(entry: TraceEntry): Line {
  switch (entry.verdict) {
    case "matched":
      return describeMatch(entry);
    case "failed":
      return [failed(entry)];
    case "undecided":
      return ["depends on a fact that is not known"];
    case "over-budget":
      return ["the budget of the message was spent before this was decided"];
    case "inactive":
    case "unreached":
      return [];
    case "missed":
      return descriptionOf(entry).missed(entry);
  }
}
