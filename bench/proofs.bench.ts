/** What proving costs, and how much of it ends in `unknown`, on rule sets as people write them. */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { findWarnings } from "../src/rehearse/check/warnings.ts";
import { allProofs, type Proof } from "../src/rehearse/proof/prove.ts";
import { STATES_MAX } from "../src/rehearse/proof/prover.ts";
import { atOnce } from "../src/rehearse/proof/slices.ts";
import { rehearse } from "../src/rehearse/rehearsed-domain.ts";
import { realisticConfig } from "../test/rehearse/proof/realistic-rules.ts";
import type { OwnBench, Request } from "./bench.ts";
import { ownCpuNs } from "./cpu-time.ts";
import { RESULTS } from "./results.ts";

/** What `mailflow check` does with a file once it is read: compile, prove, warn. */
function check(config: unknown): readonly Proof[] {
  const result = rehearse(config);
  if (!result.ok) throw new Error(result.diagnostics[0]?.message);
  const proofs = atOnce(allProofs(result.rehearsed, STATES_MAX));
  findWarnings(result.rehearsed, proofs);
  return proofs;
}

interface Row {
  readonly rules: string;
  readonly sets: number;
  readonly questions: number;
  readonly unknown: number;
  /** Milliseconds of processor time that a set takes. */
  readonly medianMs: number;
  readonly worstMs: number;
}

function measure(rules: string, sets: number, countOf: (seed: number) => number): Row {
  const times: number[] = [];
  let [questions, unknown] = [0, 0];
  for (let seed = 1; seed <= sets; seed++) {
    const config = realisticConfig(seed, countOf(seed));
    const start = ownCpuNs();
    const proofs = check(config);
    times.push((ownCpuNs() - start) / 1e6);
    questions += proofs.length;
    unknown += proofs.filter(({ verdict }) => verdict === "unknown").length;
  }
  times.sort((a, b) => a - b);
  const [medianMs, worstMs] = [times[times.length >> 1]!, times.at(-1)!];
  return { rules, sets, questions, unknown, medianMs, worstMs };
}

async function run({ scale, keep }: Request): Promise<number> {
  const isTiny = scale === "tiny";
  const rows = [
    measure("6 to 25", isTiny ? 2 : 200, (seed) => 6 + (seed % 20)),
    measure("100", isTiny ? 1 : 21, () => (isTiny ? 20 : 100)),
    measure("1000", isTiny ? 1 : 3, () => (isTiny ? 30 : 1_000)),
  ];
  console.log("proofs: `check` of rule sets as people write them, processor time");
  for (const { rules, sets, questions, unknown, medianMs, worstMs } of rows) {
    const share = ((100 * unknown) / questions).toFixed(1);
    console.log(
      `  ${rules} rules, ${sets} sets: median ${medianMs.toFixed(0)} ms, worst ${worstMs.toFixed(0)} ms; ${unknown} of ${questions} questions unknown (${share} %)`,
    );
  }
  if (keep) {
    const kept = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", rows };
    const rounded = (_key: string, value: unknown): unknown =>
      typeof value === "number" ? Number(value.toPrecision(4)) : value;
    writeFileSync(join(RESULTS, "proofs.json"), `${JSON.stringify(kept, rounded, 2)}\n`);
  }
  return 0;
}

export const proofsBench: OwnBench = { name: "proofs", run };
