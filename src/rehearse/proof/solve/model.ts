/** A model: what a message must be like for a formula to hold. */

/** The choice for one variable or list in a model. */
export type Choice =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly least: number; readonly most: number }
  /** One model for each element. */
  | { readonly kind: "elements"; readonly elements: readonly Model[] };

/** What a message must be like, by variable or list; the rest may be anything. */
export interface Model {
  readonly choices: ReadonlyMap<string, Choice>;
  /** Parts that the formula leaves open, and the result that each must have. */
  readonly open: readonly { readonly about: string; readonly holds: boolean }[];
}

export type Solution =
  | { readonly kind: "satisfiable"; readonly model: Model }
  /** A proof: no message makes the formula true. */
  | { readonly kind: "unsatisfiable" }
  | { readonly kind: "unknown"; readonly why: string };
