/** Finds the smallest changes to a message that bring it where it should go; each is checked by resolving. */
import { parseAddrSpec, splitAddress } from "../mail/address.ts";
import type { Facts } from "../mail/facts.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import { re2jsEngine } from "../regex/re2js-engine.ts";
import type { CompiledDomain } from "../routing/compile-domain.ts";
import { explain } from "../routing/explain.ts";
import type {
  AliasForm,
  CelRuleTraceEntry,
  Decision,
  RegexRuleTraceEntry,
  Scope,
  TraceEntry,
} from "../routing/resolution.ts";
import { resolve } from "../routing/resolve.ts";
import { type Candidate, explainAlone, reaches, type Target } from "./candidate.ts";
import { treeOf, valuesOf } from "./cel-conditions.ts";
import { wishesFor } from "./cel-wishes.ts";
import { fulfil } from "./fulfil-wishes.ts";
import { changeFacts, costOf, type MessageChange } from "./message-change.ts";
import { type Example, examplesOf } from "./pattern-example.ts";
import type { RehearsedDomain } from "./rehearsed-domain.ts";

export interface MessageEdit {
  readonly changes: readonly MessageChange[];
  /** What the domain decides on the message so changed. */
  readonly decision: Decision;
}

type Changes = readonly MessageChange[];

/** Rules that stand in the way one after the other; more, and the edit is none a person would make. */
const TAKERS_MAX = 4;
/** Messages that are resolved in search of edits, and code units of all their bodies; some are tried of any length. */
const TRIES_MAX = 300;
const TRIES_MIN = 20;
const TRIED_UNITS_MAX = 20_000_000;
/** Occurrences of a pattern that are taken out of a text. */
const OCCURRENCES_MAX = 20;

const NOBODY = "someone";

function aliasTexts(alias: string, form: AliasForm): readonly string[] {
  switch (form) {
    case "wildcard":
      return [alias.replaceAll("*", ""), alias.replaceAll("*", "1")];
    case "pattern":
      return examplesOf(alias).map(({ text }) => text);
    case "catch-all":
      return [NOBODY];
    default:
      return [alias];
  }
}

function setRecipient(localPart: string, domain: CompiledDomain): MessageChange {
  const address = `${localPart}@${domain.name}`;
  return { fact: "recipient", op: "set", text: address, to: address };
}

/** Addresses that hold an example of a pattern. */
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

/** The example instead of the same words in another case, where they are. */
function mendCase(actual: string, { text }: Example, fact: Scope): MessageChange[] {
  const at = text === "" ? -1 : actual.toLowerCase().indexOf(text.toLowerCase());
  const replaced = actual.slice(at, at + text.length);
  if (at < 0 || replaced === text) return [];
  const to = actual.slice(0, at) + text + actual.slice(at + text.length);
  return [{ fact, op: "replace", replaced, text, to }];
}

function matchPattern({ regex, scopes }: RegexRuleTraceEntry, domain: CompiledDomain): Changes[] {
  return examplesOf(regex).flatMap((example) =>
    scopes.flatMap(({ scope, actual = "" }): Changes[] => {
      if (scope === "subject" || scope === "body") {
        const mended = mendCase(actual, example, scope).map((change) => [change]);
        return [...mended, [insertExample(actual, example, scope)]];
      }
      return addressesWith(example, scope, domain).map((address) => [
        { fact: scope, op: "set", text: address, to: address },
      ]);
    }),
  );
}

function fulfilExpression(entry: CelRuleTraceEntry, wanted: boolean, facts: Facts): Changes[] {
  const tree = treeOf(entry.expression);
  if (tree === null) return [];
  const alternatives = wishesFor(tree, wanted, valuesOf(entry.expression, facts));
  return alternatives.map((wishes) => fulfil(wishes, facts)).filter(({ length }) => length > 0);
}

