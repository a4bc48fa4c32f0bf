/** The configuration of a domain as a type, for editors to complete. `compileDomain` checks every value at run time. */
import type { AliasRuleConfig } from "../rules/alias-rule.ts";
import type { RuleShapes, RuleTypeName } from "../rules/rule-types.ts";

/** The domain's own fields. */
export interface DomainFields {
  /** Its name, such as `example.com`. */
  readonly domain: string;
  /** What routes the mail; `null`: nothing does, and all mail is rejected. */
  readonly routing_engine: "alias" | "rules" | null;
  /** One mailbox for mail that no rule matches; `null`, or left out: it is accepted and discarded. */
  readonly rules_fallback_email?: string | null;
}

interface EntryFields {
  /** Names the entry in decisions; default: its place, as in `rules[3]`. */
  readonly id?: string;
  /** An ISO 8601 time, such as `2026-01-31T12:00:00Z`; of two entries of equal rank the older is tried first. */
  readonly created_at?: string;
}

/** One alias of a domain. */
export interface AliasConfig extends EntryFields, AliasRuleConfig {}

interface Rule extends EntryFields {
  /** Rules are tried from the lowest rank on; default: after the rules before it. */
  readonly rank?: number;
  /** Default: true. */
  readonly active?: boolean;
}

/** One rule of a domain: `RuleConfig<"regex">` is of that type, `RuleConfig` of any that every domain knows. */
export type RuleConfig<Type extends RuleTypeName = RuleTypeName> = {
  readonly [Each in Type]: Rule & {
    readonly type: Each;
    readonly config: RuleShapes[Each]["config"];
  };
}[Type];

/** A rule of a type that a host adds (`ruleTypes`). */
export interface HostRuleConfig<Type extends string, Config> extends Rule {
  readonly type: Type;
  readonly config: Config & { readonly forward: string };
}

/** What `compileDomain` compiles. `HostRule`: rules of a host's own types. */
export type DomainConfig<HostRule = never> = (
  | DomainFields
  /** As version 4 of the API returns a domain. */
  | { readonly domain: DomainFields }
) & {
  readonly aliases?: readonly AliasConfig[];
  readonly rules?: readonly (RuleConfig | HostRule)[];
};
