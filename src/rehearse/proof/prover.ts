/** Data that all proofs of one domain share: its ladder, and what was learned about its conditions. */
import type { Decision } from "../../engine/routing/resolution.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import { AtomTable } from "./formula/formula.ts";
import { type Ladder, ladderOf, type Owner } from "./ladder.ts";
import type { Written } from "./message/write-message.ts";
import type { Sliced } from "./slices.ts";
import { Solver } from "./solve/solve.ts";

/** States that one question may look at: about half a second. */
export const STATES_MAX = 60_000;

/** Messages made for one question to keep, since they may answer another. */
const MESSAGES_MAX = 100;

export class Prover {
  readonly rehearsed: RehearsedDomain;
  readonly solver: Solver;
  readonly ladder: Ladder;
  readonly #messages = new Map<string, Written>();

  private constructor(rehearsed: RehearsedDomain, solver: Solver, ladder: Ladder) {
    this.rehearsed = rehearsed;
    this.solver = solver;
    this.ladder = ladder;
  }

  static *of(rehearsed: RehearsedDomain): Sliced<Prover> {
    const atoms = new AtomTable();
    const ladder = yield* ladderOf(rehearsed, atoms);
    return new Prover(rehearsed, new Solver(atoms), ladder);
  }

  keep(owner: string, message: Written): void {
    if (this.#messages.size < MESSAGES_MAX) this.#messages.set(owner, message);
  }

  /** A message made for another question that this owner decides. */
  kept(owner: string): Written | undefined {
    return this.#messages.get(owner);
  }
}

/** The entry that decided. */
export function deciderOf({ decidedBy }: Decision): Owner {
  return decidedBy === null ? { kind: "end" } : { kind: decidedBy.kind, id: decidedBy.id };
}
