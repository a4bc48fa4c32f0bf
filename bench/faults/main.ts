/** Runs the fault suites: `tsx bench/faults/main.ts --faults 1000 [--seed 1] [--only node,embedded] [--keep]`; `--keep` keeps the figures. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serverPrograms } from "./cluster.ts";
import {
  embeddedSuite,
  type FaultReport,
  networkSuite,
  nodeSuite,
  outageSuite,
  serverSuite,
  sessionSuite,
} from "./suites.ts";

const RESULT = fileURLToPath(new URL("../results/faults.json", import.meta.url));

const { values } = parseArgs({
  options: {
    faults: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const faults = Number(values.faults);
const seed = Number(values.seed);
const programs = serverPrograms();
if (programs === null)
  throw new Error("no PostgreSQL server is installed: apt-get install postgresql");

/** Shares of all faults; a start of the embedded process takes longest. */
const SUITES: readonly [
  name: string,
  share: number,
  run: (count: number) => Promise<FaultReport>,
][] = [
  ["node", 0.3, (count) => nodeSuite(programs, count, seed)],
  ["embedded", 0.3, (count) => embeddedSuite(count, seed)],
  ["postgres", 0.1, (count) => serverSuite(programs, count, seed)],
  ["sessions", 0.2, (count) => sessionSuite(programs, count, seed)],
  ["network", 0.1, (count) => networkSuite(programs, count, seed)],
  ["outage", 0, (count) => outageSuite(programs, count, seed)],
];

interface Kept {
  readonly reports: readonly (FaultReport & { readonly seed: number; readonly machine: object })[];
}

/** Beside what other runs have kept of other suites. */
function keep(report: FaultReport): void {
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
  const before: Kept = existsSync(RESULT)
    ? JSON.parse(readFileSync(RESULT, "utf8"))
    : { reports: [] };
  const others = before.reports.filter(({ suite }) => suite !== report.suite);
  const place = ({ suite }: FaultReport): number => SUITES.findIndex(([name]) => name === suite);
  const all = [...others, { ...report, seed, machine }].sort((a, b) => place(a) - place(b));
  writeFileSync(RESULT, `${JSON.stringify({ reports: all }, null, 2)}\n`);
}

const wanted = values.only?.split(",");
const reports: FaultReport[] = [];
for (const [name, share, run] of SUITES) {
  if (wanted?.includes(name) === false) continue;
  const report = await run(Math.max(1, Math.round(faults * share)));
  console.log(JSON.stringify(report));
  reports.push(report);
  if (values.keep) keep(report);
}
const wrong = reports.filter(
  ({ lost, unfinished, unexplained }) => lost + unfinished + unexplained > 0,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
