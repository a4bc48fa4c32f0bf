/** What searching with a pattern costs per character: linear-time engines still differ by a thousand times. */
import { measurePattern } from "../regex/cost.ts";
import { readPattern } from "../regex/re2-syntax.ts";

/** Every pattern; measured 5 to 80 ns per character. */
const SIMPLE_FUEL = 2;

/**
 * Places of a pattern that one character can keep alive, up to which an engine follows them as one state.
 * Beyond, as in `a.{90}b`, it must follow them one by one: measured up to 25 ns for each.
 */
const THREADS_AT_ONCE_MAX = 8;
const THREADS_PER_FUEL = 2;

/** Fuel per character of text. */
export function patternFuel(source: string): number {
  const read = readPattern(source);
  const threads = read.ok ? measurePattern(read.tree.root).threads : 0;
  if (threads <= THREADS_AT_ONCE_MAX) return SIMPLE_FUEL;
  return SIMPLE_FUEL + Math.ceil(threads / THREADS_PER_FUEL);
}
