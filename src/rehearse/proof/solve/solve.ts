/** Finds a message that makes a formula true, or proves that there is none. */
import { type AtomTable, and, type Formula, type Literal, not } from "../formula/formula.ts";
import type { Meter } from "../text/find-text.ts";
import { OUT_OF_BUDGET } from "../text/find-text.ts";
import { Automata } from "./choose-text.ts";
import type { Choice, Solution } from "./model.ts";
import { type Assignment, type Chosen, choose, subjectOf } from "./theory.ts";

/** States of the budget that one branch of the search costs. */
const BRANCH_COST = 4;

/** What one branch of the search assumes about atoms. */
class Branch {
  readonly assignment: Map<number, boolean>;
  /** Alternatives of which one must still hold. */
  open: readonly Formula[];

  constructor(assignment: ReadonlyMap<number, boolean>, open: readonly Formula[]) {
    this.assignment = new Map(assignment);
    this.open = open;
  }

  /** The rest of a formula, given what is known about its atoms. */
  #rest(formula: Formula): Formula {
    switch (formula.kind) {
      case "constant":
        return formula;
      case "literal": {
        const known = this.assignment.get(formula.atom);
        if (known === undefined) return formula;
        return { kind: "constant", value: known === formula.value };
      }
      case "and":
        return and(...formula.parts.map((part) => this.#rest(part)));
      default: {
        const parts: Formula[] = [];
        for (const part of formula.parts) {
          const rest = this.#rest(part);
          if (rest.kind !== "constant") parts.push(rest);
          else if (rest.value) return rest;
        }
        if (parts.length === 0) return { kind: "constant", value: false };
        return parts.length === 1 ? parts[0]! : { kind: "or", parts };
      }
    }
  }

  /** Makes the formulas true where there is no choice; `false` if that is impossible. */
  settle(formulas: readonly Formula[]): boolean {
    let pending = [...this.open, ...formulas];
    for (;;) {
      const open: Formula[] = [];
      let learned = false;
      while (pending.length > 0) {
        const rest = this.#rest(pending.pop()!);
        if (rest.kind === "constant") {
          if (!rest.value) return false;
        } else if (rest.kind === "literal") {
          this.assignment.set(rest.atom, rest.value);
          learned = true;
        } else if (rest.kind === "and") pending.push(...rest.parts);
        else open.push(rest);
      }
      if (!learned) {
        this.open = open;
        return true;
      }
      pending = open;
    }
  }
}

function key(subject: string, atoms: readonly Literal[]): string {
  const listed = atoms.map(({ atom, value }) => (value ? atom : -atom - 1)).sort((a, b) => a - b);
  return `${subject} ${listed.join()}`;
}

/** Remembers what was learned about atoms from one formula to the next. */
export class Solver {
  readonly atoms: AtomTable;
  readonly #automata = new Automata();
  readonly #known = new Map<string, Chosen>();
  /** Atoms that cannot hold together, by subject. */
  readonly #conflicts = new Map<string, (readonly Literal[])[]>();

  constructor(atoms: AtomTable) {
    this.atoms = atoms;
  }

  #bySubject(assignment: Assignment): Map<string, Literal[]> {
    const subjects = new Map<string, Literal[]>();
    for (const [atom, value] of assignment) {
      const subject = subjectOf(this.atoms.at(atom));
      if (subject === null) continue;
      const listed = subjects.get(subject);
      const literal: Literal = { kind: "literal", atom, value };
      if (listed === undefined) subjects.set(subject, [literal]);
      else listed.push(literal);
    }
    return subjects;
  }

  readonly #solveElement = (
    wanted: readonly (readonly [number, boolean])[],
    meter: Meter,
  ): Generator<void, Solution> => {
    const formulas = wanted.map(([number, holds]) => {
      const atom = this.atoms.at(number);
      if (atom.kind !== "element") throw new TypeError("not an atom of elements");
      return holds ? atom.formula : not(atom.formula);
    });
    return this.solve(and(...formulas), meter);
  };

  *#choose(subject: string, literals: readonly Literal[], meter: Meter): Generator<void, Chosen> {
    const name = key(subject, literals);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const conflicts = this.#conflicts.get(subject) ?? [];
    const given = new Map(literals.map(({ atom, value }) => [atom, value]));
    const isKnown = conflicts.some((conflict) =>
      conflict.every(({ atom, value }) => given.get(atom) === value),
    );
    const chosen: Chosen = isKnown
      ? { kind: "none" }
      : yield* choose(subject, given, this.atoms, this.#automata, this.#solveElement, meter);
    // A search that ran out of budget may succeed another time.
    if (chosen.kind !== "unknown") this.#known.set(name, chosen);
    if (chosen.kind === "none" && !isKnown) {
      this.#conflicts.set(subject, [...conflicts, literals]);
    }
    return chosen;
  }

  /**
   * `unsatisfiable` is a proof. A model is not: it may leave parts open, and may use patterns whose character classes
   * are not known exactly, so make a message from it and resolve that.
   */
  *solve(formula: Formula, meter: Meter): Generator<void, Solution> {
    const root = new Branch(new Map(), []);
    let doubt: string | null = null;
    const branches: { readonly branch: Branch; readonly formula: Formula }[] = [
      { branch: root, formula },
    ];
    for (let next = branches.pop(); next !== undefined; next = branches.pop()) {
      meter.left -= BRANCH_COST;
      if (meter.left < 0) return { kind: "unknown", why: OUT_OF_BUDGET };
      const branch = new Branch(next.branch.assignment, next.branch.open);
      if (!branch.settle([next.formula])) continue;
      const checked = yield* this.#check(branch.assignment, meter);
      if (checked.kind === "unsatisfiable") continue;
      if (checked.kind === "unknown") {
        // Another branch may still give a message; otherwise the question stays open.
        doubt = checked.why;
        continue;
      }
      const [first] = [...branch.open].sort((a, b) => widthOf(a) - widthOf(b));
      if (first === undefined) return checked;
      // Tries each way in place of the alternatives, since making it true makes them true.
      branch.open = branch.open.filter((each) => each !== first);
      const ways = first.kind === "or" ? first.parts : [first];
      for (const way of [...ways].reverse()) branches.push({ branch, formula: way });
    }
    return doubt === null ? { kind: "unsatisfiable" } : { kind: "unknown", why: doubt };
  }

  *#check(assignment: Assignment, meter: Meter): Generator<void, Solution> {
    const choices = new Map<string, Choice>();
    for (const [subject, literals] of this.#bySubject(assignment)) {
      const chosen = yield* this.#choose(subject, literals, meter);
      if (chosen.kind === "none") return { kind: "unsatisfiable" };
      if (chosen.kind === "unknown") return chosen;
      choices.set(subject, chosen.choice);
    }
    const open: { about: string; holds: boolean }[] = [];
    for (const [number, holds] of assignment) {
      const atom = this.atoms.at(number);
      if (atom.kind === "free") open.push({ about: atom.about, holds });
    }
    return { kind: "satisfiable", model: { choices, open } };
  }
}

function widthOf(formula: Formula): number {
  return formula.kind === "or" ? formula.parts.length : 1;
}
