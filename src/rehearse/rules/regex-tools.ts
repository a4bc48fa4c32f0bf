/** The tools for rules of type `regex`. */
import { parseAddrSpec, splitAddress } from "../../engine/facts/address.ts";
import { compilePattern } from "../../engine/pattern/engines/compile-pattern.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import type { RuleTraceEntry } from "../../engine/routing/explain.ts";
import type { Scope } from "../../engine/routing/resolution.ts";
import type { ScopeTrace } from "../../engine/routing/rules/regex-rule.ts";
import { SCOPES } from "../../engine/routing/rules/regex-rule.ts";
import { patternFindings, type Searched, wholeAddressFindings } from "../check/pattern-warnings.ts";
import { regexSlips } from "../mutate/slips.ts";
import { regexWays } from "../proof/formula/rule-formula.ts";
import type { MessageChange } from "../why/message-change.ts";
import { type Captures, type Example, examplesOf } from "../why/pattern-example.ts";
import { captured, context, cutSource, quoted } from "../words/excerpt.ts";
import { type Line, type LinePiece, styled } from "../words/line.ts";
import { NOBODY, setRecipient } from "./alias-tools.ts";
import type { Config, MessageChanges, RuleChange, RuleTools } from "./rule-tools.ts";
import { ruleForSender, widerByText } from "./this-message.ts";

/** Matches of a pattern to remove from a text. */
const OCCURRENCES_MAX = 20;

/** Addresses that contain an example of a pattern. */
function addressesWith({ text }: Example, scope: Scope, domain: CompiledDomain): readonly string[] {
  const { localPart } = splitAddress(text.includes("@") ? text : `${text}@`);
  const atDomain = `${localPart === "" ? NOBODY : localPart}@${domain.name}`;
  if (scope === "recipient") return [atDomain];
  return [text, `${NOBODY}${text}`, `${text}@elsewhere.example`, `${NOBODY}@${text}`].filter(
    (address) => parseAddrSpec(address) !== null,
  );
}

function insertExample(actual: string, example: Example, scope: "subject" | "body"): MessageChange {
  const { text, start, end } = example;
  const isWhole = actual === "" || (start === "bound" && end === "bound");
  if (isWhole) return { fact: scope, op: "set", text, to: text };
  const to = start === "bound" ? `${text} ${actual}` : `${actual} ${text}`;
  return { fact: scope, op: "add", text, to };
}

/** Replaces the same words in another case by the example, if the text contains them. */
function correctCase(actual: string, { text }: Example, fact: Scope): MessageChange[] {
  const at = text === "" ? -1 : actual.toLowerCase().indexOf(text.toLowerCase());
  const replaced = actual.slice(at, at + text.length);
  if (at < 0 || replaced === text) return [];
  const to = actual.slice(0, at) + text + actual.slice(at + text.length);
  return [{ fact, op: "replace", replaced, text, to }];
}

/** Replaces the text that the pattern found by the example. */
function replaceFound(
  { scope: fact, actual, span }: ScopeTrace,
  { text }: Example,
): MessageChange[] {
  if (actual === undefined || span === undefined) return [];
  const replaced = actual.slice(span.start, span.end);
  const to = actual.slice(0, span.start) + text + actual.slice(span.end);
  return replaced === "" ? [] : [{ fact, op: "replace", replaced, text, to }];
}

function matchPattern(
  { regex, scopes }: RuleTraceEntry<"regex">,
  domain: CompiledDomain,
  captures: Captures,
): MessageChanges[] {
  return examplesOf(regex, captures).flatMap((example) =>
    scopes.flatMap((traced): MessageChanges[] => {
      const { scope, actual = "" } = traced;
      if (scope === "subject" || scope === "body") {
        const found = replaceFound(traced, example);
        if (found.length > 0) return [found];
        const corrected = correctCase(actual, example, scope).map((change) => [change]);
        return [...corrected, [insertExample(actual, example, scope)]];
      }
      return addressesWith(example, scope, domain).map((address) => [
        { fact: scope, op: "set", text: address, to: address },
      ]);
    }),
  );
}

function strikeOut(regex: string, actual: string, fact: "subject" | "body"): MessageChanges[] {
  const compiled = compilePattern(regex);
  if (!compiled.ok) return [];
  let to = actual;
  const parts: string[] = [];
  for (let round = 0; round < OCCURRENCES_MAX; round++) {
    const found = compiled.pattern.find(to);
    if (found === null || found.end === found.start) break;
    parts.push(to.slice(found.start, found.end));
    to = to.slice(0, found.start) + to.slice(found.end);
  }
  if (parts.length === 0) return [];
  return [[{ fact, op: "remove", text: parts.join(" "), to: to.replace(/ {2,}/g, " ").trim() }]];
}

