/** Conditions on a message as formulas: and, or and not over atoms, each about one pattern, number or list. */
import type { TextPattern } from "../text/text-program.ts";

/** `not` occurs only before atoms. */
export type Formula =
  | { readonly kind: "constant"; readonly value: boolean }
  | { readonly kind: "literal"; readonly atom: number; readonly value: boolean }
  | { readonly kind: "and" | "or"; readonly parts: readonly Formula[] };

export type Literal = Extract<Formula, { readonly kind: "literal" }>;

export type Atom =
  /** The text contains a match of the pattern. */
  | { readonly kind: "text"; readonly variable: string; readonly pattern: TextPattern }
  | { readonly kind: "number"; readonly variable: string; readonly atMost: number }
  /** Some element of the list makes the formula true. Its variables are those of one element. */
  | { readonly kind: "element"; readonly list: string; readonly formula: Formula }
  /** Nothing is known about it: it may be true or false for any message. */
  | { readonly kind: "free"; readonly about: string };

export const TRUE: Formula = { kind: "constant", value: true };
export const FALSE: Formula = { kind: "constant", value: false };

/** Gives equal atoms the same number, so that a condition and its negation contradict each other. */
export class AtomTable {
  readonly #atoms: Atom[] = [];
  readonly #numbers = new Map<string, number>();

  literal(key: string, atom: Atom): Formula {
    const known = this.#numbers.get(key);
    const number = known ?? this.#atoms.push(atom) - 1;
    if (known === undefined) this.#numbers.set(key, number);
    return { kind: "literal", atom: number, value: true };
  }

  at(number: number): Atom {
    return this.#atoms[number]!;
  }

  text(variable: string, pattern: TextPattern): Formula {
    const { key, changes, suffix } = pattern;
    const atom: Atom = { kind: "text", variable, pattern };
    return this.literal(JSON.stringify(["text", variable, changes, suffix, key]), atom);
  }

  atMost(variable: string, atMost: number): Formula {
    return this.literal(JSON.stringify(["number", variable, atMost]), {
      kind: "number",
      variable,
      atMost,
    });
  }

  element(list: string, formula: Formula): Formula {
    if (formula.kind === "constant" && !formula.value) return FALSE;
    return this.literal(JSON.stringify(["element", list, formula]), {
      kind: "element",
      list,
      formula,
    });
  }

  free(key: string, about: string): Formula {
    return this.literal(JSON.stringify(["free", key]), { kind: "free", about });
  }
}

function join(kind: "and" | "or", parts: readonly Formula[]): Formula {
  const decisive = kind === "or";
  const kept: Formula[] = [];
  for (const part of parts) {
    if (part.kind === "constant") {
      if (part.value === decisive) return part;
    } else if (part.kind === kind) kept.push(...part.parts);
    else kept.push(part);
  }
  if (kept.length === 0) return decisive ? FALSE : TRUE;
  return kept.length === 1 ? kept[0]! : { kind, parts: kept };
}

export function and(...parts: readonly Formula[]): Formula {
  return join("and", parts);
}

export function or(...parts: readonly Formula[]): Formula {
  return join("or", parts);
}

export function not(formula: Formula): Formula {
  switch (formula.kind) {
    case "constant":
      return formula.value ? FALSE : TRUE;
    case "literal":
      return { ...formula, value: !formula.value };
    default:
      return join(formula.kind === "and" ? "or" : "and", formula.parts.map(not));
  }
}

/** A text that identifies a formula, however it was built. */
export function formulaKey(formula: Formula): string {
  switch (formula.kind) {
    case "constant":
      return formula.value ? "true" : "false";
    case "literal":
      return `${formula.value ? "" : "!"}${formula.atom}`;
    default:
      return `(${formula.parts.map(formulaKey).join(formula.kind === "and" ? "&" : "|")})`;
  }
}

/** When a condition is true and when it is false; otherwise it is an error. */
export interface Verdicts {
  readonly yes: Formula;
  readonly no: Formula;
}

/** The verdicts of a condition that is never an error. */
export function certain(yes: Formula): Verdicts {
  return { yes, no: not(yes) };
}

export function neverErrs({ yes, no }: Verdicts): boolean {
  return formulaKey(not(yes)) === formulaKey(no);
}
