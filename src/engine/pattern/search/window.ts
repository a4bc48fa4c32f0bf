/** Windows: the part of a text that contains every match with a given literal at a given place. */
import type { Span } from "../../../base/diagnostic.ts";
import type { RequiredLiterals } from "../syntax/required-literals.ts";

export type MatchReach = Pick<RequiredLiterals, "unitsBefore" | "unitsMax" | "crossesLines">;

/** Moves `at` out of the middle of a surrogate pair, by `step`. */
export function offPair(text: string, at: number, step: -1 | 1): number {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length);
  const low = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return low && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at + step : at;
}

/**
 * Every match that contains the literal at `hit` lies in this part of the text, with the character before it and the
 * one after it. So if the pattern does not match there, it has no such match.
 */
export function windowAround(text: string, hit: Span, reach: MatchReach): Span {
  const { unitsMax, unitsBefore, crossesLines } = reach;
  // One character on either side, for assertions.
  const nearest = Math.max(hit.end - unitsMax, hit.start - unitsBefore);
  const start = offPair(text, Math.max(0, nearest - 2), -1);
  if (Number.isFinite(unitsMax)) {
    return { start, end: offPair(text, hit.start + unitsMax + 2, 1) };
  }
  if (crossesLines) return { start, end: text.length };
  const before = hit.start <= start ? -1 : text.lastIndexOf("\n", hit.start - 1);
  const after = text.indexOf("\n", hit.end);
  return { start: Math.max(start, before), end: after < 0 ? text.length : after + 1 };
}

/** The windows around `hits`, which are in order. Overlapping windows are joined, so that no text is read twice. */
export function windowsAround(text: string, hits: readonly Span[], reach: MatchReach): Span[] {
  const windows: Span[] = [];
  for (const hit of hits) {
    const last = windows.at(-1);
    if (last !== undefined && last.end === text.length) break;
    const inLastLine = last !== undefined && !Number.isFinite(reach.unitsMax) && hit.end < last.end;
    if (inLastLine) continue;
    const window = windowAround(text, hit, reach);
    if (last !== undefined && window.start <= last.end) {
      windows[windows.length - 1] = { start: last.start, end: Math.max(last.end, window.end) };
    } else windows.push(window);
  }
  return windows;
}
