/**
 * A second resolver, written from the prose of the semantics and sharing only types with the engine:
 * no hashing, no compiled form, patterns by RegExp, CEL by the predicate that a world gives beside the source.
 */
import type { Decision, Destination, Scope } from "../../src/engine/routing/resolution.ts";

export interface WorldAlias {
  readonly id: string;
  readonly alias: string;
  readonly forward: string;
  readonly created_at?: string;
}

export type WorldMatcher =
  | { readonly type: "alias"; readonly alias: string }
  | { readonly type: "regex"; readonly regex: string; readonly scopes: readonly Scope[] }
  | {
      readonly type: "cel";
      readonly expression: string;
      /** What the expression means; a throw is a CEL error. */
      readonly holds: (facts: KnownFacts) => boolean;
    };

export interface WorldRule {
  readonly id: string;
  readonly rank: number;
  readonly active: boolean;
  readonly created_at?: string;
  readonly matcher: WorldMatcher;
  readonly forward: string;
}

export interface World {
  readonly domain: string;
  readonly routing_engine: "alias" | "rules" | null;
  readonly rules_fallback_email: string | null;
  readonly aliases: readonly WorldAlias[];
  readonly rules: readonly WorldRule[];
}

/** The four facts that worlds play with, all known; addresses in any case. */
export interface KnownFacts {
  readonly recipient: string;
  readonly sender: string;
  readonly subject: string;
  readonly body: string;
}

interface Match {
  readonly groups: readonly string[];
  readonly detail: string | null;
}

const DETAIL_HOSTS =
  "gmail.com hey.com protonmail.com icloud.com fastmail.com outlook.com runbox.com yandex.com yandex.ru mailfence.com";

function isPattern(alias: string): boolean {
  return [..."^$()[]{}|?\\"].some((mark) => alias.includes(mark));
}

/** exact 0, subaddress 1, wildcard and pattern 2, catch-all 3; `null`: does not match */
function matchAlias(alias: string, localPart: string): (Match & { readonly tier: number }) | null {
  if (alias === "*") return { tier: 3, groups: [], detail: null };
  if (isPattern(alias)) {
    const found = new RegExp(`^(?:${alias})$`, "u").exec(localPart);
    if (found === null) return null;
    return { tier: 2, groups: [...found].slice(1).map((group) => group ?? ""), detail: null };
  }
  const name = alias.toLowerCase();
  if (name.includes("*")) {
    const source = name.replace(/[.+]/g, "\\$&").replace(/\*/g, ".*");
    return new RegExp(`^${source}$`, "su").test(localPart)
      ? { tier: 2, groups: [], detail: null }
      : null;
  }
  if (localPart === name) return { tier: 0, groups: [], detail: null };
  if (!localPart.startsWith(`${name}+`) || name.includes("+")) return null;
  return { tier: 1, groups: [], detail: localPart.slice(name.length + 1) };
}

function literalLength(alias: string): number {
  const parts = isPattern(alias) ? alias.split(/[\^$.*+?()[\]{}|\\]/) : alias.split("*");
  return Math.max(...parts.map((part) => part.length));
}

/** `null`: what the captures make is no destination, or one that would loop. */
function destinationsOf(forward: string, match: Match, domain: string): Destination[] | null {
  if (forward === "null") return [];
  const found: Destination[] = [];
  for (const item of forward.split(",").map((text) => text.trim())) {
    const web = item.startsWith("http");
    let text = item.replace(/\$(\d)/g, (_, digit) => {
      const group = match.groups[Number(digit) - 1] ?? "";
      return web ? encodeURIComponent(group) : group;
    });
    if (!web) {
      if (!/^[^@\s,.]+(\.[^@\s,.]+)*@[a-z0-9]+\.[a-z]+$/.test(text)) return null;
      const [user, host] = text.split("@") as [string, string];
      if (host === domain) return null;
      if (match.detail && DETAIL_HOSTS.split(" ").includes(host) && !user.includes("+")) {
        text = `${user}+${match.detail}@${host}`;
      }
    }
    const destination: Destination = web
      ? { kind: "webhook", url: text }
      : { kind: "mailbox", address: text };
    const already = found.some((other) => JSON.stringify(other) === JSON.stringify(destination));
    if (!already) found.push(destination);
  }
  return found;
}

