/** Words of a kind of text that rules are made of: as they stand there, or one letter away from standing anywhere. */
import type { Outcome, TextKind } from "./grid.ts";
import { readPool } from "./pools.ts";

/** Two words of a text, the second shortly behind the first. */
export interface WordPair {
  readonly one: string;
  readonly two: string;
}

const WORD: Readonly<Record<TextKind, RegExp>> = {
  english: /[A-Za-z]{4,12}/g,
  letters: /[A-Za-z]{4,10}/g,
  html: /[A-Za-z]{4,12}/g,
  log: /[A-Za-z]{4,12}/g,
  cjk: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,5}/gu,
  base64: /[A-Za-z0-9]{4,8}/g,
};

/** Runs of so many code units that stand in some piece, in lower case; a few more seem to. */
class GramSet {
  readonly #units: number;
  readonly #bits = new Uint8Array(1 << 21);

  constructor(pieces: readonly string[], units: number) {
    this.#units = units;
    for (const piece of pieces) {
      const text = piece.toLowerCase();
      for (let at = 0; at + units <= text.length; at++) {
        const hash = this.#hash(text, at);
        this.#bits[hash >>> 3]! |= 1 << (hash & 7);
      }
    }
  }

  #hash(text: string, from: number): number {
    let hash = 0x811c9dc5;
    for (let at = from; at < from + this.#units; at++)
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return (hash ^ (hash >>> 15)) & 0xff_ffff;
  }

  /** Whether no piece holds the text, in any case: some run of it stands in none. */
  lacks(text: string): boolean {
    const lower = text.toLowerCase();
    for (let at = 0; at + this.#units <= lower.length; at++) {
      const hash = this.#hash(lower, at);
      if ((this.#bits[hash >>> 3]! & (1 << (hash & 7))) === 0) return true;
    }
    return false;
  }
}

export class Words {
  readonly #pieces: readonly string[];
  readonly #kind: TextKind;
  readonly #outcome: Outcome;
  readonly #random: () => number;
  readonly #grams: GramSet | null;

  constructor(kind: TextKind, outcome: Outcome, random: () => number) {
    this.#pieces = readPool(kind);
    this.#kind = kind;
    this.#outcome = outcome;
    this.#random = random;
    const units = kind === "cjk" ? 3 : 5;
    this.#grams = outcome === "nothing" ? new GramSet(this.#pieces, units) : null;
  }

  pair(): WordPair {
    for (;;) {
      const piece = this.#one(this.#pieces);
      const words = piece.match(WORD[this.#kind]) ?? [];
      if (words.length === 0) continue;
      const at = Math.floor(this.#random() * words.length);
      const one = words[at]!;
      const two = words[at + 1] ?? one;
      if (this.#outcome === "words") return { one, two };
      return { one: this.#absent(one), two: this.#absent(two) };
    }
  }

  /** Some of the text that messages are made of. */
  sample(units: number): string {
    let text = "";
    while (text.length < units) text += this.#one(this.#pieces);
    return text;
  }

  #one<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)]!;
  }

  /**
   * The word with letters of other words in its place, until no text holds it in any case: its letters, and most
   * pairs of them, are as frequent as in the text. A mark that is rare would be found to be absent at once.
   */
  #absent(word: string): string {
    let changed = word;
    for (let tries = 1; !this.#grams!.lacks(changed); tries++) {
      const other = this.#one(this.#pieces).match(WORD[this.#kind])?.[0] ?? word;
      const letter = other[Math.floor(this.#random() * other.length)]!;
      const at = Math.floor(this.#random() * changed.length);
      // Now and then it grows: short words stand somewhere, whatever their letters.
      const end = tries % 4 === 0 ? at : at + 1;
      changed = changed.slice(0, at) + letter + changed.slice(end);
    }
    return changed;
  }
}
