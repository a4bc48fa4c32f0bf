/** The alias engine: exact, then subaddress, then wildcard or pattern with the longest literal first, then `*`. */
import type { CompiledAlias } from "./compile-aliases.ts";
import type { CompiledDomain } from "./compile-domain.ts";
import { decideMatch, REJECT_NO_ALIAS } from "./decision.ts";
import { type MessageView, userOf } from "./message-view.ts";
import type { AliasTraceEntry, Decision, Explanation, Resolution } from "./resolution.ts";

type Attempt =
  | { readonly verdict: "matched"; readonly decision: Decision; readonly entry: AliasTraceEntry }
  | { readonly verdict: "missed" | "failed"; readonly entry: AliasTraceEntry };

function attempt({ id, matcher, forward }: CompiledAlias, actual: string): Attempt {
  const { alias, form } = matcher;
  const tried = { kind: "alias", id, alias, form, actual } as const;
  const match = matcher.match(actual);
  if (match === null) return { verdict: "missed", entry: { ...tried, verdict: "missed" } };
  const { captures } = match;
  const entry = { ...tried, form: match.form, ...(captures === undefined ? {} : { captures }) };
  const decision = decideMatch({ kind: "alias", id, alias }, forward, match);
  if ("failure" in decision) {
    const { failure } = decision;
    return { verdict: "failed", entry: { ...entry, verdict: "failed", failure } };
  }
  return { verdict: "matched", decision, entry: { ...entry, verdict: "matched" } };
}

/** The literal alias of a local part, as it stands or without its detail. */
function literalFor(
  { literalAliases }: CompiledDomain,
  localPart: string,
): CompiledAlias | undefined {
  const exact = literalAliases.get(localPart);
  if (exact !== undefined) return exact;
  const user = userOf(localPart);
  return user === null ? undefined : literalAliases.get(user);
}

export function resolveByAlias(domain: CompiledDomain, message: MessageView): Resolution {
  const { localPart } = message;
  if (localPart === undefined) return { verdict: "undecided", needs: "envelope" };
  const literal = literalFor(domain, localPart);
  if (literal !== undefined) {
    const tried = attempt(literal, localPart);
    if (tried.verdict === "matched") return tried.decision;
  }
  for (const alias of domain.aliasPlan().candidates(localPart)) {
    const tried = attempt(alias, localPart);
    if (tried.verdict === "matched") return tried.decision;
  }
  return REJECT_NO_ALIAS;
}

/** Literal aliases are compared all at once, so each of them has matched or missed; later forms may stay unreached. */
export function explainByAlias(domain: CompiledDomain, message: MessageView): Explanation {
  const { localPart } = message;
  const literal = localPart === undefined ? undefined : literalFor(domain, localPart);
  let resolution: Resolution =
    localPart === undefined ? { verdict: "undecided", needs: "envelope" } : REJECT_NO_ALIAS;
  let reached = true;
  const trace = domain.aliases.map((alias): AliasTraceEntry => {
    const { alias: name, form } = alias.matcher;
    const untried = { kind: "alias", id: alias.id, alias: name, form } as const;
    if (localPart === undefined) return { ...untried, verdict: "undecided" };
    const isLiteral = form === "literal";
    if (isLiteral ? alias !== literal : !reached) {
      return isLiteral
        ? { ...untried, verdict: "missed", actual: localPart }
        : { ...untried, verdict: "unreached" };
    }
    const tried = attempt(alias, localPart);
    if (tried.verdict === "matched") {
      resolution = tried.decision;
      reached = false;
    }
    return tried.entry;
  });
  return { resolution, trace, fuel: 0 };
}
