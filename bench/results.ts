/** Kept results: ratios of one machine and one day, to hold later runs against. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import type { Measurement } from "./measure.ts";

interface Kept {
  readonly node: string;
  readonly cpu: string;
  readonly measurements: readonly Measurement[];
}

/** A ratio may move by this share, and by both spreads, before it counts as changed. */
const NOISE = 0.1;

function fileOf(benchName: string): string {
  return fileURLToPath(new URL(`results/${benchName}.json`, import.meta.url));
}

export function keepResults(benchName: string, measurements: readonly Measurement[]): void {
  const kept: Kept = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", measurements };
  writeFileSync(fileOf(benchName), `${JSON.stringify(kept, null, 2)}\n`);
}

/** Prints what changed against the kept results; answers how many ratios got worse beyond the spread. */
export function compareResults(benchName: string, measurements: readonly Measurement[]): number {
  const file = fileOf(benchName);
  if (!existsSync(file)) {
    console.log("  nothing kept to compare with: keep a run with --keep");
    return 0;
  }
  const kept: Kept = JSON.parse(readFileSync(file, "utf8"));
  let worse = 0;
  for (const now of measurements) {
    const was = kept.measurements.find(
      (each) => each.case === now.case && each.contestant === now.contestant,
    );
    if (was === undefined) continue;
    if (was.hash !== now.hash)
      console.log(`  ${now.case}, ${now.contestant}: decides otherwise than when kept`);
    const change = now.ratio / was.ratio - 1;
    if (Math.abs(change) <= NOISE + now.spread + was.spread) continue;
    // Ratios are a contestant's time over the subject's: a smaller one means that the subject got slower.
    const verdict = change < 0 ? "SLOWER" : "faster";
    if (change < 0) worse++;
    const [before, after] = [was.ratio.toFixed(2), now.ratio.toFixed(2)];
    console.log(`  ${verdict} against ${now.contestant}, ${now.case}: ratio ${before} → ${after}`);
  }
  if (worse === 0) console.log("  no regression beyond the spread");
  return worse;
}
