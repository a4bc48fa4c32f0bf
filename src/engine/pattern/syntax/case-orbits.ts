/** Simple case folding of UTF-16 code units: which units `(?i)` treats as equal. */

/** Blocks of the basic plane that hold letters with a case; the end is left out. */
const CASED_BLOCKS: readonly (readonly [start: number, end: number])[] = [
  [0x41, 0x588],
  [0x10a0, 0x1400],
  [0x1c80, 0x2190],
  [0x24b6, 0x24ea],
  [0x2c00, 0x2d30],
  [0xa640, 0xabc0],
  [0xff21, 0xff5b],
];

/** Pairs that fold alike, though neither is the other's capital. */
const MORE_ALIKE: readonly (readonly [one: number, other: number])[] = [
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0xfb05, 0xfb06],
];

/** `ı` has the capital `I`, but does not fold with it. */
const DOTLESS = 0x131;

/** A letter's other case, or the letter itself if that has several units. */
function single(cased: string, unit: number): number {
  return cased.length === 1 ? cased.charCodeAt(0) : unit;
}

function buildFolds(): Uint16Array {
  const folds = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit);
  const rootOf = (unit: number): number => {
    let root = unit;
    while (folds[root] !== root) root = folds[root]!;
    return root;
  };
  const join = (one: number, other: number): void => {
    const roots = [rootOf(one), rootOf(other)] as const;
    folds[Math.max(...roots)] = Math.min(...roots);
  };
  for (const [start, end] of CASED_BLOCKS) {
    for (let unit = start; unit < end; unit++) {
      if (unit === DOTLESS) continue;
      const letter = String.fromCharCode(unit);
      join(unit, single(letter.toUpperCase(), unit));
      join(unit, single(letter.toLowerCase(), unit));
    }
  }
  for (const [one, other] of MORE_ALIKE) join(one, other);
  // ASCII's small letters represent their orbits, so that folding changes most texts little.
  return folds.map((_, unit) => {
    const root = rootOf(unit);
    return root >= 0x41 && root <= 0x5a ? root + 0x20 : root;
  });
}

let folds: Uint16Array | undefined;

/** By code unit: the unit that represents its orbit. Two units fold alike exactly when these are the same. */
export function caseFolds(): Uint16Array {
  folds ??= buildFolds();
  return folds;
}

let orbitsByRoot: ReadonlyMap<number, readonly number[]> | undefined;

/** The orbits of more than one unit, by the unit that represents each. */
export function caseOrbits(): ReadonlyMap<number, readonly number[]> {
  if (orbitsByRoot !== undefined) return orbitsByRoot;
  const folds = caseFolds();
  const orbits = new Map<number, number[]>();
  for (let unit = 0; unit < folds.length; unit++) {
    const root = folds[unit]!;
    if (root !== unit) orbits.set(root, [...(orbits.get(root) ?? [root]), unit]);
  }
  orbitsByRoot = orbits;
  return orbits;
}

/** All units that fold with `unit`, itself included. */
export function orbitOf(unit: number): readonly number[] {
  return caseOrbits().get(caseFolds()[unit]!) ?? [unit];
}
