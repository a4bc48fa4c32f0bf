/** Whether a message can have given values of atoms: decided for each text, number and list on its own. */
import type { Atom, AtomTable } from "../formula/formula.ts";
import type { Meter } from "../text/find-text.ts";
import { type Automata, chooseText, type WantedText } from "./choose-text.ts";
import type { Choice, Model, Solution } from "./model.ts";

/** Atoms by number, and whether they hold. */
export type Assignment = ReadonlyMap<number, boolean>;

export type Chosen =
  | { readonly kind: "chosen"; readonly choice: Choice }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly why: string };

/** The variable or list that an atom is about; `null` if none. */
export function subjectOf(atom: Atom): string | null {
  if (atom.kind === "free") return null;
  return atom.kind === "element" ? `each ${atom.list}` : atom.variable;
}

/** Solves the formula of one element. */
type SolveElement = (
  wanted: readonly (readonly [formula: number, holds: boolean])[],
  meter: Meter,
) => Generator<void, Solution>;

function chooseNumber(bounds: readonly (readonly [atMost: number, holds: boolean])[]): Chosen {
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  for (const [atMost, holds] of bounds) {
    if (holds) most = Math.min(most, atMost);
    else least = Math.max(least, atMost + 1);
  }
  if (least > most) return { kind: "none" };
  return { kind: "chosen", choice: { kind: "number", least, most } };
}

/** Each demanded element becomes an element of its own and does not match a forbidden one. */
function* chooseElements(
  atoms: readonly (readonly [formula: number, holds: boolean])[],
  solveElement: SolveElement,
  meter: Meter,
): Generator<void, Chosen> {
  const absent = atoms.filter(([, holds]) => !holds);
  const elements: Model[] = [];
  for (const present of atoms.filter(([, holds]) => holds)) {
    const solved = yield* solveElement([present, ...absent], meter);
    if (solved.kind === "unsatisfiable") return { kind: "none" };
    if (solved.kind === "unknown") return solved;
    elements.push(solved.model);
  }
  return { kind: "chosen", choice: { kind: "elements", elements } };
}

/** Makes the choice for one variable or list, from the atoms about it. */
export function* choose(
  subject: string,
  given: Assignment,
  table: AtomTable,
  automata: Automata,
  solveElement: SolveElement,
  meter: Meter,
): Generator<void, Chosen> {
  const texts: WantedText[] = [];
  const bounds: [number, boolean][] = [];
  const elements: [number, boolean][] = [];
  for (const [number, holds] of given) {
    const atom = table.at(number);
    if (atom.kind === "text") texts.push({ pattern: atom.pattern, found: holds });
    if (atom.kind === "number") bounds.push([atom.atMost, holds]);
    if (atom.kind === "element") elements.push([number, holds]);
  }
  if (elements.length > 0) return yield* chooseElements(elements, solveElement, meter);
  if (bounds.length > 0) return chooseNumber(bounds);
  const found = yield* chooseText(subject, texts, automata, meter);
  if (found.kind !== "text") return found;
  return { kind: "chosen", choice: { kind: "text", text: found.text } };
}
