/** Alias forms: how an alias, or the alias of an alias rule, is compared with a recipient's local part. */
import type { Problem } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import { quote } from "../../../base/quote.ts";
import { fitsWildcard } from "../../../base/wildcard.ts";
import { foldLocalPart } from "../../facts/address.ts";
import { compilePattern } from "../../pattern/engines/compile-pattern.ts";
import type { PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import type { RequiredLiteral } from "../../pattern/syntax/required-literals.ts";
import type { MatchParts } from "../forward.ts";
import { splitSubaddress } from "../message-view.ts";
import type { Gate } from "../plan/gate.ts";
import type { AliasForm } from "../resolution.ts";

export interface AliasMatch extends MatchParts {
  readonly form: AliasForm;
}

export interface AliasMatcher {
  readonly form: Exclude<AliasForm, "subaddress">;
  /** In lower case; a pattern stays as written. */
  readonly alias: string;
  /** Groups that fill `$1`…`$9`. */
  readonly groupCount: number;
  /** Length of the longest stretch without a metacharacter: the longer, the earlier it is tried. A literal is first, `*` is last. */
  readonly literalUnits: number;
  /** What must hold of the local part; `null` if nothing is known. */
  gate(): Gate | null;
  /** Compares with a local part in lower case; the guard pays for it. `null` if it misses, or the guard refuses. */
  match(localPart: string, guard: Guard): AliasMatch | null;
}

// ASSUMPTION(alias-pattern-form): any of ^ $ ( ) [ ] { } | ? \ makes an alias a pattern; `.`, `+` and `*` alone do not
const PATTERN_MARK = /[\^$()[\]{}|?\\]/;
const NOT_IN_LOCAL_PART = /[\s@,;:<>"\u0000-\u001f\u007f]/;

const EXACT: AliasMatch = { form: "literal" };

class LiteralAlias implements AliasMatcher {
  constructor(readonly alias: string) {}

  get form(): "literal" {
    return "literal";
  }

  get groupCount(): number {
    return 0;
  }

  get literalUnits(): number {
    return Number.POSITIVE_INFINITY;
  }

  gate(): Gate {
    const values = [this.alias];
    return { openings: [{ fact: "localPart", kind: "values", values }], alsoNeeds: [] };
  }

  match(localPart: string): AliasMatch | null {
    if (localPart === this.alias) return EXACT;
    const split = splitSubaddress(localPart);
    if (split === null || split.user !== this.alias) return null;
    return { form: "subaddress", detail: split.detail };
  }
}

function literalGate(literals: readonly RequiredLiteral[]): Gate {
  return { openings: [{ fact: "localPart", kind: "literals", literals }], alsoNeeds: [] };
}

function longest(pieces: readonly string[]): number {
  return pieces.reduce((length, piece) => Math.max(length, piece.length), 0);
}

function wildcardMatcher(alias: string): AliasMatcher {
  const pieces = alias.split("*");
  const units = longest(pieces);
  const matched: AliasMatch = { form: "wildcard" };
  // The host's search for a long piece may look at each unit many times.
  const fuelPerUnit = pieces.length + (units >> 4);
  return {
    form: "wildcard",
    alias,
    groupCount: 0,
    literalUnits: units,
    gate() {
      const text = pieces.find(({ length }) => length === units)!;
      return units === 0 ? null : literalGate([{ text, fold: false }]);
    },
    match(localPart, guard) {
      if (!guard.take(fuelPerUnit * (localPart.length + 1))) return null;
      return fitsWildcard(localPart, pieces) ? matched : null;
    },
  };
}

const catchAllMatcher: AliasMatcher = {
  form: "catch-all",
  alias: "*",
  groupCount: 0,
  literalUnits: -1,
  gate: () => null,
  match: () => ({ form: "catch-all" }),
};

function patternMatcher(alias: string, engine: PatternEngine | null): AliasMatcher | Problem {
  const result = compilePattern(alias, engine, "whole");
  if (!result.ok) return result.problem;
  const { pattern } = result;
  return {
    form: "pattern",
    alias,
    groupCount: pattern.groupCount,
    // ASSUMPTION(alias-literal-length): of a pattern, too, the longest stretch free of RE2 metacharacters counts
    literalUnits: longest(alias.split(/[\^$.*+?()[\]{}|\\]/)),
    gate() {
      const required = pattern.required();
      return required === null ? null : literalGate(required.literals);
    },
    match(localPart, guard) {
      const match = pattern.find(localPart, guard);
      return match === null ? null : { form: "pattern", captures: match.groups.slice(1) };
    },
  };
}

/** Whether an alias is a pattern; others are compared as they are, in lower case. */
export function isPatternAlias(source: string): boolean {
  return PATTERN_MARK.test(source);
}

/** Whether an alias is neither a pattern nor a wildcard. */
export function isLiteralAlias(source: string): boolean {
  return !source.includes("*") && !isPatternAlias(source);
}

/** The canonical form, equal for aliases that match alike: lower case in NFC, or a pattern as written. */
export function canonicalAlias(source: string): string {
  return isPatternAlias(source) ? source : foldLocalPart(source);
}

/** Reads an alias by its form: `*`, a pattern, a wildcard (`sales*`), or a literal. */
export function compileAlias(source: string, engine: PatternEngine | null): AliasMatcher | Problem {
  if (source === "*") return catchAllMatcher;
  if (isPatternAlias(source)) return patternMatcher(source, engine);
  const refused = NOT_IN_LOCAL_PART.exec(source);
  if (refused !== null) {
    const span = { start: refused.index, end: refused.index + 1 };
    const message =
      refused[0] === "@"
        ? "an alias is the part before the `@`: leave out the domain"
        : `${quote(JSON.stringify(refused[0]))} cannot be in an alias: remove it`;
    return { code: "alias/invalid", message, span };
  }
  const alias = canonicalAlias(source);
  if (alias.includes("*")) return wildcardMatcher(alias);
  if (new TextEncoder().encode(alias).length > LIMITS.localPartOctetsMax) {
    const message = `longer than ${LIMITS.localPartOctetsMax} octets, so no address can have it: shorten it`;
    return { code: "alias/invalid", message };
  }
  return new LiteralAlias(alias);
}
