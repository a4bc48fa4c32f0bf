/** A new rule tried alongside those of a domain, before it is saved. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import { isRecord } from "../../engine/routing/config/config-fields.ts";
import { type RehearsedDomain, rehearse, ruleEntries } from "../rehearsed-domain.ts";

/** The id of a rule without one. */
export const NEW_RULE = "(new rule)";

/** The domain with the new rule added, or the diagnostics of the rule. */
export type ShadowResult =
  | { readonly ok: true; readonly rehearsed: RehearsedDomain; readonly id: string }
  /** Paths are relative to the rule. */
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * The domain with the rule added. Its rank is `rank`, else its own, else after all others. If a rule has the same id,
 * the new one replaces it.
 */
export function withNewRule(
  rehearsed: RehearsedDomain,
  rule: unknown,
  rank: number | null,
): ShadowResult {
  if (!isRecord(rule)) {
    const message = "a rule is an object with `type` and `config`";
    return { ok: false, diagnostics: [{ code: "config/not-an-object", message, path: [] }] };
  }
  const values = rule as Readonly<Record<string, unknown>>;
  const id = typeof values.id === "string" ? values.id : NEW_RULE;
  const others = ruleEntries(rehearsed).filter((entry) => entry.id !== id);
  const added = { ...values, id, active: true, ...(rank !== null && { rank }) };
  const rules = [...others.map((entry) => ({ ...entry.values, id: entry.id })), added];
  const result = rehearse({ ...rehearsed.config, rules }, rehearsed.options);
  if (result.ok) return { ...result, id };
  const diagnostics = result.diagnostics.map((diagnostic) => ({
    ...diagnostic,
    path: diagnostic.path.slice(2),
  }));
  return { ok: false, diagnostics };
}
