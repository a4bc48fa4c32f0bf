/** What a clause of an alias or a rule wanted, and what was there. */
import type { Span } from "../../base/diagnostic.ts";
import type { AliasForm, Scope } from "../../engine/routing/resolution.ts";

/** A part of an expression that had to be true. */
export interface FailedCondition {
  readonly kind: "condition";
  readonly source: string;
  readonly span: Span;
  /** `false`, or `error: …`. */
  readonly value: string;
  /** What it was computed from. */
  readonly operands: readonly { readonly source: string; readonly value: string }[];
}

/** A clause of a rule that did not hold: what it wanted, and what the message had. */
export type FailedClause =
  /** The domain routes by the other engine, or not at all. */
  | { readonly kind: "engine"; readonly engine: "alias" | "rules" | null }
  /** The rule is switched off. */
  | { readonly kind: "inactive" }
  /** The recipient's local part is not the alias. */
  | {
      readonly kind: "alias";
      readonly alias: string;
      readonly form: AliasForm;
      readonly actual: string;
    }
  /** The pattern is in none of the texts. */
  | {
      readonly kind: "pattern";
      readonly regex: string;
      readonly texts: readonly { readonly scope: Scope; readonly actual: string }[];
    }
  | FailedCondition
  /** The condition of a rule of a host's own type is not met. */
  | { readonly kind: "config"; readonly config: Readonly<Record<string, unknown>> }
  /** It matched, or would have, but failed. */
  | { readonly kind: "failure"; readonly failure: string };
