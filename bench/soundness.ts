/**
 * Attacks the proofs of random rule sets: `npm run soundness -- FROM SETS` takes the seeds from `FROM` on, and for every
 * fifth one an edit. What came of it is added to `bench/results/soundness.json`; seeds that are kept there are not counted
 * twice. One wrong proof ends it with 1.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attackCauses, newCauseTally } from "../test/rehearse/diff/causes.ts";
import { attack, attackEdit, newEditTally, newTally } from "../test/rehearse/proof/soundness.ts";
import { RESULTS } from "./results.ts";

/** Random small messages that each set is tried on, beside all small ones. */
const RANDOM_MESSAGES = 200;
const EDIT_EVERY = 5;
const CAUSE_MESSAGES = 50;

interface Counts {
  readonly [name: string]: number;
}

interface Kept {
  /** Seeds from the first to before the last. */
  readonly seeds: readonly (readonly [from: number, to: number])[];
  readonly proofs: Counts;
  readonly edits: Counts;
  /** Of edits with renumberings, messages that go another way: the cause that `diff` names has to hold both ways. */
  readonly causes: Counts;
  /** The rule sets that were proved wrong. */
  readonly wrong: readonly string[];
}

const FILE = join(RESULTS, "soundness.json");

function readKept(): Kept {
  if (!existsSync(FILE)) return { seeds: [], proofs: {}, edits: {}, causes: {}, wrong: [] };
  return JSON.parse(readFileSync(FILE, "utf8")) as Kept;
}

/** In order, with ranges that follow each other as one. */
function joined(seeds: Kept["seeds"]): Kept["seeds"] {
  const ranges: [number, number][] = [];
  for (const [from, to] of [...seeds].sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === from) last[1] = to;
    else ranges.push([from, to]);
  }
  return ranges;
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
  const kept = readKept();
  if (kept.seeds.some(([first, last]) => first < to && from! < last)) {
    console.error("some of these seeds are kept already: take others");
    return 2;
  }
  const [tally, edits, causes] = [newTally(), newEditTally(), newCauseTally()];
  for (let seed = from!; seed < to; seed++) {
    attack(seed, tally, RANDOM_MESSAGES);
    if (seed % EDIT_EVERY !== 0) continue;
    attackEdit(seed, edits, RANDOM_MESSAGES);
    attackCauses(seed, causes, CAUSE_MESSAGES);
  }
  const { wrong, why: _why, ...proofs } = tally;
  const { wrong: wrongEdits, ...pairs } = edits;
  const { wrong: wrongCauses, ...named } = causes;
  const found = [...wrong, ...wrongEdits, ...wrongCauses];
  const now: Kept = {
    seeds: joined([...kept.seeds, [from!, to]]),
    proofs: sum(kept.proofs, proofs),
    edits: sum(kept.edits, pairs),
    causes: sum(kept.causes, named),
    wrong: [...kept.wrong, ...found],
  };
  writeFileSync(FILE, `${JSON.stringify(now, null, 2)}\n`);
  console.log(
    JSON.stringify({
      ...now.proofs,
      edits: now.edits,
      causes: now.causes,
      wrong: now.wrong.length,
    }),
  );
  return found.length > 0 ? 1 : 0;
}

process.exitCode = main();
