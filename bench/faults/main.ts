/** Runs the fault suites and keeps the figures: `tsx bench/faults/main.ts --faults 1000 [--seed 1] [--minutes 60]`. */
import { writeFileSync } from "node:fs";
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

const reports: FaultReport[] = [];
for (const [name, share, run] of SUITES) {
  if (values.only !== undefined && values.only !== name) continue;
  const report = await run(Math.max(1, Math.round(faults * share)));
  console.log(JSON.stringify(report));
  reports.push(report);
  if (values.only === undefined) {
    const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
    writeFileSync(RESULT, `${JSON.stringify({ machine, seed, reports }, null, 2)}\n`);
  }
}
const wrong = reports.filter(
  ({ lost, unfinished, unexplained }) => lost + unfinished + unexplained > 0,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
