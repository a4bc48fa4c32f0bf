/** Worst ns per unit of budget on each path of the engine, and worst processor time and memory of a domain and of a message. */
import { fork } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { OwnBench, Request } from "./bench.ts";
import { HOSTILE_CASES } from "./hostile/cases.ts";
import type { HostileCost } from "./hostile/run-case.ts";
import { ROOT } from "./paths.ts";
import { RESULTS } from "./results.ts";
import { bundle } from "./worker-file.ts";

/** What no domain and no message may cost. */
const UNIT_NS_MAX = 20;
const CPU_MS_MAX = 2_000;
const MEMORY_MB_MAX = 200;
/** Below this, what a message costs is mostly code that V8 compiles, and tells nothing of a unit. */
const TELLING_MS = 50;
/** A message that has not ended by then is stopped. */
const CASE_MS = 60_000;
const TINY_SIZE = 0.01;

interface Row {
  readonly path: string;
  readonly name: string;
  readonly cost: HostileCost | string;
}

function measure(file: string, name: string, size: number): Promise<HostileCost | string> {
  return new Promise((resolve) => {
    const child = fork(file, ["--hostile", name, String(size)], {
      execArgv: ["--expose-gc", "--max-old-space-size=4096"],
      env: { ...process.env, MAILFLOW_BENCH_ROOT: ROOT },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const late = setTimeout(() => child.kill("SIGKILL"), CASE_MS);
    let cost: HostileCost | undefined;
    child.once("message", (message) => {
      cost = message as HostileCost;
    });
    child.once("exit", (code) => {
      clearTimeout(late);
      resolve(
        cost ?? (code === null ? `stopped after ${CASE_MS / 1_000} s` : `ended with ${code}`),
      );
    });
  });
}

function unitNs({ cpuMs, units }: HostileCost): number | null {
  return cpuMs < TELLING_MS ? null : (cpuMs * 1e6) / Math.max(units, 1);
}

/** What of a row breaks a bound. */
function breaches({ cost }: Row): readonly string[] {
  if (typeof cost === "string") return [cost];
  const ns = unitNs(cost);
  return [
    ...(ns !== null && ns > UNIT_NS_MAX ? ["unit"] : []),
    ...(cost.cpuMs > CPU_MS_MAX ? ["time"] : []),
    ...(cost.peakMb > MEMORY_MB_MAX ? ["memory"] : []),
    ...(/^(?:threw|refused)/.test(cost.outcome) ? [cost.outcome] : []),
  ];
}

function render(row: Row): string {
  const { path, name, cost } = row;
  const head = `  ${`${path}: ${name}`.padEnd(64)}`;
  if (typeof cost === "string") return `${head} ${cost}  ✗`;
  const ns = unitNs(cost);
  const cells = [
    ns === null ? "–" : `${ns < 1e5 ? ns.toFixed(1) : ns.toExponential(0)} ns`,
    `${cost.cpuMs.toFixed(0)} ms`,
    `${cost.peakMb.toFixed(0)} MB`,
    `${cost.keptMb.toFixed(1)} MB`,
  ];
  const marks = breaches(row);
  const mark = marks.length === 0 ? "" : `  ✗ ${marks.join(", ")}`;
  return `${head} ${cells.map((cell) => cell.padStart(9)).join(" ")}  ${cost.outcome}${mark}`;
}

/** The worst of each path. */
function renderPaths(rows: readonly Row[]): string {
  const paths = [...new Set(rows.map(({ path }) => path))];
  const lines = paths.map((path) => {
    const costs = rows.flatMap((row) =>
      row.path === path && typeof row.cost !== "string" ? [row.cost] : [],
    );
    const worst = (of: (cost: HostileCost) => number): number => Math.max(0, ...costs.map(of));
    const cells = [
      `${worst((cost) => unitNs(cost) ?? 0).toFixed(1)} ns`,
      `${worst(({ cpuMs }) => cpuMs).toFixed(0)} ms`,
      `${worst(({ peakMb }) => peakMb).toFixed(0)} MB`,
      `${worst(({ keptMb }) => keptMb).toFixed(1)} MB`,
    ];
    return `  ${path.padEnd(64)} ${cells.map((cell) => cell.padStart(9)).join(" ")}`;
  });
  const head = ["a unit", "time", "at most", "kept"].map((cell) => cell.padStart(9)).join(" ");
  return [`  ${"worst of each path".padEnd(64)} ${head}`, ...lines].join("\n");
}

const KEPT_FILE = join(RESULTS, "hostile.json");

/** Cases that are not run now stay as they were kept; after each case, so that a run that is ended early has kept some. */
function keepRow(row: Row): void {
  const before: { rows: readonly Row[] } = existsSync(KEPT_FILE)
    ? JSON.parse(readFileSync(KEPT_FILE, "utf8"))
    : { rows: [] };
  const wholeOf = ({ path, name }: { path: string; name: string }): string => `${path}: ${name}`;
  const known = new Map([...before.rows, row].map((each) => [wholeOf(each), each]));
  const rows = HOSTILE_CASES.flatMap((each) => known.get(wholeOf(each)) ?? []);
  const kept = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", rows };
  const rounded = (_key: string, value: unknown): unknown =>
    typeof value === "number" ? Number(value.toPrecision(4)) : value;
  writeFileSync(KEPT_FILE, `${JSON.stringify(kept, rounded, 2)}\n`);
}

/** Answers how many cases break a bound; a tiny run is too short to judge one, and answers 0. */
async function run({ scale, caseTexts, keep }: Request): Promise<number> {
  const file = await bundle("hostile/run-case");
  console.log(
    `hostile: a domain with its first message, or a message of a domain, made to be expensive\n  processor time a unit (at most ${UNIT_NS_MAX} ns) and in all (${CPU_MS_MAX} ms), memory at most (${MEMORY_MB_MAX} MB) and kept`,
  );
  const rows: Row[] = [];
  for (const { path, name } of HOSTILE_CASES) {
    const whole = `${path}: ${name}`;
    if (!caseTexts.every((text) => whole.includes(text))) continue;
    const cost = await measure(file, whole, scale === "tiny" ? TINY_SIZE : 1);
    const row = { path, name, cost };
    rows.push(row);
    console.log(render(row));
    if (keep) keepRow(row);
  }
  console.log(renderPaths(rows));
  const broken = rows.filter((row) => breaches(row).length > 0).length;
  console.log(`  ${broken} of ${rows.length} cases break a bound`);
  return scale === "tiny" ? 0 : broken;
}

export const hostileBench: OwnBench = { name: "hostile", run };
