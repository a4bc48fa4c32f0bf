/** `npm run bench [-- NAME…] [--case TEXT] [--tiny] [--keep] [--compare]`: runs benches, prints, keeps or compares. */
import { parseArgs } from "node:util";
import type { Bench, Scale } from "./bench.ts";
import { BENCHES } from "./benches.ts";
import { keepCharts } from "./charts.ts";
import { type CaseResult, measureCase } from "./measure.ts";
import { renderCase, renderChanges, renderMeans, renderTitle } from "./report.ts";
import { changesSince, keepResults, keptOf, readKept, regressions } from "./results.ts";

const HELP = `npm run bench [-- NAME…] [options]
  --case TEXT  only cases whose name holds TEXT
  --tiny       each bench small and once: does it run, do all decide alike
  --keep       keep the results, and draw their charts, in bench/results/
  --compare    hold the run against the kept results; exit 1 on a regression beyond the spread
benches: ${BENCHES.map(({ name }) => name).join(", ")}`;

interface Request {
  readonly scale: Scale;
  readonly caseText: string;
  readonly keep: boolean;
  readonly compare: boolean;
}

/** Runs one bench; answers how many cases got worse. */
async function runBench(bench: Bench, request: Request): Promise<number> {
  if (request.scale === "full") bench.build?.();
  console.log(renderTitle(bench));
  const before = readKept(bench.name);
  const cases = bench.cases(request.scale).filter((name) => name.includes(request.caseText));
  const results: CaseResult[] = [];
  for (const caseName of cases) {
    const result = await measureCase(bench, caseName, request.scale);
    console.log(renderCase(bench, caseName, result));
    results.push(result);
    // After each case, so that a run that is ended early has kept what it measured.
    if (request.keep) keepCharts(bench, keepResults(bench.name, keptOf([result])));
  }
  const now = keptOf(results);
  if (cases.length > 1) console.log(renderMeans(bench, now.measurements));
  let worse = 0;
  if (request.compare && before === null)
    console.log("  nothing kept to compare with: keep a run with --keep");
  if (request.compare && before !== null) {
    const changes = changesSince(before.measurements, now.measurements);
    console.log(renderChanges(changes, before));
    worse = regressions(changes).length;
  }
  return worse;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      case: { type: "string", default: "" },
      tiny: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      compare: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const unknown = positionals.find((name) => !BENCHES.some((bench) => bench.name === name));
  const isMixed = values.tiny && (values.keep || values.compare);
  if (unknown !== undefined || isMixed) {
    console.error(
      isMixed
        ? "tiny runs measure nothing worth keeping: leave out `--tiny`"
        : `no bench \`${unknown}\`\n${HELP}`,
    );
    return 2;
  }
  const scale = values.tiny ? "tiny" : "full";
  const request = {
    scale,
    caseText: values.case,
    keep: values.keep,
    compare: values.compare,
  } as const;
  let worse = 0;
  for (const bench of BENCHES) {
    if (positionals.length === 0 || positionals.includes(bench.name))
      worse += await runBench(bench, request);
  }
  return worse > 0 ? 1 : 0;
}

process.exitCode = await main();
