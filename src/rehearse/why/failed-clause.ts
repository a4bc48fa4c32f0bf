/** What a clause of an alias or a rule required, and what the message had. */
import type { Span } from "../../base/diagnostic.ts";
import type { AliasForm, Scope } from "../../engine/routing/resolution.ts";

/** A part of an expression that had to be true. */
export interface FailedCondition {
  readonly kind: "condition";
  readonly source: string;
  readonly span: Span;
  /** `false`, or `error: …`. */
  readonly value: string;
  /** The values that it was computed from. */
  readonly operands: readonly { readonly source: string; readonly value: string }[];
}

/** A clause of a rule that did not hold: what it required, and what the message had. */
export type FailedClause =
  /** The domain routes by the other engine, or not at all. */
  | { readonly kind: "engine"; readonly engine: "alias" | "rules" | null }
  /** The rule is inactive. */
  | { readonly kind: "inactive" }
  /** The recipient's local part is not the alias. */
  | {
      readonly kind: "alias";
      readonly alias: string;
      readonly form: AliasForm;
      readonly actual: string;
    }
  /** The pattern matches none of the texts. */
  | {
      readonly kind: "pattern";
      readonly regex: string;
      readonly texts: readonly { readonly scope: Scope; readonly actual: string }[];
    }
  | FailedCondition
  /** The condition of a rule of a host's own type did not hold. */
  | { readonly kind: "config"; readonly config: Readonly<Record<string, unknown>> }
  /** The entry matched, or would have matched, but failed. */
  | { readonly kind: "failure"; readonly failure: string };
