/** Rule type `alias`: the recipient's local part against one alias, in any of its forms. Aliases are compared alike. */
import type { Problem } from "../../../base/diagnostic.ts";
import { LIMITS } from "../../../base/limits.ts";
import { quote } from "../../../base/quote.ts";
import { fitsWildcard } from "../../../base/wildcard.ts";
import { foldLocalPart } from "../../facts/address.ts";
import { type CompiledPattern, compilePattern } from "../../pattern/engines/compile-pattern.ts";
import type { MatchParts } from "../forward.ts";
import { type MessageView, userOf } from "../message-view.ts";
import type { Gate } from "../plan/gate.ts";
import type { AliasForm } from "../resolution.ts";
import {
  type ExplainedRule,
  type FieldContext,
  MATCHED,
  MISSED,
  OVER_BUDGET,
  type RuleField,
  type RuleMatcher,
  type RuleOutcome,
  type RuleType,
  ruleType,
  type Trial,
  textField,
} from "./rule-type.ts";

/**
 * `config` of a rule of type `alias`.
 * @inline
 */
export interface AliasRuleConfig {
  /** A local part, `*`, a wildcard such as `sales-*`, or a pattern such as `^(in|out)voice$`. */
  readonly alias: string;
  /** Destinations, separated by commas; `$1` is what the first group of a pattern captured. */
  readonly forward: string;
}

/**
 * What a trace says of a rule of type `alias`.
 * @inline
 */
export interface AliasRuleDetail {
  readonly type: "alias";
  readonly alias: string;
  readonly form: AliasForm;
  /** The recipient's local part that was compared; absent when unreached or unknown. */
  readonly actual?: string;
  /** Groups of a pattern that matched; `captures[0]` is `$1`. */
  readonly captures?: readonly (string | undefined)[];
}

