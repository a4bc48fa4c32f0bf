/** The alias engine: exact, then subaddress, then wildcard or pattern with the longest literal first, then `*`. */
import type { Guard } from "../../../base/guard.ts";
import type { CompiledDomain } from "../compile-domain.ts";
import { decideMatch, REJECT_NO_ALIAS } from "../decision.ts";
import { type MessageView, userOf } from "../message-view.ts";
import type { Decision, Resolution } from "../resolution.ts";
import type { AliasTraceEntry } from "../trace.ts";
import type { CompiledAlias } from "./compile-aliases.ts";

interface Attempt {
  /** `null` unless the alias matched. */
  readonly decision: Decision | null;
  readonly entry: AliasTraceEntry;
}

function attempt({ id, matcher, forward }: CompiledAlias, actual: string, guard: Guard): Attempt {
  const { alias, form } = matcher;
  const tried = { kind: "alias", id, alias, form, actual } as const;
  const match = matcher.match(actual, guard);
  if (match === null) {
    return {
      decision: null,
      entry: { ...tried, verdict: guard.isSpent ? "over-budget" : "missed" },
    };
  }
  const { captures } = match;
  const entry = { ...tried, form: match.form, ...(captures === undefined ? {} : { captures }) };
  const decision = decideMatch({ kind: "alias", id, alias }, forward, match, guard);
  if (guard.isSpent) return { decision: null, entry: { ...entry, verdict: "over-budget" } };
  if ("failure" in decision) {
    return { decision: null, entry: { ...entry, verdict: "failed", failure: decision.failure } };
  }
  return { decision, entry: { ...entry, verdict: "matched" } };
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
  if (literal !== undefined) {
    const { decision } = attempt(literal, localPart, guard);
    if (decision !== null) return decision;
  }
  for (const alias of domain.aliasPlan().candidates(localPart, guard)) {
    const { decision } = attempt(alias, localPart, guard);
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
    const { decision, entry } = attempt(alias, localPart, guard);
    if (decision !== null) isReached = false;
    return entry;
  });
}
