/** A parsed message against a domain of N mixed rules. */
import type { Bench } from "./bench.ts";
import { buildGridRigs, GRID_CONTESTANTS } from "./grid/contestants.ts";
import { COUNTS, gridCases, SLICES, tinyGridCases } from "./grid/grid.ts";
import { renderGridCase, renderGridSummary } from "./grid/grid-report.ts";

export const rulesBench: Bench = {
  name: "rules",
  title:
    "a message against N rules: 40 % alias, 30 % subject pattern, 20 % `body.contains`, 10 % sender pattern",
  operation: "message",
  cases: (scale) => (scale === "tiny" ? tinyGridCases("mixed") : gridCases("mixed")),
  slices: SLICES,
  contestants: GRID_CONTESTANTS,
  report: { renderCase: renderGridCase, renderSummary: renderGridSummary },
  charts: [
    {
      file: "rules",
      title: "A message against mixed rules, 4 KB of English: nothing matches",
      axis: "rules",
      points: COUNTS.map((x) => ({ x, caseName: `english, 4 KB, nothing, ${x} rules` })),
    },
  ],
  build: buildGridRigs,
};
