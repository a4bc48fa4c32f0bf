/** For the literals that one fact must start with, finds the rules that a text opens. */
import { LIMITS } from "../../../base/limits.ts";
import { foldText, type RequiredLiteral } from "../../pattern/syntax/required-literals.ts";
import type { Found } from "./found.ts";

interface Start {
  readonly rule: number;
  readonly literal: RequiredLiteral;
}

/** Units of a key; every literal has at least as many. */
const KEY_UNITS = LIMITS.literalUnitsMin;
/** Units of work of comparing one literal. */
const COMPARE_FUEL = 2;

export class StartIndex {
  /** By their first units, folded; in the order of trial. */
  readonly #starts = new Map<string, Start[]>();

  /** Rules are added in the order of trial. */
  add(rule: number, literal: RequiredLiteral): void {
    const key = foldText(literal.text.slice(0, KEY_UNITS));
    const starts = this.#starts.get(key);
    if (starts === undefined) this.#starts.set(key, [{ rule, literal }]);
    else starts.push({ rule, literal });
  }

  /** Opens the rules of each literal that the text starts with. */
  open(text: string, found: Found): void {
    if (this.#starts.size === 0) return;
    const units = text.slice(0, LIMITS.literalUnitsMax).toWellFormed();
    const starts = this.#starts.get(foldText(units.slice(0, KEY_UNITS))) ?? [];
    if (!found.guard.take(1 + COMPARE_FUEL * starts.length)) return;
    const folded = foldText(units);
    for (const { rule, literal } of starts) {
      if (rule >= found.before) return;
      if ((literal.fold ? folded : units).startsWith(literal.text)) found.open(rule);
    }
  }
}
