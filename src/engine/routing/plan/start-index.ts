/** For the literals that one fact must start with, finds the rules that a text opens. */
import { LIMITS } from "../../../base/limits.ts";
import { caseFolds } from "../../pattern/syntax/case-orbits.ts";
import { foldText, type RequiredLiteral } from "../../pattern/syntax/required-literals.ts";
import { type Found, pushTo } from "./found.ts";

interface Start {
  readonly rule: number;
  readonly literal: RequiredLiteral;
}

/** Units of the key of a literal that has as many: three fit into a number. */
const KEY_UNITS = LIMITS.literalUnitsMin;
/** Units of work of comparing one literal. */
const COMPARE_FUEL = 2;

/** The first units of a text, folded, as one number. */
function keyOf(text: string, units: number): number {
  const folds = caseFolds();
  let key = 0;
  for (let at = 0; at < units; at++) key = key * 0x1_0000 + folds[text.charCodeAt(at)]!;
  return key;
}

export class StartIndex {
  /** By their keys; in the order of trial. */
  readonly #starts = new Map<number, Start[]>();
  /** The lengths of these keys: one, unless a host's rule has a short literal. */
  readonly #keyUnits: number[] = [];

  /** Rules are added in the order of trial. Only the first `literalUnitsMax` units of a literal are compared. */
  add(rule: number, { text, fold }: RequiredLiteral): void {
    const units = text.slice(0, LIMITS.literalUnitsMax).toWellFormed();
    const literal = { text: fold ? foldText(units) : units, fold };
    const keyUnits = Math.min(KEY_UNITS, units.length);
    if (!this.#keyUnits.includes(keyUnits)) this.#keyUnits.push(keyUnits);
    pushTo(this.#starts, keyOf(units, keyUnits), { rule, literal });
  }

  /** Opens the rules of each literal that the text starts with. */
  open(text: string, found: Found): void {
    if (this.#starts.size === 0) return;
    // A lone surrogate counts as U+FFFD. A body is not read beyond the units that are paid for.
    const units = text.slice(0, LIMITS.literalUnitsMax).toWellFormed();
    for (const keyUnits of this.#keyUnits) {
      if (units.length >= keyUnits) this.#openKey(units, keyOf(units, keyUnits), found);
    }
  }

  #openKey(units: string, key: number, found: Found): void {
    const starts = this.#starts.get(key);
    if (!found.guard.take(1 + COMPARE_FUEL * (starts?.length ?? 0)) || starts === undefined) return;
    const folded = foldText(units);
    for (const { rule, literal } of starts) {
      if (rule >= found.before) return;
      if ((literal.fold ? folded : units).startsWith(literal.text)) found.open(rule);
    }
  }
}
