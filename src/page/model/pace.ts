/** Which decisions are made at once, and which are so long that a worker makes them. */
import type { DomainDraft } from "./domain.ts";
import type { Mail } from "./mail.ts";

/** Up to this many code units, over all rules, are decided at once however long the last decisions took: engines that are not warm yet are slow. */
const SHORT_UNITS = 500_000;
/** Milliseconds that a decision may take: a frame has 16.7, and has to draw the decision too. */
const AT_ONCE_MS = 6;
/** Milliseconds per code unit, assumed before the first decision; 100 rules over 300 KB took 30 ms on a busy processor. */
const FIRST_RATE = 1e-6;

/** Code units that all active rules together may have to search. */
export function unitsToSearch({ rules }: DomainDraft, mail: Mail): number {
  const active = rules.reduce((sum, rule) => sum + (rule.active ? 1 : 0), 0);
  let units = mail.recipient.length + mail.sender.length + mail.subject.length + mail.body.length;
  for (const values of mail.headers.values()) for (const value of values) units += value.length;
  return active * units;
}

/** Remembers how long decisions took. */
export class Pace {
  /** Milliseconds per code unit of the last two decisions. The faster one counts, because the other may have waited for something else. */
  #rates: readonly [number, number] = [FIRST_RATE, FIRST_RATE];

  took(units: number, ms: number): void {
    if (units > SHORT_UNITS) this.#rates = [this.#rates[1], ms / units];
  }

  isLong(units: number): boolean {
    return units > SHORT_UNITS && units * Math.min(...this.#rates) > AT_ONCE_MS;
  }
}
