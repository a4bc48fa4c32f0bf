/** N regex rules over the body of a message: the first by rank that matches decides. */
import type { Bench } from "./bench.ts";
import { buildGridRigs, GRID_CONTESTANTS } from "./grid/contestants.ts";
import { COUNTS, gridCases, SLICES, tinyGridCases } from "./grid/grid.ts";
import { renderGridCase, renderGridSummary } from "./grid/grid-report.ts";

export const patternsBench: Bench = {
  name: "patterns",
  title: "a message against N regex rules over its body; the first by rank that matches decides",
  operation: "message",
  cases: (scale) => (scale === "tiny" ? tinyGridCases("patterns") : gridCases("patterns")),
  slices: SLICES,
  contestants: GRID_CONTESTANTS,
  report: { renderCase: renderGridCase, renderSummary: renderGridSummary },
  charts: [
    {
      file: "patterns",
      title: "A message against regex rules over 4 KB of English: nothing matches",
      axis: "rules",
      points: COUNTS.map((x) => ({
        x,
        caseName: `english, 4 KB, 95 % literal, nothing, ${x} rules`,
      })),
    },
  ],
  build: buildGridRigs,
};
