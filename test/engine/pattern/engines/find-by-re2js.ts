/** What re2js finds when it searches the whole text at once, in the form of this engine's matches. */
import type { RE2JS } from "re2js";

export interface Found {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

export function findByRe2js(compiled: RE2JS, text: string): Found | null {
  const matcher = compiled.matcher(text);
  if (!matcher.find()) return null;
  const groups = Array.from(
    { length: compiled.groupCount() + 1 },
    (_, group) => matcher.group(group) ?? undefined,
  );
  return { start: matcher.start(0), end: matcher.end(0), groups };
}
