/**
 * Random rounds of a replay that is killed, runs out of space, finds its mail or its output changed, or runs twice at
 * once: each ends with the bytes of one whole run, or is refused with a reason. `npm run rounds -- 500 240` goes on
 * behind the rounds in `bench/results/replay-rounds.json` for at most 240 s, and keeps there what came of all.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildCommand, commandFile } from "./build-command.ts";
import { randomFrom } from "./random.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const EXECUTABLE = commandFile("mailflow-rounds");

const DOMAIN = {
  domain: "shop.example",
  routing_engine: "rules",
  rules_fallback_email: "rest@else.test",
  rules: [
    {
      id: "third",
      type: "regex",
      config: { regex: "number (\\d*[369])$", scopes: ["subject"], forward: "n$1@else.test" },
    },
  ],
};

function mailOf(messages: number, bodyBytes: number): Buffer {
  const body = "x"
    .repeat(79)
    .concat("\n")
    .repeat(Math.ceil(bodyBytes / 80));
  return Buffer.from(
    Array.from(
      { length: messages },
      (_, number) =>
        `From a@b.test Mon Nov 16 00:00:00 2026\nFrom: a@b.test\nTo: you@shop.example\nSubject: number ${number}\n\n${body}\n`,
    ).join(""),
  );
}

interface Ran {
  readonly code: number | null;
  readonly stderr: string;
}

/** Threads of the next run: starting them takes most of a round. */
let workers = 2;

