/** Simple case folding: which characters `(?i)` treats as equal, by tables that are the same on every host. */
import { FOLD_ROWS } from "./unicode-data.ts";

const NEAR_END = 0x10000;

interface Folds {
  /** By code unit, and by code point beyond the basic plane: what represents its orbit; absent if the character itself. */
  readonly near: Uint16Array;
  readonly far: ReadonlyMap<number, number>;
  /** The orbits of more than one character, by what represents each. */
  readonly orbits: ReadonlyMap<number, readonly number[]>;
  /** All characters that fold with another one, in order. */
  readonly folding: Int32Array;
}

function readFolds(): Folds {
  const near = Uint16Array.from({ length: NEAR_END }, (_, unit) => unit);
  const far = new Map<number, number>();
  const orbits = new Map<number, number[]>();
  let from = 0;
  for (const row of FOLD_ROWS.split(",")) {
    const [skip, count, step, distance] = row.split(" ").map((text) => Number.parseInt(text, 36));
    from += skip!;
    for (let nth = 0; nth < count!; nth++) {
      const codePoint = from + nth * step!;
      const root = codePoint + distance!;
      if (codePoint < NEAR_END) near[codePoint] = root;
      else far.set(codePoint, root);
      const orbit = orbits.get(root);
      if (orbit === undefined) orbits.set(root, [root, codePoint]);
      else orbit.push(codePoint);
    }
  }
  return { near, far, orbits, folding: Int32Array.from([...orbits.values()].flat()).sort() };
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

/** All characters that fold with another one, in order. */
export function foldingCharacters(): Int32Array {
  return folds().folding;
}

/** All characters that fold with one, itself included. */
export function orbitOf(codePoint: number): readonly number[] {
  const { near, far, orbits } = folds();
  const root = codePoint < NEAR_END ? near[codePoint]! : (far.get(codePoint) ?? codePoint);
  return orbits.get(root) ?? [codePoint];
}
