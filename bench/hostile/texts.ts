/** Texts that are hard to search, of any length. */
import { randomFrom } from "../random.ts";

function drawn(units: number, letters: readonly string[], seed: number): string {
  const random = randomFrom(seed);
  const drawnLetters = Array.from(
    { length: units },
    () => letters[Math.floor(random() * letters.length)]!,
  );
  // Flat, as a reader of mail makes it.
  return Buffer.from(drawnLetters.join("").slice(0, units).toWellFormed()).toString();
}

/** `a` and `b` as a coin falls: of `a.{90}[cd]` every place of the last 90 is alive or not. */
export function coins(units: number): string {
  return drawn(units, ["a", "b"], 1);
}

export function letters(units: number): string {
  return drawn(units, [..."abcdefghijklmnopqrstuvwxyz "], 2);
}

/** Letters of many scripts, so that classes of code units and pages of tables are many. */
export function scripts(units: number): string {
  const starts = [0x61, 0xe0, 0x3b1, 0x430, 0x5d0, 0x627, 0x905, 0xe01, 0x3042, 0x4e00, 0xac00];
  const alphabet = starts.flatMap((start) =>
    Array.from({ length: 40 }, (_, at) => String.fromCodePoint(start + at)),
  );
  return drawn(units, alphabet, 3);
}

/** Characters beyond the basic plane, `step` apart: two units each. */
const beyond = (step: number): readonly string[] =>
  Array.from({ length: 20_000 }, (_, nth) => String.fromCodePoint(0x10000 + nth * step));
const [APART, SIDE_BY_SIDE] = [beyond(37), beyond(1)];

export function far(units: number, seed = 4): string {
  return drawn(units, APART, seed);
}

export function farSideBySide(units: number, seed = 4): string {
  return drawn(units, SIDE_BY_SIDE, seed);
}

/** The pattern again and again. */
export function repeated(pattern: string): (units: number) => string {
  return (units) => {
    const text = pattern.repeat(Math.ceil(units / pattern.length)).slice(0, units);
    return Buffer.from(text.toWellFormed()).toString();
  };
}

export function same(units: number, letter = "a"): string {
  return letter.repeat(units);
}

/** Words that rules look for, and those words without a letter. */
export function words(units: number): string {
  return drawn(units, ["alpha", "beta", "gamma", " lpha", "bet ", " x1"], 4);
}

/** Words that are nearly the wanted one. */
export function nearly(units: number, word: string): string {
  return `${word.slice(0, -1)}!`.repeat(Math.ceil(units / word.length)).slice(0, units);
}
