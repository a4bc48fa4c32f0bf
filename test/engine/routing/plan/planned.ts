/** Rules as a plan resolves them: what is decided, held to the plain walk, and what it took. */
import { expect } from "vitest";
import { resolve } from "../../../../src/engine/routing/resolve.ts";
import {
  createResolveStats,
  type ResolveStats,
} from "../../../../src/engine/routing/resolve-stats.ts";
import { plainWalk } from "../../plan/plain-walk.ts";
import { compiled, domainOf, type KnownFacts } from "../../plan/worlds.ts";

export type RuleConfig = Readonly<Record<string, unknown>>;

export const regexRule = (
  regex: string,
  scopes: readonly string[],
  forward = "m@x.test",
): RuleConfig => ({
  type: "regex",
  config: { regex, scopes, forward },
});
export const celRule = (expression: string): RuleConfig => ({
  type: "cel",
  config: { expression, forward: "m@x.test" },
});
export const aliasRule = (alias: string): RuleConfig => ({
  type: "alias",
  config: { alias, forward: "m@x.test" },
});

/** Rules on the body that match nothing. */
export const FIRST_ON_BODY: readonly RuleConfig[] = ["none0", "none1", "none2", "none3"].map(
  (text) => regexRule(text, ["body"]),
);
const FACTS: KnownFacts = {
  recipient: "a@own.test",
  sender: "s@x.test",
  subject: "",
  body: "",
  headers: new Map(),
  attachments: [],
  size: 1,
};

export interface Planned extends ResolveStats {
  /** The id of the rule that decided, the fallback, or the stage that is needed. */
  readonly by: string;
}

export type Planner = (
  facts: {
    readonly [Name in keyof KnownFacts]?: KnownFacts[Name] | undefined;
  },
) => Planned;

/** Resolves messages by the same plan, one after the other; rule `n` has the id `r<n>`. A fact given as undefined is unknown. */
export function planOf(rules: readonly RuleConfig[]): Planner {
  const domain = compiled(domainOf(rules));
  return (changed) => {
    const facts = { ...FACTS, ...changed } as KnownFacts;
    const stats = createResolveStats();
    const resolution = resolve(domain, facts, { stats });
    expect(resolution).toEqual(plainWalk(domain, facts));
    if (resolution.verdict === "undecided") return { ...stats, by: `needs ${resolution.needs}` };
    return { ...stats, by: resolution.decidedBy?.id ?? "fallback" };
  };
}

/** After this many messages of one kind, earlier ones hardly count. */
const MESSAGES_LEARNT = 20;

/** Resolves a message so often that the plan expects more of its kind. */
export function learn(plan: Planner, facts: Parameters<Planner>[0]): void {
  for (let nth = 0; nth < MESSAGES_LEARNT; nth++) plan(facts);
}

/** Resolves many messages before each that no rule matches, so that the plan expects none to match. */
export function afterNone(plan: Planner): Planner {
  return (facts) => {
    learn(plan, { body: "" });
    expect(plan({ body: "" }).by).toBe("fallback");
    return plan(facts);
  };
}
