/** Compiles a domain's aliases into their order of trial. */
import { LIMITS } from "../../../base/limits.ts";
import {
  byAge,
  type Context,
  idOf,
  payEntry,
  priced,
  readForward,
  readId,
  readingFuel,
  reportDuplicates,
} from "../config/config-entry.ts";
import { type Fields, ownField, readRecords, readTimestamp } from "../config/config-fields.ts";
import { aliasField, canonicalAlias, isPatternAlias } from "../rules/alias-rule.ts";
import type { CompiledAlias } from "../rules/compiled-rule.ts";

function readAlias(fields: Fields, context: Context): CompiledAlias | null {
  const { engine, guard } = context;
  const alias = ownField(fields, "alias");
  // Literal aliases are looked up: no text is searched for them.
  const isSought = typeof alias === "string" && (alias.includes("*") || isPatternAlias(alias));
  const fuel = readingFuel(fields, isSought ? ["alias"] : []);
  if (guard.isSpent || !payEntry(fields, guard, fuel)) return null;
  const id = readId(fields);
  const createdMs = readTimestamp(fields, "created_at");
  const matcher = aliasField.read(fields, "alias", { engine, programs: undefined });
  const found = matcher === null ? null : priced(matcher);
  const forward = readForward(fields, fields, found, context);
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