function toMiss(entry: RuleTraceEntry<"regex">, domain: CompiledDomain): MessageChanges[] {
  const matched = entry.scopes.find(({ verdict }) => verdict === "matched");
  if (matched === undefined) return [];
  const { scope, actual = "" } = matched;
  if (scope === "recipient") return [[setRecipient(NOBODY, domain)]];
  if (scope !== "sender") return strikeOut(entry.regex, actual, scope);
  const address = `${NOBODY}@elsewhere.example`;
  return [[{ fact: "sender", op: "set", text: address, to: address }]];
}

function widerPatterns(entry: RuleTraceEntry<"regex">): RuleChange[] {
  const { regex: from } = entry;
  const listed = new Set(entry.scopes.map(({ scope }) => scope));
  const scopes = SCOPES.filter((scope) => listed.has(scope));
  const unanchored = from.replace(/^((?:\(\?[a-zA-Z]+\))?)\^/, "$1").replace(/(?<!\\)\$$/, "");
  const patterns = [
    `(?i)${from}`,
    ...(unanchored === from ? [] : [unanchored, `(?i)${unanchored}`]),
  ];
  return [
    ...patterns.map((to): RuleChange => ({ field: "regex", from, to })),
    ...SCOPES.filter((scope) => !listed.has(scope)).map(
      (scope): RuleChange => ({ field: "scopes", from: scopes, to: [...scopes, scope] }),
    ),
  ];
}

function isAddressScope(scope: Scope): boolean {
  return scope === "sender" || scope === "recipient";
}

function searchedIn(scopes: readonly Scope[]): Searched {
  if (scopes.every(isAddressScope)) return "addresses";
  return scopes.includes("body") ? "texts" : "lines";
}

/** Code units kept on either side of a match. */
const AROUND_UNITS = 200;

function shortScope(scope: ScopeTrace): ScopeTrace {
  const { actual, span } = scope;
  if (actual === undefined || span === undefined) return scope;
  const from = Math.max(0, span.start - AROUND_UNITS);
  const to = Math.min(actual.length, Math.min(span.end, span.start + AROUND_UNITS) + AROUND_UNITS);
  const end = Math.min(span.end, to) - from;
  return {
    ...scope,
    actual: actual.slice(from, to).toWellFormed(),
    span: { start: span.start - from, end },
  };
}

function scopesOf({ scopes }: Config): readonly Scope[] {
  return scopes as readonly Scope[];
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
function differsInCase({ regex, scopes }: RuleTraceEntry<"regex">): boolean {
  const folded = compilePattern(`(?i)${regex}`);
  if (!folded.ok) return false;
  return scopes.some(
    ({ actual = "" }) => actual.length <= HINT_UNITS_MAX && folded.pattern.test(actual),
  );
}

function regexMissed(entry: RuleTraceEntry<"regex">): Line {
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

export const REGEX_TOOLS: RuleTools<RuleTraceEntry<"regex">> = {
  condition: "regex",
  describe: ({ config }) =>
    `the pattern /${cutSource(String(config.regex))}/ in ${scopesOf(config).join(", ")}`,
  fails: "never",
  findings(config, domain) {
    const [regex, scopes] = [String(config.regex), scopesOf(config)];
    const searched = searchedIn(scopes);
    const isRecipients = scopes.every((scope) => scope === "recipient");
    const findings = patternFindings(regex, searched, isRecipients ? domain : null);
    const isMixed = searched !== "addresses" && scopes.some(isAddressScope);
    return isMixed ? [...findings, ...wholeAddressFindings(regex)] : findings;
  },
  ways: (config, domain, atoms) => regexWays(String(config.regex), scopesOf(config), domain, atoms),
  slips: regexSlips,
  parts: (config) => ({ scopes: [...new Set(scopesOf(config))], conditions: [] }),
  count({ verdict, scopes }, reached) {
    const matched = scopes.find((scope) => scope.verdict === "matched");
    if (matched === undefined || verdict !== "matched") return;
    reached.scopes.set(matched.scope, (reached.scopes.get(matched.scope) ?? 0) + 1);
  },
  shorten(entry) {
    const matched = entry.scopes.filter(({ verdict }) => verdict === "matched");
    return { ...entry, scopes: matched.map(shortScope) };
  },
  matched({ scopes, regex }) {
    const scope = scopes.find(({ verdict }) => verdict === "matched");
    return scope === undefined ? [] : scopeMatched(regex, scope);
  },
  missed: regexMissed,
  failedClauses({ verdict, failure = "no reason given", regex, scopes }) {
    if (verdict === "failed") return [{ kind: "failure", failure }];
    const texts = scopes.map(({ scope, actual = "" }) => ({ scope, actual }));
    return [{ kind: "pattern", regex, texts }];
  },
  widen: widerPatterns,
  addAlternative: ({ regex: from, scopes }) =>
    widerByText(from, scopes).map((to) => ({ field: "regex", from, to })),
  another: ruleForSender,
  toMatch: (entry, domain, _, captures) => matchPattern(entry, domain, captures),
  toMiss,
};
