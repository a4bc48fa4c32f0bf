/**
 * A sorted list in chunks: rows are found, counted and skipped by rank without touching the rows between. New rows are sorted
 * in at the next query.
 */

/** Rows of a full chunk: moving half of them takes less time than one search by comparison. */
const CHUNK_ROWS_MAX = 512;
/**
 * How many of the unsorted rows are searched for a row that changes: most rows change soon after they were added, or much
 * later.
 */
const RECENT_ROWS = 64;

export interface SortedRows<R> {
  /** The order of the list; no two rows may be equal in it. */
  add(row: R): void;
  remove(row: R): void;
  /** Replaces a row by another. */
  replace(before: R, after: R): void;
  /**
   * How many rows come before the first for which `isBefore` is false; `isBefore` must be true for a start of the list and
   * nothing else.
   */
  rank(isBefore: (row: R) => boolean): number;
  /** Rows of rank `from` (inclusive) to `to` (exclusive), forwards or backwards; the list must not change meanwhile. */
  walk(from: number, to: number, direction: "asc" | "desc"): Iterable<R>;
}

/** The first index of `list` for which `isBefore` is false. */
function partition<T>(list: readonly T[], isBefore: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* walkForwards<R>(chunks: readonly R[][], from: number, to: number): Generator<R> {
  let start = 0;
  for (const chunk of chunks) {
    if (start >= to) return;
    const end = Math.min(chunk.length, to - start);
    for (let index = Math.max(0, from - start); index < end; index++) yield chunk[index]!;
    start += chunk.length;
  }
}

function* walkBackwards<R>(
  chunks: readonly R[][],
  from: number,
  to: number,
  size: number,
): Generator<R> {
  let start = size;
  for (let at = chunks.length - 1; at >= 0; at--) {
    const chunk = chunks[at]!;
    start -= chunk.length;
    const begin = Math.max(0, from - start);
    for (let index = Math.min(chunk.length, to - start) - 1; index >= begin; index--) {
      yield chunk[index]!;
    }
    if (start <= from) return;
  }
}

/** `rows` may come in any order. */
export function createSortedRows<R>(
  compare: (left: R, right: R) => number,
  rows: Iterable<R>,
): SortedRows<R> {
  const sorted = [...rows].sort(compare);
  let size = sorted.length;
  const chunks: R[][] = [];
  for (let at = 0; at < size; at += CHUNK_ROWS_MAX / 2) {
    chunks.push(sorted.slice(at, at + CHUNK_ROWS_MAX / 2));
  }

  /** The first chunk whose last row is not before; may be one past the end. */
  const chunkOf = (isBefore: (row: R) => boolean): number =>
    partition(chunks, (chunk) => isBefore(chunk[chunk.length - 1]!));

  /** Rows added since the last query. */
  let recent: R[] = [];

  function place(row: R): void {
    const isBefore = (other: R): boolean => compare(other, row) < 0;
    size++;
    const last = chunks.at(-1);
    // Most rows are added in order.
    if (last !== undefined && last.length < CHUNK_ROWS_MAX && isBefore(last.at(-1)!)) {
      last.push(row);
      return;
    }
    const at = Math.min(chunkOf(isBefore), Math.max(0, chunks.length - 1));
    if (chunks.length === 0) chunks.push([]);
    const chunk = chunks[at]!;
    chunk.splice(partition(chunk, isBefore), 0, row);
    if (chunk.length > CHUNK_ROWS_MAX) chunks.splice(at + 1, 0, chunk.splice(chunk.length >> 1));
  }

  function placeAll(): void {
    if (recent.length === 0) return;
    const rows = recent.sort(compare);
    recent = [];
    for (const row of rows) place(row);
  }

  /** The index of a row among the recent ones; -1 if it is in a chunk, after sorting in all recent rows if needed. */
  function recentAt(row: R): number {
    const oldest = Math.max(0, recent.length - RECENT_ROWS);
    for (let at = recent.length - 1; at >= oldest; at--) if (recent[at] === row) return at;
    placeAll();
    return -1;
  }

  const list: SortedRows<R> = {
    add(row) {
      recent.push(row);
    },
    remove(row) {
      const at = recentAt(row);
      if (at >= 0) {
        if (at === recent.length - 1) recent.pop();
        else recent.splice(at, 1);
        return;
      }
      const isBefore = (other: R): boolean => compare(other, row) < 0;
      // The oldest row is the one that is dropped when there are too many.
      const index = chunks[0]?.[0] === row ? 0 : chunkOf(isBefore);
      const chunk = chunks[index]!;
      if (chunk[0] === row) chunk.shift();
      else chunk.splice(partition(chunk, isBefore), 1);
      size--;
      if (chunk.length === 0) chunks.splice(index, 1);
    },
    replace(before, after) {
      const at = recentAt(before);
      if (at >= 0) {
        recent[at] = after;
        return;
      }
      if (compare(before, after) !== 0) {
        list.remove(before);
        list.add(after);
        return;
      }
      const isBefore = (other: R): boolean => compare(other, before) < 0;
      const chunk = chunks[chunkOf(isBefore)]!;
      chunk[partition(chunk, isBefore)] = after;
    },
    rank(isBefore) {
      placeAll();
      const last = chunks.at(-1)?.at(-1);
      // A row that is added last is often looked for first.
      if (last === undefined || isBefore(last)) return size;
      const at = chunkOf(isBefore);
      let rank = 0;
      for (let index = 0; index < at; index++) rank += chunks[index]!.length;
      return at === chunks.length ? rank : rank + partition(chunks[at]!, isBefore);
    },
    walk(from, to, direction) {
      placeAll();
      // Most walks are for no rows at all, and would still go through all chunks before their place.
      if (from >= to) return [];
      return direction === "asc"
        ? walkForwards(chunks, from, to)
        : walkBackwards(chunks, from, to, size);
    },
  };
  return list;
}
