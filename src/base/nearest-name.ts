/** Finds the name that is nearest to a mistyped one. */

/** Longest name that is compared, in code units: the distance costs the product of the lengths. */
const COMPARED_UNITS_MAX = 64;

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(row[j - 1]! + 1, last[j]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
      }
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/** The first of the `names` with the fewest edits, if these are at most a third of the written code units, or one. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  if (written.length > COMPARED_UNITS_MAX) return undefined;
  let editsMax = Math.max(1, Math.floor(written.length / 3));
  let found: string | undefined;
  for (const name of names) {
    if (Math.abs(name.length - written.length) > editsMax) continue;
    const edits = editDistance(written.toLowerCase(), name.toLowerCase());
    if (edits > editsMax) continue;
    found = name;
    editsMax = edits - 1;
    if (editsMax < 0) break;
  }
  return found;
}
