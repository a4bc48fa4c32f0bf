/**
 * Looks for one text in many others by its rarest code unit, which the host finds at the speed of memory. Measured on 4 KB of
 * English mail against the host's search of the whole: `unsubscribe` 3.9 times as fast, `click here` 8.4 times.
 */
import { unitBits } from "../../pattern/syntax/literal-rarity.ts";
import { findFirst } from "../values/search.ts";

/** From here on a unit is rare enough: measured, looking for it is then faster than looking for the text. */
const RARE_BITS = 6;

/** The host searches for the first unit of a text only if the text is as short as this. */
const PIECE_UNITS = 6;

/** Places with the rare piece but without the rest, after which the plain search takes over. */
const FALSE_STARTS_MAX = 32;

export class TextProbe {
  readonly text: string;
  /** The units before the rare piece; -1 if there is none. */
  readonly #offset: number;
  readonly #rare: string;

  /** `text` is not empty. */
  constructor(text: string) {
    this.text = text;
    let rarest = 0;
    let at = 0;
    for (let index = 0; index < text.length; index++) {
      const bits = unitBits(text.charCodeAt(index));
      if (bits > rarest) [rarest, at] = [bits, index];
    }
    this.#offset = rarest < RARE_BITS ? -1 : at;
    this.#rare = text.slice(at, at + PIECE_UNITS);
  }

  /** `text.indexOf(this.text, from)`, in linear time. */
  indexIn(text: string, from: number = 0): number {
    const offset = this.#offset;
    if (offset < 0) return findFirst(text, this.text, from);
    let at = text.indexOf(this.#rare, from + offset);
    for (let tries = 0; at >= 0; tries++) {
      const start = at - offset;
      if (text.startsWith(this.text, start)) return start;
      if (tries === FALSE_STARTS_MAX) return findFirst(text, this.text, start + 1);
      at = text.indexOf(this.#rare, at + 1);
    }
    return -1;
  }
}
