/** For the literals of one fact, which rules a text opens. */
import { createLiteralScanner, type LiteralScanner } from "../../pattern/search/literal-scanner.ts";
import { literalKey, type RequiredLiteral } from "../../pattern/syntax/required-literals.ts";
import type { BoundedCache } from "../config/pieces.ts";
import type { Found } from "./found.ts";

export class LiteralIndex {
  readonly #literals: RequiredLiteral[] = [];
  readonly #ids = new Map<string, number>();
  /** By literal: the rules that it opens, in the order of trial. */
  readonly #rules: number[][] = [];
  readonly #kept: BoundedCache<LiteralScanner> | null;
  #scanner: LiteralScanner | undefined;

  /** `kept`: scanners for the same literals made before. */
  constructor(kept: BoundedCache<LiteralScanner> | null) {
    this.#kept = kept;
  }

  /** Rules are added in the order of trial. */
  add(rule: number, literal: RequiredLiteral): void {
    const key = literalKey(literal);
    const id = this.#ids.get(key) ?? this.#literals.length;
    if (id === this.#literals.length) {
      this.#ids.set(key, id);
      this.#literals.push(literal);
      this.#rules.push([]);
    }
    const rules = this.#rules[id]!;
    if (rules.at(-1) !== rule) rules.push(rule);
  }

  /** Opens the rules of each literal that stands in the text. */
  open(text: string, found: Found): void {
    // Literals are in the order of their first rules.
    if (this.#literals.length === 0 || this.#rules[0]![0]! >= found.before) return;
    const { guard } = found;
    if (!guard.take(text.length + 1)) return;
    if (found.stats !== null) found.stats.scans++;
    this.#scanner ??= this.#createScanner();
    const placesMax = found.notesHits ? undefined : 0;
    const tell = (id: number, start: number): void => this.#tell(id, start, found);
    this.#scanner.scan(text, tell, placesMax, (fuel) => guard.take(fuel));
  }

  #createScanner(): LiteralScanner {
    const create = (): LiteralScanner => createLiteralScanner(this.#literals);
    return this.#kept === null
      ? create()
      : this.#kept.get(JSON.stringify([...this.#ids.keys()]), create);
  }

  #tell(id: number, start: number, found: Found): void {
    if (!found.guard.take(this.#rules[id]!.length)) return;
    for (const rule of this.#rules[id]!) {
      if (rule >= found.before) return;
      found.open(rule);
      if (found.notesHits) found.noteHit(rule, start, start + this.#literals[id]!.text.length);
    }
  }
}
