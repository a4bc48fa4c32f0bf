/** For the literals that one fact must start with, finds the rules that a text opens. */
import { LIMITS } from "../../../base/limits.ts";
import { caseFolds } from "../../pattern/syntax/case-orbits.ts";
import { foldText, type RequiredLiteral } from "../../pattern/syntax/required-literals.ts";
import type { Found } from "./found.ts";

interface Start {
  readonly rule: number;
  readonly literal: RequiredLiteral;
}

/** Units of a key; every literal has at least as many. Three fit into a number. */
const KEY_UNITS = LIMITS.literalUnitsMin;
/** Units of work of comparing one literal. */
const COMPARE_FUEL = 2;

/** The first units of a text, folded, as one number. */
function keyOf(text: string): number {
  const folds = caseFolds();
  let key = 0;
  for (let at = 0; at < KEY_UNITS; at++) key = key * 0x1_0000 + folds[text.charCodeAt(at)]!;
  return key;
}

export class StartIndex {
  /** By their keys; in the order of trial. */
  readonly #starts = new Map<number, Start[]>();

  /** Rules are added in the order of trial. */
  add(rule: number, literal: RequiredLiteral): void {
    const key = keyOf(literal.text);
    const starts = this.#starts.get(key);
    if (starts === undefined) this.#starts.set(key, [{ rule, literal }]);
    else starts.push({ rule, literal });
  }

  /** Opens the rules of each literal that the text starts with. */
  open(text: string, found: Found): void {
    if (this.#starts.size === 0 || text.length < KEY_UNITS) return;
    // A lone surrogate counts as U+FFFD. A body is not read beyond the units that are paid for.
    const units = text.slice(0, LIMITS.literalUnitsMax).toWellFormed();
    const starts = this.#starts.get(keyOf(units));
    if (!found.guard.take(1 + COMPARE_FUEL * (starts?.length ?? 0)) || starts === undefined) return;
    const folded = foldText(units);
    for (const { rule, literal } of starts) {
      if (rule >= found.before) return;
      if ((literal.fold ? folded : units).startsWith(literal.text)) found.open(rule);
    }
  }
}
