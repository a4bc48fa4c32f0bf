/** Shows a domain's coverage by its tests for people: the counts, then everything that was never reached. */
import type { Coverage, CoverageTally, EntryCoverage } from "../../rehearse/test/coverage.ts";
import { cut } from "../../rehearse/words/excerpt.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";

const SOURCE_UNITS = 100;

/** `92.9 %`; always rounded down, so that it never claims too much. */
export function percentText(percent: number): string {
  return `${(Math.floor(percent * 10) / 10).toFixed(1)} %`;
}

function tally(name: string, { covered, total }: CoverageTally): string {
  return total === 0 ? "" : `, ${name} ${covered}/${total}`;
}

function never({ kind, id, hits, tried, scopes, conditions }: EntryCoverage): Line[] {
  const name = `${kind} ${id}`;
  if (hits === 0 && tried === 0) return [["  ", styled("yellow", `${name}: never reached`)]];
  const ofScopes = scopes
    .filter((scope) => scope.hits === 0 && hits > 0)
    .map(({ scope }): Line => ["  ", `${name}: never matched in the ${scope}`]);
  const ofConditions = conditions.flatMap(({ source, place, timesTrue, timesFalse }): Line[] => {
    const where = place === "macro" ? " for the element that decided" : "";
    const shown = `\`${cut(source, SOURCE_UNITS)}\``;
    if (timesTrue + timesFalse === 0) return [["  ", `${name}: ${shown} was never evaluated`]];
    if (timesTrue === 0) return [["  ", `${name}: ${shown} was never true${where}`]];
    return timesFalse === 0 ? [["  ", `${name}: ${shown} was never false${where}`]] : [];
  });
  const ofHits: Line[] = hits > 0 ? [] : [["  ", styled("yellow", `${name}: never matched`)]];
  return [...ofHits, ...ofScopes, ...ofConditions];
}

export function showCoverage(domain: string, coverage: Coverage): Line[] {
  const { entries, hits, scopes, branches, percent } = coverage;
  const what = entries[0]?.kind === "alias" ? "aliases" : "rules";
  const counts = `${what} ${hits.covered}/${hits.total}${tally("scopes", scopes)}${tally("CEL branches", branches)}`;
  return [
    [styled("bold", `coverage of ${domain}: ${percentText(percent)}`), `, ${counts}`],
    ...entries.flatMap(never),
  ];
}
