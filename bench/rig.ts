/** Rivals in C++: built with g++ where their Debian packages are installed, and driven over pipes. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Absent, type Answers, absent, Refusal } from "./bench.ts";
import { buildOnce, run, whyNotBuilt } from "./build-once.ts";
import { CACHE, ROOT } from "./paths.ts";

export interface Rig {
  /** Of the source below `rigs/`, without `.cc`. */
  readonly name: string;
  /** As pkg-config calls it. */
  readonly pkgConfigName: string;
  readonly debianPackage: string;
}

export interface StartedRig {
  /** Does the work on items `from` … `from + count`; `cost`: nanoseconds of processor time. */
  run(from: number, count: number): Promise<{ readonly cost: number; readonly answers: Answers }>;
  close(): void;
}

/** Hyperscan compiles a thousand patterns for a minute of its own processor time. */
const READY_MS = 180_000;

const programOf = ({ name }: Rig): string => join(CACHE, `rig-${name}`);

const FOLDER = join(ROOT, "bench", "rigs");
const HEADERS = ["rig.h", "first-rule.h"];

function versionOf({ name }: Rig): string {
  const hash = createHash("sha256");
  for (const file of [`${name}.cc`, ...HEADERS]) hash.update(readFileSync(join(FOLDER, file)));
  return hash.digest("hex").slice(0, 16);
}

/** Builds the rig unless this source of it is built. */
export function buildRig(rig: Rig): void {
  buildOnce(`rig-${rig.name}`, versionOf(rig), () => {
    let flags: string[];
    try {
      flags = run("pkg-config", ["--cflags", "--libs", rig.pkgConfigName], FOLDER)
        .trim()
        .split(/\s+/);
    } catch {
      throw new Error(`Debian's ${rig.debianPackage} is not installed`);
    }
    const source = join(FOLDER, `${rig.name}.cc`);
    const args = ["-O3", "-march=native", "-std=c++17", source, "-o", programOf(rig), ...flags];
    run("g++", args, FOLDER);
  });
}

/** Lists of byte strings in one file: a count, then length and bytes of each, as 32 bits little-endian. */
function writeLists(file: string, lists: readonly (readonly Uint8Array[])[]): void {
  const number = (value: number): Uint8Array => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const parts = lists.flatMap((list) => [
    number(list.length),
    ...list.flatMap((bytes) => [number(bytes.length), bytes]),
  ]);
  writeFileSync(file, Buffer.concat(parts));
}

/** Starts a rig on its input. */
export async function startRig(
  rig: Rig,
  mode: string,
  lists: readonly (readonly Uint8Array[])[],
): Promise<StartedRig | Absent> {
  const problem = whyNotBuilt(`rig-${rig.name}`, versionOf(rig));
  if (problem !== null) return problem;
  const file = join(CACHE, `input-${rig.name}-${process.pid}`);
  writeLists(file, lists);
  const child = spawn(programOf(rig), [mode, file], { stdio: ["pipe", "pipe", "inherit"] });
  const kill = (): void => {
    child.kill();
  };
  process.once("exit", kill);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    const ended = `refused: it ended, or was not ready after ${READY_MS / 1_000} s`;
    const said = done === true ? ended : value;
    if (said.startsWith("refused: ")) throw new Refusal(said.slice("refused: ".length));
    return said;
  };
  const late = setTimeout(kill, READY_MS);
  try {
    await nextLine();
    clearTimeout(late);
  } catch (error) {
    clearTimeout(late);
    if (error instanceof Refusal) return absent(error.message);
    throw error;
  }
  return {
    async run(from, count) {
      child.stdin.write(`${from} ${count}\n`);
      const cost = Number(await nextLine());
      const answers: string[] = [];
      while (answers.length < count) answers.push(await nextLine());
      return { cost, answers };
    },
    close: kill,
  };
}
