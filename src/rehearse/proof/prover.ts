/** What the proofs of one domain share: its ladder, and what was found out about its conditions. */
import type { Decision } from "../../engine/routing/resolution.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import { AtomTable } from "./formula/formula.ts";
import { type Ladder, ladderOf, type Owner } from "./ladder.ts";
import type { Message } from "./message/witness-message.ts";
import { Solver } from "./solve/solve.ts";

/** States that one question may look at: about half a second. */
export const STATES_MAX = 60_000;

/** Messages that were made for one question and may answer another. */
const MESSAGES_MAX = 100;

export class Prover {
  readonly rehearsed: RehearsedDomain;
  readonly solver: Solver;
  readonly ladder: Ladder;
  readonly #messages = new Map<string, Message>();

  /** Provers of domains that are compared share a solver. */
  constructor(rehearsed: RehearsedDomain, solver: Solver = new Solver(new AtomTable())) {
    this.rehearsed = rehearsed;
    this.solver = solver;
    this.ladder = ladderOf(rehearsed, solver.atoms);
  }

  keep(owner: string, message: Message): void {
    if (this.#messages.size < MESSAGES_MAX) this.#messages.set(owner, message);
  }

  /** A message made for another question that this owner decides. */
  kept(owner: string): Message | undefined {
    return this.#messages.get(owner);
  }
}

/** Who decided. */
export function deciderOf({ decidedBy }: Decision): Owner {
  return decidedBy === null ? { kind: "end" } : { kind: decidedBy.kind, id: decidedBy.id };
}
