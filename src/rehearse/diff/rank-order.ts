/** Which rules moved in the order of trial, whatever their ranks: new numbers in the same order move nothing. */
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";

/** Indexes of the longest rising subsequence; n log n. */
function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, number] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]!]! < number) low = middle + 1;
      else high = middle;
    }
    before.push(low === 0 ? -1 : ends[low - 1]!);
    ends[low] = at;
  }
  const places = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) places.add(at);
  return places;
}

/** The rules of both versions on one scale, so that a rule of one can be put into the other. */
export interface Order {
  readonly before: ReadonlyMap<string, number>;
  readonly after: ReadonlyMap<string, number>;
  /** Rules in both versions that changed places with others. */
  readonly moved: ReadonlySet<string>;
}

/** Rules that stay get whole numbers; others get numbers between those of the two around them. */
function scale(
  ids: readonly string[],
  stay: ReadonlyMap<string, number>,
  offset: number,
): Map<string, number> {
  const places = new Map<string, number>();
  let last = 0;
  let between = 0;
  for (const id of ids) {
    const place = stay.get(id);
    if (place === undefined) between++;
    else [last, between] = [place, 0];
    // Between the same two rules, rules of the new version come after those of the old one.
    places.set(id, place ?? last + offset + between / (2 * (ids.length + 1)));
  }
  return places;
}

export function orderOf(before: CompiledDomain, after: CompiledDomain): Order {
  const [old, changed] = [before.rules, after.rules].map((rules) => rules.map(({ id }) => id)) as [
    string[],
    string[],
  ];
  const places = new Map(old.map((id, index) => [id, index]));
  const common = changed.filter((id) => places.has(id));
  const rise = longestRise(common.map((id) => places.get(id)!));
  const stay = new Map(
    common.filter((_, index) => rise.has(index)).map((id, index) => [id, index + 1]),
  );
  return {
    before: scale(old, stay, 0),
    after: scale(changed, stay, 0.5),
    moved: new Set(common.filter((id) => !stay.has(id))),
  };
}
