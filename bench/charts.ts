/** Draws a bench's charts from its kept results. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { showCost } from "./report.ts";
import { type Kept, RESULTS } from "./results.ts";
import { drawChart } from "./svg-chart.ts";

export function keepCharts(bench: Bench, kept: Kept): void {
  for (const chart of bench.charts ?? []) {
    const lines = bench.contestants.map(({ name }) => ({
      name,
      points: chart.points.flatMap(({ x, caseName }) => {
        const found = kept.measurements.find(
          (each) => each.case === caseName && each.contestant === name,
        );
        return found === undefined ? [] : { x, y: found.perOperation };
      }),
    }));
    if (lines.every(({ points }) => points.length === 0)) continue;
    const svg = drawChart({
      title: chart.title,
      note: `one ${bench.operation}, lower is better · Node ${kept.node}, ${kept.cpu}`,
      axis: chart.axis,
      showY: (value) => showCost(value, bench.unit),
      lines: lines.filter(({ points }) => points.length > 0),
    });
    writeFileSync(join(RESULTS, `${chart.file}.svg`), svg);
  }
}
