/**
 * What a replay on two threads holds at most of 200,000 and of 2,000,000 messages, each in a process of its own:
 * `npm run growth` writes it to `bench/results/replay-growth.json`.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./paths.ts";
import { replayMemoryBench } from "./replay.bench.ts";

const CASES = ["200,000 short messages", "2,000,000 short messages"];

async function bytesOf(caseName: string): Promise<number> {
  const work = await replayMemoryBench.contestants[0]!.prepare(caseName, "full");
  if (!("measure" in work)) throw new Error("the bench measures itself");
  const { cost } = await work.measure(1);
  work.close?.();
  return cost;
}

const [caseName] = process.argv.slice(2);
if (caseName !== undefined) console.log(await bytesOf(caseName));
else {
  const megabytes = CASES.map((each) => {
    const argv = [...process.execArgv, fileURLToPath(import.meta.url), each];
    const { stdout, stderr, status } = spawnSync(process.execPath, argv, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return Math.round(Number(stdout) / 1e6);
  });
  const ratio = Number((megabytes[1]! / megabytes[0]!).toFixed(3));
  const held = Object.fromEntries(CASES.map((each, at) => [each, megabytes[at]]));
  const text = `${JSON.stringify({ node: process.version, unit: "MB", held, ratio }, null, 2)}\n`;
  writeFileSync(join(ROOT, "bench/results/replay-growth.json"), text);
  console.log(text);
}