function older(
  a: { id: string; created_at?: string },
  b: { id: string; created_at?: string },
): number {
  const [left, right] = [a.created_at ?? "9999", b.created_at ?? "9999"];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function forwardTo(
  reason: "alias" | "rule" | "fallback",
  destinations: Destination[],
  decidedBy: Decision["decidedBy"],
): Decision {
  const action = destinations.length === 0 ? "discard" : "forward";
  return { verdict: "decided", action, reason, destinations, decidedBy };
}

function byAlias(world: World, localPart: string): Decision {
  const tried = world.aliases
    .map((alias) => ({ alias, match: matchAlias(alias.alias, localPart) }))
    .filter((candidate) => candidate.match !== null)
    .sort(
      (a, b) =>
        a.match!.tier - b.match!.tier ||
        literalLength(b.alias.alias) - literalLength(a.alias.alias) ||
        older(a.alias, b.alias),
    );
  // An exact alias leaves nothing to its subaddress form: only the best of the literals is tried.
  for (const { alias, match } of tried) {
    const destinations = destinationsOf(alias.forward, match!, world.domain);
    if (destinations === null) continue;
    const name = isPattern(alias.alias) ? alias.alias : alias.alias.toLowerCase();
    return forwardTo("alias", destinations, { kind: "alias", id: alias.id, alias: name });
  }
  return {
    verdict: "decided",
    action: "reject",
    reason: "no-match",
    destinations: [],
    decidedBy: null,
    reply: { code: 550, enhanced: "5.1.1", text: "no such mailbox here" },
  };
}

function matchRule(matcher: WorldMatcher, facts: KnownFacts): Match | null {
  if (matcher.type === "alias") return matchAlias(matcher.alias, facts.recipient.split("@")[0]!);
  if (matcher.type === "cel") {
    try {
      return matcher.holds(facts) ? { groups: [], detail: null } : null;
    } catch {
      return null;
    }
  }
  for (const scope of ["recipient", "sender", "subject", "body"] as const) {
    if (!matcher.scopes.includes(scope)) continue;
    const found = new RegExp(matcher.regex, "u").exec(facts[scope]);
    if (found === null) continue;
    return { groups: [...found].slice(1).map((group) => group ?? ""), detail: null };
  }
  return null;
}

function byRule(world: World, facts: KnownFacts): Decision {
  const rules = world.rules
    .filter((rule) => rule.active)
    .sort((a, b) => a.rank - b.rank || older(a, b));
  for (const rule of rules) {
    const match = matchRule(rule.matcher, facts);
    if (match === null) continue;
    const destinations = destinationsOf(rule.forward, match, world.domain);
    if (destinations === null) continue;
    return forwardTo("rule", destinations, { kind: "rule", id: rule.id, rank: rule.rank });
  }
  if (world.rules_fallback_email === null) {
    return {
      verdict: "decided",
      action: "discard",
      reason: "no-match",
      destinations: [],
      decidedBy: null,
    };
  }
  return forwardTo("fallback", [{ kind: "mailbox", address: world.rules_fallback_email }], null);
}

export function naiveResolve(world: World, facts: KnownFacts): Decision {
  const lower = {
    ...facts,
    recipient: facts.recipient.toLowerCase(),
    sender: facts.sender.toLowerCase(),
  };
  if (world.routing_engine === "alias") return byAlias(world, lower.recipient.split("@")[0]!);
  if (world.routing_engine === "rules") return byRule(world, lower);
  return {
    verdict: "decided",
    action: "reject",
    reason: "routing-disabled",
    destinations: [],
    decidedBy: null,
    reply: { code: 550, enhanced: "5.7.1", text: "this domain does not take mail" },
  };
}

/** The world as the API would give it. */
export function configOf(world: World): unknown {
  return {
    ...world,
    rules: world.rules.map(({ matcher, forward, ...rule }) => {
      const { type, ...config } = matcher;
      const { holds: _, ...written } = config as Record<string, unknown>;
      return { ...rule, type, config: { ...written, forward } };
    }),
  };
}
