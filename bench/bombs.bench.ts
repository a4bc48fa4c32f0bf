/** What the messages of the hostile suite cost, against ordinary mail of their size. */
import { parseArgs } from "node:util";
import { messageFactsOf } from "../src/message/read-message.ts";
import { BOMBS } from "../test/message/bombs.ts";
import type { Bench, MeasuredWork, OwnWork } from "./bench.ts";
import { ownCpuNs } from "./cpu-time.ts";
import { type PlainKind, plainMail } from "./material/plain-mail.ts";

const SIZES: Readonly<Record<string, number>> = { "32 KB": 32_768, "1 MB": 1_048_576 };
const TINY_OCTETS = 4_096;
const GROUPS = ["From", "Subject", "Content-Type", "text", "HTML", "quoted-printable"];
const STRUCTURE = "structure";
const SUBJECT: PlainKind = "HTML mail";
/** Each bomb is measured in so many turns, of which the median counts. */
const TURNS = 5;

interface Bomb {
  readonly name: string;
  readonly bytes: Uint8Array;
}

function groupOf(name: string): string {
  return GROUPS.find((group) => name.startsWith(`${group}: `)) ?? STRUCTURE;
}

function bombsOf(group: string, octets: number): Bomb[] {
  return BOMBS.filter(([name]) => groupOf(name) === group).map(([name, bomb]) => ({
    name,
    bytes: new Uint8Array(Buffer.from(bomb(octets), "latin1")),
  }));
}

/** Reads all facts, the decoded header fields among them, and tells how many. */
function readAll(bytes: Uint8Array): number {
  const { headers, body, attachments } = messageFactsOf(bytes);
  return headers.size + body.length + attachments.length;
}

/** Nanoseconds of `runs` readings of each, measured in turn. */
function costsOf(bombs: readonly Bomb[], runs: number): number[] {
  const turns = bombs.map((): number[] => []);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [index, { bytes }] of bombs.entries()) {
      const start = ownCpuNs();
      for (let run = 0; run < runs; run++) readAll(bytes);
      turns[index]!.push(ownCpuNs() - start);
    }
  }
  return turns.map((each) => each.sort((a, b) => a - b)[TURNS >> 1]!);
}

/** `32 KB, Subject` → its octets and its group. */
function caseOf(caseName: string): { octets: number; group: string } {
  const [size = "", group = ""] = caseName.split(", ");
  return { octets: SIZES[size] ?? TINY_OCTETS, group };
}

function reading(kind: PlainKind, caseName: string): OwnWork<number> {
  const bytes = plainMail(kind, caseOf(caseName).octets);
  return { operations: 1, run: () => readAll(bytes), tell: (facts) => [String(facts)] };
}

function dearest(caseName: string): MeasuredWork {
  const { octets, group } = caseOf(caseName);
  const bombs = bombsOf(group, octets);
  return {
    operations: 1,
    async measure(runs) {
      // All of them together take about as long as one would.
      const runsEach = Math.ceil(runs / bombs.length);
      const cost = (Math.max(...costsOf(bombs, runsEach)) / runsEach) * runs;
      return { cost, answers: bombs.map(({ name }) => name) };
    },
  };
}

const why = "they are other messages";

export const bombsBench: Bench = {
  name: "bombs",
  title: "a message made to be costly → all facts, the dearest of each kind, against ordinary mail",
  operation: "message",
  cases: (scale) =>
    scale === "tiny"
      ? ["4 KB, structure"]
      : Object.keys(SIZES).flatMap((size) =>
          [...GROUPS, STRUCTURE].map((group) => `${size}, ${group}`),
        ),
  contestants: [
    { name: SUBJECT, prepare: (caseName) => reading(SUBJECT, caseName) },
    {
      name: "text mail",
      differs: { agreementMin: 0, why },
      prepare: (caseName) => reading("text mail", caseName),
    },
    { name: "dearest bomb", differs: { agreementMin: 0, why }, prepare: dearest },
  ],
};

/** `npx tsx bench/bombs.bench.ts [--rows 20]`: every bomb with its ratios, the dearest first. */
function printAll(): void {
  const { values } = parseArgs({ options: { rows: { type: "string", default: "1000" } } });
  for (const [size, octets] of Object.entries(SIZES)) {
    const plain: Bomb[] = (["HTML mail", "text mail"] as const).map((kind) => ({
      name: kind,
      bytes: plainMail(kind, octets),
    }));
    const all = [...plain, ...[...GROUPS, STRUCTURE].flatMap((group) => bombsOf(group, octets))];
    const runs = Math.ceil(2_097_152 / octets);
    costsOf(all, runs);
    // By octet: a bomb may be somewhat longer or shorter than it was asked to be.
    const costs = costsOf(all, runs).map((cost, index) => cost / runs / all[index]!.bytes.length);
    const [html, text] = costs as [number, number];
    console.log(`${size}: ns an octet, × HTML mail, × text mail`);
    const rows = all.map(({ name }, index) => ({ name, cost: costs[index]! }));
    for (const { name, cost } of rows
      .sort((a, b) => b.cost - a.cost)
      .slice(0, Number(values.rows))) {
      const cells = [cost.toFixed(2), (cost / html).toFixed(2), (cost / text).toFixed(1)];
      console.log(`  ${cells.map((cell) => cell.padStart(7)).join(" ")}  ${name}`);
    }
  }
}

if (process.argv[1]?.endsWith("bombs.bench.ts") === true) printAll();
