/** One contestant on one case, in a process of its own: prepares, then runs a round each time it is asked. */
import { createHash } from "node:crypto";
import type { Scale } from "./bench.ts";
import { BENCHES } from "./benches.ts";

export interface Round {
  readonly nsPerOperation: number;
  readonly hash: string;
}

const [benchName, contestantName, caseName, scale] = process.argv.slice(2) as [
  string,
  string,
  string,
  Scale,
];
const contestant = BENCHES.find(({ name }) => name === benchName)?.contestants[contestantName];
if (contestant === undefined) throw new Error(`no contestant ${benchName}/${contestantName}`);
const work = await contestant(caseName, scale);

/** Rounds are made of as many runs as fill this time: below it the clock's grain would show. */
const ROUND_MS = scale === "tiny" ? 1 : 200;
let runs = 1;

function round(): Round {
  const answers: string[] = [];
  const start = process.hrtime.bigint();
  for (let run = 0; run < runs; run++) {
    answers.length = 0;
    for (const answer of work.run()) answers.push(answer);
  }
  const ns = Number(process.hrtime.bigint() - start);
  const hash = createHash("sha256").update(answers.join("\n")).digest("hex").slice(0, 16);
  return { nsPerOperation: ns / runs / work.operations, hash };
}

// Fixed work: how many runs a round has is settled once, while warming up.
for (let warm = 0; warm < 3; warm++) {
  const { nsPerOperation } = round();
  runs = Math.max(1, Math.ceil((ROUND_MS * 1e6) / (nsPerOperation * work.operations)));
}
process.on("message", () => process.send?.(round()));
process.send?.("ready");
