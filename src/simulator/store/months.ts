/** The calendar months of keys that begin with a time. */

/** Hex digits of milliseconds at the start of such a key. */
const TIME_DIGITS = 14;

/** The first key of a month, and the first key after it. */
export interface Month {
  /** `2026-01` */
  readonly name: string;
  readonly first: string;
  readonly end: string;
}

/** The smallest key with that time. */
export const keyAt = (ms: number): string =>
  Math.max(0, Math.floor(ms)).toString(16).padStart(TIME_DIGITS, "0");

/** The month of a key; undefined for a key without a valid calendar time. */
export function monthOf(key: string): Month | undefined {
  if (!/^[0-9a-f]{14}/.test(key)) return undefined;
  const date = new Date(Number.parseInt(key.slice(0, TIME_DIGITS), 16));
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999) return undefined;
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    name: date.toISOString().slice(0, 7),
    first: keyAt(Date.UTC(year, month)),
    end: keyAt(Date.UTC(year, month + 1)),
  };
}

/** Whether the month, by its name, ended at that time or before. */
export function hasEnded(name: string, ms: number): boolean {
  const [year, month] = name.split("-").map(Number) as [number, number];
  return Date.UTC(year, month) <= ms;
}
