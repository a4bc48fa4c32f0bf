/** `npm run bench [-- NAME…] [options]`: runs benches, prints, keeps or compares. */
import { parseArgs } from "node:util";
import type { Bench, Request } from "./bench.ts";
import { BENCH_NAMES, loadBench } from "./benches.ts";
import { keepCharts } from "./charts.ts";
import { type CaseResult, measureCase } from "./measure.ts";
import { renderCase, renderChanges, renderMeans, renderTitle } from "./report.ts";
import { changesSince, keepResults, keptOf, readKept, regressions } from "./results.ts";

const HELP = `npm run bench [-- NAME…] [options]
  --case TEXT  only cases whose name holds TEXT; given more than once, each of them
  --only TEXT  only contestants whose name holds TEXT, and the subject
  --slice N    of benches with many cases, the N-th of their slices, or \`all\`; default: the first, or
               all with --case
  --tiny       each bench small and once: does it run, do all decide alike
  --keep       keep the results, and draw their charts, in bench/results/
  --compare    hold the run against the kept results; exit 1 on a regression beyond the spread
benches: ${BENCH_NAMES.join(", ")}`;

function casesOf(bench: Bench, { scale, slice, caseTexts }: Request): readonly string[] {
  const all = bench.cases(scale);
  const each = all.length / (bench.slices ?? 1);
  const isWhole = slice === null || scale === "tiny" || bench.slices === undefined;
  const cases = isWhole ? all : all.slice((slice - 1) * each, slice * each);
  return cases.filter((name) => caseTexts.every((text) => name.includes(text)));
}

/** Runs one bench; answers how many cases got worse. */
async function runBench(whole: Bench, request: Request): Promise<number> {
  const isWanted = (name: string, nth: number): boolean => nth === 0 || name.includes(request.only);
  const contestants = whole.contestants.filter(({ name }, nth) => isWanted(name, nth));
  const bench = { ...whole, contestants };
  if (request.scale === "full") bench.build?.();
  console.log(renderTitle(bench));
  const before = readKept(bench.name);
  const cases = casesOf(bench, request);
  const results: CaseResult[] = [];
  for (const caseName of cases) {
    const result = await measureCase(bench, caseName, request.scale);
    console.log((bench.report?.renderCase ?? renderCase)(bench, caseName, result));
    results.push(result);
    // After each case, so that a run that is ended early has kept what it measured.
    if (request.keep) keepCharts(bench, keepResults(bench.name, keptOf([result])));
  }
  const now = keptOf(results);
  if (cases.length > 1 && request.scale === "full")
    console.log((bench.report?.renderSummary ?? renderMeans)(bench, now.measurements));
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

/** Throws on a slice that is none. */
function readSlice(text: string | undefined, hasCase: boolean): number | null {
  if (text === "all" || (text === undefined && hasCase)) return null;
  const slice = Number(text ?? "1");
  if (Number.isInteger(slice) && slice >= 1) return slice;
  throw new Error(`no slice \`${text}\`: give a number from 1, or \`all\``);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      case: { type: "string", multiple: true, default: [] },
      only: { type: "string", default: "" },
      slice: { type: "string" },
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
  const unknown = positionals.find((name) => !BENCH_NAMES.includes(name));
  const isMixed = values.tiny && (values.keep || values.compare);
  if (unknown !== undefined || isMixed) {
    console.error(
      isMixed
        ? "tiny runs measure nothing worth keeping: leave out `--tiny`"
        : `no bench \`${unknown}\`\n${HELP}`,
    );
    return 2;
  }
  const request: Request = {
    scale: values.tiny ? "tiny" : "full",
    caseTexts: values.case,
    only: values.only,
    slice: readSlice(values.slice, values.case.length > 0),
    keep: values.keep,
    compare: values.compare,
  };
  let worse = 0;
  for (const name of positionals.length === 0 ? BENCH_NAMES : positionals) {
    const bench = (await loadBench(name))!;
    worse += await ("run" in bench ? bench.run(request) : runBench(bench, request));
  }
  return worse > 0 ? 1 : 0;
}

process.exitCode = await main();
