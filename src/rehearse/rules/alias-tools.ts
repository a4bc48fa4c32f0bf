/** The tools for aliases, and for rules of type `alias`. */

import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import type { AliasTraceEntry, RuleTraceEntry } from "../../engine/routing/explain.ts";
import type { AliasForm } from "../../engine/routing/resolution.ts";
import { isPatternAlias } from "../../engine/routing/rules/alias-rule.ts";
import { type Finding, patternFindings } from "../check/pattern-warnings.ts";
import { aliasSlips } from "../mutate/slips.ts";
import { aliasWays } from "../proof/formula/rule-formula.ts";
import type { MessageChange } from "../why/message-change.ts";
import { type Captures, examplesOf } from "../why/pattern-example.ts";
import { captured, cutSource } from "../words/excerpt.ts";
import type { RuleChange, RuleTools } from "./rule-tools.ts";
import { ruleForRecipient } from "./this-message.ts";

/** A local part for a message to anybody. */
export const NOBODY = "someone";

export function setRecipient(localPart: string, domain: CompiledDomain): MessageChange {
  const address = `${localPart}@${domain.name}`;
  return { fact: "recipient", op: "set", text: address, to: address };
}

function aliasTexts(alias: string, form: AliasForm, captures: Captures): readonly string[] {
  switch (form) {
    case "wildcard":
      return [alias.replaceAll("*", ""), alias.replaceAll("*", "1")];
    case "pattern":
      return examplesOf(alias, captures).map(({ text }) => text);
    case "catch-all":
      return [NOBODY];
    default:
      return [alias];
  }
}

export function aliasFindings(alias: unknown): readonly Finding[] {
  const text = String(alias);
  return isPatternAlias(text) ? patternFindings(text, "local-part") : [];
}

function widerAlias({ alias: from, form, actual = "" }: AliasEntry): RuleChange[] {
  const isBeginning = form === "literal" && actual.startsWith(from);
  return isBeginning ? [{ field: "alias", from, to: `${from}*` }] : [];
}

type AliasEntry = AliasTraceEntry | RuleTraceEntry<"alias">;

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

export const ALIAS_TOOLS: RuleTools<AliasEntry> = {
  condition: "alias",
  describe: ({ config }) => `the alias \`${cutSource(String(config.alias))}\``,
  fails: "never",
  findings: ({ alias }) => aliasFindings(alias),
  ways: ({ alias }, _, atoms) => aliasWays(String(alias), atoms),
  slips: aliasSlips,
  parts: () => ({ scopes: [], conditions: [] }),
  count() {},
  shorten: (entry) => entry,
  matched: (entry) => [aliasMatched(entry)],
  missed: (entry) => [aliasMissed(entry)],
  failedClauses({ verdict, failure = "no reason given", alias, form, actual = "" }) {
    return verdict === "failed"
      ? [{ kind: "failure", failure }]
      : [{ kind: "alias", alias, form, actual }];
  },
  widen: widerAlias,
  addAlternative: () => [],
  another: ruleForRecipient,
  toMatch: ({ alias, form }, domain, _, captures) =>
    aliasTexts(alias, form, captures).map((text) => [setRecipient(text, domain)]),
  toMiss: (_, domain) => [[setRecipient(NOBODY, domain)]],
};