// ASSUMPTION(alias-pattern-form): any of ^ $ ( ) [ ] { } | ? \ makes an alias a pattern; `.`, `+` and `*` alone do not
const PATTERN_MARK = /[\^$()[\]{}|?\\]/;
const NOT_IN_LOCAL_PART = /[\s@,;:<>"\u0000-\u001f\u007f]/;

const UNDECIDED: RuleOutcome = { verdict: "undecided", needs: "envelope" };

function longest(pieces: readonly string[]): number {
  return pieces.reduce((length, piece) => Math.max(length, piece.length), 0);
}

// ASSUMPTION(alias-rule-forms): an alias rule matches by the forms of an alias; between rules only rank decides
/** One class for all forms: a host keeps millions of aliases and rules, and closures take a KB for each. */
export class AliasMatcher implements RuleMatcher {
  constructor(
    readonly form: Exclude<AliasForm, "subaddress">,
    /** In lower case; a pattern stays as written. */
    readonly alias: string,
    /** Length of the longest stretch without a metacharacter: the longer, the earlier it is tried. A literal is first, `*` is last. */
    readonly literalUnits: number,
    /** Of a wildcard: what stands between its stars. */
    private readonly pieces: readonly string[] | null = null,
    private readonly pattern: CompiledPattern | null = null,
  ) {}

  get groupCount(): number {
    return this.pattern?.groupCount ?? 0;
  }

  gate(): Gate | null {
    const { alias, form, literalUnits: units, pattern } = this;
    const fact = "localPart";
    if (form === "literal") {
      return { openings: [{ fact, kind: "values", values: [alias] }], alsoNeeds: [] };
    }
    const text = this.pieces?.find(({ length }) => units > 0 && length === units);
    const literals = text === undefined ? pattern?.required()?.literals : [{ text, fold: false }];
    if (literals === undefined) return null;
    return { openings: [{ fact, kind: "literals", literals }], alsoNeeds: [] };
  }

  /** The detail of a match is that of a subaddress. */
  match({ localPart }: MessageView, { guard }: Pick<Trial, "guard">): RuleOutcome {
    if (localPart === undefined) return UNDECIDED;
    const { alias, form, pieces, pattern } = this;
    if (pattern !== null) {
      const match = pattern.find(localPart, guard);
      if (match === null) return guard.isSpent ? OVER_BUDGET : MISSED;
      return { verdict: "matched", parts: { captures: match.groups.slice(1) } };
    }
    if (pieces !== null) {
      // The host's search for a long piece may look at each unit many times.
      const fuelPerUnit = pieces.length + (this.literalUnits >> 4);
      if (!guard.take(fuelPerUnit * (localPart.length + 1))) return OVER_BUDGET;
      return fitsWildcard(localPart, pieces) ? MATCHED : MISSED;
    }
    if (form === "catch-all" || localPart === alias) return MATCHED;
    if (userOf(localPart) !== alias) return MISSED;
    return { verdict: "matched", parts: { detail: localPart.slice(alias.length + 1) } };
  }

  explain(message: MessageView, trial: Trial): ExplainedRule<AliasRuleDetail> {
    const outcome = this.match(message, trial);
    return { outcome, detail: { type: "alias", ...this.tried(message, outcome) } };
  }

  /** What a trace says of the outcome. */
  tried({ localPart: actual }: MessageView, outcome: RuleOutcome): Omit<AliasRuleDetail, "type"> {
    const { detail, captures }: MatchParts = outcome.verdict === "matched" ? outcome.parts : {};
    const { alias } = this;
    const form = detail === undefined ? this.form : "subaddress";
    if (actual === undefined) return { alias, form };
    return captures === undefined ? { alias, form, actual } : { alias, form, actual, captures };
  }

  untried(): AliasRuleDetail {
    const { alias, form } = this;
    return { type: "alias", alias, form };
  }
}

const CATCH_ALL = new AliasMatcher("catch-all", "*", -1);

/** Whether an alias is a pattern; others are compared as they are, in lower case. */
export function isPatternAlias(source: string): boolean {
  return PATTERN_MARK.test(source);
}

/** The canonical form, equal for aliases that match alike: lower case in NFC, or a pattern as written. */
export function canonicalAlias(source: string): string {
  return isPatternAlias(source) ? source : foldLocalPart(source);
}

/** Reads an alias by its form: `*`, a pattern, a wildcard (`sales*`), or a literal. */
function compileAlias(source: string, { engine }: FieldContext): AliasMatcher | readonly Problem[] {
  if (source === "*") return CATCH_ALL;
  if (isPatternAlias(source)) {
    const result = compilePattern(source, engine, "whole");
    if (!result.ok) return [result.problem];
    // ASSUMPTION(alias-literal-length): of a pattern, too, the longest stretch free of RE2 metacharacters counts
    const units = longest(source.split(/[\^$.*+?()[\]{}|\\]/));
    return new AliasMatcher("pattern", source, units, null, result.pattern);
  }
  const refused = NOT_IN_LOCAL_PART.exec(source);
  if (refused !== null) {
    const span = { start: refused.index, end: refused.index + 1 };
    const message =
      refused[0] === "@"
        ? "an alias is the part before the `@`: leave out the domain"
        : `${quote(JSON.stringify(refused[0]))} cannot be in an alias: remove it`;
    return [{ code: "alias/invalid", message, span }];
  }
  const alias = canonicalAlias(source);
  if (alias.includes("*")) {
    const pieces = alias.split("*");
    return new AliasMatcher("wildcard", alias, longest(pieces), pieces);
  }
  if (new TextEncoder().encode(alias).length > LIMITS.localPartOctetsMax) {
    const message = `longer than ${LIMITS.localPartOctetsMax} octets, so no address can have it: shorten it`;
    return [{ code: "alias/invalid", message }];
  }
  return new AliasMatcher("literal", alias, Number.POSITIVE_INFINITY);
}

/** The alias, of an alias or of an alias rule. */
export const aliasField: RuleField<AliasMatcher> = textField(LIMITS.aliasUnitsMax, compileAlias, {
  $ref: "#/definitions/aliasText",
});

export const aliasType: RuleType = ruleType<{ alias: AliasMatcher }>({
  type: "alias",
  description: "compares the address",
  fields: { alias: aliasField },
  compile: ({ alias }) => alias,
});
