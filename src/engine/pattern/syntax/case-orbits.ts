/** Simple case folding: which characters `(?i)` treats as equal, by tables that are the same on every host. */
import { type CodeRange, indexFrom, mergeRanges } from "./class-tables.ts";
import { FOLD_ROWS } from "./unicode-data.ts";

const NEAR_END = 0x10000;

interface Folds {
  /** By code unit: what represents its orbit. */
  readonly near: Uint16Array;
  /** By character that folds with another one: all that do, first what represents them. */
  readonly orbits: ReadonlyMap<number, readonly number[]>;
  /** All such characters, in order. */
  readonly folding: Int32Array;
}

function readFolds(): Folds {
  const near = Uint16Array.from({ length: NEAR_END }, (_, unit) => unit);
  const orbits = new Map<number, number[]>();
  let from = 0;
  for (const row of FOLD_ROWS.split(",")) {
    const [skip, count, step, distance] = row.split(" ").map((text) => Number.parseInt(text, 36));
    from += skip!;
    for (let nth = 0; nth < count!; nth++) {
      const codePoint = from + nth * step!;
      const root = codePoint + distance!;
      const orbit = orbits.get(root) ?? [root];
      orbit.push(codePoint);
      orbits.set(root, orbit).set(codePoint, orbit);
      if (codePoint < NEAR_END) near[codePoint] = root;
    }
  }
  return { near, orbits, folding: Int32Array.from(orbits.keys()).sort() };
}

let read: Folds | undefined;

function folds(): Folds {
  read ??= readFolds();
  return read;
}

/**
 * By code unit: the unit that represents its orbit. Two units fold alike exactly when these are the same. ASCII's small
 * letters represent their orbits, so that folding changes most texts little.
 */
export function caseFolds(): Uint16Array {
  return folds().near;
}

/** All characters that fold with one, itself included. */
export function orbitOf(codePoint: number): readonly number[] {
  return folds().orbits.get(codePoint) ?? [codePoint];
}

/** Adds the code points that fold with members, in order. */
export function foldRanges(given: readonly CodeRange[]): readonly CodeRange[] {
  const ranges = mergeRanges(given);
  const added: CodeRange[] = [];
  const { folding, orbits } = folds();
  for (const [first, last] of ranges) {
    for (let at = indexFrom(folding, first); folding[at]! <= last; at++) {
      for (const one of orbits.get(folding[at]!)!)
        if (one < first || one > last) added.push([one, one]);
    }
  }
  return added.length === 0 ? ranges : mergeRanges([...added, ...ranges]);
}
