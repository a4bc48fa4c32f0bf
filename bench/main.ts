/** `npm run bench [-- NAME…] [--tiny] [--keep] [--compare]`: runs benches, prints ratios, keeps or compares results. */
import { parseArgs } from "node:util";
import { BENCHES } from "./benches.ts";
import { type Measurement, measureCase } from "./measure.ts";
import { compareResults, keepResults } from "./results.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tiny: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    compare: { type: "boolean", default: false },
  },
});
const unknown = positionals.find((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown !== undefined) {
  console.error(`no bench \`${unknown}\`: there are ${BENCHES.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

function perOperation(ns: number): string {
  return ns < 1_000
    ? `${ns.toFixed(0)} ns`
    : ns < 1e6
      ? `${(ns / 1e3).toFixed(1)} µs`
      : `${(ns / 1e6).toFixed(1)} ms`;
}

function row({ contestant, nsPerOperation, ratio, spread }: Measurement): string {
  const times = `${ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0)} ×`;
  const share = `±${(spread * 100).toFixed(0)} %`;
  return `    ${contestant.padEnd(34)}${perOperation(nsPerOperation).padStart(10)}${times.padStart(11)}  ${share}`;
}

let regressions = 0;
for (const bench of BENCHES) {
  if (positionals.length > 0 && !positionals.includes(bench.name)) continue;
  console.log(
    `${bench.name}: ${bench.title}\n  time for one ${bench.operation}, and its ratio to the first`,
  );
  const measurements: Measurement[] = [];
  for (const caseName of bench.cases(values.tiny ? "tiny" : "full")) {
    const measured = await measureCase(bench, caseName, values.tiny ? "tiny" : "full");
    console.log(`  ${caseName} (decisions ${measured[0]!.hash})`);
    for (const each of measured) console.log(row(each));
    measurements.push(...measured);
  }
  if (values.keep) keepResults(bench.name, measurements);
  if (values.compare) regressions += compareResults(bench.name, measurements);
}
if (regressions > 0) process.exitCode = 1;