/** Changes that most likely make an entry match that missed. */
function toMatch(entry: TraceEntry, domain: CompiledDomain, facts: Facts): readonly Changes[] {
  if (entry.verdict === "matched") return [[]];
  if (entry.kind === "alias" || entry.type === "alias") {
    return aliasTexts(entry.alias, entry.form).map((text) => [setRecipient(text, domain)]);
  }
  return entry.type === "regex"
    ? matchPattern(entry, domain)
    : fulfilExpression(entry, true, facts);
}

function strikeOut(regex: string, actual: string, fact: "subject" | "body"): Changes[] {
  const compiled = compilePattern(regex, re2jsEngine);
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

/** Changes that most likely make an entry miss that matched. */
function toMiss(entry: TraceEntry, domain: CompiledDomain, facts: Facts): readonly Changes[] {
  if (entry.kind === "alias" || entry.type === "alias") return [[setRecipient(NOBODY, domain)]];
  if (entry.type === "cel") return fulfilExpression(entry, false, facts);
  const matched = entry.scopes.find(({ verdict }) => verdict === "matched");
  if (matched === undefined) return [];
  const { scope, actual = "" } = matched;
  if (scope === "recipient") return [[setRecipient(NOBODY, domain)]];
  if (scope !== "sender") return strikeOut(entry.regex, actual, scope);
  const address = `${NOBODY}@elsewhere.example`;
  return [[{ fact: "sender", op: "set", text: address, to: address }]];
}

/** Two changes of one fact are one: the later stands. */
function merged(changes: Changes, more: Changes): Changes {
  const replaced = new Set(more.filter(({ op }) => op === "set").map(({ fact }) => fact));
  return [...changes.filter(({ fact }) => !replaced.has(fact) || fact === "headers"), ...more];
}

/** The changes without those that are not needed. */
function reduced(
  domain: CompiledDomain,
  facts: Facts,
  edit: MessageEdit,
  target: Target,
): MessageEdit {
  for (const change of edit.changes) {
    // Changes of one text build on each other: they go together or not at all.
    const changes = edit.changes.filter((other) =>
      "to" in change ? other.fact !== change.fact : other !== change,
    );
    const decision = resolve(domain, changeFacts(facts, changes));
    if (decision.verdict !== "decided" || !reaches(decision, target)) continue;
    return reduced(domain, facts, { changes, decision }, target);
  }
  return edit;
}

/**
 * Edits of the message, the smallest first, at most `editsMax`. What stands in the way is made to miss, one rule
 * after the other.
 */
export function editMessage(
  rehearsed: RehearsedDomain,
  facts: Facts,
  candidate: Candidate,
  target: Target,
  editsMax: number,
): readonly MessageEdit[] {
  const { domain } = rehearsed;
  const found: MessageEdit[] = [];
  const bodyUnits = (facts.body?.length ?? 0) + 1;
  let triesLeft = Math.max(TRIES_MIN, Math.min(TRIES_MAX, TRIED_UNITS_MAX / bodyUnits));
  const search = (changes: Changes, takers: number): void => {
    if (triesLeft-- <= 0) return;
    const changed = changeFacts(facts, changes);
    const { resolution, trace } = explain(domain, changed);
    if (resolution.verdict !== "decided") return;
    if (reaches(resolution, target)) {
      found.push(reduced(domain, facts, { changes, decision: resolution }, target));
      return;
    }
    const taker = trace.find(({ verdict }) => verdict === "matched");
    const isCandidate = candidate.kind !== "fallback" && taker?.id === candidate.entry.id;
    if (taker === undefined || isCandidate || takers === TAKERS_MAX) return;
    for (const more of toMiss(taker, domain, changed)) search(merged(changes, more), takers + 1);
  };
  const starts: readonly Changes[] =
    candidate.kind === "fallback"
      ? [[]]
      : toMatch(explainAlone(rehearsed, candidate, facts), domain, facts);
  for (const changes of starts) search(changes, 0);
  found.sort((a, b) => costOf(a.changes) - costOf(b.changes));
  const distinct = new Map(found.map((edit) => [JSON.stringify(edit.changes), edit]));
  return [...distinct.values()].filter(({ changes }) => changes.length > 0).slice(0, editsMax);
}
