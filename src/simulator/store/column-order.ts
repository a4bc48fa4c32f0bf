/** The order of column values: booleans, numbers, texts by code point, then null; like PostgreSQL's "C" collation. */

/** Code units are in code point order, except for surrogates, which sort above every other unit. */
function textRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return textRank(a) - textRank(b);
  }
  return left.length - right.length;
}

function kindRank(value: unknown): number {
  if (typeof value === "boolean") return 0;
  if (typeof value === "number") return 1;
  return typeof value === "string" ? 2 : 3;
}

/** Negative if `left` comes first. A missing column counts as null. */
export function compareColumns(left: unknown, right: unknown): number {
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  if (typeof left === "number" && typeof right === "number") return left - right;
  const kinds = kindRank(left) - kindRank(right);
  return kinds === 0 && typeof left === "boolean" ? Number(left) - Number(right) : kinds;
}
