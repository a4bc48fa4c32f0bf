/** Which rows of a long list are drawn: the visible ones and a few around them. */
export interface Scrolled {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Rows drawn above and below the visible ones. */
const SPARE_ROWS = 6;
/** Most rows drawn, however tall a list claims to be. */
const ROWS_MAX = 200;

/** Half-open. */
export function windowOf({ top, height, rowHeight, count }: Scrolled): {
  readonly first: number;
  readonly end: number;
} {
  const seen = Math.ceil(height / rowHeight) + 2 * SPARE_ROWS;
  const length = Math.min(count, seen, ROWS_MAX);
  const wanted = Math.floor(top / rowHeight) - SPARE_ROWS;
  const first = Math.max(0, Math.min(wanted, count - length));
  return { first, end: first + length };
}

/** The scroll position that makes a row visible; `null` if it already is. */
export function scrollFor(index: number, { top, height, rowHeight }: Scrolled): number | null {
  const start = index * rowHeight;
  if (start < top) return start;
  return start + rowHeight > top + height ? start + rowHeight - height : null;
}
