/** The alias engine: exact, then subaddress, then wildcard or pattern with the longest literal first, then `*`. */
import type { Guard } from "../../../base/guard.ts";
import type { CompiledDomain } from "../compile-domain.ts";
import { decideMatch, REJECT_NO_ALIAS } from "../decision.ts";
import { type MessageView, userOf } from "../message-view.ts";
import type { Decision, Resolution } from "../resolution.ts";
import type { AliasTraceEntry } from "../trace.ts";
import type { AliasMatch } from "./alias-matcher.ts";
import type { CompiledAlias } from "./compile-aliases.ts";

/** `null` if the alias missed, or the guard has refused. */
function decide(
  { id, matcher, forward }: CompiledAlias,
  match: AliasMatch | null,
  guard: Guard,
): ReturnType<typeof decideMatch> | null {
  if (match === null) return null;
  const decidedBy = { kind: "alias", id, alias: matcher.alias } as const;
  const decision = decideMatch(decidedBy, forward, match, guard);
  return guard.isSpent ? null : decision;
}

function decisionOf(alias: CompiledAlias, localPart: string, guard: Guard): Decision | null {
  const decision = decide(alias, alias.matcher.match(localPart, guard), guard);
  return decision === null || "failure" in decision ? null : decision;
}

/** The literal alias of a local part, as it is or without its detail. */
function literalFor(
  { literalAliases }: CompiledDomain,
  localPart: string,
): CompiledAlias | undefined {
  return literalAliases.get(localPart) ?? literalAliases.get(userOf(localPart) ?? localPart);
}

/** The decision; once the guard has refused, it has no meaning. */
export function resolveByAlias(
  domain: CompiledDomain,
  message: MessageView,
  guard: Guard,
): Resolution {
  const { localPart } = message;
  if (localPart === undefined) return { verdict: "undecided", needs: "envelope" };
  const literal = literalFor(domain, localPart);
  const exact = literal === undefined ? null : decisionOf(literal, localPart, guard);
  if (exact !== null) return exact;
  for (const alias of domain.aliasPlan()(localPart, guard)) {
    const decision = decisionOf(alias, localPart, guard);
    if (decision !== null) return decision;
    if (guard.isSpent) break;
  }
  return REJECT_NO_ALIAS;
}

/**
 * The guard has already paid for the resolution. Literal aliases are compared all at once, so each of them has matched
 * or missed; later forms may stay unreached.
 */
export function traceAliases(
  domain: CompiledDomain,
  message: MessageView,
  guard: Guard,
): readonly AliasTraceEntry[] {
  const { localPart } = message;
  const literal = localPart === undefined ? undefined : literalFor(domain, localPart);
  let isReached = true;
  return domain.aliases.map((alias): AliasTraceEntry => {
    const { alias: name, form } = alias.matcher;
    const untried = { kind: "alias", id: alias.id, alias: name, form } as const;
    if (localPart === undefined) return { ...untried, verdict: "undecided" };
    if (form === "literal" && alias !== literal) {
      return { ...untried, verdict: "missed", actual: localPart };
    }
    if (!isReached) return { ...untried, verdict: "unreached" };
    const match = alias.matcher.match(localPart, guard);
    const decision = decide(alias, match, guard);
    const tried = {
      ...untried,
      form: match?.form ?? form,
      actual: localPart,
      ...(match?.captures !== undefined && { captures: match.captures }),
    };
    if (guard.isSpent) return { ...tried, verdict: "over-budget" };
    if (decision === null) return { ...tried, verdict: "missed" };
    if ("failure" in decision) return { ...tried, verdict: "failed", failure: decision.failure };
    isReached = false;
    return { ...tried, verdict: "matched" };
  });
}
