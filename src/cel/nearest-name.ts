/** The known name that a mistyped one most likely means. */

/** Letters inserted, left out or replaced between two names. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** The nearest of `known`, if at most a third of the name differs (and two letters may always). */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const wanted = name.slice(0, 40).toLowerCase();
  let best: string | null = null;
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least && distance < candidate.length) [best, least] = [candidate, distance];
  }
  return best;
}
