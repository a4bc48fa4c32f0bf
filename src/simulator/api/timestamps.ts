/** Writes and reads times of the API (API v4 §1, v3 §1). */
import { z } from "zod";

/** A time that is shown. */
export const isoTimestamp: z.ZodString = z.string().meta({ format: "date-time" });

/** A time that is shown in whole milliseconds, or in whole seconds. */
export const epoch: z.ZodInt = z.int();

/** The last second written: rows of a list often have the same. */
let lastSecond = { second: Number.NaN, text: "" };

/** `2026-11-20T09:00:00Z`: whole seconds, UTC. */
export function isoSeconds(ms: number): string {
  const second = Math.floor(ms / 1_000);
  if (second !== lastSecond.second) {
    lastSecond = { second, text: `${new Date(ms).toISOString().slice(0, -".000Z".length)}Z` };
  }
  return lastSecond.text;
}

export function epochSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** A parameter with a time. */
// ASSUMPTION(time-parameter): ISO 8601 times carry a zone (`Z` or an offset); a date alone is its first moment, UTC
export const isoTime: z.ZodType<string, string> = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .meta({ description: "an ISO 8601 time such as `2026-11-20T09:00:00Z`" });

/** Milliseconds of a checked `isoTime`; ECMA-262 reads a date alone as UTC. */
export function isoTimeMs(text: string): number {
  return Date.parse(text);
}