function run(
  folder: string,
  mail: string,
  options: readonly string[],
  limit = "",
  killAfterMs?: number,
): Promise<Ran> {
  const argv = [
    EXECUTABLE,
    "replay",
    "d.json",
    mail,
    "--out",
    "out",
    "--resume",
    "state",
    "--workers",
    String(workers),
    ...options,
  ];
  const line = `${limit} exec '${process.execPath}' ${argv.map((word) => `'${word}'`).join(" ")}`;
  return new Promise((done) => {
    const child = spawn("bash", ["-c", line], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    child.on("close", (code) => done({ code, stderr }));
  });
}

type Kind = "kill" | "full disk" | "changed source" | "changed output" | "two runs";
const KINDS: readonly Kind[] = [
  "kill",
  "full disk",
  "changed source",
  "changed output",
  "two runs",
];

interface Source {
  readonly name: string;
  readonly bytes: Buffer;
  readonly whole: string;
}

interface Round {
  readonly folder: string;
  readonly source: Source;
  readonly random: () => number;
  /** Milliseconds of a whole run. */
  readonly wholeMs: number;
}

const READS = (folder: string): string =>
  existsSync(join(folder, "out")) ? readFileSync(join(folder, "out"), "utf8") : "";

/** Changes some octets of a file and puts its time back. */
function change(path: string, random: () => number): void {
  const { atime, mtime, size } = statSync(path);
  const bytes = readFileSync(path);
  const how = Math.floor(random() * 4);
  let changed = bytes;
  if (how === 0) changed = bytes.subarray(0, Math.floor(size * random()));
  if (how === 1) changed = Buffer.concat([bytes, Buffer.from("more\n")]);
  if (how === 2) changed = Buffer.concat([bytes.subarray(size >> 1), bytes.subarray(0, size >> 1)]);
  if (how === 3 && size > 0) {
    const at = Math.floor(random() * size);
    changed = Buffer.from(bytes);
    changed[at] = changed[at]! ^ 1;
  }
  writeFileSync(path, changed);
  utimesSync(path, atime, mtime);
}

/** Gets it somewhere: killed, or out of space. */
async function interrupt(
  { folder, source, random, wholeMs }: Round,
  how: "kill" | "limit",
): Promise<Ran> {
  if (how === "kill") return run(folder, source.name, [], "", wholeMs * (0.3 + random()));
  const blocks = 1 + Math.floor((random() * source.whole.length) / 1_024);
  return run(folder, source.name, [], `ulimit -f ${blocks};`);
}

function refused({ code, stderr }: Ran): boolean {
  return (code === 1 || code === 2) && stderr.includes("error: ");
}

function batchesKept(folder: string): number {
  const path = join(folder, "state");
  if (!existsSync(path)) return 0;
  return (JSON.parse(readFileSync(path, "utf8")) as { batches: number }).batches;
}

/** Without a state the changed mail is new mail: it has to give what a whole run of it gives elsewhere. */
async function begunAnew({ folder, source }: Round, last: Ran): Promise<string> {
  const other = join(folder, "other");
  mkdirSync(other);
  for (const name of ["d.json", source.name]) copyFileSync(join(folder, name), join(other, name));
  const whole = await run(other, source.name, []);
  const isSame = whole.code === last.code && READS(other) === READS(folder);
  return isSame ? "same as a whole run of the changed mail" : `wrong: ${JSON.stringify(last)}`;
}

/** `same`, `refused`, or what went wrong. */
async function verdictOf(kind: Kind, round: Round): Promise<string> {
  const { folder, source, random } = round;
  const again = (...options: string[]): Promise<Ran> => run(folder, source.name, options);
  if (kind === "two runs") {
    // Half of them find a state that a killed run has left.
    if (random() < 0.5) await interrupt(round, "kill");
    const both = await Promise.all([again(), again()]);
    if (!both.every((ran) => ran.code === 0 || refused(ran)))
      return `wrong: ${JSON.stringify(both)}`;
    if (both.every(refused)) {
      // The killed run had left an output and no state: neither may go on with it.
      const forced = await again("--force");
      const isSame = forced.code === 0 && READS(folder) === source.whole;
      return isSame ? "both refused, then the same with --force" : `wrong: ${JSON.stringify(both)}`;
    }
    if (READS(folder) !== source.whole) return `wrong: ${JSON.stringify(both)}`;
    return both.some(({ code }) => code !== 0) ? "same, the second refused" : "same";
  }
  const first = await interrupt(round, kind === "full disk" || random() < 0.3 ? "limit" : "kill");
  if (first.code === 0 && READS(folder) !== source.whole) return "wrong: code 0 and other bytes";
  const hadState = batchesKept(folder) > 0;
  if (kind === "changed source") change(join(folder, source.name), random);
  if (kind === "changed output") {
    const written = ["out.partial", "out"].map((name) => join(folder, name)).find(existsSync);
    if (written !== undefined) change(written, random);
  }
  for (let tries = 0; kind === "kill" && tries < 2; tries++) await interrupt(round, "kill");
  const last = await again();
  if (kind === "changed source") {
    if (!hadState && !last.stderr.includes("error: ")) return begunAnew(round, last);
    if (last.code === 0) return "wrong: changed mail was gone on with";
  } else if (last.code === 0) {
    return READS(folder) === source.whole ? "same" : "wrong: code 0 and other bytes";
  }
  if (!refused(last)) return `wrong: ${JSON.stringify(last)}`;
  if (kind === "changed source") writeFileSync(join(folder, source.name), source.bytes);
  const forced = await again("--force");
  const isSame = forced.code === 0 && READS(folder) === source.whole;
  return isSame
    ? "refused, then the same with --force"
    : `wrong with --force: ${JSON.stringify(forced)}`;
}

interface Kept {
  /** The commit that was tried. */
  readonly code: string;
  readonly rounds: number;
  readonly node: string;
  readonly counts: Record<string, Record<string, number>>;
  readonly wrong: string[];
}

const RESULT = join(ROOT, "bench/results/replay-rounds.json");

function commit(): string {
  const { stdout, status } = spawnSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim() : "unknown";
}

/** The rounds so far, unless they tried other code or another Node.js ran them. */
function keptRounds(): Kept {
  const none = { code: commit(), rounds: 0, node: process.version, counts: {}, wrong: [] };
  if (!existsSync(RESULT)) return none;
  const kept = JSON.parse(readFileSync(RESULT, "utf8")) as Kept;
  return kept.node === none.node && kept.code === none.code ? kept : none;
}

async function wholeRuns(root: string): Promise<{ sources: Source[]; wholeMs: number }> {
  const sources: Source[] = [];
  let wholeMs = 0;
  for (const [name, bytes] of [
    ["m.mbox", mailOf(200, 110_000)],
    ["m.mbox.gz", gzipSync(mailOf(6_000, 80))],
  ] as const) {
    const folder = join(root, `whole-${name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "d.json"), JSON.stringify(DOMAIN));
    writeFileSync(join(folder, name), bytes);
    const started = performance.now();
    const { code, stderr } = await run(folder, name, []);
    wholeMs = Math.max(wholeMs, performance.now() - started);
    if (code !== 0) throw new Error(stderr);
    sources.push({ name, bytes, whole: READS(folder) });
  }
  return { sources, wholeMs };
}

async function main(rounds: number, secondsMax: number): Promise<void> {
  const end = performance.now() + secondsMax * 1_000;
  await buildCommand("mailflow-rounds");
  const root = mkdtempSync(join(tmpdir(), "replay-rounds-"));
  const { sources, wholeMs } = await wholeRuns(root);
  const { code, rounds: first, counts, wrong } = keptRounds();
  let next = first;
  let done = first;
  const keep = (): string => {
    const result: Kept = { code, rounds: done, node: process.version, counts, wrong };
    const text = `${JSON.stringify(result, null, 2)}\n`;
    writeFileSync(RESULT, text);
    return text;
  };
  const worker = async (): Promise<void> => {
    while (next < rounds && performance.now() < end) {
      const seed = next++;
      const random = randomFrom(seed);
      const kind = KINDS[seed % KINDS.length]!;
      const source = sources[Math.floor(random() * sources.length)]!;
      const folder = join(root, String(seed));
      mkdirSync(folder);
      copyFileSync(join(root, `whole-${source.name}`, "d.json"), join(folder, "d.json"));
      writeFileSync(join(folder, source.name), source.bytes);
      workers = random() < 0.3 ? 2 : 0;
      const verdict = await verdictOf(kind, { folder, source, random, wholeMs });
      const [key] = verdict.split(":");
      counts[kind] = { ...counts[kind], [key!]: (counts[kind]?.[key!] ?? 0) + 1 };
      if (verdict.startsWith("wrong"))
        wrong.push(`round ${seed}, ${kind}, ${source.name}: ${verdict}`);
      rmSync(folder, { recursive: true });
      done++;
      // After each, so that a run that is ended has kept what it found.
      keep();
    }
  };
  await Promise.all([worker(), worker()]);
  rmSync(root, { recursive: true });
  console.log(keep());
}

await main(Number(process.argv[2] ?? 500), Number(process.argv[3] ?? 1_200));
