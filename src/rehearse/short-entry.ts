/** A trace entry that matched, with its texts cut to the neighbourhood of the match, so that many can be kept. */
import type { ScopeTrace, TraceEntry } from "../routing/resolution.ts";

/** Code units kept on either side of a match. */
const AROUND_UNITS = 200;

function shortScope(scope: ScopeTrace): ScopeTrace {
  const { actual, span } = scope;
  if (actual === undefined || span === undefined) return scope;
  const from = Math.max(0, span.start - AROUND_UNITS);
  const to = Math.min(actual.length, Math.min(span.end, span.start + AROUND_UNITS) + AROUND_UNITS);
  const end = Math.min(span.end, to) - from;
  return {
    ...scope,
    actual: actual.slice(from, to).toWellFormed(),
    span: { start: span.start - from, end },
  };
}

export function shortEntry(entry: TraceEntry): TraceEntry {
  if (entry.kind === "alias" || entry.type === "alias") return entry;
  if (entry.type === "cel") return { ...entry, steps: [] };
  const matched = entry.scopes.filter(({ verdict }) => verdict === "matched");
  return { ...entry, scopes: matched.map(shortScope) };
}
