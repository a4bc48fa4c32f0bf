/**
 * Attacks the proofs of random rule sets: `npm run soundness -- FROM SETS` takes the seeds from `FROM` on, and for every
 * fifth one an edit. What came of it is added to `bench/results/soundness.json`; seeds that are kept there are not counted
 * twice. One wrong proof ends it with 1.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attack, attackEdit, newEditTally, newTally } from "../test/rehearse/proof/soundness.ts";
import { RESULTS } from "./results.ts";

/** Random small messages that each set is tried on, beside all small ones. */
const RANDOM_MESSAGES = 200;
const EDIT_EVERY = 5;

interface Counts {
  readonly [name: string]: number;
}

interface Kept {
  /** Seeds from the first to before the last. */
  readonly seeds: readonly (readonly [from: number, to: number])[];
  readonly proofs: Counts;
  readonly edits: Counts;
  /** The rule sets that were proved wrong. */
  readonly wrong: readonly string[];
}

const FILE = join(RESULTS, "soundness.json");

function readKept(): Kept {
  if (!existsSync(FILE)) return { seeds: [], proofs: {}, edits: {}, wrong: [] };
  return JSON.parse(readFileSync(FILE, "utf8")) as Kept;
}

function sum(one: Counts, other: Counts): Counts {
  return Object.fromEntries(
    Object.entries(other).map(([name, count]) => [name, (one[name] ?? 0) + count]),
  );
}

function main(): number {
  const [from, sets] = process.argv.slice(2).map(Number);
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(sets)) {
    console.error("npm run soundness -- FROM SETS: give the first seed and how many");
    return 2;
  }
  const to = from! + sets!;
  const [tally, edits] = [newTally(), newEditTally()];
  for (let seed = from!; seed < to; seed++) {
    attack(seed, tally, RANDOM_MESSAGES);
    if (seed % EDIT_EVERY === 0) attackEdit(seed, edits, RANDOM_MESSAGES);
  }
  const { wrong, why: _why, ...proofs } = tally;
  const { wrong: wrongEdits, ...pairs } = edits;
  const kept = readKept();
  if (kept.seeds.some(([first, last]) => first < to && from! < last)) {
    console.error("some of these seeds are kept already: take others");
    return 2;
  }
  const now: Kept = {
    seeds: [...kept.seeds, [from!, to] as const].sort(([a], [b]) => a - b),
    proofs: sum(kept.proofs, proofs),
    edits: sum(kept.edits, pairs),
    wrong: [...kept.wrong, ...wrong, ...wrongEdits],
  };
  writeFileSync(FILE, `${JSON.stringify(now, null, 2)}\n`);
  console.log(JSON.stringify({ ...now.proofs, edits: now.edits, wrong: now.wrong.length }));
  return wrong.length + wrongEdits.length > 0 ? 1 : 0;
}

process.exitCode = main();
