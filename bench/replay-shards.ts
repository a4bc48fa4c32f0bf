/**
 * 100,000 messages in 20 shards under GNU parallel, a third of whose workers are killed at a random moment of their first
 * attempt: what is merged has to be what one run gives. `npm run shards` writes what came of it to
 * `bench/results/replay-shards.json`.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildCommand, commandFile } from "./build-command.ts";
import { pickFiles } from "./material/mail.ts";
import { ROOT } from "./paths.ts";
import { randomFrom } from "./random.ts";

const SHARDS = 20;
const KILLED = 8;
const COMMAND = commandFile("mailflow-shards");

/** Of 100,000: most in one mbox, the rest in files and in a compressed mbox. */
const IN_MBOX = 88_000;
const IN_FILES = 6_000;
const IN_GZIP = 6_000;

/** As an mbox keeps a message. */
function stored(file: string): Buffer {
  const text = readFileSync(file)
    .toString("latin1")
    .replace(/^From .*\n/, "")
    .replace(/^(>*From )/gm, ">$1");
  const end = text.endsWith("\n") ? "\n" : "\n\n";
  return Buffer.from(`From a@b.test Mon Nov 16 00:00:00 2026\n${text}${end}`, "latin1");
}

function writeMail(folder: string): void {
  const files = pickFiles(IN_FILES, "sample");
  mkdirSync(join(folder, "files"), { recursive: true });
  for (const [index, file] of files.entries()) {
    copyFileSync(file, join(folder, "files", `${index}.eml`));
  }
  const all = files.map(stored);
  writeFileSync(join(folder, "packed.mbox.gz"), gzipSync(Buffer.concat(all.slice(0, IN_GZIP))));
  const once = Buffer.concat(all);
  let left = IN_MBOX;
  for (; left >= all.length; left -= all.length) appendFileSync(join(folder, "large.mbox"), once);
  appendFileSync(join(folder, "large.mbox"), Buffer.concat(all.slice(0, left)));
}

/** A `mailflow` that is killed in its first attempt at a shard for which there is a file that says when. */
function writeCommand(folder: string): void {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "mailflow"),
    `#!/bin/bash
echo "$*" >> '${folder}/attempts'
'${process.execPath}' '${COMMAND}' "$@" &
child=$!
shard=$(sed -n 's|.*--shard \\([0-9]*\\)/.*|\\1|p' <<< "$*")
if [ -n "$shard" ] && mv "${folder}/kill-$shard" "${folder}/killing-$shard" 2> /dev/null; then
  sleep "$(cat "${folder}/killing-$shard")"
  kill -9 $child 2> /dev/null && echo "$shard" >> '${folder}/killed'
fi
wait $child
`,
  );
  chmodSync(join(bin, "mailflow"), 0o755);
}

const hashOf = (path: string): string =>
  createHash("sha256").update(readFileSync(path)).digest("hex");

function lines(path: string): number {
  return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n").length : 0;
}

/** All but times. */
function withoutTimes(json: string): string {
  const { slowest, ...rest } = JSON.parse(json) as Record<string, unknown>;
  return JSON.stringify(rest);
}

async function main(seed: number): Promise<void> {
  await buildCommand("mailflow-shards");
  const folder = mkdtempSync(join(tmpdir(), "replay-shards-"));
  const at = (name: string): string => join(folder, name);
  try {
    writeMail(at("mail"));
    copyFileSync(join(ROOT, "test/dataset/domains/regex.json"), at("domain.json"));
    const { domain } = JSON.parse(readFileSync(at("domain.json"), "utf8")) as { domain: string };
    const replayed = ["domain.json", "mail", "--recipient", `info@${domain}`];
    const mailflow = (...argv: string[]): string => {
      const argv2 = [COMMAND, ...argv];
      const ran = spawnSync(process.execPath, argv2, {
        cwd: folder,
        encoding: "utf8",
        maxBuffer: 1e9,
      });
      if (ran.status !== 0) throw new Error(`${argv.join(" ")}: ${ran.status} ${ran.stderr}`);
      return ran.stdout;
    };
    const started = performance.now();
    const one = mailflow("replay", ...replayed, "--out", "one", "--json");
    const oneMs = performance.now() - started;
    writeCommand(folder);
    const random = randomFrom(seed);
    // Short of what a shard takes, so that it is killed in the midst of it.
    const killWithinMs = oneMs / SHARDS;
    const numbers = Array.from({ length: SHARDS }, (_, index) => index + 1);
    for (let nth = 0; nth < KILLED; nth++) {
      const [number] = numbers.splice(Math.floor(random() * numbers.length), 1);
      writeFileSync(at(`kill-${number}`), ((random() * killWithinMs) / 1_000).toFixed(3));
    }
    const script = join(ROOT, "docs/many-machines/parallel.sh");
    const begun = performance.now();
    const env = { ...process.env, PATH: `${at("bin")}:${process.env.PATH}`, HOME: folder };
    const ran = spawnSync("sh", [script, String(SHARDS), "parts", ...replayed], {
      cwd: folder,
      env,
      encoding: "utf8",
      maxBuffer: 1e9,
    });
    if (ran.status !== 0) throw new Error(`parallel: ${ran.status} ${ran.stderr}`);
    const parallelMs = performance.now() - begun;
    const parts = Array.from({ length: SHARDS }, (_, index) => `parts/part-${index + 1}.json`);
    const merged = mailflow("merge", ...parts, "--json");
    const { messages, decisions } = JSON.parse(one) as Record<string, number>;
    const result = {
      node: process.version,
      parallel: spawnSync("parallel", ["--version"], { encoding: "utf8" }).stdout.split("\n")[0],
      seed,
      messages,
      decisions,
      shards: SHARDS,
      attempts: lines(at("attempts")) - 1,
      killed: lines(at("killed")),
      sameDecisions: hashOf(at("one")) === hashOf(at("parts/decisions.ndjson")),
      sameSummary: withoutTimes(one) === withoutTimes(merged),
      decisionsBytes: statSync(at("one")).size,
      decisionsHash: hashOf(at("one")),
      oneRunSeconds: Number((oneMs / 1_000).toFixed(1)),
      parallelSeconds: Number((parallelMs / 1_000).toFixed(1)),
    };
    const text = `${JSON.stringify(result, null, 2)}\n`;
    writeFileSync(join(ROOT, "bench/results/replay-shards.json"), text);
    console.log(text);
    if (!result.sameDecisions || !result.sameSummary) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await main(Number(process.argv[2] ?? 20261122));
