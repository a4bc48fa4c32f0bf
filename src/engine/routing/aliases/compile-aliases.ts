/** Compiles a domain's aliases into their order of trial. */
import { LIMITS } from "../../../base/limits.ts";
import {
  byAge,
  type Context,
  idOf,
  readForward,
  readId,
  reportDuplicates,
} from "../config/config-entry.ts";
import {
  type Fields,
  ownField,
  readRecords,
  readText,
  readTimestamp,
  reportAt,
} from "../config/config-fields.ts";
import { entryFuel, gateFuel, payEntry, sourceFuel } from "../config/entry-fuel.ts";
import type { Forward } from "../forward.ts";
import {
  type AliasMatcher,
  canonicalAlias,
  compileAlias,
  isLiteralAlias,
} from "./alias-matcher.ts";

export interface CompiledAlias {
  readonly id: string;
  readonly createdMs: number;
  readonly matcher: AliasMatcher;
  readonly forward: Forward;
}

function readMatcher(fields: Fields, { engine }: Context): AliasMatcher | null {
  const source = readText(fields, "alias", LIMITS.aliasUnitsMax);
  if (source === null) return null;
  const matcher = compileAlias(source, engine);
  return "code" in matcher ? reportAt(fields, "alias", matcher) : matcher;
}

/** Literal aliases are looked up: no text is searched for them. */
function aliasFuel(fields: Fields): number {
  const alias = ownField(fields, "alias");
  const isLiteral = typeof alias !== "string" || isLiteralAlias(alias);
  return entryFuel(fields) + (isLiteral ? 0 : sourceFuel(fields, "alias"));
}

function readAlias(fields: Fields, context: Context): CompiledAlias | null {
  const { guard } = context;
  if (guard.isSpent || !payEntry(fields, guard, aliasFuel(fields))) return null;
  const id = readId(fields);
  const createdMs = readTimestamp(fields, "created_at");
  const matcher = readMatcher(fields, context);
  const isFound = matcher === null || matcher.form === "literal";
  if (!isFound && !payEntry(fields, guard, gateFuel(matcher.gate()))) return null;
  // If the alias is refused, its captures are not known: then everything but the captures is checked.
  const groupCount = matcher === null ? Number.POSITIVE_INFINITY : matcher.groupCount;
  const forward = readForward(fields, groupCount, context);
  if (matcher === null || forward === null) return null;
  return Object.freeze({ id, createdMs, matcher, forward });
}

/** Literals as they are written, then wildcards and patterns with the longest literal first, then `*`. */
function byTrial(a: CompiledAlias, b: CompiledAlias): number {
  // Of two literals the difference is `NaN`.
  const longer = b.matcher.literalUnits - a.matcher.literalUnits;
  // ASSUMPTION(alias-ties): wildcards and patterns with literals of one length are tried by created_at, then id
  return longer || (a.matcher.form === "literal" ? 0 : byAge(a, b));
}

/** Reads `aliases`; those with diagnostics are left out. */
export function compileAliases(root: Fields, context: Context): readonly CompiledAlias[] {
  const entries = readRecords(root, "aliases", LIMITS.aliasesMax);
  const text = (fields: Fields): string | undefined => {
    const alias = ownField(fields, "alias");
    return typeof alias === "string" ? canonicalAlias(alias) : undefined;
  };
  const join = "join their destinations in one";
  reportDuplicates(entries, "alias", text, "alias/duplicate", join);
  reportDuplicates(entries, "id", idOf, "alias/duplicate-id", "give another");
  const aliases = entries.flatMap((fields) => readAlias(fields, context) ?? []);
  return aliases.sort(byTrial);
}
